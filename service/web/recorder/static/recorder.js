// The recorder: a tap is painted at once, kept, and sent in its turn. The server judges and sends the board.
import { completed, entriesOf } from './filling.js';
import { enableArrows, enableHold } from './gestures.js';
import { newCommand, Outbox } from './outbox.js';
import { kept, putBack, tell } from './typed.js';

/** @typedef {import('./outbox.js').Tap} Tap */

const TWICE_MS = 300;
const PATIENCE_MS = 2500;
const RETRY_MS = [500, 1000, 2000];

const main = /** @type {HTMLElement} */ (document.querySelector('main.recorder'));
const holder = /** @type {HTMLElement} */ (main.querySelector('[data-board]'));
const dialog = /** @type {HTMLDialogElement} */ (document.querySelector('dialog'));
const live = /** @type {HTMLElement} */ (document.querySelector('[data-live]'));
const game = /** @type {string} */ (main.dataset.game);
const writes = 'writes' in main.dataset;
const words = JSON.parse(main.dataset.words ?? '{}');
const outbox = new Outbox(game);

let by = new URLSearchParams(location.search).get('by') === 'result' ? 'result' : 'cards';
let sending = false;
let failures = 0;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let retry;
let last = { key: '', at: -TWICE_MS };
let served = holder.innerHTML;
/** What was pressed last: hiding it takes the focus away. */
let pressed = '';

const board = () => /** @type {HTMLElement} */ (holder.querySelector('.board'));
const version = () => Number(board().dataset.version);
const address = (/** @type {string} */ what) => `/games/${game}/${what}?by=${by}`;

// --- painting

/** Show what is on its way, and take tapped cards off the keypad. */
function paint() {
  const list = holder.querySelector('[data-pending]');
  list?.replaceChildren(...outbox.taps.filter((tap) => !tap.undo).map(chip));
  const gone = new Set(outbox.taps.map((tap) => tap.card));
  for (const key of holder.querySelectorAll('.key[data-card]')) {
    key.classList.toggle('tapped', gone.has(/** @type {HTMLElement} */ (key).dataset.card));
  }
  const undo = holder.querySelector('[data-undo]');
  const unsent = outbox.taps.at(-1);
  if (undo && unsent && !unsent.undo) {
    undo.setAttribute('aria-label', words.undo.replace('%s', unsent.label));
    /** @type {HTMLElement} */ (undo.lastElementChild).textContent = unsent.label;
  }
}

/** @param {Tap} tap */
function chip(tap) {
  const item = document.createElement('li');
  const face = tap.card && holder.querySelector(`[data-card="${tap.card}"] .card`);
  const laid = document.createElement('span');
  laid.className = face ? 'laid' : 'laid words';
  if (face) laid.append(face.cloneNode(true));
  else laid.textContent = tap.label;
  const said = document.createElement('span');
  said.className = 'sr';
  said.textContent = `${face ? tap.label : ''}, ${words.unsent}`;
  item.append(laid, said);
  return item;
}

/**
 * Put a board in place, keeping the reader's place and, unless it was entered, what was typed.
 * @param {string} [html]
 * @param {boolean} [entered]
 */
function swap(html = served, entered = false) {
  served = html;
  const typed = entered ? [] : kept(holder);
  const focused = /** @type {HTMLButtonElement | null} */ (holder.querySelector(':focus'));
  const [value, wasVersion] = [focused?.value ?? pressed, version()];
  holder.innerHTML = html;
  putBack(holder, typed);
  show();
  paint();
  const title = document.querySelector('.bar .title');
  if (title) title.textContent = board().dataset.heading ?? '';
  const help = document.querySelector('.helping');
  if (help) help.textContent = board().dataset.help ?? '';
  if (version() !== wasVersion) live.textContent = board().dataset.last ?? '';
  if (!value || document.activeElement !== document.body) return;
  const same = [...holder.querySelectorAll('button')].find((button) => button.value === value);
  const next = same ?? holder.querySelector('.panel:not([hidden]) button:not(.dim, .tapped)');
  /** @type {HTMLElement | null} */ (next)?.focus({ preventScroll: true });
}

/** Show the panel that is asked for. */
function show() {
  for (const part of /** @type {NodeListOf<HTMLElement>} */ (holder.querySelectorAll('[data-panel]'))) {
    part.hidden = part.dataset.panel !== by;
  }
  drift(failures > 0);
}

/** @param {boolean} adrift */
function drift(adrift) {
  holder.classList.toggle('adrift', adrift);
}

// --- tapping

