// The recorder: a tap is painted at once, kept, and sent in its turn. The server judges and sends the board.

import { askWhether, chip, dialog, mention } from './dialog.js';
import { follow } from './following.js';
import { completed, entriesOf } from './form_entry.js';
import { keepThroughReloads, kept, putBack, tell } from './form_memory.js';
import { bounced, enableArrows, enableHold, watchFingers } from './gestures.js';
import { alike, newCommand, Outbox } from './outbox.js';
import { meant, settle, stillToCome, unpack } from './pending.js';

/** @typedef {import('./outbox.js').Tap} Tap */

const SECOND_RESULT_MS = 1000;
const TICK_MS = 10;
const PATIENCE_MS = 2500;
const RETRY_MS = [500, 1000];
const RETRY_MS_MAX = 2000;

const main = /** @type {HTMLElement} */ (document.querySelector('main.recorder'));
const holder = /** @type {HTMLElement} */ (main.querySelector('[data-board]'));
const live = /** @type {HTMLElement} */ (document.querySelector('[data-live]'));
const game = /** @type {string} */ (main.dataset.game);
const writes = 'writes' in main.dataset;
const words = JSON.parse(main.dataset.words ?? '{}');
const outbox = new Outbox(game);
const lifted = watchFingers(holder);

let by = new URLSearchParams(location.search).get('by') === 'result' ? 'result' : 'cards';
let sending = false;
let failures = 0;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let retry;
let resultAt = -SECOND_RESULT_MS;
/** What a person is asked about. @type {Tap | undefined} */
let asked;
let served = holder.innerHTML;
/** What keeps a board for a reload without a network. @type {((html: string) => void) | undefined} */
let keepBoard;
/** What was pressed last: hiding it takes the focus away. */
let pressed = '';
// Of an hour's taps the last ones are shown, and all are counted.
const CHIPS_MAX = 30;

const board = () => /** @type {HTMLElement} */ (holder.querySelector('.board'));
const version = () => Number(board().dataset.version);
const address = (/** @type {string} */ what) => `/games/${game}/${what}?by=${by}`;

// --- painting

/** Show what is on its way, and take tapped cards off the keypad. */
function paint() {
  const list = holder.querySelector('[data-pending]');
  const shown = outbox.taps.filter((tap) => !tap.undo).slice(-CHIPS_MAX);
  list?.replaceChildren(...shown.map((tap) => chip(tap, words)));
  const waiting = holder.querySelector('[data-waiting]');
  if (waiting) waiting.textContent = outbox.taps.length ? words.waiting.replace('%s', `${outbox.taps.length}`) : '';
  const gone = new Set(outbox.taps.map((tap) => tap.card));
  for (const key of holder.querySelectorAll('.key[data-card]')) {
    key.classList.toggle('tapped', gone.has(/** @type {HTMLElement} */ (key).dataset.card));
  }
  holder.querySelector('[data-redo]')?.toggleAttribute('hidden', outbox.taps.length > 0);
  const undo = holder.querySelector('[data-undo]');
  const unsent = outbox.taps.at(-1);
  if (undo && unsent && !unsent.undo) {
    undo.setAttribute('aria-label', words.undo.replace('%s', unsent.label));
    /** @type {HTMLElement} */ (undo.lastElementChild).textContent = unsent.label;
  }
}

/**
 * Put a board in place, keeping the reader's place and what was typed, unless it was entered.
 * @param {string} [html]
 * @param {import('./form_memory.js').Typed} [entered]
 */
