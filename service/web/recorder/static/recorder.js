// The recorder: a tap is painted at once, stored, and sent in order. The server judges it and returns the board.
// A tap belongs to the seat at the time of the tap. If one is refused or overtaken, the others wait for an answer.

import { after, means, stateOf, whenCounted } from './counting.js';
import { cardOf, completed, ENTERING, entriesOf, groupOf, idOf } from './form_entry.js';
import { keepThroughReloads, kept, putBack } from './form_memory.js';
import { bounced, enableArrows, enableHold, watchFingers } from './gestures.js';
import { load } from './loading.js';
import { newCommand, Outbox } from './outbox.js';
import { chip, mention, show as showCounted, takeOff, told, unpack } from './pad.js';

/**
 * @typedef {import('./outbox.js').Tap} Tap
 * @typedef {import('./counting.js').State} State
 * @typedef {{ tap: Tap, show: () => void, isRefused: boolean }} Question
 * @typedef {typeof recorder} Recorder the functions for the dialogs
 */

const SECOND_RESULT_MS = 1000;
const TICK_MS = 10;
const PATIENCE_MS = 2500;
// A request over a connection that died silently is given up soon; the server itself may need 10 s.
const GIVE_UP_MS = [4000, 8000];
const GIVE_UP_MS_MAX = 15_000;
// A clock that was measured twice differs by less, unless it was set.
const CLOCK_MS_MAX = 3000;
const RETRY_MS = [500, 1000];
const RETRY_MS_MAX = 2000;
const RETRY_MS_IDLE = 20_000;
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
/** The server's clock less the phone's; unknown before the first answer. @type {number | undefined} */
let clockMs;
/** The server's time of the last entry sent from here; a later tap has a later one. */
let least = 0;
let left = false;
/** The newest version that was heard of. */
let newest = 0;
/** Ends a request that is slow. @type {AbortController | undefined} */
let stalled;
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

/** What is typed or tapped of a result. */
const FORM = ':is([data-numbers], [data-places])';
const HEAD = { method: 'HEAD' };
const CORRECTIONS = ['take_back', 'splice', 'amend'];

const board = () => /** @type {HTMLElement} */ (holder.querySelector('.board'));
const version = () => Number(board().dataset.version);
const isHeld = () => outbox.isUnsafe && outbox.taps.length > 0;
const address = (/** @type {string} */ what) => `/games/${game}/${what}?by=${by}`;
const entryButtons = () => /** @type {NodeListOf<HTMLButtonElement>} */ (holder.querySelectorAll(ENTERING));

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
  holder.classList.toggle('stored', outbox.isStored);
  holder.classList.toggle('unsafe', outbox.isUnsafe);
  holder.classList.toggle('waiting', waiting > 2 || (waiting > 0 && Boolean(question)));
  if (waiting || failures) {
    const state = ahead();
    showCounted(holder, state, words);
    takeOff(holder, state);
  }
  holder.querySelector('[data-redo]')?.toggleAttribute('hidden', waiting > 0);
  const undo = /** @type {HTMLElement | null} */ (holder.querySelector('[data-undo]'));
  const unsent = stands.at(-1);
  if (undo && unsent && !unsent.undo) {
    undo.hidden = false;
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
  const [typed, begun] = [kept(holder), isBegun()];
  const focused = /** @type {HTMLButtonElement | null} */ (holder.querySelector(':focus'));
  const [id, wasVersion] = [focused ? idOf(focused) : pressed, version()];
  holder.innerHTML = html;
  unpack(holder);
  putBack(holder, typed, entered);
  show(begun);
  paint();
  const help = document.querySelector('.helping > p');
  if (help) help.textContent = board().dataset.help ?? '';
  if (version() !== wasVersion) live.textContent = board().dataset.last ?? '';
  // The pad for numbers chooses its field.
  if (!id || focused?.matches('[data-number]') || document.activeElement !== document.body) return;
  const same = [...holder.querySelectorAll('button')].find((button) => idOf(button) === id);
  const next = same ?? holder.querySelector('.panel:not([hidden]) button:not(.dim, .tapped)');
  /** @type {HTMLElement | null} */ (next)?.focus({ preventScroll: true });
}

