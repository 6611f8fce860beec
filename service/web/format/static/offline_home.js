// The app without a network, in secure contexts (https or localhost); elsewhere show once what https would add.

const PAGES = 'carnet-pages';
const STATIC = 'carnet-static';
const TOLD = 'carnet-https';
const KIT = 'carnet-kit';

/** Register the service worker; store this page, and once a day what a game without a network needs. */
async function keep() {
  const cameByWorker = navigator.serviceWorker.controller !== null;
  await navigator.serviceWorker.register('/offline.js');
  const pages = await caches.open(PAGES);
  const files = performance.getEntriesByType('resource').map(({ name }) => name);
  if (!cameByWorker && navigator.onLine) {
    await store(files.filter((name) => name.includes('/static/')));
    await pages.add(location.pathname);
  }
  const release = import.meta.url.split('/').at(-2);
  const kit = `${release} ${document.documentElement.lang} ${new Date().toDateString()}`;
  if (localStorage.getItem(KIT) !== kit && navigator.onLine) {
    await storeKit(pages);
    localStorage.setItem(KIT, kit);
  }
  document.documentElement.dataset.kept = '';
}

/** @param {string[]} files */
async function store(files) {
  const cache = await caches.open(STATIC);
  for (const file of files) if (!(await cache.match(file))) await cache.add(file);
}

/** Store the page `/offline`, and the pages and files that it lists. @param {Cache} pages */
async function storeKit(pages) {
  await pages.add('/offline');
  const html = (await (await pages.match('/offline'))?.text()) ?? '';
  const heading = new DOMParser().parseFromString(html, 'text/html').querySelector('[data-kit]');
  /** @type {string[]} */
  const kit = JSON.parse(heading?.getAttribute('data-kit') ?? '[]');
  const isFile = (/** @type {string} */ one) => one.startsWith('/static/');
  const files = new Set(kit.filter(isFile));
  for (const page of kit.filter((one) => !isFile(one))) {
    await pages.add(page);
    const text = (await (await pages.match(page))?.text()) ?? '';
    for (const [file] of text.matchAll(/\/static\/[\w./+-]+/g)) files.add(file);
  }
  await store([...files]);
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
