// Dutch while taps wait: a turn is a draw, or the card taken up, and a card put on the pile.
import { count, dealOver, left, ofTurn } from './counting.js';
import { points } from './dutch_points.js';
import { untilOver } from './game_end.js';

/** @typedef {import('./counting.js').State} State */

const CARDS_EACH = 4;

/** @param {State} state @param {Record<string, any>} entry */
function next(state, entry) {
  const { table, hands } = state;
  const { seat, type } = entry;
  if (type === 'deal') {
    state.table = { dealer: entry.dealer, held: null, caller: null, to_come: [], top: entry.up };
    Object.assign(state, { phase: 'turn', toAct: [left(state, entry.dealer)], hands: hands.map(() => CARDS_EACH) });
  } else if (type === 'draw' || type === 'take') {
    Object.assign(state, { phase: 'hand', toAct: [seat] });
    table.held = type === 'draw' ? 'drawn' : 'taken';
  } else if (type === 'swap' || type === 'drop') {
    Object.assign(table, { held: null, top: entry.card });
    Object.assign(state, { phase: 'turn', toAct: [left(state, seat)] });
    if (table.caller !== null) turnsToCome(state, seat);
  } else if (type === 'snap') snapped(state, entry);
  else if (type === 'penalty') hands[seat] += state.options.penalty;
  else if (type === 'dutch') called(state, seat);
  else if (type === 'counter' && !table.held && seat === state.toAct[0]) turnsToCome(state, seat);
  else if (type === 'reveal') {
    state.toAct = state.toAct.filter((one) => one !== seat);
    if (!state.toAct.length) dealOver(state);
  } else if (type === 'result') dealOver(state, points(entry, state.options.tie), entry.dealer);
}

/** @param {State} state @param {Record<string, any>} entry */
function snapped(state, { seat, card }) {
  const fits = card[0] === state.table.top?.[0];
  if (!fits) state.hands[seat] += state.options.penalty;
  if (!fits) return;
  state.hands[seat] -= 1;
  state.table.top = card;
  if (state.hands[seat]) return;
  if (state.table.caller === null) reveal(state);
  else turnsToCome(state, seat);
}

/** Everybody else has one more turn, from the left of whoever acted last. @param {State} state @param {number} seat */
function called(state, seat) {
  const [turn] = state.toAct;
  const any = state.options.call === 'any';
  const seats = state.hands.length;
  const last = any ? (state.table.held ? turn : (turn + seats - 1) % seats) : seat;
  const round = state.hands.map((_, step) => (last + 1 + step) % seats);
  Object.assign(state.table, { caller: seat, to_come: round.filter((one) => one !== seat) });
  turnsToCome(state, seat);
}

/** The turn of a seat is over in the last round. @param {State} state @param {number} seat */
function turnsToCome(state, seat) {
  const { table } = state;
  table.to_come = table.to_come.filter((/** @type {number} */ one) => one !== seat);
  if (table.held) return;
  if (table.to_come.length) state.toAct = [table.to_come[0]];
  else reveal(state);
}

/** @param {State} state */
function reveal(state) {
  state.phase = 'reveal';
  state.toAct = state.hands.map((_, seat) => seat).filter((seat) => state.hands[seat]);
}

/** @param {State} state @param {Record<string, any>[]} entries */
function means(state, entries) {
  const last = entries[entries.length - 1];
  if (last.type === 'deal') return state.phase === 'deal' ? ofTurn(state, entries, 'dealer') : [];
  if (!['turn', 'hand'].includes(state.phase)) return [];
  if (['draw', 'take'].includes(last.type)) return state.table.held ? [] : ofTurn(state, [last]);
  return ofTurn(state, state.table.held ? [last] : [{ type: 'draw' }, last]);
}

// A card of the pile comes back with the next shuffle: no key leaves.
count({
  next: untilOver(next),
  means,
  asks: ({ phase, table, toAct }) => [phase === 'hand' && table.held === 'taken' ? 'taken' : phase, toAct],
  copies: () => Number.POSITIVE_INFINITY,
});
