// Fields for cards are seldom opened: what lets cards be tapped into them is loaded when they are.
for (const kind of ['click', 'focusin']) {
  document.addEventListener(kind, (event) => {
    if (event.target instanceof Element && event.target.closest('[data-picks]')) import('./picking.js');
  });
}
document.documentElement.dataset.picking = '';
