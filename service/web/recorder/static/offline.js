// The service worker: without a network it serves the last version of the first page and of each game's page.
// It controls the whole site, in secure contexts (https or localhost).

const PAGES = 'carnet-pages';
const STATIC = 'carnet-static';
const WAYS_IN = ['/', '/go-on'];
const GAME = /^\/games\/[0-9a-f-]{36}$/;
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
  if (request.method !== 'GET') return;
  if (pathname.startsWith('/static/')) event.respondWith(kept(request));
  else if (request.mode === 'navigate' && (WAYS_IN.includes(pathname) || GAME.test(pathname)))
    event.respondWith(shown(request, pathname));
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

/** @param {Request} request @param {string} path @returns {Promise<Response>} */
async function shown(request, path) {
  const cache = await caches.open(PAGES);
  try {
    const answer = await fetch(request);
    if (answer.ok && !answer.redirected) await cache.put(path, answer.clone());
    else if (answer.status < 500 && path !== '/go-on') await cache.delete(path);
    return answer;
  } catch (error) {
    const found = await cache.match(path);
    if (found) return found;
    // The start page leads to the last open game, or to the cached list of games.
    const games = (await cache.keys()).map(({ url }) => new URL(url).pathname).filter((one) => GAME.test(one));
    const last = games.at(-1) ?? ((await cache.match('/')) && '/');
    if (!WAYS_IN.includes(path) || !last) throw error;
    return Response.redirect(last);
  }
}
