// List the pages that this device can show without a network.

const list = /** @type {HTMLElement} */ (document.querySelector('[data-seen]'));
const cache = await caches.open('carnet-pages');
const parser = new DOMParser();
for (const request of [...(await cache.keys())].reverse()) {
  const { pathname, search } = new URL(request.url);
  const title = parser.parseFromString((await (await cache.match(request))?.text()) ?? '', 'text/html').title;
  if (!title || pathname === '/offline' || pathname.startsWith('/games/new') || pathname.endsWith('/board')) continue;
  const item = document.createElement('li');
  item.innerHTML = '<a class="line"></a>';
  const link = /** @type {HTMLAnchorElement} */ (item.firstChild);
  link.href = pathname + search;
  link.textContent = title.replace(/ – Carnet$/, '');
  list.lastElementChild?.append(item);
  list.hidden = false;
}
