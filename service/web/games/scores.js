// Rounds of any other game are typed on the keypad for numbers, with sums such as 3+6-2.
import { choose, keypad } from './numbers.js';

/** A number is complete after this time without a key; the keypad then moves on to the next empty field. */
const PAUSE_MS = 1500;
const SUM_LENGTH_MAX = 60;
/** An arrow so soon after the keypad moved on by itself was meant for the field before. */
const SLIP_MS = 700;
let moved = -SLIP_MS;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let pausing;
/** The field that the keypad left by itself: `+` and `⌫` go back to it. @type {HTMLInputElement | undefined} */
let left;

/** A sum such as 3+6-2 as one number. @param {string} value */
const summed = (value) =>
  /\d[+-]/.test(value) ? `${(value.match(/[+-]?\d+/g) ?? []).reduce((sum, one) => sum + Number(one), 0)}` : value;

keypad.number = summed;

keypad.press = (value, sign) => {
  if (sign === '⌫') return value.slice(0, -1);
  if (sign === '+') return /\d$/.test(value) ? `${value}+` : value;
  if (sign === '±') return value.replace(/([+-]?)(\d*)$/, (_all, before, digits) => turned(before, digits, value));
  return (value + sign).replace(/(^|[+-])0+(?=\d)/, '$1').slice(0, SUM_LENGTH_MAX);
};

/** The last term with the other sign. @param {string} before @param {string} digits @param {string} value */
function turned(before, digits, value) {
  if (before === '-') return value.length > before.length + digits.length ? `+${digits}` : digits;
  return `-${digits}`;
}

/** The field that the keypad types into. */
const typing = () => /** @type {HTMLInputElement | null} */ (document.querySelector('[data-sums] .typing'));

/** The key of a tap. @param {Event} event */
const keyOf = (event) => (event.target instanceof Element ? event.target.closest('[data-sums] [data-digit]') : null);

/** The empty fields of a form. @param {HTMLInputElement} field */
const emptyFields = (field) =>
  /** @type {HTMLInputElement[]} */ ([
    ...(field.closest('[data-sums]')?.querySelectorAll('[data-number]') ?? []),
  ]).filter((one) => !one.value);

/** @type {HTMLInputElement | null} */
let pressed;
document.addEventListener(
  'click',
  (event) => {
    const key = keyOf(event);
    if (!(key instanceof HTMLElement)) return;
    clearTimeout(pausing);
    const slipped = key.dataset.digit === '→' && event.timeStamp - moved < SLIP_MS;
    moved = -SLIP_MS;
    if (slipped) return event.stopImmediatePropagation();
    if (left && !typing()?.value && (key.dataset.digit === '+' || key.dataset.digit === '⌫')) choose(left);
    left = undefined;
    pressed = typing();
  },
  { capture: true },
);
document.addEventListener('click', (event) => {
  const field = typing();
  const key = keyOf(event);
  if (!(key instanceof HTMLElement) || !field) return;
  if (/\d/.test(key.dataset.digit ?? '') && !field.value) moved = event.timeStamp;
  fillLast(field);
  if (field === (pressed ?? field) && /\d$/.test(field.value)) pausing = setTimeout(() => moveOn(field), PAUSE_MS);
});

/** Move to the next empty field. @param {HTMLInputElement} field */
function moveOn(field) {
  const next = emptyFields(field).find((one) => field.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING);
  if (!next) return;
  choose(next);
  moved = performance.now();
  left = field;
}

/** In a game whose rounds add up to 0, the last number follows from the others. @param {HTMLInputElement} field */
function fillLast(field) {
  const form = field.closest('[data-zero-sum]');
  if (!form || field.value || emptyFields(field).length > 1) return;
  const fields = /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll('[data-number]'));
  field.value = `${-[...fields].reduce((sum, one) => sum + Number(summed(one.value)), 0)}`;
}

for (const kind of ['click', 'submit']) {
  document.addEventListener(
    kind,
    (event) => {
      if (kind === 'click' && !(event.target instanceof Element && event.target.closest('[name=entry]'))) return;
      for (const field of document.querySelectorAll('[data-sums] [data-number]')) {
        if (field instanceof HTMLInputElement) field.value = summed(field.value);
      }
    },
    { capture: true },
  );
}
