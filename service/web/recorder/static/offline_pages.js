// What a page does so that it can be reloaded without a network: it registers the worker, and keeps each board.

const PAGES = 'carnet-pages';
const STATIC = 'carnet-static';
const AFTER_MS = 3000;
const VERSION = /data-version="(\d+)"/;

/** @param {string} html */
const versionOf = (html) => Number(html.match(VERSION)?.[1] ?? 0);

/**
 * Show a later board than the page has, if one was kept, and keep every board from now on.
 * @param {string} path of the game's page
 * @param {number} version that the page shows
 * @param {(html: string) => void} show
 * @returns {Promise<(html: string) => void>} what keeps a board
 */
export async function unplug(path, version, show) {
  await navigator.serviceWorker.register('/offline.js');
  const pages = await caches.open(PAGES);
  const board = `${path}/board`;
  const html = (await (await pages.match(board))?.text()) ?? '';
  if (versionOf(html) > version) show(html);
  // The first load comes first: what a reload needs is in the browser's cache by then, but for the page.
  setTimeout(() => fill(pages, path).catch(() => undefined), AFTER_MS);
  return (latest) => {
    pages.put(board, new Response(latest)).catch(() => undefined);
  };
}

/** Keep the page and what it loaded. @param {Cache} pages @param {string} path */
async function fill(pages, path) {
  const files = performance.getEntriesByType('resource').map(({ name }) => name);
  const cache = await caches.open(STATIC);
  for (const file of files.filter((name) => name.includes('/static/'))) {
    if (!(await cache.match(file))) await cache.add(file);
  }
  if (!(await pages.match(path)) && navigator.onLine) await pages.add(path);
}
