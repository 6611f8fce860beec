// The pad for numbers: digits stay in their field, the arrow goes to the next player and never sends.

import { sum } from './form_entry.js';

const SUM_LENGTH_MAX = 60;
/** A question of so many letters fits one line. */
const SHORT = 36;
const START = /^[+-]?\d*([+-]\d*)*$/;

const { lang } = document.documentElement;
const plurals = new Intl.PluralRules(lang);
const lists = new Intl.ListFormat(lang, { type: 'conjunction' });

/**
 * `points`: what counts of the number, which a game's script may change (`scoring`).
 * @typedef {{ name: string, number: number | null, points: number, state: HTMLOptionElement | null,
 *   input: HTMLInputElement }} Answer
 */

/** The field that takes the digits. @type {HTMLInputElement | undefined} */
let current;
/** Whether the next digit replaces the number. */
let isFresh = true;

/** @param {EventTarget | null} target @param {string} what @returns {HTMLElement | null} */
const around = (target, what) => (target instanceof Element ? target.closest(what) : null);
const isShown = (/** @type {Element} */ one) => one.getClientRects().length > 0;
const figure = (/** @type {number} */ number) => `${number}`.replace('-', '−');

const padOf = (/** @type {Element | undefined} */ one) =>
  /** @type {HTMLElement | null} */ (one?.closest('[data-numbers]') ?? null);
const fieldOf = (/** @type {Element} */ one) => /** @type {HTMLElement} */ (one.closest('.field'));
/** The fields that are asked for, in the order of the seats. @param {HTMLElement} pad */
const fieldsOf = (pad) =>
  /** @type {HTMLInputElement[]} */ ([...pad.querySelectorAll('[data-number]')].filter(isShown));
const shownPad = () => /** @type {HTMLElement[]} */ ([...document.querySelectorAll('[data-numbers]')]).find(isShown);

/** What was tapped in the place of a number. @param {HTMLInputElement} input */
function stateOf(input) {
  const select = fieldOf(input).querySelector('select');
  return select?.value ? select.selectedOptions[0] : null;
}

/** @param {HTMLInputElement} input @param {string} key of a state, "" for none */
function setState(input, key) {
  const select = fieldOf(input).querySelector('select');
  const option = select?.querySelector(`[data-state="${key}"]`);
  if (select) select.value = option instanceof HTMLOptionElement ? option.value : '';
  return Boolean(option);
}

const isAnswered = (/** @type {HTMLInputElement} */ input) => Boolean(input.value || stateOf(input));

/**
 * The next field without a number, after the last one from the first on; where numbers are corrected, the next field.
 * @param {HTMLInputElement} from
 */
function nextOf(from) {
  const pad = padOf(from);
  const fields = pad ? fieldsOf(pad) : [];
  const at = fields.indexOf(from);
  const open = [...fields.slice(at + 1), ...fields.slice(0, Math.max(at, 0))].find((one) => !isAnswered(one));
  return open ?? (fields.some((one) => one.defaultValue) ? fields[at + 1] : undefined);
}

/** Let a field take the digits. @param {HTMLInputElement} input */
export function choose(input, replaces = true) {
  current = input;
  isFresh = replaces;
  input.inputMode = 'none';
  if (document.activeElement !== input) input.focus({ preventScroll: true });
  paint();
}

/** The arrow: it never sends. */
export function onward() {
  const pad = padOf(current);
  if (!current || !pad) return;
  const next = nextOf(current);
  if (!next) return paint();
  choose(next);
}

/** Back to the player before. */
function back() {
  const pad = padOf(current);
  if (!current || !pad) return;
  const fields = fieldsOf(pad);
  const before = fields[fields.indexOf(current) - 1];
  if (before) choose(before, false);
}

/** @param {string} value @param {string} key */
function typed(value, key) {
  if (key === '+') return /\d$/.test(value) ? `${value}+` : value;
  if (key === '-') return /\d$/.test(value) || !value ? `${value}-` : value.replace(/\+$/, '-');
  if (key === '±') return value.replace(/([+-]?)(\d*)$/, (_all, sign, digits) => turned(sign, digits, value));
  return (value + key).replace(/(^|[+-])0+(?=\d)/, '$1').slice(0, SUM_LENGTH_MAX);
}

/** The last term with the other sign. @param {string} sign @param {string} digits @param {string} value */
function turned(sign, digits, value) {
  if (sign === '-') return value.length > sign.length + digits.length ? `+${digits}` : digits;
  return `-${digits}`;
}

/** @param {string} key a digit, or + - ± ⌫ */
function press(key) {
  if (!current) return;
  const had = current.value.replaceAll('−', '-');
  if (key === '⌫') {
    if (!isAnswered(current)) return back();
    current.value = had.slice(0, -1);
  } else current.value = typed(isFresh && /[\d-]/.test(key) ? '' : had, key);
  isFresh = false;
  setState(current, '');
  changed(current);
}

