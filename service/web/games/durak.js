// Durak: cards held down are laid together. The result of a deal: players are tapped as they go out; the last tap
// but one enters it.
import { cardOf } from './form_entry.js';
import './picker_loader.js';

const holder = /** @type {HTMLElement} */ (document.querySelector('[data-board]') ?? document.body);

/** Who was tapped as out: it outlives a new board and a reload, and once `entered` a refusal or undo on the same one. */
const PLACE = `out ${location.pathname}`;
const kept = { order: sessionStorage.getItem(PLACE) ?? '', entered: '', version: '' };
addEventListener('pagehide', () => sessionStorage.setItem(PLACE, kept.order));
const versionNow = () => /** @type {HTMLElement | null} */ (holder.querySelector('.board'))?.dataset.version ?? '';

/** @param {HTMLElement} form what was tapped so far, the first who was out first @returns {number[]} */
const order = (form) => JSON.parse(form.dataset.order ?? form.dataset.out ?? '[]');

/**
 * Seat an end of the deal on a button.
 * @param {HTMLButtonElement} button
 * @param {number[][]} places
 * @param {number | null} durak
 * @param {string} label
 */
function offer(button, places, durak, label) {
  button.value = JSON.stringify({ type: 'result', places, durak, dealer: { from: 'dealt' } });
  button.textContent = label;
  button.hidden = false;
}

/** Show the places tapped, and how the deal may end from here. @param {HTMLElement} form */
function show(form) {
  const so = order(form);
  const seats = /** @type {HTMLButtonElement[]} */ ([...form.querySelectorAll('[data-seat]')]);
  const names = seats.map((button) => button.dataset.name ?? '');
  seats.forEach((button, seat) => {
    const place = so.indexOf(seat);
    /** @type {HTMLElement} */ (button.querySelector('b')).textContent = place < 0 ? '' : `${place + 1}.`;
    button.setAttribute('aria-pressed', String(place >= 0));
  });
  const rest = seats.map((_, seat) => seat).filter((seat) => !so.includes(seat));
  const ends = /** @type {NodeListOf<HTMLButtonElement>} */ (form.querySelectorAll('[data-end], [data-drawn]'));
  for (const button of ends) button.hidden = true;
  const words = JSON.parse(form.dataset.words ?? '{}');
  const places = so.map((seat) => [seat]);
  const together = JSON.parse(form.dataset.teams ?? 'false') && rest.every((seat) => seat % 2 === rest[0] % 2);
  if (rest.length === 1 || (together && rest.length === 2)) {
    for (const [place, durak] of rest.entries()) {
      offer(ends[place], [...places, rest], durak, words.durak.replace('%s', names[durak]));
    }
  } else if (rest.length > 1 && (so.length > 0 || rest.length < 4)) {
    offer(ends[2], [...places, rest], null, words.drawn.replace('%s', rest.map((seat) => names[seat]).join(', ')));
  }
}

holder.addEventListener('click', (event) => {
  const button = /** @type {HTMLElement} */ (event.target).closest('[data-places] [data-seat]');
  if (!(button instanceof HTMLElement)) return;
  const form = /** @type {HTMLElement} */ (button.closest('[data-places]'));
  const seat = Number(button.dataset.seat);
  if (JSON.parse(form.dataset.out ?? '[]').includes(seat)) return;
  const so = order(form);
  form.dataset.order = JSON.stringify(so.includes(seat) ? so.filter((one) => one !== seat) : [...so, seat]);
  kept.order = form.dataset.order;
  show(form);
  const left = form.querySelectorAll('[data-seat][aria-pressed="false"]').length;
  if (left === 1) /** @type {HTMLButtonElement} */ (form.querySelector('[data-end]')).click();
});

// --- several cards at once

const HOLD_MS = 500;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
/** The finger that held lets go: that is no tap. */
let swallow = false;

/** @param {Element} key @returns {HTMLInputElement | null} */
const boxOf = (key) => holder.querySelector(`[name="open.cards"][value='"${cardOf(key)}"']`);
/** @param {Event} event */
const keyOf = (event) =>
  /** @type {Element} */ (event.target).closest('.panel:not(.offline-pad) .pad:has(.several) .key:not(.dim)');
const held = () => holder.querySelector('.more:not([open]) [name="open.cards"]:checked');

/** Show which cards are held. */
function mark() {
  for (const key of holder.querySelectorAll('.pad:has(.several) .key')) {
    key.classList.toggle('chosen', Boolean(held()) && Boolean(boxOf(key)?.checked));
  }
}

/** @param {Element} key */
function hold(key) {
  const box = boxOf(key);
  if (box) box.checked = !box.checked;
  mark();
}

holder.addEventListener('pointerdown', (event) => {
  swallow = false;
  const key = keyOf(event);
  if (!key) return;
  timer = setTimeout(() => {
    swallow = true;
    hold(key);
  }, HOLD_MS);
});
for (const kind of ['pointerup', 'pointercancel', 'pointerleave', 'scroll']) {
  holder.addEventListener(kind, () => clearTimeout(timer));
}
document.addEventListener(
  'click',
  (event) => {
    const key = keyOf(event);
    if (key && (swallow || held())) {
      event.preventDefault();
      event.stopPropagation();
      if (!swallow) hold(key);
    } else if (/** @type {Element} */ (event.target).closest('[data-none-held]')) {
      for (const box of holder.querySelectorAll('[name="open.cards"]')) {
        /** @type {HTMLInputElement} */ (box).checked = false;
      }
      mark();
    }
    swallow = false;
  },
  { capture: true },
);

// A result that waits is no longer on its form: the next deal is tapped from the first place on.
holder.addEventListener('entered', (event) => {
  const form = /** @type {HTMLElement} */ (event.target).closest('[data-places]');
  if (!(form instanceof HTMLElement)) return;
  Object.assign(kept, { order: '', entered: form.dataset.order, version: versionNow() });
  form.dataset.order = '[]';
  show(form);
});

/** Begin anew on every board. */
const begin = () => {
  mark();
  const form = /** @type {HTMLElement | null} */ (holder.querySelector('[data-places]:not([data-order])'));
  if (!form) return;
  const entered = kept.version === versionNow() ? kept.entered : '';
  form.dataset.order = kept.order || entered || form.dataset.out;
  show(form);
};
new MutationObserver(begin).observe(holder, { childList: true });
begin();
