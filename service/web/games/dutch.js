// The rows of Dutch revealed by tapping: each card goes to the next slot that is still unseen.
import './lots.js';
import './numbers.js';

const UNSEEN = '"??"';
/** @type {HTMLSelectElement | undefined} the slot that was chosen by hand */
let chosen;

/** @param {EventTarget | null} target @param {string} what */
const around = (target, what) => (target instanceof Element ? target.closest(what) : null);

document.addEventListener('focusin', (event) => {
  const face = around(event.target, '[data-face]');
  if (face instanceof HTMLSelectElement) chosen = face;
});
document.addEventListener(
  'click',
  (event) => {
    const key = around(event.target, '.fills .key');
    if (!(key instanceof HTMLElement)) return;
    event.preventDefault();
    const form = /** @type {HTMLElement} */ (key.closest('[data-fill]'));
    const faces = /** @type {HTMLSelectElement[]} */ ([...form.querySelectorAll('[data-face]')]);
    const face =
      chosen && faces.includes(chosen) ? chosen : (faces.find((one) => one.value === UNSEEN) ?? faces.at(-1));
    if (face) face.value = JSON.stringify(key.dataset.card);
    chosen = undefined;
    key.closest('details')?.removeAttribute('open');
  },
  { capture: true },
);
