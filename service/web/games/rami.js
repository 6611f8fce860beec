// Rami: combinations and hands are built by tapping cards; a joker is told what it may stand for.
import { cardOf } from './form_entry.js';
import './numbers_loader.js';
import './picker_loader.js';

const ORDER = 'A23456789TJQK';
const SIZE_MIN = 3;
const TWICE_MS = 300;
const HIGH_ACE = 14;
const JOKER = 'XX';

const holder = /** @type {HTMLElement} */ (document.querySelector('[data-board]') ?? document.querySelector('main'));

/** @typedef {{codes: string[], worth: number, pure: boolean, whole?: boolean}} Reading a combination as it would be
 *    laid; `whole`: a run of which not all cards were tapped */
/** @typedef {{cards: string[], choice: number}} Group cards tapped, and which of their readings is meant */

const nothing = () => [{ cards: /** @type {string[]} */ ([]), choice: 0 }];

/** What is being built outlives a reload, as long as the game has not gone on. */
const PLACE = `built ${location.pathname}`;
/** @type {{ version?: string, groups?: Group[] }} */
const built = JSON.parse(sessionStorage.getItem(PLACE) ?? '{}');

/** @type {Group[]} */
let groups = built.groups ?? nothing();
/** What was entered last: it comes back if it is refused. @type {Group[]} */
let entered = nothing();
let version = built.version ?? '';
let last = { card: '', at: 0 };

/** @param {string} rank */
const inHand = (rank) => (rank === 'A' ? 11 : Math.min(ORDER.indexOf(rank) + 1, 10));

/** @param {number} place 1 to 14 */
const at = (place) => ORDER[(place - 1) % ORDER.length];

/**
 * Read tapped cards as every set or run they can be; what was tapped in its place comes first.
 * @param {string[]} cards
 * @returns {Reading[]}
 */
function readings(cards) {
  const natural = cards.filter((card) => card !== JOKER);
  const jokers = cards.length - natural.length;
  if (cards.length === SIZE_MIN - 1 && !jokers) return spans(natural);
  if (cards.length < SIZE_MIN || jokers > 1) return [];
  const found = [...runs(natural, cards.length), ...sets(natural, cards)];
  if (!found.length && !jokers) return spans(natural);
  const tapped = (/** @type {Reading} */ one) =>
    one.codes.findIndex((code) => code.endsWith('*')) === cards.indexOf(JOKER);
  return found.sort((a, b) => Number(tapped(b)) - Number(tapped(a)));
}

/** @param {string[]} natural @param {number} size @returns {Reading[]} */
function runs(natural, size) {
  const suit = natural[0][1];
  const found = [];
  if (natural.some((card) => card[1] !== suit)) return [];
  for (let low = 1; low + size - 1 <= HIGH_ACE; low += 1) {
    const left = [...natural];
    let worth = 0;
    const codes = Array.from({ length: size }, (_, step) => {
      const place = low + step;
      const code = at(place) + suit;
      const held = left.indexOf(code);
      worth += place === HIGH_ACE ? 11 : Math.min(place, 10);
      return held < 0 ? `${code}*` : left.splice(held, 1)[0];
    });
    if (!left.length) found.push({ codes, worth, pure: natural.length === size });
  }
  return found;
}

/**
 * Read the ends of a run as the whole of it; where an ace may be either end, the shorter one first.
 * @param {string[]} natural
 * @returns {Reading[]}
 */
function spans(natural) {
  const others = natural.filter((card) => card[0] !== 'A');
  const places = others.map((card) => ORDER.indexOf(card[0]) + 1);
  if (natural.some((card) => card[1] !== natural[0][1]) || new Set(natural).size < natural.length) return [];
  if (!others.length) return [];
  const ends = others.length < natural.length ? [1, HIGH_ACE] : [places[0]];
  const found = ends.flatMap((end) => {
    const low = Math.min(end, ...places);
    const size = Math.max(end, ...places) - low + 1;
    const all = Array.from({ length: size }, (_, step) => at(low + step) + natural[0][1]);
    const run = size < SIZE_MIN ? undefined : runs(all, size).find((one) => one.codes[0] === all[0]);
    return run ? [{ ...run, whole: true }] : [];
  });
  return found.sort((a, b) => a.codes.length - b.codes.length);
}

