// A public page follows its game: while it is visible it compares its version with the service's.
import { onWake } from './follow.js';

const EVERY_MS = 15_000;
const GIVE_UP_MS = 10_000;
const script = /** @type {HTMLElement} */ (document.querySelector('script[data-live]'));
const { live = '', version } = script.dataset;
const root = live.slice(0, live.lastIndexOf('/'));
/** The address without a moment shows the newest one; the replay replaces it by the moment's address. */
const isNewest = location.pathname === root;
let asked = new AbortController();

/** At a moment in the past, wait until the reader comes to the end. */
function isReading() {
  const range = /** @type {HTMLInputElement | null} */ (document.querySelector('[data-replay] input[type=range]'));
  return isNewest && range !== null && range.value !== range.max;
}

async function compare() {
  asked.abort();
  asked = new AbortController();
  const over = setTimeout(() => asked.abort(), GIVE_UP_MS);
  const answer = await fetch(live, { signal: asked.signal, cache: 'no-store' }).catch(() => undefined);
  clearTimeout(over);
  // A captive portal answers anything.
  if (!answer?.headers.has('X-Request-Id')) return;
  const isOver = answer.status === 404;
  if (!isOver && (!answer.ok || (await answer.text()) === version || isReading())) return;
  if (isNewest) location.replace(root);
  else location.reload();
}

onWake(compare);
setInterval(() => document.visibilityState === 'visible' && compare(), EVERY_MS);
