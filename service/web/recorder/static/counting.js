// Prediction of the game while taps are pending: each game derives turn, hands and phase from entries.

/** @typedef {Record<string, any>} Entry */
/**
 * @typedef {object} State the game as the form predicts it
 * @property {string} phase
 * @property {number[]} toAct
 * @property {number[]} hands cards in hand, by seat
 * @property {number} stock
 * @property {number} deal number of the deal, or of the round
 * @property {number} [dealsBefore] those of earlier games of a chain
 * @property {boolean[]} [numbered] whether a seat has a number in any round
 * @property {number[]} totals
 * @property {Record<string, any>} table the ruleset's view of the deal
 * @property {Record<string, any>} options
 * @property {string[]} away cards that cannot be tapped any more, one for each copy
 */
/**
 * @typedef {object} Rules
 * @property {(state: State, entry: Entry) => void} next apply an entry to a state
 * @property {(state: State, entries: Entry[]) => Entry[][]} means possible meanings of a key, each as entries with seats
 * @property {(state: State) => [string, number[]]} [asks] the prompt of the state and the seats it names
 * @property {(card: string) => number} [copies] copies of a card in the pack
 */

/** @type {Rules | undefined} */
let rules;
/** @type {() => void} */
let known = () => {};

/** Register a game's rules. @param {Rules} own */
export function count(own) {
  rules = own;
  known();
}

/** Call back once the rules of the game are known. @param {() => void} then */
export function whenCounted(then) {
  known = then;
  if (rules) then();
}

/** @param {string} json as the server sends it @returns {State} */
export function stateOf(json) {
  const state = JSON.parse(json);
  const { gone, trick, bout, melds } = state.table;
  const lying = [...(trick ?? []), ...(bout ?? [])].flatMap((one) => [one.card, one.with]);
  const laid = (melds ?? []).flatMap((/** @type {any} */ one) => one.cards.map(copyOf));
  return { ...state, away: [...(gone ?? []), ...lying, ...laid] };
}

/** The physical card: the joker if it represents another card. @param {string} code */
export const copyOf = (code) => (code.endsWith('*') ? 'XX' : code);

/** Apply entries to a state; false: the result is unknown. @param {State} state @param {Entry[]} entries */
export function after(state, entries) {
  try {
    for (const entry of entries) rules?.next(state, entry);
    return Boolean(rules);
  } catch {
    return false;
  }
}

/** Possible meanings of a key in a state. @param {State} state @param {Entry[]} entries @returns {Entry[][]} */
export const means = (state, entries) => rules?.means(state, entries) ?? [];

/** The prompt of a state and the seats it names. @param {State} state @returns {[string, number[]]} */
export const prompt = (state) => (state.phase && rules?.asks?.(state)) || [state.phase, state.toAct];

/** Whether no copy of a card is left to tap. @param {State} state @param {string} card */
export const isGone = (state, card) => state.away.filter((one) => one === card).length >= (rules?.copies?.(card) ?? 1);

/** The seat after a seat, clockwise. @param {State} state @param {number} seat */
export const left = (state, seat) => (seat + 1) % state.hands.length;

/**
 * The deal is over: the next player deals.
 * @param {State} state
 * @param {(number | null)[]} [points]
 * @param {number} [dealt] the dealer, if a result names it; of a deal without cards, the player whose turn it is to deal
 */
export function dealOver(state, points = [], dealt) {
  const awaited = state.phase === 'deal' && state.toAct.length === 1 ? state.toAct[0] : undefined;
  const dealer = dealt ?? state.table.dealer ?? awaited;
  const toAct = Number.isInteger(dealer) ? [left(state, dealer)] : [];
  state.deal += 1;
  state.totals = state.totals.map((total, seat) => total + (points[seat] ?? 0));
  Object.assign(state, { phase: 'deal', toAct, away: [], table: { dealer: toAct[0] } });
}

/** Entries for the seat to act, one alternative per seat. @param {State} state @param {Entry[]} entries */
export const ofTurn = (state, entries, field = 'seat') =>
  state.toAct.map((seat) => entries.map((entry) => ({ ...entry, [field]: seat })));
