// A menu folds again when somebody taps beside it, or presses Escape.
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
