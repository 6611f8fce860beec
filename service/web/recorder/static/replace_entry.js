// Two phones told the same moment differently: what one told may stand in the place of what the other did.
import { alike } from './outbox.js';
import { stillToCome } from './pending.js';

/** @typedef {{ entry: Record<string, any>, had: string, noted: string, version: number }} Noted */

/**
 * Say what was noted meanwhile, and what a tap may mean now: what it puts in the place of that where both cannot be.
 * @param {HTMLElement} holder
 * @param {import('./outbox.js').Tap} tap
 * @param {Noted[]} since
 * @param {Record<string, any>} words
 * @returns {[string, HTMLButtonElement[]?]} what is asked, and the ways there are instead of entering it
 */
export function instead(holder, tap, since, words) {
  const { at, unsure, ...said } = tap.entries.at(-1) ?? {};
  const other = since[since.length - 1];
  const before = { ...tap, entries: tap.entries.slice(0, -1) };
  const facts = since.map(({ entry }) => entry);
  const alone =
    !tap.turn && !tap.undo && tap.entries.length === since.length && alike(before, facts) === since.length - 1;
  const same = said.type === other.entry.type && said.seat === other.entry.seat;
  if (!alone || !same || stillToCome(holder, said)) return [since[0].noted];
  // Whether it is sure is told of the card, not of the correction.
  delete tap.entries[tap.entries.length - 1].unsure;
  const way = document.createElement('button');
  way.className = 'big';
  way.value = JSON.stringify({ type: 'amend', version: other.version, move: { ...said, at, unsure } });
  way.textContent = words.instead.replace('%s', tap.label);
  return [other.noted, [way]];
}