/** @param {HTMLButtonElement} button @param {boolean} [waive] */
function take(button, waive = false) {
  const key = JSON.stringify(entriesOf(button.value).map(({ seat, ...same }) => same));
  const now = performance.now();
  if (key === last.key && now - last.at < TWICE_MS) return;
  last = { key, at: now };
  pressed = button.value;
  if ('undo' in button.dataset) return void undo();
  const { entries, lacks, unread } = completed(button);
  tell(button, lacks, unread, words);
  if (lacks.length || unread) return;
  const [turn, always] = (button.dataset.turn ?? '').split('!');
  const late = outbox.taps.length > 0 || always !== undefined;
  if (failures > 0) for (const entry of entries) entry.at = new Date().toISOString();
  enqueue({
    game,
    command: newCommand(),
    entries,
    waive,
    turn: turn && late ? turn : undefined,
    does: button.dataset.does,
    label: (button.getAttribute('aria-label') ?? button.textContent ?? '').trim(),
    card: button.dataset.card,
  });
  const unsure = /** @type {HTMLInputElement | null} */ (holder.querySelector('[name="with.unsure"]'));
  if (unsure) unsure.checked = false;
}

/** @param {Tap} tap */
function enqueue(tap) {
  const kept = outbox.add(tap);
  paint();
  kept.finally(send);
}

/** What was not sent is simply dropped; else the last entry that stands is taken back. */
function undo() {
  const unsent = outbox.taps.findLast((tap) => !tap.body || failures > 0);
  if (unsent) {
    outbox.remove(unsent);
    swap();
  } else {
    const label = holder.querySelector('[data-undo]')?.getAttribute('aria-label') ?? '';
    enqueue({ game, command: newCommand(), entries: [], undo: true, label });
  }
}

// --- sending

/** Send what waits, one at a time, in order. */
async function send() {
  if (sending) return;
  sending = true;
  clearTimeout(retry);
  try {
    while (outbox.taps.length && !outbox.taps[0].held) await sendOne(outbox.taps[0]);
    if (failures) await refresh();
  } catch {
    retry = setTimeout(send, RETRY_MS[Math.min(failures, RETRY_MS.length - 1)]);
    failures += 1;
    drift(true);
  } finally {
    sending = false;
  }
}

/** @param {string} where @param {RequestInit} [init] @returns {Promise<Response>} */
async function ask(where, init = {}) {
  const slow = setTimeout(() => drift(true), PATIENCE_MS);
  try {
    const answer = await fetch(where, { ...init, headers: { ...init.headers, Accept: 'text/html' } });
    if (answer.status >= 500 || answer.status === 429) throw new Error(String(answer.status));
    if (answer.status === 401 || answer.status === 403) location.reload();
    failures = 0;
    drift(false);
    return answer;
  } finally {
    clearTimeout(slow);
  }
}

/**
 * Tell whether an entry that a tap implies may be entered on the board as it is now.
 * @param {Record<string, any>} implied
 */
function stillToCome({ at, ...implied }) {
  const buttons = /** @type {NodeListOf<HTMLButtonElement>} */ (
    holder.querySelectorAll('.panel:not(.afloat) [name=entry]:not(.dim)')
  );
  return [...buttons].some((button) => JSON.stringify(JSON.parse(button.value)) === JSON.stringify(implied));
}

/** @param {Tap} tap */
function bodyOf(tap) {
  if (tap.undo) tap.entries = entriesOf(/** @type {HTMLButtonElement} */ (holder.querySelector('[data-undo]')).value);
  else if (!tap.turn) tap.entries = tap.entries.filter((one, at, all) => at === all.length - 1 || stillToCome(one));
  const turns = JSON.parse(board().dataset.toAct ?? '[]');
  if (tap.turn && turns.length) for (const entry of tap.entries) entry[tap.turn] = turns[0];
  return JSON.stringify({ entries: tap.entries });
}

/**
 * Find the buttons that a late tap may mean on the board as it is now.
 * @param {Tap} tap
 */
function meant(tap) {
  const what = (tap.card ? `.key[data-card="${tap.card}"]` : '') + (tap.does ? `[data-does="${tap.does}"]` : '');
  const found = holder.querySelector(`.panel[data-panel="cards"]:not(.afloat) ${what}`);
  const buttons = found instanceof HTMLButtonElement ? [found] : [...(found?.querySelectorAll('button') ?? [])];
  return /** @type {HTMLButtonElement[]} */ (buttons);
}

/** Say of a tap what it means. @param {Tap} tap @param {Record<string, any>[]} entries */
function settle(tap, entries) {
  const { at, unsure } = tap.entries[tap.entries.length - 1];
  tap.entries = entries.map((entry) => ({ ...entry, at }));
  Object.assign(tap.entries[tap.entries.length - 1], { unsure });
  delete tap.turn;
}

/** @param {Tap} tap */
async function sendOne(tap) {
  if (tap.undo && !holder.querySelector('[data-undo]')) return outbox.remove(tap);
  if (tap.turn === 'key' && !tap.body) {
    const ways = meant(tap);
    if (ways.length !== 1) {
      tap.held = true;
      await outbox.keep(tap);
      return askWhether(tap, ways);
    }
    settle(tap, completed(ways[0]).entries);
  }
  if (!tap.body) {
    tap.body = bodyOf(tap);
    await outbox.keep(tap);
  }
  const headers = {
    'Content-Type': 'application/json',
    'Idempotency-Key': tap.command,
    'If-Match': `"${version()}"`,
  };
  const answer = await ask(address('outbox'), { method: 'POST', headers, body: tap.body });
  const html = await answer.text();
  if (answer.ok) {
    outbox.remove(tap);
    swap(html, true);
  } else if (answer.status === 409) {
    await overtaken(tap, html);
  } else if (answer.status === 422) {
    await refused(tap, html);
  } else {
    tap.held = true;
    askWhether(tap, [], words.failed);
  }
}

