// One player after the other: a turn is entered when it is played, and the round is recorded with the last one.
// Until then its numbers are a draft in this phone's storage, which belongs to the round it was typed for.
import { kept, putBack } from './form_memory.js';
import { choose, onward, paint } from './numbers.js';

/** @typedef {import('./numbers.js').Answer} Answer */
/**
 * A round that is typed; `read`: its numbers in words.
 * @typedef {{ typed: import('./form_memory.js').Typed, read: string }} Draft
 */

const main = /** @type {HTMLElement} */ (document.querySelector('main.recorder'));
const holder = /** @type {HTMLElement} */ (main.querySelector('[data-board]'));
const words = JSON.parse(main.dataset.words ?? '{}');
const PLACE = `turns ${main.dataset.game}`;
/** `on`: the players' choice; undefined: what is usual for the game. @type {{ on?: boolean, rounds: Record<string, Draft> }} */
const memory = { rounds: {}, ...JSON.parse(localStorage.getItem(PLACE) ?? '{}') };
/** The round that the pad's numbers belong to. @type {string | undefined} */
let shown;
/** The pad is being emptied or filled for another round. */
let isChanging = false;

const padOf = () => /** @type {HTMLElement | null} */ (holder.querySelector('.panel [data-numbers]'));
const fieldsOf = (/** @type {HTMLElement} */ pad) =>
  /** @type {HTMLInputElement[]} */ ([...pad.querySelectorAll('[data-number]')]);
const fieldOf = (/** @type {Element} */ input) => /** @type {HTMLElement} */ (input.closest('.field'));
const isAnswered = (/** @type {HTMLInputElement} */ input) =>
  Boolean(input.value || fieldOf(input).querySelector('select')?.value);
const chosen = (/** @type {HTMLElement} */ pad) =>
  /** @type {HTMLInputElement | null} */ (pad.querySelector('.typing [data-number]'));
const about = (/** @type {HTMLElement} */ pad) => JSON.parse(pad.dataset.about ?? '{}');
const isOn = (/** @type {HTMLElement} */ pad) => memory.on ?? Boolean(about(pad).turns);

const store = () => localStorage.setItem(PLACE, JSON.stringify(memory));

/** Keep what is typed. */
function keep() {
  const pad = padOf();
  if (isChanging || !pad || !isOn(pad)) return;
  const { deal = '' } = pad.dataset;
  const typed = kept(pad);
  if (Object.keys(typed).length)
    memory.rounds[deal] = { typed, read: fieldsOf(pad).filter(isAnswered).map(told).join(', ') };
  else delete memory.rounds[deal];
  store();
}

/** @param {HTMLInputElement} input */
function told(input) {
  const select = fieldOf(input).querySelector('select');
  return `${fieldOf(input).dataset.name} ${select?.value ? select.selectedOptions[0].textContent : input.value}`;
}

/** Show the draft of the round that is asked for; a round that others have recorded leaves it out. */
function restore() {
  const pad = padOf();
  if (!pad || !isOn(pad)) return;
  const { deal = '' } = pad.dataset;
  const isEmpty = () => !Object.keys(kept(pad)).length;
  isChanging = true;
  if (!isEmpty() && shown !== undefined && shown !== deal)
    pad.dispatchEvent(new CustomEvent('entered', { bubbles: true }));
  const draft = memory.rounds[deal];
  if (draft && isEmpty()) {
    putBack(pad, draft.typed);
    const next = fieldsOf(pad).find((input) => !isAnswered(input));
    if (next) choose(next);
    paint();
  }
  isChanging = false;
  shown = deal;
  const past = Object.keys(memory.rounds).filter((round) => Number(round) < Number(deal));
  for (const round of past) {
    const text = about(pad).stored.replace('%s', round).replace('%p', memory.rounds[round].read);
    delete memory.rounds[round];
    pad.dispatchEvent(new CustomEvent('lacks', { bubbles: true, detail: { text, field: '' } }));
  }
  if (past.length) store();
}

/** The button names the turn that it enters, or the round with the last one. @param {HTMLElement} pad @param {Answer[]} all */
function name(pad, all) {
  const on = isOn(pad);
  const tool = holder.querySelector('[data-turns]');
  tool?.removeAttribute('hidden');
  tool?.setAttribute('aria-pressed', String(on));
  const button = pad.querySelector('.sends [name=entry]');
  const [label, stores] = button?.children ?? [];
  if (!button || !label || !stores) return;
  const isTurn = on && all.some(({ input }) => !isAnswered(input));
  /** @type {HTMLElement} */ (label).dataset.round ??= label.textContent ?? '';
  label.textContent = isTurn ? about(pad).turn : /** @type {HTMLElement} */ (label).dataset.round;
  if (!isTurn) return;
  const one = all.find(({ input }) => input === chosen(pad) && isAnswered(input));
  const turn = one ? `${one.name} ${one.state?.textContent ?? `${one.number ?? ''}`.replace('-', '−')}` : '';
  stores.textContent = turn;
  button.setAttribute('aria-description', turn);
  pad.classList.toggle('complete', Boolean(turn));
}

document.addEventListener(
  'scoring',
  (event) => {
    const pad = padOf();
    const { all } = /** @type {CustomEvent<{ all: Answer[] }>} */ (event).detail;
    if (!pad || event.target !== pad) return;
    // Before `zero_sum.js` looks, whichever was loaded first: nobody's turn follows from the others.
    pad.toggleAttribute('data-turns', isOn(pad));
    // After the pad has named what the button stores.
    queueMicrotask(() => pad.isConnected && name(pad, all));
  },
  { capture: true },
);
document.addEventListener(
  'click',
  (event) => {
    const target = event.target instanceof Element ? event.target : null;
    const pad = padOf();
    if (pad && target?.closest('[data-turns]:not(.numbers)')) {
      memory.on = !isOn(pad);
      store();
      keep();
      return paint();
    }
    if (!pad || !isOn(pad) || !pad.contains(target?.closest('.sends [name=entry]') ?? null)) return;
    if (fieldsOf(pad).every(isAnswered)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const input = chosen(pad);
    if (input && isAnswered(input)) return onward();
    const who = input ? fieldOf(input).dataset.name : '';
    const text = words.lacks.replace('%s', who);
    pad.dispatchEvent(new CustomEvent('lacks', { bubbles: true, detail: { text, field: input?.name ?? '' } }));
  },
  { capture: true },
);
for (const kind of ['typed', 'change', 'entered']) document.addEventListener(kind, keep);
document.addEventListener('counted', restore);
new MutationObserver(restore).observe(holder, { childList: true });
restore();
paint();
