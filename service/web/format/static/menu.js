// A menu closes on a tap outside or Escape; one of its buttons keeps the screen awake.
import { load } from './loading.js';

/** @returns {NodeListOf<HTMLDetailsElement>} */
const unfolded = () => document.querySelectorAll('details.menu[open]');

document.addEventListener('click', (event) => {
  for (const menu of unfolded()) {
    if (!menu.contains(/** @type {Node} */ (event.target))) menu.open = false;
  }
});
document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape') return;
  for (const menu of unfolded()) {
    menu.open = false;
    if (menu.contains(document.activeElement)) menu.querySelector('summary')?.focus();
  }
});
const keep = /** @type {HTMLButtonElement | null} */ (document.querySelector('[data-awake]'));
if (keep)
  load('./awake.js')
    .then((awake) => awake.offer(keep))
    .catch(() => undefined);