/** Show the requested panel: the result of a deal until it is confirmed in this window, or the next one has begun. */
function show(begun = isBegun()) {
  const isAgreed = begun || sessionStorage.getItem(game) === board().dataset.version;
  const over = /** @type {HTMLElement | false | null} */ (!isAgreed && holder.querySelector('[data-agree]'));
  const { heading = '', headingOf = '' } = board().dataset;
  const title = document.querySelector('.bar .title');
  if (title) title.textContent = over ? headingOf.replace('%s', over.dataset.agree ?? '') : heading;
  for (const part of /** @type {NodeListOf<HTMLElement>} */ (holder.querySelectorAll('[data-panel]'))) {
    part.hidden = part.dataset.panel !== (over ? 'ended' : by);
  }
  showOffline(failures > 0);
  // If the seats scroll, show the seat to act.
  const seats = /** @type {HTMLElement} */ (holder.querySelector('.seats'));
  const turn = /** @type {HTMLElement | null} */ (seats.querySelector('.turn'));
  if (turn) seats.scrollTop = turn.offsetTop - seats.offsetTop - (seats.clientHeight - turn.clientHeight) / 2;
}

/** Whether somebody has begun with the result of the next deal. */
const isBegun = () => {
  const form = /** @type {HTMLElement | null} */ (holder.querySelector(`[data-panel=result] ${FORM}`));
  if (by !== 'result' || !form) return false;
  return Boolean(Object.keys(kept(form)).length) || (form.dataset.order ?? form.dataset.out) !== form.dataset.out;
};

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
  const pad = /** @type {HTMLElement | null} */ (button.closest('[data-numbers]'));
  const isTyped = pad && Object.keys(kept(pad)).length > 0;
  if (button.classList.contains('unread') || (bounced(entriesOf(button)) && !isTyped)) return;
  pressed = idOf(button);
  if ('undo' in button.dataset) return undo();
  const { entries, lacks, unread } = completed(button);
  button.form?.querySelector('p.lacks.notice')?.remove();
  if (lacks.length || unread) return void asking().then(({ lacking }) => lacking(button, lacks, unread));
  const { turn } = groupOf(button).dataset;
  const late = turn?.endsWith('!') || (turn && outbox.taps.length && !replacing);
  const ways = late ? means(ahead(), entries) : [entries];
  const { unsure } = entries[entries.length - 1];
  const taps = ways.map((way) => {
    if (unsure) way[way.length - 1].unsure = unsure;
    return tapped(button, way, waive);
  });
  if (!taps.length) return mention(words.notnow);
  if (taps.length > 1) return void asking().then(({ pick }) => pick(words.which, taps));
  // An empty pad asks by itself.
  if (taps[0].entries.at(-1)?.type === 'result' && !taps[0].pad) {
    const again = performance.now() - resultAt < SECOND_RESULT_MS;
    resultAt = performance.now();
    if (again) return void asking().then(({ pick }) => pick(words.second, taps, words.keep));
  }
  enqueue(taps[0]);
}

/** @param {HTMLButtonElement} button @param {Record<string, any>[]} entries @param {boolean} waive @returns {Tap} */
function tapped(button, entries, waive) {
  const face = /** @type {HTMLElement} */ (button.cloneNode(true));
  for (const hidden of face.querySelectorAll('[aria-hidden]')) hidden.remove();
  const label = (button.getAttribute('aria-label') ?? `${face.textContent}`).trim().replace(/\s+/g, ' ');
  const last = entries[entries.length - 1];
  const said = () =>
    last.type === 'result' ? words.ended.replace('%s', `${ahead().deal}`) + label : told(last, words.names, label);
  return {
    game,
    command: newCommand(),
    entries,
    waive,
    label: button.dataset.says ?? said(),
    card: cardOf(button),
    pad: Boolean(button.closest('[data-numbers]')),
  };
}

/** @param {Tap} tap */
function enqueue(tap) {
  const unsure = /** @type {HTMLInputElement | null} */ (holder.querySelector('[name="with.unsure"]'));
  if (unsure) unsure.checked = false;
  const before = outbox.taps.at(-1);
  const now = { wall: Date.now(), tick: performance.now(), page: performance.timeOrigin, clock: clockMs };
  const { wall, tick, page, clock } = replacing ?? now;
  const place = before && !replacing ? { after: before.command } : { base: version(), least };
  Object.assign(tap, { wall, tick, page, clock }, place);
  tap.typed = kept(holder);
  if (tap.pad || tap.entries.at(-1)?.type === 'result')
    holder.querySelector(`.panel:not([hidden]) ${FORM}`)?.dispatchEvent(entered());
  // A chosen slot applies to this tap only.
  for (const none of /** @type {NodeListOf<HTMLInputElement>} */ (holder.querySelectorAll('[type=radio][value=""]')))
    none.checked = true;
  const stored = replacing ? outbox.replace(replacing, tap) : outbox.add(tap);
  if (replacing) resume();
  navigator.vibrate?.(TICK_MS);
  paint();
  stored.finally(() => {
    paint();
    send();
  });
}

/** A form is empty once its numbers or places wait (`numbers.js`). */
const entered = () => new CustomEvent('entered', { bubbles: true });

