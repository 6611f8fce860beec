// Our own keypad for numbers: zero and minus exist, and the phone's keyboard stays away.
/** @type {HTMLInputElement | undefined} */
let current;

/** @param {EventTarget | null} target @param {string} what */
const around = (target, what) => (target instanceof Element ? target.closest(what) : null);

/** Make a field the one that is typed in. @param {HTMLInputElement} input */
function choose(input) {
  current?.classList.remove('typing');
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
  if (!current || !fields.includes(current)) choose(fields[0]);
  if (current) current.value = press(current.value, key.dataset.digit ?? '');
});
document.documentElement.dataset.numbers = '';

/** @param {string} value @param {string} sign */
function press(value, sign) {
  if (sign === '⌫') return value.slice(0, -1);
  if (sign === '±') return value.startsWith('-') ? value.slice(1) : `-${value}`;
  return (value + sign).replace(/^(-?)0+(?=\d)/, '$1').slice(0, 7);
}