function swap(html = served, entered) {
  served = html;
  keepBoard?.(html);
  const typed = kept(holder);
  const focused = /** @type {HTMLButtonElement | null} */ (holder.querySelector(':focus'));
  const [value, wasVersion] = [focused?.value ?? pressed, version()];
  holder.innerHTML = html;
  unpack(holder);
  putBack(holder, typed, entered);
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

/** Show the panel that is asked for: how a deal ended until the table agrees, in this window. */
function show() {
  const over = holder.querySelector('[data-agree]') && sessionStorage.getItem(game) !== board().dataset.version;
  for (const part of /** @type {NodeListOf<HTMLElement>} */ (holder.querySelectorAll('[data-panel]'))) {
    part.hidden = part.dataset.panel !== (over ? 'ended' : by);
  }
  showOffline(failures > 0);
  // Where the seats scroll by themselves, whoever is to act is in sight.
  const seats = /** @type {HTMLElement} */ (holder.querySelector('.seats'));
  const turn = /** @type {HTMLElement | null} */ (seats.querySelector('.turn'));
  if (turn) seats.scrollTop = turn.offsetTop - seats.offsetTop - (seats.clientHeight - turn.clientHeight) / 2;
}

/** @param {boolean} offline */
function showOffline(offline) {
  holder.classList.toggle('offline', offline);
  if (!offline) return;
  unpack(holder, true);
  paint();
}

// --- tapping

/** @param {HTMLButtonElement} button @param {boolean} [waive] */
function take(button, waive = false) {
  if (bounced(entriesOf(button.value))) return;
  pressed = button.value;
  if ('undo' in button.dataset) return void undo();
  const { entries, lacks, unread } = completed(button);
  tell(button, lacks, unread, words);
  if (lacks.length || unread) return;
  const [turn, always] = (button.dataset.turn ?? '').split('!');
  const late = outbox.taps.length > 0 || always !== undefined;
  if (failures > 0) for (const entry of entries) entry.at = new Date().toISOString();
  const tap = {
    game,
    command: newCommand(),
    entries,
    waive,
    turn: turn && late ? turn : undefined,
    does: button.dataset.does,
    label: (button.getAttribute('aria-label') ?? `${button.textContent}`).trim(),
    card: button.dataset.card,
  };
  if (entries.at(-1)?.type === 'result') {
    const again = performance.now() - resultAt < SECOND_RESULT_MS;
    resultAt = performance.now();
    if (again) return ask(tap, words.second);
  }
  const unsure = /** @type {HTMLInputElement | null} */ (holder.querySelector('[name="with.unsure"]'));
  if (unsure) unsure.checked = false;
  enqueue(tap);
}

/** @param {Tap} tap */
function enqueue(tap) {
  tap.base = version();
  tap.typed = kept(holder);
  const stored = outbox.add(tap);
  navigator.vibrate?.(TICK_MS);
  paint();
  stored.finally(send);
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
    retry = setTimeout(send, RETRY_MS[failures] ?? RETRY_MS_MAX);
    failures += 1;
    showOffline(true);
  } finally {
    sending = false;
  }
}

/** @param {string} where @param {RequestInit} [init] @returns {Promise<Response>} */
async function request(where, init = {}) {
  const slow = setTimeout(showOffline, PATIENCE_MS, true);
  try {
    const answer = await fetch(where, { ...init, headers: { ...init.headers, Accept: 'text/html' } });
    const { status } = answer;
    if (status >= 500 || status === 429) throw new Error(`${status}`);
    if (status === 401 || status === 403) location.reload();
    failures = 0;
    showOffline(false);
    return answer;
  } finally {
    clearTimeout(slow);
  }
}

/** @param {Tap} tap */
function bodyOf(tap) {
  if (tap.undo) tap.entries = entriesOf(/** @type {HTMLButtonElement} */ (holder.querySelector('[data-undo]')).value);
  else if (!tap.turn)
    tap.entries = tap.entries.filter((one, at, all) => at === all.length - 1 || stillToCome(holder, one));
  const turns = JSON.parse(board().dataset.toAct ?? '[]');
  if (tap.turn && turns.length) for (const entry of tap.entries) entry[tap.turn] = turns[0];
  return JSON.stringify({ entries: tap.entries });
}

