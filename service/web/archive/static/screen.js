// The large display: it updates itself and keeps the screen awake.
import { stayAwake } from './awake.js';
import { follow, onWake } from './follow.js';

const tables = /** @type {HTMLElement} */ (document.querySelector('[data-tables]'));
const live = tables.dataset.live ?? '';
const ANOTHER_CLUB = 409;
const OFTEN_MS = 10_000; // several tables are looked at together: browsers keep few streams open
const GIVE_UP_MS = 10_000;
let shown = tables.innerHTML;
let asked = new AbortController();
let isAsking = false;
let isStale = false;

/** Number of moves and scale of the table, best layout first. @type {[number, number][]} */
const SIZES = [];
for (const moves of [4, 3, 2]) for (const zoom of [3, 2.5, 2, 1.6]) SIZES.push([moves, zoom]);
for (const zoom of [2, 1.6, 1.3, 1.1, 1, 0.85, 0.7, 0.55]) SIZES.push([1, zoom]);

/** Choose the largest layout that fits. */
function fit() {
  for (const one of /** @type {NodeListOf<HTMLElement>} */ (tables.querySelectorAll('.tabled'))) {
    const stage = /** @type {HTMLElement} */ (one.querySelector('.stage'));
    for (const [moves, zoom] of SIZES) {
      one.dataset.moves = String(moves);
      one.style.setProperty('--zoom', String(zoom));
      const tall = one.scrollHeight <= one.clientHeight && stage.scrollHeight <= stage.clientHeight;
      if (tall && stage.scrollWidth <= stage.clientWidth) break;
    }
  }
}

/** Show the newest tables; a change meanwhile is asked for afterwards. */
async function refresh() {
  isStale = true;
  while (isStale && !isAsking) {
    isStale = false;
    isAsking = true;
    asked = new AbortController();
    const over = setTimeout(() => asked.abort(), GIVE_UP_MS);
    const isShown = await show(asked.signal).catch(() => false);
    clearTimeout(over);
    isAsking = false;
    if (!isShown) {
      isStale = true;
      return;
    }
  }
}

/** @param {AbortSignal} signal @returns {Promise<boolean>} */
async function show(signal) {
  const headers = { 'X-Part': 'tables', 'X-Club': tables.dataset.club ?? '' };
  const answer = await fetch(location.href, { signal, headers });
  // The browser switched to another club: reload for that club's tables.
  if (answer.status === ANOTHER_CLUB) location.reload();
  // A captive portal answers anything.
  if (!answer.ok || !answer.headers.has('X-Request-Id')) return false;
  // The next game began: follow it.
  if (answer.redirected) location.replace(answer.url);
  const html = await answer.text();
  if (html === shown) return true;
  shown = html;
  tables.innerHTML = html;
  const count = tables.querySelectorAll('.tabled').length;
  tables.className = `tables of${count}`;
  fit();
  return true;
}

if (live) follow(live, { opened: refresh, heard: refresh });
onWake(() => {
  asked.abort();
  if (!live) setTimeout(refresh);
});
// A finished game sends no events: poll for the next game.
setInterval(() => {
  const isFollowed = live && !isStale && tables.querySelector('[data-status="open"]');
  if (!isFollowed && document.visibilityState === 'visible') refresh();
}, OFTEN_MS);
addEventListener('resize', fit);
fit();
stayAwake();
document.documentElement.dataset.ready = '';
