// The recorder: a tap is painted at once, stored, and sent in order. The server judges it and returns the board.
// A tap belongs to the seat at the time of the tap. If one is refused or overtaken, the others wait for an answer.

import { after, means, stateOf, whenCounted } from './counting.js';
import { completed, entriesOf } from './form_entry.js';
import { keepThroughReloads, kept, putBack, tell } from './form_memory.js';
import { bounced, enableArrows, enableHold, watchFingers } from './gestures.js';
import { isSame, newCommand, Outbox } from './outbox.js';
import { chip, mention, show as showCounted, takeOff, told, unpack } from './pad.js';

/** @typedef {import('./outbox.js').Tap} Tap */
/** @typedef {import('./counting.js').State} State */
/** @typedef {{ entry: Record<string, any>, had: string, noted: string, version: number }} ConcurrentEntry */
/** @typedef {{ tap: Tap, show: () => void, isRefused: boolean }} Question */

const SECOND_RESULT_MS = 1000;
const TICK_MS = 10;
const PATIENCE_MS = 2500;
const CLOCK_MS_MIN = 60_000;
const RETRY_MS = [500, 1000];
const RETRY_MS_MAX = 2000;
/** A key whose meaning another phone changed is disabled for this time, so that it can be read first. */
const UNREAD_MS = 400;

const main = /** @type {HTMLElement} */ (document.querySelector('main.recorder'));
const holder = /** @type {HTMLElement} */ (main.querySelector('[data-board]'));
const live = /** @type {HTMLElement} */ (document.querySelector('[data-live]'));
const game = /** @type {string} */ (main.dataset.game);
const writes = 'writes' in main.dataset;
const words = JSON.parse(main.dataset.words ?? '{}');
const outbox = new Outbox(game, changedElsewhere);
const lifted = watchFingers(holder);

let by = new URLSearchParams(location.search).get('by') === 'result' ? 'result' : 'cards';
let sending = false;
let failures = 0;
let clockMs = 0;
let left = false;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let retry;
let resultAt = -SECOND_RESULT_MS;
/** The open question; sending pauses until the answer. @type {Question | undefined} */
let question;
/** The refused or overtaken tap that the next tap replaces. @type {Tap | undefined} */
let replacing;
let served = holder.innerHTML;
/** Caches a board for a reload without a network. @type {((html: string) => void) | undefined} */
let keepBoard;
/** The last pressed element: hiding it would lose the focus. */
let pressed = '';
// After a long time offline, show the last taps only, with the number of all.
const CHIPS_MAX = 30;

const CORRECTIONS = ['take_back', 'splice', 'amend'];

const board = () => /** @type {HTMLElement} */ (holder.querySelector('.board'));
const version = () => Number(board().dataset.version);
const address = (/** @type {string} */ what) => `/games/${game}/${what}?by=${by}`;
const entryButtons = () =>
  /** @type {NodeListOf<HTMLButtonElement>} */ (holder.querySelectorAll('button[name="entry"]'));

/** The predicted game after all pending taps; the current one while a tap is being replaced. */
function ahead() {
  const state = stateOf(board().dataset.count ?? '{}');
  const unknown = { ...state, phase: '', toAct: [] };
  if (question) return state;
  for (const { entries, undo } of standing()) {
    // The effect of a correction is known only to the server.
    if (undo || CORRECTIONS.includes(entries[0].type) || !after(state, entries)) return unknown;
  }
  return state;
}

/** The pending taps without those that were undone before sending. */
function standing() {
  /** @type {Tap[]} */
  const stands = [];
  for (const tap of outbox.taps) {
    if (tap.undo && stands.length) stands.pop();
    else stands.push(tap);
  }
  return stands;
}

// --- painting

/** Show the pending taps and the predicted game. */
function paint() {
  const stands = standing();
  const waiting = outbox.taps.length;
  const chips = stands.slice(-CHIPS_MAX).map((tap) => chip(tap, words.unsent));
  holder.querySelector('[data-pending]')?.replaceChildren(...chips);
  const note = holder.querySelector('[data-waiting]');
  if (note) note.textContent = stands.length ? words.waiting.replace('%s', `${stands.length}`) : '';
  holder.classList.toggle('waiting', waiting > 2 || (waiting > 0 && Boolean(question)));
  if (waiting || failures) {
    const state = ahead();
    showCounted(holder, state, words);
    takeOff(holder, state);
  }
  holder.querySelector('[data-redo]')?.toggleAttribute('hidden', waiting > 0);
  const undo = holder.querySelector('[data-undo]');
  const unsent = stands.at(-1);
  if (undo && unsent && !unsent.undo) {
    undo.setAttribute('aria-label', words.undo.replace('%s', unsent.label));
    /** @type {HTMLElement} */ (undo.lastElementChild).textContent = unsent.label;
  }
}

