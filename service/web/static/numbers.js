// Our own keypad for numbers: zero and minus exist, and the phone's keyboard stays away.
for (const input of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll('[data-number]'))) {
  input.inputMode = 'none';
  const pad = document.createElement('div');
  pad.className = 'digits';
  for (const sign of ['1', '2', '3', '4', '5', '6', '7', '8', '9', '±', '0', '⌫']) {
    const key = document.createElement('button');
    key.type = 'button';
    key.textContent = sign;
    key.addEventListener('click', () => { input.value = press(input.value, sign); });
    pad.append(key);
  }
  /** @type {HTMLElement} */ (input.parentElement).after(pad);
}

/** @param {string} value @param {string} sign */
function press(value, sign) {
  if (sign === '⌫') return value.slice(0, -1);
  if (sign === '±') return value.startsWith('-') ? value.slice(1) : `-${value}`;
  return (value + sign).replace(/^(-?)0+(?=\d)/, '$1').slice(0, 7);
}
