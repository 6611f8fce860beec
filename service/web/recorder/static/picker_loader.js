// Load the card picker on demand, because card fields are rarely opened.
for (const kind of ['click', 'focusin']) {
  document.addEventListener(kind, (event) => {
    if (event.target instanceof Element && event.target.closest('[data-picks]')) import('./picking.js');
  });
}
document.documentElement.dataset.picking = '';