/** Numbers that were not recorded are on their form again, unless others were typed there. @param {Tap} tap */
function giveBack({ pad, typed }) {
  const form = /** @type {HTMLElement | null} */ (holder.querySelector('.panel:not([hidden]) [data-numbers]'));
  if (!pad || !typed || !form || Object.keys(kept(form)).length) return;
  putBack(holder, typed);
  form.dispatchEvent(new Event('change', { bubbles: true }));
}

/** Drop the last tap if it was never sent; else take it back, like the last recorded entry. */
function undo() {
  const unsent = outbox.taps.at(-1);
  resultAt = -SECOND_RESULT_MS;
  if (unsent && !unsent.sent) {
    outbox.remove([unsent]);
    swap();
  } else {
    const button = /** @type {HTMLButtonElement} */ (holder.querySelector('[data-undo]'));
    const entries = unsent ? [] : entriesOf(button);
    enqueue({ game, command: newCommand(), entries, undo: true, label: button.getAttribute('aria-label') ?? '' });
  }
  if (unsent) giveBack(unsent);
}

// --- sending

/** Send pending taps in order, one at a time. */
async function send() {
  if (sending || question) return;
  sending = true;
  clearTimeout(retry);
  try {
    if (main.dataset.start) return await (await asking()).start(main.dataset.start);
    while (!question && (outbox.taps.length || failures || newest > version())) {
      await (outbox.taps.length ? sendOne(outbox.taps[0]) : refresh());
    }
  } catch {
    retry = setTimeout(send, outbox.taps.length ? (RETRY_MS[failures] ?? RETRY_MS_MAX) : RETRY_MS_IDLE);
    failures += 1;
    showOffline(true);
  } finally {
    sending = false;
  }
}

// A phone's clock may be wrong: each answer that cannot come from a cache measures it.
request('/healthz', HEAD).catch(() => {});

/** Measure the phone's clock. @param {Response} answer @param {number} asked when */
function measure(answer, asked) {
  const time = Date.parse(answer.headers.get('Date') ?? '');
  // The header is cut to the second, and the answer was made between the two moments.
  if (time) clockMs = time + 500 - (asked + Date.now()) / 2;
}

/** The server's time of a tap; if the phone's clock was set since, its time in this window counts. @param {Partial<Tap>} tap */
function timeOf({ wall, tick = 0, page, clock = clockMs, least = 0 }) {
  if (!wall || clockMs === undefined || clock === undefined) return;
  const wasSet = Math.abs(clock - clockMs) > CLOCK_MS_MAX;
  const inWindow = page === performance.timeOrigin ? Date.now() + clockMs - performance.now() + tick : wall + clock;
  return new Date(Math.max(wasSet ? inWindow : wall + clockMs, least)).toISOString();
}

/** Load the page again, once: it says what is missing. The taps stay stored. */
function leave() {
  if (!left && !isHeld()) location.reload();
  left = true;
  throw new Error('no access');
}

/** @param {string} where @param {RequestInit} [init] @returns {Promise<[Response, string]>} the answer and its text */
async function request(where, init = {}) {
  const asked = new AbortController();
  const slow = setTimeout(() => {
    stalled = asked;
    showOffline(true);
  }, PATIENCE_MS);
  const over = setTimeout(() => asked.abort(), GIVE_UP_MS[failures] ?? GIVE_UP_MS_MAX);
  try {
    const began = Date.now();
    const answer = await fetch(where, {
      ...init,
      signal: asked.signal,
      headers: { ...init.headers, Accept: 'text/html' },
    });
    const text = await answer.text();
    const { status } = answer;
    // Only Carnet acknowledges: a captive portal or a proxy answers anything.
    if (status >= 500 || status === 429 || !answer.headers.has('X-Request-Id')) throw new Error(`${status}`);
    if (init.method) measure(answer, began);
    // Without a session the answer is the page to sign in; in another club there is no such game.
    if ([401, 403, 404].includes(status) || (answer.redirected && !main.dataset.start)) leave();
    if (init !== HEAD) failures = 0;
    showOffline(failures > 0);
    return [answer, text];
  } finally {
    clearTimeout(slow);
    clearTimeout(over);
    stalled = undefined;
  }
}

