// Durak while taps wait: who attacks, beats, adds and draws, as far as no hand has to be known.
import { count, dealOver } from './counting.js';
import { untilOver } from './game_end.js';

/** @typedef {import('./counting.js').State} State */
/** @typedef {Record<string, any>} Entry */

const CARDS_EACH = 6;
const RANKS = '6789TJQKA';

/** Seats that pass a test, clockwise from the one after `seat`. */
const clockwise = (
  /** @type {State} */ state,
  /** @type {number} */ seat,
  /** @type {(seat: number) => boolean} */ able,
) => state.hands.map((_, step) => (seat + 1 + step) % state.hands.length).filter(able);
const holds = (/** @type {State} */ state) => (/** @type {number} */ seat) => state.hands[seat] > 0;

/** @param {State} state @param {number} seat */
function defenderOf(state, seat) {
  const against = (/** @type {number} */ one) => state.options.teams !== true || one % 2 !== seat % 2;
  return clockwise(state, seat, (one) => one !== seat && state.hands[one] > 0 && against(one))[0];
}

/** Who may add, and how much. @param {State} state @param {number} main @param {number} defender */
function setUp(state, main, defender) {
  const { options, table } = state;
  const others = clockwise(state, defender, (one) => one !== defender && state.hands[one] > 0);
  let able = options.throwers === 'all' ? others : others.slice(0, 1);
  if (options.teams === true) able = others.filter((one) => one % 2 === main % 2);
  const most = options.max_bout ?? Number.POSITIVE_INFINITY;
  const first = table.beaten_off ? most : (options.first_bout ?? most);
  const limit = Math.min(most, first, state.hands[defender]);
  const adders = clockwise(state, main - 1 + state.hands.length, (one) => one === main || able.includes(one));
  Object.assign(table, { attacker: main, defender, adders, limit, word: main, last: main });
}

const unbeaten = (/** @type {State} */ { table }) => table.bout.filter((/** @type {any} */ pair) => !pair.with);

/** Who may add now. @param {State} state @returns {number[]} */
function adding(state) {
  const { table, options } = state;
  if (!table.bout.length) return [table.leader];
  const able = table.adders.filter(holds(state));
  if (table.bout.length >= table.limit || !able.length) return [];
  if (options.word === 'loose') return able.filter((/** @type {number} */ seat) => !table.done.includes(seat));
  const word = able.includes(table.word) ? table.word : clockwise(state, table.word, (one) => able.includes(one))[0];
  return [word];
}

/** @param {State} state @param {Entry} entry */
function next(state, entry) {
  const { table } = state;
  const { seat, type } = entry;
  if (type === 'result') return ended(state, entry);
  table.done ??= [];
  table.last ??= table.word;
  table.beaten_off ??= table.gone.length > 0;
  if (type === 'attack') {
    if (!table.bout.length) setUp(state, seat, defenderOf(state, seat));
    lay(state, seat, entry.cards);
    Object.assign(table, { word: seat, last: seat });
  } else if (type === 'beat') {
    table.bout.find((/** @type {any} */ pair) => pair.card === entry.card && !pair.with).with = entry.with;
    state.hands[seat] -= 1;
    state.away.push(entry.with);
    table.done = [];
  } else if (type === 'pass_on') {
    const opener = table.opener ?? table.attacker;
    lay(state, seat, entry.cards);
    const defender = defenderOf(state, seat);
    setUp(state, state.options.after_transfer === 'opener' && opener !== defender ? opener : seat, defender);
    table.opener = opener;
  } else if (type === 'take') {
    table.taking = true;
    table.done = state.options.throw_after_take ? [] : table.adders;
    if (table.adders.includes(table.last)) table.word = table.last;
  } else if (type === 'done') done(state, seat);
  else if (type === 'away') {
    state.hands[seat] -= entry.cards.length;
    state.away.push(...entry.cards);
  } else if (type === 'redeal') return over(state);
  else if (type !== 'note') return over(state);
  settle(state);
}

/** What comes next only the server knows. @param {State} state */
function over(state) {
  dealOver(state);
  Object.assign(state, { toAct: [], table: {} });
}

/** A point for the durak, who deals next, and for the partner in teams. @param {State} state @param {Entry} entry */
function ended(state, { durak, dealer }) {
  const loses = (/** @type {number} */ seat) =>
    seat === durak || (state.options.teams === true && Number.isInteger(durak) && seat % 2 === durak % 2);
  const points = state.hands.map((_, seat) => Number(loses(seat)));
  dealOver(state, points, dealer);
  if (Number.isInteger(durak)) Object.assign(state, { toAct: [durak], table: { dealer: durak } });
}

/** @param {State} state @param {number} seat @param {string[]} cards */
function lay(state, seat, cards) {
  state.table.bout.push(...cards.map((card) => ({ card, with: null })));
  state.table.done = [];
  state.hands[seat] -= cards.length;
  state.away.push(...cards);
}