/**
 * Replace the board, preserving scroll position, focus and typed values that were not `entered`.
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

/** Show the requested panel: the result of a deal until it is confirmed in this window. */
function show() {
  const over = holder.querySelector('[data-agree]') && sessionStorage.getItem(game) !== board().dataset.version;
  for (const part of /** @type {NodeListOf<HTMLElement>} */ (holder.querySelectorAll('[data-panel]'))) {
    part.hidden = part.dataset.panel !== (over ? 'ended' : by);
  }
  showOffline(failures > 0);
  // If the seats scroll, show the seat to act.
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
  if (question && !replacing) return question.show();
  if (button.classList.contains('unread') || bounced(entriesOf(button.value))) return;
  pressed = button.value;
  if ('undo' in button.dataset) return undo();
  const { entries, lacks, unread } = completed(button);
  tell(button, lacks, unread, words);
  if (lacks.length || unread) return;
  const { turn } = button.dataset;
  const late = turn?.endsWith('!') || (turn && outbox.taps.length && !replacing);
  const ways = late ? means(ahead(), entries) : [entries];
  const { unsure } = entries[entries.length - 1];
  const taps = ways.map((way) => {
    if (unsure) way[way.length - 1].unsure = unsure;
    if (failures > 0) for (const entry of way) entry.at = new Date(Date.now() + clockMs).toISOString();
    return tapped(button, way, waive);
  });
  if (!taps.length) return mention(words.notnow);
  if (taps.length > 1) return void asking().then(({ pick }) => pick(words.which, taps));
  if (taps[0].entries.at(-1)?.type === 'result') {
    const again = performance.now() - resultAt < SECOND_RESULT_MS;
    resultAt = performance.now();
    if (again) return void asking().then(({ pick }) => pick(words.second, taps, words.keep));
  }
  enqueue(taps[0]);
}

/** @param {HTMLButtonElement} button @param {Record<string, any>[]} entries @param {boolean} waive @returns {Tap} */
function tapped(button, entries, waive) {
  const said = /** @type {HTMLElement} */ (button.cloneNode(true));
  for (const face of said.querySelectorAll('[aria-hidden]')) face.remove();
  const label = (button.getAttribute('aria-label') ?? `${said.textContent}`).trim().replace(/\s+/g, ' ');
  return {
    game,
    command: newCommand(),
    entries,
    waive,
    label: told(entries[entries.length - 1], words.names, label),
    card: button.dataset.card,
  };
}

/** @param {Tap} tap */
function enqueue(tap) {
  const unsure = /** @type {HTMLInputElement | null} */ (holder.querySelector('[name="with.unsure"]'));
  if (unsure) unsure.checked = false;
  const before = outbox.taps.at(-1);
  Object.assign(tap, before && !replacing ? { after: before.command } : { base: version() });
  tap.typed = kept(holder);
  // A chosen slot applies to this tap only.
  for (const none of /** @type {NodeListOf<HTMLInputElement>} */ (holder.querySelectorAll('[type=radio][value=""]')))
    none.checked = true;
  const stored = replacing ? outbox.replace(replacing, tap) : outbox.add(tap);
  if (replacing) resume();
  navigator.vibrate?.(TICK_MS);
  paint();
  stored.finally(send);
}

/** Drop the last tap if it was never sent; else take it back, like the last recorded entry. */
function undo() {
  const unsent = outbox.taps.at(-1);
  if (unsent && !unsent.sent) {
    outbox.remove([unsent]);
    swap();
  } else {
    const button = /** @type {HTMLButtonElement} */ (holder.querySelector('[data-undo]'));
    const entries = unsent ? [] : entriesOf(button.value);
    enqueue({ game, command: newCommand(), entries, undo: true, label: button.getAttribute('aria-label') ?? '' });
  }
}

// --- sending

/** Send pending taps in order, one at a time. */
async function send() {
  if (sending || question) return;
  sending = true;
  clearTimeout(retry);
  try {
    if (main.dataset.start) return await start(main.dataset.start);
    while (outbox.taps.length && !question) await sendOne(outbox.taps[0]);
    if (failures && !question) await refresh();
  } catch {
    retry = setTimeout(send, RETRY_MS[failures] ?? RETRY_MS_MAX);
    failures += 1;
    showOffline(true);
  } finally {
    sending = false;
  }
}

