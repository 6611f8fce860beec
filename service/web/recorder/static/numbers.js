// A keypad for numbers with minus, instead of the phone's keyboard.
/** @type {HTMLInputElement | undefined} */
let current;

/**
 * A page may replace `press`, and say which `number` stands in a field that is left (`scores.js`).
 * @type {{ press: (value: string, sign: string) => string, number: (value: string) => string }}
 */
export const keypad = { press, number: String };

/** Fields with a tapped digit; in other fields the first digit replaces the old value. */
/** @type {WeakSet<HTMLInputElement>} */
const touched = new WeakSet();

/** @param {EventTarget | null} target @param {string} what */
const around = (target, what) => (target instanceof Element ? target.closest(what) : null);

/** Select the field for the keypad. @param {HTMLInputElement} input */
export function choose(input) {
  current?.classList.remove('typing');
  if (current) current.value = keypad.number(current.value);
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
  if (!asked) {
    current.value = keypad.press(touched.has(current) || !/\d/.test(digit) ? current.value : '', digit);
    touched.add(current);
  }
  if (asked || (digit !== '⌫' && isWhole(current.value, form.dataset.most))) onward(form, fields, asked);
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
  if (next && next !== current) return choose(next);
  if (!asked && empty.length) return;
  const buttons = /** @type {HTMLElement[]} */ ([...form.querySelectorAll('.first[name=entry]')]);
  buttons.find((button) => button.getClientRects().length)?.click();
}
document.documentElement.dataset.numbers = '';

/** @param {string} value @param {string} sign */
function press(value, sign) {
  if (sign === '⌫') return value.slice(0, -1);
  if (sign === '±') return value.startsWith('-') ? value.slice(1) : `-${value}`;
  return (value + sign).replace(/^(-?)0+(?=\d)/, '$1').slice(0, 7);
}
