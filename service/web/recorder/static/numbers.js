// A keypad for numbers with minus, instead of the phone's keyboard.
/** @type {HTMLInputElement | undefined} */
let current;

/** A number is complete after this time without a key; the keypad then moves on to the next empty field. */
const PAUSE_MS = 1500;
const NUMBER_LENGTH_MAX = 7;
const SUM_LENGTH_MAX = 60;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let pausing;
/** The field that the keypad left by itself: `+` and `⌫` go back to it. @type {HTMLInputElement | undefined} */
let left;

/** Fields with a tapped digit; in other fields the first digit replaces the old value. */
/** @type {WeakSet<HTMLInputElement>} */
const touched = new WeakSet();

/** @param {EventTarget | null} target @param {string} what */
const around = (target, what) => (target instanceof Element ? target.closest(what) : null);

/** Select the field for the keypad. @param {HTMLInputElement} input */
function choose(input) {
  current?.classList.remove('typing');
  if (current) current.value = summed(current.value);
  current = input;
  input.inputMode = 'none';
  input.classList.add('typing');
}

for (const kind of ['pointerdown', 'focusin']) {
  document.addEventListener(kind, (event) => {
    const input = around(event.target, '[data-number]');
    if (input instanceof HTMLInputElement) choose(input);
  });
}
document.addEventListener('click', (event) => {
  const key = around(event.target, '[data-digit]');
  if (!(key instanceof HTMLElement)) return;
  const form = /** @type {HTMLElement} */ (key.closest('[data-numbers]'));
  const fields = /** @type {HTMLInputElement[]} */ (
    [...form.querySelectorAll('[data-number]')].filter((field) => field.getClientRects().length)
  );
  if (!current || !fields.includes(current)) choose(fields.find((field) => !field.value) ?? fields[0]);
  if (!current) return;
  const digit = key.dataset.digit ?? '';
  const asked = digit === '→';
  clearTimeout(pausing);
  if (left && !current.value && (digit === '+' || digit === '⌫')) choose(left);
  left = undefined;
  if (!asked) {
    const goesOn = touched.has(current) || !/\d/.test(digit);
    current.value = press(goesOn ? current.value : '', digit, 'sums' in form.dataset);
    touched.add(current);
  }
  if (asked || (digit !== '⌫' && isWhole(current.value, form.dataset.most))) return onward(form, fields, asked);
  if (!('sums' in form.dataset) || !/\d$/.test(current.value)) return;
  pausing = setTimeout(() => {
    const next = fields.slice(fields.indexOf(/** @type {HTMLInputElement} */ (current)) + 1).find((one) => !one.value);
    left = next && current;
    if (next) choose(next);
  }, PAUSE_MS);
});

/** Whether a number has its maximum of digits. @param {string} value @param {string | undefined} most */
const isWhole = (value, most) => Boolean(most && value) && (value === '0' || Number(value) * 10 > Number(most));

/**
 * Move to the next field; after the last one submit, if `asked` or if no field is missing.
 * @param {HTMLElement} form
 * @param {HTMLInputElement[]} fields
 * @param {boolean} asked
 */
function onward(form, fields, asked) {
  const later = fields.slice(fields.indexOf(/** @type {HTMLInputElement} */ (current)) + 1);
  const empty = fields.filter((field) => !field.value);
  const next = later.find((field) => !field.value) ?? (form.dataset.numbers === 'all' ? empty[0] : later[0]);
  if (next && next !== current) {
    if ('zeroSum' in form.dataset && empty.length === 1) {
      next.value = `${-fields.reduce((sum, field) => sum + Number(summed(field.value)), 0)}`;
    }
    return choose(next);
  }
  if (!asked && empty.length) return;
  const buttons = /** @type {HTMLElement[]} */ ([...form.querySelectorAll('.first[name=entry]')]);
  buttons.find((button) => button.getClientRects().length)?.click();
}
document.documentElement.dataset.numbers = '';

/** A sum such as 3+6-2 as one number. @param {string} value */
const summed = (value) =>
  /\d[+-]/.test(value) ? `${(value.match(/[+-]?\d+/g) ?? []).reduce((sum, one) => sum + Number(one), 0)}` : value;

for (const kind of ['click', 'submit']) {
  document.addEventListener(
    kind,
    (event) => {
      if (kind === 'click' && !around(event.target, '[name=entry]')) return;
      for (const field of document.querySelectorAll('[data-sums] [data-number]')) {
        if (field instanceof HTMLInputElement) field.value = summed(field.value);
      }
    },
    { capture: true },
  );
}

/** @param {string} value @param {string} sign @param {boolean} sums */
function press(value, sign, sums) {
  if (sign === '⌫') return value.slice(0, -1);
  if (sign === '+') return /\d$/.test(value) ? `${value}+` : value;
  if (sign === '±') return value.replace(/([+-]?)(\d*)$/, (_all, before, digits) => turned(before, digits, value));
  return (value + sign).replace(/(^|[+-])0+(?=\d)/, '$1').slice(0, sums ? SUM_LENGTH_MAX : NUMBER_LENGTH_MAX);
}

/** The last term with the other sign. @param {string} before @param {string} digits @param {string} value */
function turned(before, digits, value) {
  if (before === '-') return value.length > before.length + digits.length ? `+${digits}` : digits;
  return `-${digits}`;
}
