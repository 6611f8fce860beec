// Reload without a network: register the service worker and cache each board.

const PAGES = 'carnet-pages';
const STATIC = 'carnet-static';
const AFTER_MS = 3000;
/** Scripts that load on their first use, which may be without a network. */
const ON_DEMAND = ['numbers.js', 'picking.js', 'seat_draw.js'];
const VERSION = /data-version="(\d+)"/;

/** @param {string} html */
const versionOf = (html) => Number(html.match(VERSION)?.[1] ?? 0);

/**
 * Show a cached board that is newer than the page's, and cache every board from now on.
 * @param {string} path of the game's page
 * @param {number} version that the page shows
 * @param {(html: string) => void} show
 * @returns {Promise<(html: string) => void>} a function that caches a board
 */
export async function unplug(path, version, show) {
  await navigator.serviceWorker.register('/offline.js');
  const pages = await caches.open(PAGES);
  const board = `${path}/board`;
  const html = (await (await pages.match(board))?.text()) ?? '';
  if (versionOf(html) > version) show(html);
  // After the first load all files are in the browser's cache, except the page itself.
  setTimeout(() => fill(pages, path).catch(() => undefined), AFTER_MS);
  return (latest) => {
    pages.put(board, new Response(latest)).catch(() => undefined);
  };
}

/** Cache the page and its files. @param {Cache} pages @param {string} path */
async function fill(pages, path) {
  const loaded = performance.getEntriesByType('resource').map(({ name }) => name);
  const files = [...loaded, ...ON_DEMAND.map((name) => new URL(name, import.meta.url).href)];
  const cache = await caches.open(STATIC);
  for (const file of files.filter((name) => name.includes('/static/'))) {
    if (!(await cache.match(file))) await cache.add(file);
  }
  for (const page of [path, '/offline']) if (!(await pages.match(page)) && navigator.onLine) await pages.add(page);
}