/** Somebody else was first: a card may be tried again, a bid or an undo not. */
async function overtaken(/** @type {Tap} */ tap, /** @type {string} */ html) {
  swap(html);
  delete tap.body;
  tap.command = newCommand();
  tap.held = Boolean(tap.undo) || (Boolean(tap.turn) && !tap.card);
  await outbox.keep(tap);
  if (tap.held) askWhether(tap);
}

/** @param {Tap} tap @param {string} html */
async function refused(tap, html) {
  dialog.innerHTML = html;
  const waive = /** @type {HTMLButtonElement | null} */ (dialog.querySelector('[data-way="waive"]'));
  if (tap.waive && waive) return waived(tap, waive);
  tap.held = true;
  await outbox.keep(tap);
  if (!dialog.open) dialog.showModal();
}

/** @param {Tap} tap @param {HTMLButtonElement} button */
async function waived(tap, button) {
  Object.assign(tap, { entries: entriesOf(button.value), command: newCommand(), held: false });
  delete tap.body;
  delete tap.turn;
  await outbox.keep(tap);
}

/**
 * Ask whether a tap still holds, or which of some things it means.
 * @param {Tap} tap
 * @param {HTMLButtonElement[]} [ways]
 * @param {string} [why]
 */
function askWhether(tap, ways, why = words.moved) {
  dialog.innerHTML =
    '<section class="refusal"><h2 id="refusal-title" tabindex="-1" autofocus></h2><p></p>' +
    '<button class="big first" data-way="keep"></button><button class="big" data-way="drop"></button></section>';
  const [title, label, keep, drop] = dialog.querySelectorAll('h2, p, button');
  title.textContent = why;
  label.textContent = tap.label;
  keep.textContent = words.keep;
  drop.textContent = words.drop;
  if (ways)
    keep.replaceWith(
      ...ways.map((way) => {
        const button = /** @type {HTMLButtonElement} */ (way.cloneNode(true));
        button.dataset.way = 'pick';
        return button;
      }),
    );
  dialog.showModal();
}

dialog.addEventListener('click', async (event) => {
  const way = /** @type {HTMLElement} */ (event.target).closest('[data-way]');
  const tap = outbox.taps[0];
  if (!(way instanceof HTMLElement) || !tap) return;
  event.preventDefault();
  if (way.dataset.way === 'waive') await waived(tap, /** @type {HTMLButtonElement} */ (way));
  if (way.dataset.way === 'pick') settle(tap, entriesOf(/** @type {HTMLButtonElement} */ (way).value));
  if (way.dataset.way === 'keep' || way.dataset.way === 'pick') tap.held = false;
  if (way.dataset.way === 'drop') outbox.remove(tap);
  dialog.close();
  swap();
  send();
});
dialog.addEventListener('cancel', () => {
  if (outbox.taps[0]?.held) outbox.remove(outbox.taps[0]);
  swap();
  send();
});

/** Ask for the board as it is now. */
async function refresh() {
  const answer = await ask(address('board'));
  if (answer.ok) swap(await answer.text());
}

// --- the rest of the table

/** Follow what other phones enter. */
function follow() {
  const source = new EventSource(`/api/games/${game}/live`);
  source.addEventListener('open', () => failures && send());
  for (const kind of ['message', 'entries']) {
    source.addEventListener(kind, (event) => {
      const seen = Number(/** @type {MessageEvent} */ (event).lastEventId);
      if (seen > version() && !outbox.taps.length) refresh().catch(() => undefined);
    });
  }
  addEventListener('pagehide', () => source.close());
  addEventListener('pageshow', (event) => event.persisted && location.reload());
}

async function stayAwake() {
  if (document.visibilityState !== 'visible') return;
  await navigator.wakeLock?.request('screen').catch(() => undefined);
}

holder.addEventListener('submit', (event) => {
  const button = event.submitter;
  if (!(button instanceof HTMLButtonElement) || button.name !== 'entry') return;
  event.preventDefault();
  take(button);
});
holder.addEventListener('click', (event) => {
  const link = /** @type {HTMLElement} */ (event.target).closest('[data-by]');
  if (!(link instanceof HTMLElement)) return;
  event.preventDefault();
  by = link.dataset.by ?? '';
  show();
});
enableArrows(holder);

follow();
if (writes) {
  enableHold(holder, (button) => take(button, true));
  addEventListener('online', send);
  document.addEventListener('visibilitychange', () => {
    stayAwake();
    send();
  });
  stayAwake();
  await outbox.open();
  for (const tap of outbox.taps) tap.held = false;
  paint();
  send();
}
document.documentElement.dataset.ready = '';
