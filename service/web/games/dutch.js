// The rows of Dutch revealed by tapping: each card goes to the next slot that is still unseen. Two slots tapped
// exchange their cards where a jack allows it.
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
// A second tap on a rank leaves its suits where they are.
document.addEventListener('click', (event) => {
  if (around(event.target, '.rank[open] > summary')) event.preventDefault();
});

document.addEventListener('click', (event) => {
  const button = document.querySelector('.panel:not(.afloat) [data-trade]');
  const place = event.target;
  if (!(button instanceof HTMLButtonElement) || !(place instanceof HTMLInputElement)) return;
  const first = /** @type {HTMLInputElement | null} */ (document.querySelector('[name="opens.place"][data-first]'));
  for (const one of document.querySelectorAll('[data-first]')) one.removeAttribute('data-first');
  if (place.name !== 'opens.place' || !place.value) return;
  if (!first || first === place) return place.setAttribute('data-first', '');
  const second = /** @type {HTMLInputElement} */ (document.querySelector('[data-second]'));
  second.value = JSON.stringify(JSON.parse(place.value).place);
  first.checked = true;
  button.click();
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