/** @param {Tap} tap */
async function sendOne(tap) {
  if (tap.ask) return (await asking()).wonder(tap);
  if (tap.base === undefined) return (await asking()).overtaken(tap, []);
  // After an outage, and where stored taps are found again, the clock is measured before their times are sent.
  if (failures || clockMs === undefined) await request('/healthz', HEAD);
  if (tap.undo && !tap.entries.length) {
    const button = /** @type {HTMLButtonElement | null} */ (holder.querySelector('[data-undo]'));
    if (!button || version() !== tap.base) return (await asking()).overtaken(tap, []);
    tap.entries = entriesOf(button);
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
  const body = JSON.stringify({ entries: tap.entries, tapped_at: timeOf(tap) });
  const [answer, html] = await request(address('outbox'), { method: 'POST', headers, body });
  await lifted();
  if (!outbox.taps.includes(tap)) return; // answered in another tab meanwhile
  if (answer.ok) {
    // The following taps are based on this entry, even if the board shows a later version.
    least = Date.parse(answer.headers.get('X-Moment') ?? '') + 1;
    const removed = outbox.remove([tap], Number(answer.headers.get('ETag')?.match(/\d+/)), least);
    swap(html, tap.pad ? {} : tap.typed);
    await removed;
  } else if (answer.status === 409) {
    swap(html);
    await (await asking()).meanwhile(tap);
  } else if (answer.status === 422) {
    await (await asking()).refused(tap, html);
  } else {
    await (await asking()).failed(tap);
  }
}

// --- asking

/** @type {Promise<ReturnType<typeof import('./questions.js').questions>> | undefined} */
let loaded;
const dialog = /** @type {HTMLDialogElement} */ (document.querySelector('dialog'));
const recorder = {
  outbox,
  words,
  board,
  version,
  waitFor,
  mention,
  enqueue,
  replace,
  resume,
  swap,
  paint,
  request,
  timeOf,
  send,
  giveBack,
};

/** Load the dialogs; after a network failure, the next tap retries. */
function asking() {
  loaded ??= load('./questions.js').then(({ questions }) => questions(recorder));
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
  giveBack(tap);
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
  const [answer, html] = await request(address('board'));
  if (!answer.ok) throw new Error(`${answer.status}`);
  await lifted();
  // A tap in the meantime belongs to the old board.
  if (outbox.taps.length) return;
  const before = new Set([...entryButtons()].map(idOf));
  swap(html);
  const changed = [...entryButtons()].filter((button) => !before.has(idOf(button)));
  for (const button of changed) button.classList.add('unread');
  setTimeout(() => {
    for (const button of changed) button.classList.remove('unread');
  }, UNREAD_MS);
}

// --- the rest of the table

/** Follow the game, and send again when the phone wakes. */
function listen() {
  load('./follow.js').then(
    ({ follow, onWake }) => {
      follow(`/api/games/${game}/live`, {
        opened: () => failures && send(),
        heard,
        holds: isHeld,
      });
      onWake(() => {
        stalled?.abort();
        send();
      });
    },
    () => setTimeout(listen, RETRY_MS_IDLE),
  );
}

/** @param {number} seen the latest version on the server */
function heard(seen) {
  newest = seen;
  send();
}

/** Only what the outbox sends later works without a network. @param {Event} event */
function refuseOffline(event) {
  if (!failures && navigator.onLine) return;
  event.preventDefault();
  mention(words.network);
}

holder.addEventListener('submit', (event) => {
  const button = event.submitter;
  if (!(button instanceof HTMLButtonElement)) return;
  if (!button.matches(ENTERING)) {
    refuseOffline(event);
    return;
  }
  event.preventDefault();
  take(button);
});
holder.addEventListener('click', (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  const link = target.closest('[data-by], [data-agree]');
  if (!link && target.closest('a')) refuseOffline(event);
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
holder.addEventListener(
  'toggle',
  ({ target }) => {
    const details = /** @type {HTMLDetailsElement} */ (target);
    if (!details.open || !details.querySelector('[data-fill]')) return;
    load('./details.js')
      .then(({ fill }) => fill(details, request, version))
      .then(paint)
      .catch(() => undefined);
  },
  true,
);

if (writes) {
  unpack(holder);
  keepThroughReloads(holder, `typed ${game}`, version);
}
/** Load what predicts the game, without which a phone that loses the network shows no keys. @returns {Promise<unknown>} */
const count = () => load(`./${main.dataset.ruleset}_turns.js`).catch(() => void setTimeout(count, RETRY_MS_IDLE));

show();
listen();
if (writes) {
  enableHold(holder, (button) => take(button, true));
  load('./awake.js')
    .then(({ stayAwake }) => stayAwake())
    .catch(() => undefined);
  addEventListener('beforeunload', (event) => isHeld() && event.preventDefault());
  await outbox.open(version());
  whenCounted(paint);
  const counting = count();
  asking().catch(() => undefined);
  paint();
  send();
  if ('serviceWorker' in navigator) {
    load('./offline_pages.js')
      .then(({ unplug }) => unplug(location.pathname, version(), swap))
      .then((keep) => {
        keepBoard = keep;
      })
      .catch(() => undefined);
  }
  await counting;
}
document.documentElement.dataset.ready = '';
