// Load on demand what is rarely used: the card picker, and drawing the first dealer at random.
for (const kind of ['click', 'focusin']) {
  document.addEventListener(kind, (event) => {
    if (!(event.target instanceof Element)) return;
    if (event.target.closest('[data-picks]')) import('./picking.js');
    const lot = kind === 'click' && event.target.closest('[data-lot]');
    if (lot instanceof HTMLElement) import('./seat_draw.js').then(({ draw }) => draw(lot));
  });
}
Object.assign(document.documentElement.dataset, { picking: '', lots: '' });
