// The first page without a network, in secure contexts (https or localhost); elsewhere show once what https would add.

const PAGES = 'carnet-pages';
const STATIC = 'carnet-static';
const TOLD = 'carnet-https';

/** Register the service worker and cache this page with its files, unless the worker served it. */
async function keep() {
  const cameByWorker = navigator.serviceWorker.controller !== null;
  await navigator.serviceWorker.register('/offline.js');
  if (!cameByWorker) await keepPage();
  document.documentElement.dataset.kept = '';
}

async function keepPage() {
  const files = performance.getEntriesByType('resource').map(({ name }) => name);
  const cache = await caches.open(STATIC);
  for (const file of files.filter((name) => name.includes('/static/'))) {
    if (!(await cache.match(file))) await cache.add(file);
  }
  if (navigator.onLine) await (await caches.open(PAGES)).add(location.pathname);
}

/** Show once what this insecure context lacks. */
function tellOnce() {
  const hint = /** @type {HTMLElement | null} */ (document.querySelector('[data-https]'));
  if (isSecureContext || !hint || localStorage.getItem(TOLD)) return;
  hint.hidden = false;
  localStorage.setItem(TOLD, '1');
}

tellOnce();
if ('serviceWorker' in navigator) keep().catch(() => undefined);