/** Send the start of a game that began without a network, then load its page. @param {string} sent address and form */
async function start(sent) {
  const [where, body] = sent.split(' ');
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  location.replace((await request(where, { method: 'POST', headers, body })).url);
}

// Without this, taps of a phone whose line breaks before its first one would have its own time.
fetch('/healthz', { method: 'HEAD', cache: 'no-store' }).then(
  (answer) => {
    clockMs = clockError(answer);
  },
  () => {},
);

/** Measure the offset to the server's clock, ignoring network delays. @param {Response} answer */
function clockError(answer) {
  const behind = Date.parse(answer.headers.get('Date') ?? '') - Date.now() || 0;
  return Math.abs(behind) < CLOCK_MS_MIN ? 0 : behind;
}

/** Load the page again, once: it says what is missing. The taps stay stored. */
function leave() {
  if (!left) location.reload();
  left = true;
  throw new Error('no access');
}

/** @param {string} where @param {RequestInit} [init] @returns {Promise<Response>} */
async function request(where, init = {}) {
  const slow = setTimeout(showOffline, PATIENCE_MS, true);
  try {
    const answer = await fetch(where, { ...init, headers: { ...init.headers, Accept: 'text/html' } });
    const { status } = answer;
    // Answers to GET may come from the cache, with an old date.
    if (init.method === 'POST') clockMs = clockError(answer);
    // Only Carnet acknowledges: a captive portal or a proxy answers anything.
    if (status >= 500 || status === 429 || !answer.headers.has('X-Request-Id')) throw new Error(`${status}`);
    // Without a session the answer is the page to sign in; in another club there is no such game.
    if ([401, 403, 404].includes(status) || (answer.redirected && !main.dataset.start)) leave();
    failures = 0;
    showOffline(false);
    return answer;
  } finally {
    clearTimeout(slow);
  }
}

/** @param {Tap} tap */
async function sendOne(tap) {
  if (tap.ask) return (await asking()).wonder(tap);
  if (tap.base === undefined) return (await asking()).overtaken(tap, []);
  if (tap.undo && !tap.entries.length) {
    const button = /** @type {HTMLButtonElement | null} */ (holder.querySelector('[data-undo]'));
    if (!button || version() !== tap.base) return (await asking()).overtaken(tap, []);
    tap.entries = entriesOf(button.value);
  }
  if (!tap.sent) {
    tap.sent = true;
    await outbox.keep(tap);
  }
  const headers = {
    'Content-Type': 'application/json',
    'Idempotency-Key': tap.command,
    'If-Match': `"${tap.base}"`,
  };
  const body = JSON.stringify({ entries: tap.entries });
  const answer = await request(address('outbox'), { method: 'POST', headers, body });
  const html = await answer.text();
  await lifted();
  if (!outbox.taps.includes(tap)) return; // answered in another tab meanwhile
  if (answer.ok) {
    // The following taps are based on this entry, even if the board shows a later version.
    const removed = outbox.remove([tap], Number(answer.headers.get('ETag')?.match(/\d+/)));
    swap(html, tap.typed);
    await removed;
  } else if (answer.status === 409) {
    swap(html);
    await meanwhile(tap);
  } else if (answer.status === 400 && tap.entries.some(({ at }) => at)) {
    // The phone's clock was set meanwhile: without a time, the tap gets that of its arrival.
    for (const entry of tap.entries) entry.at = undefined;
    await outbox.keep(tap);
  } else if (answer.status === 422) {
    await (await asking()).refused(tap, html);
  } else {
    await (await asking()).failed(tap);
  }
}

/** Others appended first: drop pending taps that record the same facts. @param {Tap} first */
async function meanwhile(first) {
  /** @type {ConcurrentEntry[]} */
  let facts = JSON.parse(board().dataset.since ?? '[]');
  facts = facts.filter(({ entry }) => entry.type !== 'note' && !(first.mends && CORRECTIONS.includes(entry.type)));
  /** @type {Tap[]} */
  const gone = [];
  for (const tap of outbox.taps) {
    const same = tap.entries.findIndex((entry, at) => !facts[at] || !isSame(entry, facts[at].entry));
    const count = same < 0 ? tap.entries.length : same;
    if (tap.undo || !count || (same >= 0 && facts[count])) break;
    mention(facts[count - 1].had);
    facts = facts.slice(count);
    if (same < 0) gone.push(tap);
    else tap.entries = tap.entries.slice(count);
  }
  const next = outbox.taps[gone.length];
  if (next && !facts.length) next.base = version();
  await outbox.remove(gone);
  if (next) await outbox.keep(next);
  paint();
  if (next && facts.length) await (await asking()).overtaken(next, facts);
}

