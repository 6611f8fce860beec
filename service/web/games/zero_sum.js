// A game whose rounds add up to 0: the last number follows from the others, and one number may determine all others.
// Turn by turn each number is typed.
import { paint } from './numbers.js';

/** @typedef {import('./numbers.js').Answer} Answer */

document.addEventListener('scoring', (event) => {
  const { all, about } = /** @type {CustomEvent<{ all: Answer[], about: any }>} */ (event).detail;
  if (!about.zeroSum) return;
  const open = all.filter(({ number }) => number === null);
  const known = all.length - open.length;
  const sum = all.reduce((so, { number }) => so + (number ?? 0), 0);
  const each = -sum / open.length;
  const isTurns = event.target instanceof HTMLElement && 'turns' in event.target.dataset;
  const isDetermined = open.length === 1 || (known === 1 && sum !== 0);
  for (const { input } of all) delete input.dataset.rest;
  if (isTurns || !isDetermined || !known || !Number.isInteger(each)) return;
  for (const answer of open) {
    answer.number = answer.points = each + 0;
    answer.input.dataset.rest = `${answer.number}`;
  }
});
// What the pad has shown is entered with the round.
document.addEventListener(
  'click',
  ({ target }) => {
    const button = target instanceof Element ? target.closest('.sends [name=entry]') : null;
    const fields = button?.closest('[data-numbers]')?.querySelectorAll('[data-rest]') ?? [];
    for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (fields)) field.value ||= field.dataset.rest ?? '';
  },
  { capture: true },
);
paint();
