// The replay: versions are fetched by the dozen and cached; keys, swipes and a timer step through them.
import { watchFingers } from './gestures.js';

const watch = /** @type {HTMLElement} */ (document.querySelector('[data-replay]'));
const base = watch.dataset.replay ?? '';
// In a chain the entries of earlier games are at 0 and below.
const first = Number(watch.dataset.first);
const last = Number(watch.dataset.last);
const picture = /** @type {HTMLElement} */ (watch.querySelector('[data-moment]'));
const range = /** @type {HTMLInputElement} */ (watch.querySelector('input[type=range]'));
const said = /** @type {HTMLElement} */ (watch.querySelector('[data-said]'));
const chapters = /** @type {HTMLElement} */ (watch.querySelector('[data-chapters]'));
// A game by points hides nothing: there is no such part then.
const knowing = /** @type {HTMLDetailsElement | null} */ (watch.querySelector('[data-known]'));
const knowledge = /** @type {HTMLElement | null} */ (watch.querySelector('[data-knowledge]'));
const open = /** @type {HTMLElement} */ (watch.querySelector('[data-openness]'));
const play = /** @type {HTMLButtonElement} */ (watch.querySelector('[data-play]'));
const speed = /** @type {HTMLSelectElement} */ (watch.querySelector('[data-speed]'));
const AHEAD = 12;
const lifted = knowledge && watchFingers(knowledge);
/** Results, whose points are counted in the version after them. @type {Set<number>} */
const passed = new Set(JSON.parse(watch.dataset.passed ?? '[]'));

/** @type {Map<number, string>} */
const kept = new Map();
/** @type {Map<number, Promise<void>>} */
const coming = new Map();
let here = Number(range.value);
let eyes = new URLSearchParams(location.search).get('eyes') ?? '';
let clock = 0;
let quiet = 0;

/** @param {string} address @param {string} part */
async function part(address, part) {
  const answer = await fetch(address, { headers: { 'X-Part': part } });
  return answer.ok ? answer.text() : '';
}

/** The perspective on the game; '' as recorded. */
function seenBy() {
  return eyes === 'recorder' ? '' : eyes;
}

/** Switch the perspective and clear the cache of the previous one.
 * @param {string} whose */
async function see(whose) {
  const before = seenBy();
  eyes = whose;
  history.replaceState(null, '', address(here));
  know();
  if (seenBy() === before) return;
  kept.clear();
  coming.clear();
  await show(here);
  await tell();
}

/** Fetch a dozen versions; a pending request is not repeated.
 * @param {number} version */
function fetched(version) {
  const begin = version - ((version - first) % AHEAD);
  const before = coming.get(begin);
  if (before) return before;
  const whose = seenBy();
  const now = part(address(begin), 'moments').then((html) => {
    if (whose !== seenBy()) return;
    const box = document.createElement('template');
    box.innerHTML = html;
    for (const one of box.content.querySelectorAll('section.moment')) {
      kept.set(Number(/** @type {HTMLElement} */ (one).dataset.version), one.outerHTML);
    }
    if (!html) coming.delete(begin);
  });
  coming.set(begin, now);
  return now;
}

let filling = false;
/** The slider may stop anywhere: prefetch missing versions, nearest first, a dozen at a time. */
async function fill() {
  if (filling) return;
  filling = true;
  const far = (/** @type {number} */ begin) => Math.abs(begin - here);
  let left = Array.from({ length: Math.ceil((last - first + 1) / AHEAD) }, (_, at) => at * AHEAD + first);
  while (left.length) {
    left = left.filter((begin) => !coming.has(begin)).sort((one, other) => far(one) - far(other));
    const next = left.shift();
    if (next !== undefined) await fetched(next);
  }
}