/** @param {string[]} natural @param {string[]} cards @returns {Reading[]} */
function sets(natural, cards) {
  const rank = natural[0][0];
  const suits = natural.map((card) => card[1]);
  if (cards.length > 4 || natural.some((card) => card[0] !== rank) || new Set(suits).size < suits.length) return [];
  const read = (/** @type {string[]} */ codes) => ({ codes, worth: inHand(rank) * codes.length, pure: false });
  if (natural.length === cards.length) return [read(cards)];
  const stands = [...'SHDC'].filter((suit) => !suits.includes(suit));
  if (cards.length === SIZE_MIN) stands.unshift('?');
  return stands.map((suit) => read(cards.map((card) => (card === JOKER ? `${rank}${suit}*` : card))));
}

// --- showing -------------------------------------------------------------------------------------

/** @param {Element} builder */
const wordsOf = (builder) => JSON.parse(/** @type {HTMLElement} */ (builder).dataset.builder ?? '{}');

/** Draw a card as it would be laid. @param {string} code @param {any} words */
function face(code, words) {
  const [rank, suit] = code;
  const sign = (/** @type {string} */ name, /** @type {string} */ kind) =>
    `<svg class="${kind}"><use href="#${name}"/></svg>`;
  const card = document.createElement('span');
  card.className = `card ${suit.toLowerCase()}`;
  card.innerHTML = code === JOKER || code.endsWith('*') ? sign('X', 'joker') : '';
  if (code === JOKER) return card;
  card.append(words.letters?.trim().split(/\s+/)[ORDER.indexOf(rank)] ?? rank);
  if (suit !== '?') card.innerHTML += sign(suit, `suit ${suit.toLowerCase()}`);
  return card;
}

/**
 * A line of the combinations built: its cards, its worth, what else the joker may be.
 * @param {Group} group
 * @param {number} number
 * @param {any} words
 */
function line(group, number, words) {
  const item = document.createElement('li');
  const ways = 'pure' in words ? readings(group.cards) : [];
  const reading = ways[group.choice];
  item.append(...(reading?.codes ?? group.cards).map((code) => face(code, words)));
  const said = document.createElement('small');
  if ('pure' in words) said.textContent = reading ? `${reading.worth}` : words.none;
  item.append(said);
  ways.forEach((way, choice) => {
    const stands = way.codes.find((code) => code.endsWith('*'));
    if (choice === group.choice || !(stands || way.whole)) return;
    const button = document.createElement('button');
    button.type = 'button';
    button.dataset.reading = `${number}.${choice}`;
    const shown = stands ? [stands] : [way.codes[0], way.codes[way.codes.length - 1]];
    button.append(...shown.map((code) => face(code, words)));
    if (stands?.[1] === '?') button.append(` ${words.open}`);
    const said = stands ? [words.joker, stands[1] === '?' ? words.open : label(stands.slice(0, 2))] : shown.map(label);
    button.setAttribute('aria-label', said.join(stands ? ': ' : ' – '));
    item.append(button);
  });
  return item;
}

/** What a card is called. @param {string} card */
const label = (card) =>
  holder.querySelector(`.keys > [value="${card}"]`)?.getAttribute('aria-label')?.split(',')[0] ?? card;

const forms = new Intl.PluralRules(document.documentElement.lang); // French has none for 0

/** Say so many points. @param {any} words @param {number} points */
const inPoints = (words, points) => (words.worth[forms.select(points)] ?? words.worth.other).replace('%p', `${points}`);

/** Say what is laid, what it is worth, what is missing. @param {Reading[]} laid @param {any} words */
function verdict(laid, words) {
  const points = laid.reduce((sum, one) => sum + one.worth, 0);
  const run = laid.some(
    (one) => at(ORDER.indexOf(one.codes[0][0]) + 2)[0] === one.codes[1][0] && (words.anyRun || one.pure),
  );
  const parts = [
    points < words.opening
      ? words.short.replace('%p', `${points}`).replace('%w', words.opening)
      : inPoints(words, points),
  ];
  if (words.pure && !run) parts.push(words.run);
  return parts.join(', ');
}

/** Show one builder, and make its button enter what was built. @param {Element} builder */
function show(builder) {
  const words = wordsOf(builder);
  const button = /** @type {HTMLButtonElement} */ (builder.querySelector('[name=entry]'));
  const said = /** @type {HTMLElement} */ (builder.querySelector('[data-worth]'));
  const full = groups.filter((group) => group.cards.length);
  builder
    .querySelector('.groups')
    ?.replaceChildren(...groups.flatMap((group, number) => (group.cards.length ? [line(group, number, words)] : [])));
  const entry = JSON.parse(button.value);
  if ('melds' in entry) {
    const laid = full.flatMap((group) => readings(group.cards)[group.choice] ?? []);
    entry.melds = full.map((group) => readings(group.cards)[group.choice]?.codes ?? group.cards);
    said.textContent = full.length ? verdict(laid, words) : words.start;
    button.disabled = laid.length !== full.length || !full.length;
  } else {
    entry.cards = full.flatMap((group) => group.cards);
    const points = entry.cards.reduce(
      (/** @type {number} */ sum, /** @type {string} */ card) =>
        sum + (card === JOKER ? words.inHand : inHand(card[0])),
      0,
    );
    said.textContent = full.length ? `${inPoints(words, points)} · ${entry.cards.length}` : words.start;
    button.disabled = !full.length;
  }
  button.value = JSON.stringify(entry);
}