/** @param {HTMLInputElement} input */
function changed(input) {
  input.dispatchEvent(new CustomEvent('typed', { bubbles: true }));
  paint();
}

/** A key that answers without a number, for one player or for all. @param {HTMLElement} key */
function say(key) {
  const pad = /** @type {HTMLElement} */ (padOf(key));
  const { state, all, rest, zero } = key.dataset;
  const field = current;
  if (!field) return;
  const put = (/** @type {HTMLInputElement} */ input, /** @type {string} */ value, /** @type {string} */ as) => {
    input.value = value;
    setState(input, as);
  };
  if (state) put(field, '', state);
  else if (all) for (const input of fieldsOf(pad)) put(input, '', all);
  else if (rest) for (const input of fieldsOf(pad)) if (input !== field && !isAnswered(input)) put(input, rest, '');
  if (zero) {
    put(field, '0', '');
    const choice = pad.querySelector(`[name="${zero}"][value="null"]`);
    if (choice instanceof HTMLInputElement) choice.checked = true;
  }
  isFresh = true;
  changed(field);
}

// --- what the pad shows

/** @param {HTMLElement} pad */
const aboutOf = (pad) => JSON.parse(pad.dataset.about ?? '{}');

/** Everybody's answer so far. @param {HTMLElement} pad @returns {Answer[]} */
function answers(pad) {
  const { all } = aboutOf(pad);
  const inputs = fieldsOf(pad);
  // When nobody has opened, all count otherwise.
  const isAll = all && inputs.every((input) => stateOf(input)?.dataset.state === all.state);
  return inputs.map((input) => {
    const state = stateOf(input);
    const number = input.value ? sum(input.value) : state && Number(isAll ? all.counts : state.dataset.counts);
    return { name: fieldOf(input).dataset.name ?? '', number, points: number ?? 0, state, input };
  });
}

/** Show fields, the line of the current one, and what the button stores. */
export function paint() {
  for (const pad of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-numbers]'))) show(pad);
}

/** @param {HTMLElement} pad */
function show(pad) {
  const all = answers(pad);
  const about = aboutOf(pad);
  pad.dispatchEvent(new CustomEvent('scoring', { bubbles: true, detail: { all, about } }));
  for (const { input, number, points, state } of all) {
    const field = fieldOf(input);
    field.classList.toggle('typing', input === current);
    field.classList.toggle('answered', number !== null);
    input.placeholder = state?.textContent ?? (input.dataset.rest ? figure(Number(input.dataset.rest)) : ' ');
    const total = /** @type {HTMLElement | null} */ (field.querySelector('[data-total]'));
    if (total) total.textContent = figure(Number(total.dataset.total) + points);
  }
  const isComplete = all.length > 0 && all.every(({ number }) => number !== null);
  pad.classList.toggle('complete', isComplete);
  const chosen = /** @type {HTMLInputElement | null} */ (pad.querySelector('fieldset input:checked'));
  const first = chosen?.dataset.says ?? '';
  const told = all
    .filter(({ input, number }) => number !== null || isAnswered(input))
    .map(({ name, number, state }) => `${name} ${state ? state.textContent : figure(number ?? 0)}`);
  const round = [first, ...told].filter(Boolean).join(', ');
  for (const button of /** @type {NodeListOf<HTMLElement>} */ (pad.querySelectorAll('[name=entry]'))) {
    const stores = button.querySelector('[data-stores]');
    if (stores) stores.textContent = told.length ? round : '';
    button.setAttribute('aria-description', told.length ? round : '');
    if (pad.dataset.says) button.dataset.says = pad.dataset.says.replace('%s', pad.dataset.deal ?? '') + round;
  }
  for (const key of /** @type {NodeListOf<HTMLElement>} */ (pad.querySelectorAll('[data-state]:not(option)')))
    key.setAttribute('aria-pressed', String(current && stateOf(current)?.dataset.state === key.dataset.state));
  showNow(pad, all);
  if (about.wins && pad.closest('.board')) showStanding(pad, all, about);
}

/** The line of the player whose number is typed: the total before and after. */
function showNow(/** @type {HTMLElement} */ pad, /** @type {Answer[]} */ all) {
  const now = /** @type {HTMLElement} */ (pad.querySelector('[data-now]'));
  const mine = all.find(({ input }) => input === current);
  now.classList.remove('asks', 'lacks');
  if (!mine) return now.replaceChildren();
  const name = document.createElement('b');
  name.textContent = mine.name;
  const sums = document.createElement('span');
  sums.className = 'faint';
  const total = /** @type {HTMLElement | null} */ (fieldOf(mine.input).querySelector('[data-total]'));
  if (total) {
    const before = Number(total.dataset.total);
    sums.textContent = mine.number === null ? figure(before) : `${figure(before)} → ${figure(before + mine.points)}`;
  }
  const number = document.createElement('output');
  number.className = mine.state ? 'stated' : '';
  number.textContent = mine.state?.textContent ?? mine.input.value.replaceAll('-', '−');
  now.replaceChildren(name, sums, number);
}