/** @param {number} wanted */
async function show(wanted) {
  here = Math.min(Math.max(wanted, first), last);
  range.value = String(here);
  const [version, whose] = [here, seenBy()];
  if (!kept.has(version)) await fetched(version);
  if (version !== here || whose !== seenBy()) return;
  const html = kept.get(version);
  if (html === undefined) {
    location.assign(address(version));
    return;
  }
  picture.innerHTML = html;
  said.textContent = spoken(picture.querySelector('.said'));
  history.replaceState(null, '', address(version));
  buttons();
  mark();
  if (version + AHEAD <= last) fetched(version + AHEAD);
  clearTimeout(quiet);
  quiet = window.setTimeout(settled, 250);
}

/** The text for screen readers in a part of the page.
 * @param {Element | null} shown */
function spoken(shown) {
  const copy = /** @type {Element | undefined} */ (shown?.cloneNode(true));
  for (const one of copy?.querySelectorAll('[aria-hidden="true"]') ?? []) one.remove();
  return (copy?.textContent ?? '').replace(/\s+/g, ' ').trim();
}

/** @param {number} version */
function address(version) {
  return base + version + (eyes ? `?eyes=${encodeURIComponent(eyes)}` : '');
}

/** Load the slower parts of the version once the reader stops moving. */
async function settled() {
  const version = here;
  if (!chapters.querySelector(`a[data-at="${version}"][aria-current], li a[data-at="${version}"]`)) await tell();
  await drawOpenness();
  await know();
}

/** Where the deal before this moment begins, the deal on display, and the next one. */
function deals() {
  const moment = /** @type {HTMLElement | null} */ (picture.querySelector('[data-deals]'));
  return /** @type {[number, number, number]} */ (JSON.parse(moment?.dataset.deals ?? `[${first}, ${first}, ${last}]`));
}

let drawn = '';
/** Draw how much was open in the deal on display, once per deal and perspective. */
async function drawOpenness() {
  const wanted = `${deals()[1]} ${seenBy()}`;
  if (wanted === drawn) return;
  drawn = wanted;
  const html = await part(address(here), 'openness');
  if (wanted === drawn) open.innerHTML = html;
}

/** Load the chapters, with the current one unfolded. */
async function tell() {
  const whose = seenBy();
  const html = await part(address(here), 'chapters');
  if (html && whose === seenBy()) chapters.innerHTML = html;
  mark();
}

/** Load what was known; unfolded parts stay unfolded. */
async function know() {
  if (!knowing?.open || !knowledge) return;
  const [version, whose] = [here, eyes];
  const html = await part(address(version), 'known');
  await lifted?.();
  if (html && version === here && whose === eyes) {
    const unfolded = [...knowledge.querySelectorAll('details[open]')].map((one) => one.className);
    knowledge.innerHTML = html;
    for (const one of knowledge.querySelectorAll('details')) one.open ||= unfolded.includes(one.className);
  }
  lookThrough();
}

/** Scroll the chosen perspective into view. */
function lookThrough() {
  const chosen = knowledge?.querySelector('.tabs [aria-current]');
  const row = chosen?.parentElement;
  if (!chosen || !row) return;
  const [at, box] = [chosen.getBoundingClientRect(), row.getBoundingClientRect()];
  row.scrollLeft += at.left - box.left - (box.width - at.width) / 2;
}

function mark() {
  for (const one of chapters.querySelectorAll('[aria-current]')) one.removeAttribute('aria-current');
  const line = chapters.querySelector(`li a[data-at="${here}"]`);
  if (!line) return;
  line.setAttribute('aria-current', 'true');
  const box = chapters.getBoundingClientRect();
  const at = line.getBoundingClientRect();
  chapters.scrollTop += at.top - box.top - box.height / 3;
}

/** The version to show where one is passed over. @param {number} version @param {1 | -1} direction */
function stop(version, direction) {
  let at = version;
  while (passed.has(at)) at += direction;
  return at;
}

/** @param {string} key */
function target(key) {
  if (key === 'back') return stop(here - 1, -1);
  if (key === 'forward') return stop(here + 1, 1);
  return deals()[key === 'deal-before' ? 0 : 2];
}

