// The large display: it updates itself and keeps the screen awake.
import { stayAwake } from './awake.js';

const tables = /** @type {HTMLElement} */ (document.querySelector('[data-tables]'));
const live = tables.dataset.live ?? '';
const ANOTHER_CLUB = 409;
const OFTEN = 3000; // several tables are looked at together: browsers keep few streams open
let shown = tables.innerHTML;

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

async function refresh() {
  const headers = { 'X-Part': 'tables', 'X-Club': tables.dataset.club ?? '' };
  const answer = await fetch(location.href, { headers }).catch(() => undefined);
  // The browser switched to another club: reload for that club's tables.
  if (answer?.status === ANOTHER_CLUB) location.reload();
  if (!answer?.ok) return;
  // The next game began: follow it.
  if (answer.redirected) location.replace(answer.url);
  const html = await answer.text();
  if (html === shown) return;
  shown = html;
  tables.innerHTML = html;
  const count = tables.querySelectorAll('.tabled').length;
  tables.className = `tables of${count}`;
  fit();
}

if (live) {
  const source = new EventSource(live);
  for (const kind of ['open', 'message', 'entries']) source.addEventListener(kind, refresh);
  addEventListener('pagehide', () => source.close());
  addEventListener('pageshow', (event) => event.persisted && location.reload());
}
// A finished game sends no events: poll for the next game.
setInterval(() => (live && tables.querySelector('[data-status="open"]')) || refresh(), OFTEN);
addEventListener('resize', fit);
fit();
stayAwake();
document.documentElement.dataset.ready = '';
