// Euchre while taps wait: two players, two rounds of bidding, five tricks.
import { count, dealOver, left, ofTurn } from './counting.js';
import { untilOver } from './game_end.js';
import { playCard } from './tricks.js';

/** @typedef {import('./counting.js').State} State */

/** @type {Record<string, string>} */
const SAME_COLOUR = { S: 'C', C: 'S', H: 'D', D: 'H' };
const TRICKS = 5;
const TO_MAKE = 3;
/** @type {Record<string, string[]>} the phases an entry belongs to */
const PHASES = {
  deal: ['deal'],
  pass: ['round-one', 'round-two'],
  order: ['round-one'],
  accept: ['round-one'],
  exchange: ['exchange'],
  name: ['round-two'],
  play: ['play'],
};

/** @param {string} card @param {string} trump */
function strength(card, trump) {
  const top = [`J${SAME_COLOUR[trump]}`, `J${trump}`, 'XX'].indexOf(card);
  return top < 0 ? { suit: card[1], rank: -'AKQJT987'.indexOf(card[0]) } : { suit: trump, rank: top + 1 };
}

/** @param {State} state @param {Record<string, any>} entry */
function next(state, entry) {
  const { table } = state;
  const elder = left(state, table.dealer);
  const begin = (/** @type {string} */ phase, /** @type {number} */ seat, /** @type {any} */ told = {}) => {
    Object.assign(state, { phase, toAct: [seat] });
    Object.assign(table, told);
  };
  if (entry.type === 'deal') {
    const turned = { turned_suit: entry.turn_up_suit ?? entry.turn_up[1], trump: null };
    state.hands = [TRICKS, TRICKS];
    begin('round-one', left(state, entry.dealer), { ...turned, dealer: entry.dealer, trick: [], tricks: [0, 0] });
  } else if (entry.type === 'pass') {
    if (entry.seat !== table.dealer) state.toAct = [table.dealer];
    else if (state.phase === 'round-one') begin('round-two', elder);
    else dealOver(state);
  } else if (entry.type === 'order') begin('exchange', table.dealer, { trump: table.turned_suit });
  else if (entry.type === 'accept') begin('play', elder, { trump: table.turned_suit });
  else if (entry.type === 'exchange') begin('play', elder);
  else if (entry.type === 'name') begin('play', elder, { trump: entry.suit });
  else if (entry.type === 'play') playCard(state, entry, (card) => strength(card, table.trump), table.trump);
  else if (entry.type === 'result') dealOver(state, points(entry), entry.dealer);
}

/** @param {Record<string, any>} entry */
function points({ maker, tricks }) {
  if (!Number.isInteger(maker)) return [0, 0];
  const won = tricks < TO_MAKE || tricks === TRICKS ? 2 : 1;
  const scorer = tricks < TO_MAKE ? 1 - maker : maker;
  return [0, 1].map((seat) => (seat === scorer ? won : 0));
}

count({
  next: untilOver(next),
  means: (state, entries) =>
    PHASES[entries[0].type]?.includes(state.phase)
      ? ofTurn(state, entries, entries[0].type === 'deal' ? 'dealer' : 'seat')
      : [],
  asks: (state) => [state.phase === 'play' && state.table.trick.length ? 'answer' : state.phase, state.toAct],
});