/**
 * Who leads, and what is missing to the target, with the numbers that are typed.
 * @param {HTMLElement} pad
 * @param {Answer[]} all
 * @param {any} about
 */
function showStanding(pad, all, about) {
  const board = /** @type {HTMLElement} */ (pad.closest('.board'));
  const totals = all.map(({ input, points }) => {
    const total = /** @type {HTMLElement} */ (fieldOf(input).querySelector('[data-total]'));
    return Number(total.dataset.total) + points;
  });
  const most = Math.max(...totals);
  const best = about.wins === 'highest' ? most : Math.min(...totals);
  const isPlayed = new Set(totals).size > 1;
  for (const [at, { input }] of all.entries())
    fieldOf(input)
      .querySelector('[data-leads]')
      ?.toggleAttribute('hidden', !isPlayed || totals[at] !== best);
  const put = (/** @type {string} */ where, /** @type {string} */ text) => {
    const place = board.querySelector(`.ask [data-${where}]`);
    if (place && place.textContent !== text) place.textContent = text;
  };
  put('round', about.round.replace('%s', pad.dataset.deal));
  if (pad.dataset.dealer) put('deals', about.deals.replace('%s', about.names[Number(pad.dataset.dealer)]));
  if (!about.target) return;
  const names = all.filter((_, at) => totals[at] === most).map(({ name }) => name);
  const words = about.missing[plurals.select(about.target - most)] ?? about.missing.other;
  const missing = words.replace('%s', lists.format(names)).replace('%p', `${about.target - most}`);
  if (isPlayed) put('missing', most < about.target ? missing : '');
  else if (pad.dataset.deal === '1') put('missing', about.upTo);
}

/**
 * Ask for what is missing, or say what came in, in the line above the keys: nothing moves.
 * @param {HTMLElement} pad
 * @param {{ text: string, field?: string, isNews?: boolean }} what `field`: the name of one that is not a number
 */
function ask(pad, { text, field, isNews = false }) {
  const fields = fieldsOf(pad);
  const missing = fields.find((input) => (field ? input.name === field : !isAnswered(input)));
  if (missing && !isNews) choose(missing);
  const now = /** @type {HTMLElement} */ (pad.querySelector('[data-now]'));
  now.classList.add('asks');
  now.classList.toggle('lacks', !isNews);
  now.classList.toggle('short', text.length <= SHORT);
  now.textContent = text;
}

/** Empty a pad whose numbers were entered; the first player is chosen. @param {HTMLElement} pad */
function empty(pad) {
  const dealers = pad.closest('form')?.querySelectorAll('[name="open.dealt"]') ?? [];
  for (const field of [...pad.querySelectorAll('input, select'), ...dealers]) {
    if (field instanceof HTMLSelectElement) {
      const own = [...field.options].findIndex(({ defaultSelected }) => defaultSelected);
      field.selectedIndex = Math.max(own, 0);
    } else if (field instanceof HTMLInputElement) {
      if (['radio', 'checkbox'].includes(field.type)) field.checked = field.defaultChecked;
      else field.value = field.defaultValue;
    }
  }
  current = undefined;
  begin();
}

/** The field that was chosen when the page was left or loaded again, as its number is kept (`form_memory.js`). */
const PLACE = `typing ${location.pathname}`;
/** @type {{ deal?: string, name?: string, isFresh?: boolean, isTyping?: boolean }} */
let left = JSON.parse(sessionStorage.getItem(PLACE) ?? '{}');
addEventListener('pagehide', () =>
  sessionStorage.setItem(PLACE, JSON.stringify({ deal: lastDeal, name: current?.name, isFresh, isTyping })),
);
/** The round that is typed: its field stays chosen when the board is replaced. */
let lastDeal = left.deal;
/** Whether a field had the focus, which a new board gets again. */
let isTyping = Boolean(left.isTyping);