/** @param {Tap} tap */
async function sendOne(tap) {
  if (tap.undo && !holder.querySelector('[data-undo]')) return outbox.remove(tap);
  if (tap.turn === 'key' && !tap.body) {
    const ways = meant(holder, tap);
    if (ways.length !== 1) {
      tap.held = true;
      await outbox.keep(tap);
      return ask(tap, words.moved, ways);
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
    'If-Match': `"${tap.base ?? version()}"`,
  };
  const answer = await request(address('outbox'), { method: 'POST', headers, body: tap.body });
  const html = await answer.text();
  await lifted();
  if (answer.ok) {
    outbox.remove(tap);
    swap(html, tap.typed);
    await rebase();
  } else if (answer.status === 409) {
    await overtaken(tap, html);
  } else if (answer.status === 422) {
    await refused(tap, html);
  } else {
    tap.held = true;
    ask(tap, words.failed, []);
  }
}

/** What still waits follows on the board as it is now. */
async function rebase() {
  for (const tap of outbox.taps) tap.base = version();
  await outbox.keepSome();
}

/** Somebody else was first. What they entered too is not entered again; of the rest a person decides. */
async function overtaken(/** @type {Tap} */ tap, /** @type {string} */ html) {
  swap(html);
  /** @type {any[]} */
  const since = JSON.parse(board().dataset.since ?? '[]');
  const same = Number(board().dataset.same);
  const facts = since.map(({ entry }) => entry);
  let had = '';
  for (let next = tap; next && since.length; next = outbox.taps[0]) {
    const matched = (next === tap && same) || alike(next, facts.slice(-since.length));
    if (!matched) break;
    had = since.splice(0, matched).at(-1).had;
    outbox.remove(next);
  }
  if (had) mention(had);
  swap();
  await rebase();
  const next = outbox.taps[0];
  if (!next || (next !== tap && !since.length)) return;
  delete next.body;
  next.command = newCommand();
  next.held = since.some(({ entry }) => entry.type !== 'note');
  await outbox.keep(next);
  if (next.held) ask(next, ...(await import('./replace_entry.js')).instead(holder, next, since, words));
}

/** @param {Tap} tap @param {string} html */
async function refused(tap, html) {
  dialog.innerHTML = html;
  const waive = /** @type {HTMLButtonElement | null} */ (dialog.querySelector('[data-way="waive"]'));
  if (tap.waive && waive) return waived(tap, waive);
  tap.held = true;
  // Once what contradicts it is corrected, it is meant on the board of that time.
  delete tap.base;
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

/** Ask about a tap. @param {Tap} tap @param {string} why @param {HTMLButtonElement[]} [ways] */
function ask(tap, why, ways) {
  asked = tap;
  askWhether(why, tap.label, words, ways);
}

dialog.addEventListener('click', async (event) => {
  const button = /** @type {HTMLButtonElement | null} */ (
    /** @type {HTMLElement} */ (event.target).closest('[data-way]')
  );
  const tap = asked ?? outbox.taps[0];
  if (!button || !tap) return;
  asked = undefined;
  event.preventDefault();
  const { way } = button.dataset;
  if (way === 'waive') await waived(tap, button);
  if (way === 'pick') settle(tap, entriesOf(button.value));
  if (way === 'keep' || way === 'pick') tap.held = false;
  if (way === 'drop') outbox.remove(tap);
  else if (!outbox.taps.includes(tap)) enqueue(tap);
  dialog.close();
  swap();
  send();
});
dialog.addEventListener('cancel', () => {
  asked = undefined;
  if (outbox.taps[0]?.held) outbox.remove(outbox.taps[0]);
  swap();
  send();
});

/** Ask for the board as it is now. */
async function refresh() {
  const answer = await request(address('board'));
  const html = await answer.text();
  await lifted();
  // What was tapped meanwhile was tapped on the board as it was.
  if (answer.ok && !outbox.taps.length) swap(html);
}

// --- the rest of the table

/** Ask for the board if nothing is on its way. @param {number} seen the version others are at */
function heard(seen) {
  if (seen > version() && !outbox.taps.length) refresh().catch(() => undefined);
}

holder.addEventListener('submit', (event) => {
  const button = event.submitter;
  if (!(button instanceof HTMLButtonElement) || button.name !== 'entry') return;
  event.preventDefault();
  take(button);
});
holder.addEventListener('click', (event) => {
  const link = /** @type {HTMLElement} */ (event.target).closest('[data-by], [data-agree]');
  if (!(link instanceof HTMLElement)) return;
  event.preventDefault();
  if (link.dataset.by) by = link.dataset.by;
  else {
    sessionStorage.setItem(game, board().dataset.version ?? '');
    resultAt = -SECOND_RESULT_MS;
  }
  show();
});
enableArrows(holder);

show();
follow(game, heard, () => failures && send());
if (writes) {
  unpack(holder);
  keepThroughReloads(holder, `typed ${game}`, version);
  enableHold(holder, (button) => take(button, true));
  addEventListener('online', send);
  document.addEventListener('visibilitychange', send);
  import('./awake.js').then(({ stayAwake }) => stayAwake()).catch(() => undefined);
  // Where no worker serves the page without a network, leaving it is asked about first.
  addEventListener('beforeunload', (event) => outbox.taps.length && event.preventDefault());
  await outbox.open();
  for (const tap of outbox.taps) tap.held = false;
  paint();
  send();
  if ('serviceWorker' in navigator) {
    import('./offline_pages.js')
      .then(({ unplug }) => unplug(location.pathname, version(), swap))
      .then((keep) => {
        keepBoard = keep;
      })
      .catch(() => undefined);
  }
}
document.documentElement.dataset.ready = '';