function buttons() {
  for (const link of watch.querySelectorAll('[data-go]')) {
    const to = Math.min(Math.max(target(/** @type {HTMLElement} */ (link).dataset.go ?? ''), first), last);
    link.classList.toggle('off', to === here);
    link.toggleAttribute('aria-disabled', to === here);
    link.setAttribute('href', address(to));
  }
  const remark = document.querySelector('[data-remark]');
  remark?.setAttribute('action', `${base}${here}/remark`);
  remark?.toggleAttribute('hidden', here < 1);
  document.querySelector('[data-until]')?.setAttribute('value', String(here));
  document.querySelector('[data-what-if]')?.setAttribute('href', `${base}${here}/what-if`);
}

/** @param {boolean} on */
function playing(on) {
  clearInterval(clock);
  clock = 0;
  play.setAttribute('aria-pressed', String(on));
  if (!on) return;
  if (here === last) show(first);
  clock = window.setInterval(() => (here < last ? show(target('forward')) : playing(false)), Number(speed.value));
}

range.addEventListener('input', () => {
  const wanted = Number(range.value);
  show(stop(wanted, wanted < here ? -1 : 1));
  fill();
});
play.addEventListener('click', () => playing(!clock));
speed.addEventListener('change', () => clock && playing(true));
knowing?.addEventListener('toggle', () => see(knowing.open ? eyes || 'recorder' : ''));
watch.querySelector('form')?.addEventListener('submit', (event) => event.preventDefault());
watch.addEventListener('click', (event) => {
  const link = /** @type {HTMLElement} */ (event.target).closest('a');
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const { go, at, eyes: whose } = link.dataset;
  if (!go && !at && whose === undefined) return;
  event.preventDefault();
  if (whose !== undefined) see(whose);
  else show(go ? target(go) : stop(Number(at), 1));
});

/** On many keyboards, brackets need Alt, or Ctrl and Alt.
 * @param {KeyboardEvent} event */
function isShortcut(event) {
  const bracket = event.key === '[' || event.key === ']';
  return event.metaKey || (bracket ? event.ctrlKey && !event.altKey : event.ctrlKey || event.altKey);
}

document.addEventListener('keydown', (event) => {
  if (isShortcut(event)) return;
  const on = /** @type {HTMLElement} */ (event.target);
  if (on.closest('input:not([type=range]), textarea')) return;
  if (on.closest('input, select, summary, button') && event.key === ' ') return;
  if (on.closest('input, select, .scroll') && event.key.startsWith('Arrow')) return;
  const keys = { ArrowLeft: 'back', ArrowRight: 'forward', '[': 'deal-before', ']': 'deal-after' };
  const key = /** @type {Record<string, string>} */ (keys)[event.key];
  if (key) show(target(key));
  else if (event.key === ' ') playing(!clock);
  else return;
  event.preventDefault();
});

/** @type {Touch | undefined} */
let touched;
const passive = { passive: true };
const begun = (/** @type {TouchEvent} */ event) => {
  touched = event.touches.length > 1 ? undefined : event.changedTouches[0];
};
picture.addEventListener('touchstart', begun, passive);
picture.addEventListener(
  'touchend',
  (event) => {
    const left = event.changedTouches[0];
    if (!touched || !left) return;
    const [moved, scrolled] = [left.clientX - touched.clientX, left.clientY - touched.clientY];
    if (Math.abs(moved) > 50 && Math.abs(moved) > 2 * Math.abs(scrolled)) show(target(moved < 0 ? 'forward' : 'back'));
  },
  passive,
);

kept.set(here, picture.innerHTML);
play.hidden = false;
/** @type {HTMLElement} */ (speed.closest('label')).hidden = false;
mark();
lookThrough();
drawOpenness();
document.documentElement.dataset.ready = '';
