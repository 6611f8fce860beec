// Tricks while taps are pending: a card is played, and a complete trick goes to its winner.
import { dealOver, left } from './counting.js';

/** @typedef {import('./counting.js').State} State */

/** The strength of cards: those of one suit by rank, high to low, trumps above all others.
 * @param {string} ranks @param {string | null} [trump] @returns {(card: string) => { suit: string, rank: number }} */
export const ranked = (ranks, trump) => (card) => ({
  suit: card[1],
  rank: (card[1] === trump ? 100 : 0) - ranks.indexOf(card[0]),
});

/** Play a card; the winner of a complete trick leads, and the last trick ends the deal.
 * @param {State} state @param {Record<string, any>} entry
 * @param {(card: string) => { suit: string, rank: number }} strength @param {string | null} [trump] */
export function playCard(state, { seat, card }, strength, trump) {
  const { table } = state;
  state.hands[seat] -= 1;
  state.away.push(card);
  table.trick.push({ seat, card });
  state.toAct = [left(state, seat)];
  if (table.trick.length < state.hands.length) return;
  const beats = (/** @type {string} */ later, /** @type {string} */ earlier) => {
    const [one, other] = [strength(later), strength(earlier)];
    return one.suit === other.suit ? one.rank > other.rank : one.suit === trump;
  };
  const [first, ...others] = table.trick;
  const best = others.reduce(
    (/** @type {any} */ so, /** @type {any} */ one) => (beats(one.card, so.card) ? one : so),
    first,
  );
  table.trick = [];
  table.tricks[best.seat] += 1;
  state.toAct = [best.seat];
  if (state.hands.every((count) => count === 0)) dealOver(state);
}
