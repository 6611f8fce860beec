// The service worker: without a network it serves the last version of the pages that a family reads, else the page
// `/offline`. It controls the whole site, in secure contexts (https or localhost).

const PAGES = 'carnet-pages';
const STATIC = 'carnet-static';
const WAY_IN = /^\/(go-on)?$/;
const GAME = /^\/games\/[0-9a-f-]{36}$/;
const READ =
  /^\/(more|history|standings|screen|players.*|evenings.*|rules\/\w+|games\/(new|[0-9a-f-]{36}\/(sheet|log|rules)))$/;
const PAGES_KEPT = 80;
const RELEASES_KEPT = 2;

/** @type {any} the worker's global scope, unknown to the DOM types */
const worker = self;

worker.addEventListener('install', () => worker.skipWaiting());
worker.addEventListener('activate', (/** @type {any} */ event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener('fetch', (/** @type {any} */ event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin) return;
  // Clear the cache on sign-out.
  if (pathname === '/logout') event.waitUntil(caches.delete(PAGES));
  if (request.method === 'GET' && pathname.startsWith('/static/')) event.respondWith(kept(request));
  else if (request.mode === 'navigate') event.respondWith(shown(request));
});

/** @param {Request} request @returns {Promise<Response>} */
async function kept(request) {
  const cache = await caches.open(STATIC);
  const found = await cache.match(request);
  if (found) return found;
  const answer = await fetch(request);
  if (answer.ok) {
    await cache.put(request, answer.clone());
    await prune(cache);
  }
  return answer;
}

/** Forget the files of older releases. @param {Cache} cache */
async function prune(cache) {
  const all = await cache.keys();
  const release = (/** @type {Request} */ one) => new URL(one.url).pathname.split('/')[2];
  const releases = [...new Set(all.map(release))].slice(0, -RELEASES_KEPT);
  for (const one of all) if (releases.includes(release(one))) await cache.delete(one);
}

/** @param {Request} request @returns {Promise<Response>} */
async function shown(request) {
  const cache = await caches.open(PAGES);
  const { pathname, search } = new URL(request.url);
  const address = READ.test(pathname) ? pathname + search : pathname;
  const isRead = request.method === 'GET' && [GAME, READ, WAY_IN].some((pages) => pages.test(pathname));
  const stored = isRead ? await cache.match(address) : undefined;
  try {
    const answer = await fetch(request);
    // A game that was started without a network is not on the server yet.
    if (answer.status === 404 && stored?.headers.has('X-Unsent')) return stored;
    if (!isRead) return answer;
    if (answer.ok && !answer.redirected) await store(cache, address, answer.clone());
    else if (answer.status < 500 && pathname !== '/go-on') await cache.delete(address);
    return answer;
  } catch (error) {
    if (stored) return asSeen(stored);
    const games = (await cache.keys()).map(({ url }) => new URL(url).pathname).filter((one) => GAME.test(one));
    const last = games.at(-1) ?? ((await cache.match('/')) && '/');
    if (isRead && WAY_IN.test(pathname) && last) return Response.redirect(last);
    const instead = await cache.match('/offline');
    if (!instead) throw error;
    return instead;
  }
}

/** Store a page, and forget the oldest ones. @param {Cache} cache @param {string} address @param {Response} answer */
async function store(cache, address, answer) {
  await cache.put(address, answer);
  const isOld = (/** @type {Request} */ { url }) => READ.test(new URL(url).pathname) && !url.includes('/games/new');
  const all = (await cache.keys()).filter(isOld);
  for (const one of all.slice(0, -PAGES_KEPT)) await cache.delete(one);
}

/** A stored page that says that it is not the latest. @param {Response} stored */
async function asSeen(stored) {
  const html = (await stored.text()).replace(' data-as-seen hidden', ' data-as-seen');
  return new Response(html, { headers: stored.headers });
}