// --- asking

/** @type {Promise<ReturnType<typeof import('./questions.js').questions>> | undefined} */
let loaded;
const dialog = /** @type {HTMLDialogElement} */ (document.querySelector('dialog'));
const recorder = { outbox, words, board, version, waitFor, mention, enqueue, replace, resume, swap, send };

/** Load the dialogs; after a network failure, the next tap retries. */
function asking() {
  loaded ??= import('./questions.js').then(({ questions }) => questions(recorder));
  loaded.catch(() => {
    loaded = undefined;
  });
  return loaded;
}

/**
 * Pause sending until a person has answered; skip the question if the tap was undone.
 * @param {Tap} tap
 * @param {() => void} show
 */
async function waitFor(tap, show, isRefused = false) {
  const next = outbox.taps[1];
  if (next?.undo && next.after === tap.command) {
    await outbox.remove([tap, next], version());
    return swap();
  }
  question = { tap, show, isRefused };
  swap();
  show();
}

/** Resume after the answer. */
function resume() {
  question = replacing = undefined;
  mention('');
  if (dialog.open) dialog.close();
}

/** Let the next tap replace a tap. @param {Tap} tap */
function replace(tap) {
  replacing = tap;
  swap();
  mention(words.replacing.replace('%s', tap.label), true);
}

dialog.addEventListener('click', (event) => {
  const asked = question;
  asking().then(({ click }) => click(event, asked?.tap, asked?.isRefused));
});
dialog.addEventListener('cancel', () => {
  const tap = question?.tap;
  asking().then(({ cancel }) => cancel(tap));
});

/** Another tab of this phone changed the taps. */
function changedElsewhere() {
  const tap = outbox.taps[0];
  if (question && tap?.command !== question.tap.command) resume();
  else if (question) question.tap = tap;
  paint();
  send();
}

/** Load the current board. */
async function refresh() {
  const answer = await request(address('board'));
  const html = await answer.text();
  await lifted();
  // A tap in the meantime belongs to the old board.
  if (!answer.ok || outbox.taps.length) return;
  const values = new Set([...entryButtons()].map(({ value }) => value));
  swap(html);
  const changed = [...entryButtons()].filter(({ value }) => !values.has(value));
  for (const button of changed) button.classList.add('unread');
  setTimeout(() => {
    for (const button of changed) button.classList.remove('unread');
  }, UNREAD_MS);
}

// --- the rest of the table

/** Listen for entries of others, also after the page is restored from the back-forward cache. */
function follow() {
  const source = new EventSource(`/api/games/${game}/live`);
  source.addEventListener('open', () => failures && send());
  for (const kind of ['message', 'entries'])
    source.addEventListener(kind, (event) => heard(+(/** @type {MessageEvent} */ (event).lastEventId)));
  import('./access_stream.js').then(({ stays }) => stays(source, follow)).catch(() => undefined);
}

/** Load the board unless taps are pending. @param {number} seen the latest version on the server */
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
  const target = /** @type {HTMLElement} */ (event.target);
  const link = target.closest('[data-by], [data-agree]');
  if (failures && !link && target.closest('a')) {
    event.preventDefault();
    mention(words.network);
  }
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
follow();
// Do not reload automatically: the network may be down.
addEventListener('pageshow', (event) => event.persisted && follow());
if (writes) {
  unpack(holder);
  keepThroughReloads(holder, `typed ${game}`, version);
  enableHold(holder, (button) => take(button, true));
  addEventListener('online', send);
  document.addEventListener('visibilitychange', send);
  import('./awake.js').then(({ stayAwake }) => stayAwake()).catch(() => undefined);
  // Where no worker serves the page without a network, leaving it is asked about first.
  addEventListener(
    'beforeunload',
    (event) => outbox.taps.length && !main.dataset.start && !left && event.preventDefault(),
  );
  await outbox.open(version());
  whenCounted(paint);
  import(`./${main.dataset.ruleset}_turns.js`).catch(() => undefined);
  asking().catch(() => undefined);
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
