// Load the pad for numbers when one is first shown; what is tapped on it before it has arrived is tapped again.

import { load } from './loading.js';

/** The game as it was last predicted, which the pad must know. @type {unknown} */
let counted;
/** @type {Promise<void> | undefined} */
let loading;
let isLoaded = false;

async function start() {
  await load('./numbers.js');
  isLoaded = true;
  if (counted) document.dispatchEvent(new CustomEvent('counted', { detail: counted }));
  const focused = document.activeElement;
  if (focused?.matches('[data-number]')) focused.dispatchEvent(new FocusEvent('focusin', { bubbles: true }));
}

function check() {
  const pads = [...document.querySelectorAll('[data-numbers]')];
  if (isLoaded || !pads.some((pad) => pad.getClientRects().length)) return;
  loading ??= start();
  loading.catch(() => {
    loading = undefined;
  });
}

document.addEventListener('counted', (event) => {
  counted = /** @type {CustomEvent} */ (event).detail;
});
document.addEventListener('click', (event) => {
  check();
  const key = event.target instanceof Element && event.target.closest('.numbers .digits button, .field [data-number]');
  if (!isLoaded && key instanceof HTMLElement) loading?.then(() => key.click()).catch(() => undefined);
});
document.addEventListener('change', check);
document.documentElement.dataset.numbered = '';
check();
const holder = document.querySelector('[data-board]');
if (holder) new MutationObserver(check).observe(holder, { childList: true });
