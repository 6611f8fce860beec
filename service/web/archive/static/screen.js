// A screen for the room: it follows by itself and does not go dark.
const tables = /** @type {HTMLElement} */ (document.querySelector('[data-tables]'));
const live = tables.dataset.live ?? '';
const OFTEN = 3000; // several tables are looked at together: browsers keep few streams open
let shown = tables.innerHTML;

async function refresh() {
  const answer = await fetch(location.href, { headers: { 'X-Part': 'tables' } }).catch(() => undefined);
  if (!answer?.ok) return;
  const html = await answer.text();
  if (html === shown) return;
  shown = html;
  tables.innerHTML = html;
  const count = tables.querySelectorAll('.tabled').length;
  tables.className = `tables of${count}`;
}

async function stayAwake() {
  if (document.visibilityState !== 'visible') return;
  await navigator.wakeLock?.request('screen').catch(() => undefined);
}

if (live) {
  const source = new EventSource(live);
  for (const kind of ['open', 'message', 'entries']) source.addEventListener(kind, refresh);
  addEventListener('pagehide', () => source.close());
  addEventListener('pageshow', (event) => event.persisted && location.reload());
} else setInterval(refresh, OFTEN);
document.addEventListener('visibilitychange', stayAwake);
stayAwake();
document.documentElement.dataset.ready = '';