function showAll() {
  holder.querySelectorAll('[data-builder]').forEach(show);
  sessionStorage.setItem(PLACE, JSON.stringify({ version, groups }));
}

// --- tapping -------------------------------------------------------------------------------------

/**
 * Put a card to the combination that is built, or begin the next one where it cannot belong.
 * @param {string} card
 * @param {boolean} laying
 */
function put(card, laying) {
  const now = performance.now();
  const twice = card === last.card && now - last.at < TWICE_MS;
  last = { card, at: now };
  if (twice) return;
  const group = groups[groups.length - 1];
  const reading = readings(group.cards)[group.choice];
  // A run told by its ends grows by one at a time: a card farther off begins another.
  const fits = readings([...group.cards, card]).some(
    (one) => !one.whole || one.codes.length <= (reading?.codes.length ?? 0) + 1,
  );
  if (laying && reading && !fits) groups.push({ cards: [card], choice: 0 });
  else groups[groups.length - 1] = { cards: [...group.cards, card], choice: 0 };
}

/** Take the last card back. */
function back() {
  while (groups.length > 1 && !groups[groups.length - 1].cards.length) groups.pop();
  groups[groups.length - 1].cards.pop();
  groups[groups.length - 1].choice = 0;
  if (groups.length > 1 && !groups[groups.length - 1].cards.length) groups.pop();
}

/** Find the key that was pressed while something is built. @param {Event} event */
function building(event) {
  const key = /** @type {Element} */ (event.target).closest('.keys > .key');
  const mode = key?.closest('[data-pad]')?.querySelector('.modes input:checked');
  if (!(mode instanceof HTMLInputElement) || !['lay', 'hand'].includes(mode.value)) return;
  return { card: cardOf(/** @type {Element} */ (key)), laying: mode.value === 'lay' };
}

// Before the recorder: on a key that builds, nothing is entered, and nothing is held down.
document.addEventListener(
  'pointerdown',
  (event) => {
    if (building(event)) event.stopPropagation();
  },
  true,
);
document.addEventListener(
  'click',
  (event) => {
    const key = building(event);
    const target = /** @type {Element} */ (event.target);
    const reading = target.closest('[data-reading]');
    // After another key, the same card again is no finger that bounced.
    if (!key) last = { card: '', at: 0 };
    if (key) {
      event.preventDefault();
      event.stopPropagation();
      put(key.card, key.laying);
    } else if (target.closest('[data-back]')) back();
    else if (target.closest('[data-next]')) groups.push({ cards: [], choice: 0 });
    else if (reading instanceof HTMLElement) {
      const [number, choice] = (reading.dataset.reading ?? '').split('.').map(Number);
      groups[number].choice = choice;
    } else if (target.closest('.modes')) groups = nothing();
    else return;
    showAll();
    target.closest('[data-pad]')?.scrollIntoView({ block: 'end' });
  },
  true,
);

// What is entered leaves the builder, once the recorder, or the form, has read it.
document.addEventListener('submit', (event) => {
  if (!event.submitter?.closest('[data-builder]')) return;
  setTimeout(() => {
    [entered, groups] = [groups, nothing()];
    showAll();
  });
});

/** Begin anew once the game has gone on; until then, keep what is being built. */
function begin() {
  const now = /** @type {HTMLElement | null} */ (holder.querySelector('.board'))?.dataset.version ?? '';
  const refused = now === version && !holder.querySelector('[data-pending] li');
  if (now !== version) [groups, entered] = [nothing(), nothing()];
  else if (refused && !groups[0].cards.length) groups = entered;
  version = now;
  const modes = groups[0].cards.length ? holder.querySelectorAll('.modes [value="lay"], .modes [value="hand"]') : [];
  for (const mode of modes) /** @type {HTMLInputElement} */ (mode).checked = true;
  showAll();
}
new MutationObserver(begin).observe(holder, { childList: true });
document.documentElement.dataset.taps = '';
begin();