/** @param {State} state @param {number | null} seat */
function done(state, seat) {
  const { table } = state;
  if (seat === null) table.done = table.adders;
  else if (table.adders.includes(seat)) {
    const speaks = state.options.word !== 'loose' || adding(state)[0] === seat;
    table.done = [...table.done, seat];
    const others = table.adders.filter((/** @type {number} */ one) => one !== seat && state.hands[one] > 0);
    const unheard = others.filter((/** @type {number} */ one) => !table.done.includes(one));
    const among = unheard.length ? unheard : others;
    if (speaks) table.word = clockwise(state, seat, (one) => among.includes(one))[0] ?? seat;
  }
}

/** @param {State} state */
function settle(state) {
  const { table, hands } = state;
  if (table.bout.length) {
    const open = unbeaten(state).length;
    const able = table.adders.filter((/** @type {number} */ one) => hands[one] && !table.done.includes(one));
    const full = table.bout.length >= table.limit || !able.length || (!table.taking && !hands[table.defender]);
    if ((!open || table.taking) && full) return end(state);
    const add = adding(state);
    state.phase = table.taking ? 'taking' : 'bout';
    if (table.taking || !open) state.toAct = add;
    else state.toAct = state.options.while_unbeaten ? [...new Set([table.defender, ...add])] : [table.defender];
  } else Object.assign(state, { phase: 'lead', toAct: [table.leader] });
}

/** @param {State} state */
function end(state) {
  const { table, hands } = state;
  const { attacker, defender, adders, taking } = table;
  const cards = table.bout.flatMap((/** @type {any} */ pair) => [pair.card, pair.with]).filter(Boolean);
  if (taking) {
    hands[defender] += cards.length;
    state.away = state.away.filter((card) => !cards.includes(card));
  }
  const others = clockwise(state, attacker, (one) => ![attacker, defender, ...adders].includes(one));
  const order = [attacker, ...clockwise(state, attacker, (one) => adders.includes(one)), ...others, defender];
  for (const seat of new Set(order)) {
    const drawn = Math.max(0, Math.min(CARDS_EACH - hands[seat], state.stock));
    hands[seat] += drawn;
    state.stock -= drawn;
  }
  const leader = !taking && hands[defender] ? defender : clockwise(state, defender, holds(state))[0];
  const fresh = { bout: [], taking: false, attacker: null, defender: null, opener: null, last: null, word: null };
  Object.assign(table, fresh, { done: [], leader, beaten_off: table.beaten_off || !taking });
  const left = hands.map((_, seat) => seat).filter(holds(state));
  const sides = new Set(left.map((seat) => (state.options.teams === true ? seat % 2 : seat)));
  if (sides.size < 2) return over(state);
  Object.assign(state, { phase: 'lead', toAct: [leader] });
}

/** @param {string} card @param {string} other @param {string} trump */
const beats = (card, other, trump) =>
  card[1] === other[1] ? RANKS.indexOf(card[0]) > RANKS.indexOf(other[0]) : card[1] === trump;

/** @param {State} state @param {Entry[]} entries @returns {Entry[][]} */
function means(state, [entry]) {
  const { table, options } = state;
  if (!['lead', 'bout', 'taking'].includes(state.phase)) return [];
  table.done ??= [];
  const add = adding(state);
  if (entry.type === 'done') {
    if (state.phase === 'lead') return [];
    if (entry.seat === null) return unbeaten(state).length && !table.taking ? [] : [[entry]];
    return add.map((/** @type {number} */ seat) => [{ ...entry, seat }]);
  }
  const seat = table.defender;
  const open = table.taking ? [] : unbeaten(state);
  if (entry.type === 'take') return open.length ? [[{ ...entry, seat }]] : [];
  const [card] = [entry.with ?? entry.cards].flat();
  const beat = (/** @type {any} */ pair) => [{ type: 'beat', seat, card: pair.card, with: card }];
  const attacks = add.map((/** @type {number} */ one) => [{ type: 'attack', seat: one, cards: [card] }]);
  if (!table.bout.length) return attacks;
  const lying = table.bout.flatMap((/** @type {any} */ pair) => [pair.card, pair.with]);
  const fits = lying.some((/** @type {string | null} */ one) => one?.[0] === card[0]);
  const found = open.filter((/** @type {any} */ pair) => beats(card, pair.card, table.trump)).map(beat);
  if (options.transfer && fits && open.length === table.bout.length)
    found.push([{ type: 'pass_on', seat, cards: [card] }]);
  if (fits && (!open.length || options.while_unbeaten)) found.push(...attacks);
  if (found.length) return found;
  // Whatever breaks a rule is the play of whoever is to act.
  return open.length ? open.slice(0, 1).map(beat) : attacks;
}

/** @param {State} state @returns {[string, number[]]} */
function asks(state) {
  const { table, toAct, phase } = state;
  if (phase === 'taking') return [phase, [table.defender]];
  if (phase !== 'bout') return [phase, toAct];
  const open = unbeaten(state).length;
  const passes = state.options.transfer && open === table.bout.length;
  if (open) return [passes ? 'passes' : 'beats', [table.defender]];
  return [toAct.length > 1 ? 'add' : 'adds', toAct];
}

count({ next: untilOver(next), means, asks });
