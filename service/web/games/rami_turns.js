// Rami while taps wait: a turn is a draw, layings, and a card thrown.
import { copyOf, count, dealOver, left, ofTurn } from './counting.js';
import { untilOver } from './game_end.js';

/** @typedef {import('./counting.js').State} State */

const CARDS_EACH = 13;
const PACKS = 2;

/** @param {State} state @param {Record<string, any>} entry */
function next(state, entry) {
  const { table, hands } = state;
  const { seat, type } = entry;
  const lay = (/** @type {string[]} */ cards) => {
    state.away.push(...cards.map(copyOf));
    hands[seat] -= cards.length;
  };
  const pickUp = (/** @type {string[]} */ cards) => {
    for (const card of cards) if (state.away.includes(card)) state.away.splice(state.away.indexOf(card), 1);
  };
  if (type === 'deal') {
    const opened = hands.map(() => false);
    state.table = { dealer: entry.dealer, drawn: false, pile: [entry.up], opened };
    Object.assign(state, { phase: 'laying', toAct: [left(state, entry.dealer)], hands: hands.map(() => CARDS_EACH) });
  } else if (type === 'draw' || type === 'take') {
    hands[seat] += 1;
    table.drawn = true;
    if (type === 'take') pickUp([table.pile.pop()]);
    else if (!state.stock) {
      const shuffled = table.pile.splice(0, table.pile.length - Number(state.options.reshuffle === 'keep_top'));
      pickUp(shuffled);
      state.stock = shuffled.length;
    }
    state.stock -= Number(type === 'draw');
  } else if (type === 'meld') {
    table.opened[seat] = true;
    lay(entry.melds.flat());
  } else if (type === 'add') lay(entry.cards);
  else if (type === 'swap_joker') {
    lay([entry.card]);
    hands[seat] += 1;
    pickUp(['XX']);
  } else if (type === 'discard') {
    lay([entry.card]);
    table.pile.push(entry.card);
    Object.assign(table, { drawn: false });
    state.toAct = [left(state, seat)];
  } else if (type === 'count') counted(state, seat);
  else if (type === 'result') dealOver(state, points(entry, state.options), entry.dealer);
  if (['meld', 'add', 'discard'].includes(type) && !hands[seat]) out(state, seat);
}

/**
 * The points of a result; who had not opened counts otherwise when nobody else had.
 * @param {Record<string, any>} entry
 * @param {Record<string, any>} options
 */
function points({ winner, hands }, { dry, not_opened: closed, joker_in_hand: joker }) {
  const isDry = !hands.some((/** @type {any} */ hand) => hand?.opened);
  const worth = (/** @type {string} */ card) =>
    card === 'XX' ? joker : ({ A: 11, T: 10, J: 10, Q: 10, K: 10 }[card[0]] ?? Number(card[0]));
  return hands.map((/** @type {any} */ hand, /** @type {number} */ seat) => {
    if (seat === winner) return 0;
    if (!hand?.opened) return isDry ? dry : closed;
    return (
      hand.points ?? hand.cards.reduce((/** @type {number} */ sum, /** @type {string} */ card) => sum + worth(card), 0)
    );
  });
}

/** @param {State} state @param {number} winner */
function out(state, winner) {
  state.phase = 'counting';
  state.toAct = state.hands.map((_, seat) => seat).filter((seat) => seat !== winner && state.table.opened[seat]);
  if (!state.toAct.length) dealOver(state);
}

/** @param {State} state @param {number} seat */
function counted(state, seat) {
  state.toAct = state.toAct.filter((one) => one !== seat);
  if (!state.toAct.length) dealOver(state);
}

/** @param {State} state @param {Record<string, any>[]} entries */
function means(state, entries) {
  const last = entries[entries.length - 1];
  if (last.type === 'deal') return state.phase === 'deal' ? ofTurn(state, entries, 'dealer') : [];
  if (state.phase !== 'laying') return [];
  const begins = ['draw', 'take'].includes(last.type);
  if (begins && state.table.drawn) return [];
  const before = begins || state.table.drawn ? [] : [{ type: 'draw' }];
  // Whoever lays has drawn or taken up: which of the two, no key says.
  if (before.length && last.type !== 'discard') return [];
  return ofTurn(state, [...before, last]);
}

count({
  next: untilOver(next),
  means,
  asks: ({ phase, table, toAct }) => [phase !== 'laying' ? phase : table.drawn ? 'drawn' : 'begins', toAct],
  copies: (card) => (card === 'XX' ? 2 * PACKS : PACKS),
});
