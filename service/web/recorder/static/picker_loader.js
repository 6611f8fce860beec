// Load on demand what is rarely used: the card picker, and drawing the first dealer at random.
import { load } from './loading.js';

for (const kind of ['click', 'focusin']) {
  document.addEventListener(kind, (event) => {
    if (!(event.target instanceof Element)) return;
    if (event.target.closest('[data-picks]')) load('./picking.js').catch(() => undefined);
    const lot = kind === 'click' && event.target.closest('[data-lot]');
    if (lot instanceof HTMLElement)
      load('./seat_draw.js')
        .then(({ draw }) => draw(lot))
        .catch(() => undefined);
  });
}
Object.assign(document.documentElement.dataset, { picking: '', lots: '' });
