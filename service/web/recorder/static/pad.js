// The offline keypad, and the predicted board while taps are pending.

import { isGone, prompt } from './counting.js';
import { cardOf } from './form_entry.js';

/** @typedef {import('./counting.js').State} State */

/** @type {HTMLTemplateElement | null} */
const pad = document.querySelector('[data-offline]');
/** The offline keypad with a key for every card; it is the same on every board, so the page contains it once. */
export const pack = pad?.content ?? document;
/** Storage key: the keypad was needed in this window, so its typed values must survive boards and reloads. */
const NEEDED = `pad ${location.pathname}`;
/** @type {{ asks: Record<string, string>, ways: Record<string, string>, waits?: Record<string, string> }} */
const said = JSON.parse(pad?.dataset.said ?? '{"asks":{},"ways":{}}');
const { lang } = document.documentElement;
const forms = new Intl.PluralRules(lang);
const either = new Intl.ListFormat(lang, { type: 'disjunction' });

/** Add the keypad to a board, if it was ever needed. @param {HTMLElement} holder */
export function unpack(holder, needed = NEEDED in sessionStorage) {
  const place = holder.querySelector('.offline-pad:empty');
  if (!place || !needed) return;
  sessionStorage.setItem(NEEDED, '');
  place.append(pack.cloneNode(true));
  holder.append(''); // notifies the games' scripts that observe the board
}

/** The key of a card. @param {string | undefined} card */
const keyOf = (card) => pack.querySelector(`.key[value="${card}"]`);

/** A copy of a card's face, which screen readers skip. @param {string | undefined} card */
export function faceOf(card) {
  const face = /** @type {Element | undefined} */ (keyOf(card)?.querySelector('.card')?.cloneNode(true));
  face?.setAttribute('aria-hidden', 'true');
  return face;
}

/** The name of a card. @param {string} card */
const called = (card) => keyOf(card)?.getAttribute('aria-label')?.split(',')[0] ?? card;

/**
 * Return a pending entry in words: player, action, card.
 * @param {Record<string, any>} entry
 * @param {string[]} names
 * @param {string} label of the key
 */
export function told(entry, names, label) {
  const name = names[entry.seat ?? entry.dealer] ?? '';
  const sentence = said.ways[entry.type];
  if (!sentence || !name) return name && !label.includes(name) ? `${name} · ${label}` : label;
  const cards = entry.cards?.map(called).join(', ') ?? called(entry.with ?? '');
  return sentence.replace('%n', name).replace('%o', called(entry.card)).replace('%c', cards);
}

/**
 * Show turn, hands, prompt and keys as predicted after all pending taps.
 * @param {HTMLElement} holder
 * @param {State} state
 * @param {{ names: string[], hand: Record<string, string> }} words
 */
export function show(holder, state, { names, hand: words }) {
  for (const [seat, item] of holder.querySelectorAll('.board > form > .seats > .seat').entries()) {
    item.classList.toggle('turn', state.toAct.includes(seat) && state.phase !== 'deal');
    for (const badge of /** @type {NodeListOf<HTMLElement>} */ (item.querySelectorAll('[data-role]')))
      badge.hidden = state.table[badge.dataset.role ?? ''] !== seat;
    const number = `${state.hands[seat]}`;
    const text = words[forms.select(state.hands[seat])] ?? words.other;
    for (const hand of /** @type {NodeListOf<HTMLElement>} */ (item.querySelectorAll('[data-hand]')))
      hand.textContent = hand.dataset.hand ? text.replace('%s', number) : number;
  }
  for (const [seat, total] of holder.querySelectorAll('.board > form > .seats .total').entries())
    total.textContent = `${state.totals[seat]}`.replace('-', '−');
  const title = document.querySelector('.bar .title');
  const board = /** @type {HTMLElement} */ (holder.querySelector('.board'));
  if (title) title.textContent = (board.dataset.headingOf ?? '').replace('%s', `${state.deal}`);
  const ended = /** @type {HTMLElement | null} */ (holder.querySelector('[data-deal-asked]'));
  if (ended) ended.textContent = (ended.dataset.dealAsked ?? '').replace('%s', `${state.deal}`);
  holder.dispatchEvent(new CustomEvent('counted', { bubbles: true, detail: state }));
  const asked = holder.querySelector('[data-prompt]');
  const [question, seats] = prompt(state);
  const who = either.format(seats.map((seat) => names[seat]));
  if (asked) asked.textContent = (said.asks[question] ?? '').replace('%s', who);
  for (const part of /** @type {NodeListOf<HTMLElement>} */ (holder.querySelectorAll('.offline-pad [data-when]'))) {
    const when = part.dataset.when?.split(' ') ?? [];
    part.hidden = ![state.phase, question].some((one) => when.includes(one));
    // A choice that cannot be seen is none.
    if (part.hidden) for (const radio of part.querySelectorAll('input')) radio.checked = radio.defaultChecked;
  }
}

/** Remove cards from the keypad that cannot be played any more. @param {HTMLElement} holder @param {State} state */
export function takeOff(holder, state) {
  for (const key of holder.querySelectorAll('.key')) {
    const card = cardOf(key);
    if (card) key.classList.toggle('tapped', isGone(state, card));
  }
}

/** Show an unsent tap. @param {import('./outbox.js').Tap} tap @param {string} unsent */
export function chip(tap, unsent) {
  const item = document.createElement('li');
  const face = faceOf(tap.card);
  const laid = document.createElement('span');
  laid.className = face ? 'laid' : 'laid words';
  laid.append(face ?? tap.label);
  const spoken = document.createElement('span');
  spoken.className = 'sr';
  spoken.textContent = `${face ? tap.label : ''}, ${unsent}`;
  item.append(laid, spoken);
  const waits = said.waits?.[tap.entries.at(-1)?.type];
  if (waits) item.addEventListener('click', () => mention(waits));
  return item;
}

const SHOWN_MS = 6000;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let hiding;

/** Show a message briefly, or with `stays` until the next one. @param {string} text @param {boolean} [stays] */
export function mention(text, stays = false) {
  const place = /** @type {HTMLElement} */ (document.querySelector('[data-mention]'));
  clearTimeout(hiding);
  place.textContent = text;
  place.hidden = !text;
  if (stays) return;
  hiding = setTimeout(() => {
    place.hidden = true;
  }, SHOWN_MS);
}