/** Choose the field that was chosen before the board changed, or the first one. */
function begin() {
  const pad = shownPad();
  const fields = pad ? fieldsOf(pad) : [];
  const isSameRound = pad?.dataset.deal === lastDeal;
  // Another phone has entered a round; one that waited here is counted already.
  const isNews = lastDeal && !isSameRound && fields.some(isAnswered);
  lastDeal = pad?.dataset.deal;
  if (!current || !fields.includes(current)) {
    const before = current ? { name: current.name, isFresh } : left;
    const same = (isSameRound || isNews) && fields.find(({ name }) => name === before.name);
    isFresh = !same || before.isFresh !== false;
    if (pad) left = {};
    current = same || fields.find((one) => !isAnswered(one)) || fields[0];
    if (current) current.inputMode = 'none';
    if (isTyping && document.activeElement === document.body) current?.focus({ preventScroll: true });
  }
  paint();
  const text = isNews && /** @type {HTMLElement | null} */ (pad?.closest('.board'))?.dataset.last;
  if (pad && text) ask(pad, { text, isNews });
}

/**
 * Count the rounds that wait: what comes next follows them.
 * @param {{ deal: number, totals: number[], table: Record<string, any> }} state
 */
function count({ deal, totals, table }) {
  for (const pad of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('.board [data-numbers]'))) {
    pad.dataset.deal = `${deal}`;
    pad.dataset.dealer = `${table.dealer ?? ''}`;
    for (const total of /** @type {NodeListOf<HTMLElement>} */ (pad.querySelectorAll('[data-total]')))
      total.dataset.total = `${totals[Number(total.dataset.seat)]}`;
    for (const badge of /** @type {NodeListOf<HTMLElement>} */ (pad.querySelectorAll('[data-role]')))
      badge.hidden = table[badge.dataset.role ?? ''] !== Number(badge.dataset.seat);
  }
  begin();
}

// --- fingers and keys

document.addEventListener('pointerdown', (event) => {
  // A tap on a key leaves the field its focus, and Enter its meaning.
  if (around(event.target, '.numbers .digits button')) event.preventDefault();
});
let wasChecked = false;
document.addEventListener('pointerdown', (event) => {
  const label = around(event.target, '.asked label');
  const others = [...(label?.parentElement?.children ?? [])].filter((one) => one !== label);
  wasChecked = Boolean(label?.querySelector('input')?.checked) && !others.some(isShown);
});
document.addEventListener('focusin', (event) => {
  const input = around(event.target, '[data-number]');
  isTyping = Boolean(input);
  if (input instanceof HTMLInputElement && input !== current) choose(input);
});
document.addEventListener('click', (event) => {
  const input = around(event.target, '.field')?.querySelector('[data-number]');
  const key = around(event.target, '.numbers .digits button');
  if (input instanceof HTMLInputElement && isShown(input)) return choose(input);
  const answer = wasChecked && around(event.target, '.asked input');
  if (answer instanceof HTMLInputElement) {
    answer.checked = wasChecked = false;
    begin();
  }
  if (!key) return;
  const pad = /** @type {HTMLElement} */ (padOf(key));
  if (!current || !fieldsOf(pad).includes(current)) begin();
  if (key.dataset.digit === '→') onward();
  else if (key.dataset.digit) press(key.dataset.digit);
  else say(key);
});
document.addEventListener('input', (event) => {
  const input = around(event.target, '[data-number]');
  if (!(input instanceof HTMLInputElement)) return;
  if (!START.test(input.value.replaceAll('−', '-'))) input.classList.add('unread');
  else input.classList.remove('unread');
  [current, isFresh] = [input, false];
  setState(input, '');
  changed(input);
});
document.addEventListener('change', (event) => {
  if (!around(event.target, '[data-numbers]') || around(event.target, '[data-number]')) return;
  begin();
});
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const target = /** @type {Element} */ (event.target);
  const isField = target.matches('[data-number], body');
  if (!isField && (target.closest('input:not([type=radio]), select, textarea, dialog') || !padOf(current))) return;
  if (!current?.isConnected || !isShown(current)) return;
  const { key } = event;
  if (/^[\d+-]$/.test(key)) press(key);
  else if (key === 'Backspace') press('⌫');
  else if (isField && isTyping && (key === 'Enter' || (key === 'Tab' && !event.shiftKey))) {
    const next = nextOf(current);
    const send = [...(padOf(current)?.querySelectorAll('.sends button') ?? [])].find(isShown);
    if (next) choose(next);
    else if (send instanceof HTMLElement) key === 'Tab' ? send.focus() : send.click();
  } else return;
  event.preventDefault();
});

document.addEventListener('lacks', (event) => {
  const pad = around(event.target, '[data-numbers]');
  if (pad) ask(pad, /** @type {CustomEvent} */ (event).detail);
});
document.addEventListener('entered', (event) => {
  const pad = around(event.target, '[data-numbers]');
  if (pad) empty(pad);
});
document.addEventListener('counted', (event) => count(/** @type {CustomEvent} */ (event).detail));

document.documentElement.dataset.numbered = '';
begin();
const holder = document.querySelector('[data-board]');
if (holder) new MutationObserver(begin).observe(holder, { childList: true });
