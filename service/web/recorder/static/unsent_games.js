// The list of games whose start or taps wait on this phone. They are sent from the game's page.
import { onWake } from './follow.js';
import { openStore } from './tap_store.js';

const section = /** @type {HTMLElement} */ (document.querySelector('[data-unsent]'));
/** The only game to list; '' for all. */
const only = section.dataset.unsent ?? '';
const words = JSON.parse(section.dataset.words ?? '{}');
const plural = new Intl.PluralRules(document.documentElement.lang);
let asked = 0;

/** The players of the games that were started without a network, by address. */
async function startedGames() {
  /** @type {Map<string, string>} */
  const found = new Map();
  if (only || !('caches' in globalThis)) return found;
  const pages = await caches.open('carnet-pages');
  for (const request of await pages.keys()) {
    const names = (await pages.match(request))?.headers.get('X-Unsent');
    if (names) found.set(new URL(request.url).pathname, decodeURIComponent(names));
  }
  return found;
}

async function storedTaps() {
  const store = await openStore(() => {});
  const taps = await store.read(only);
  store.db.close();
  return taps;
}

/** Show the list; where two calls overlap, the later one counts. */
async function list() {
  asked += 1;
  const mine = asked;
  const games = await startedGames().catch(() => new Map());
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { game, named } of await storedTaps().catch(() => [])) {
    const address = `/games/${game}`;
    counts.set(address, (counts.get(address) ?? 0) + 1);
    if (named) games.set(address, named);
  }
  if (mine !== asked) return;
  for (const link of section.querySelectorAll('a')) link.remove();
  for (const address of new Set([...games.keys(), ...counts.keys()])) {
    const link = document.createElement('a');
    link.className = 'button big first';
    link.href = address;
    const text = document.createElement('span');
    text.textContent = games.get(address) ?? words.game;
    const count = counts.get(address);
    if (count) {
      const small = document.createElement('small');
      small.textContent = words[plural.select(count)].replace('%s', String(count));
      text.append(document.createElement('br'), small);
    }
    link.append(text);
    section.append(link);
  }
  section.hidden = !section.querySelector('a');
}

onWake(list);
new BroadcastChannel('carnet-taps').onmessage = list;
list();
