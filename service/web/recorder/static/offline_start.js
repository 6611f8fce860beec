// Start a game without a network: its page is made from a stored blank one, and its start is sent from there.

import { newCommand } from './outbox.js';

const PAGES = 'carnet-pages';
const PATIENCE_MS = 3000;
/** Names in a blank page, by seat. */
const NAMES = /[\uE000-\uE0FF]/g;
/** The namespace of the ids of games that a command starts (`game_of` on the server). */
const STARTS = '3e0a5c7e0a8e5d0a9f0e6a1f0c1f7b54';

const form = /** @type {HTMLFormElement} */ (document.querySelector('form[data-seats]'));
const words = JSON.parse(form.dataset.words ?? '{}');
let isReached = false;

/** The id of the game that a command starts: a UUID of version 5. @param {string} command */
async function gameOf(command) {
  const space = (STARTS.match(/../g) ?? []).map((hex) => Number.parseInt(hex, 16));
  const name = new TextEncoder().encode(command.replaceAll('-', ''));
  const b = new Uint8Array(await crypto.subtle.digest('SHA-1', new Uint8Array([...space, ...name])));
  b[6] = (b[6] & 15) | 80;
  b[8] = (b[8] & 63) | 128;
  const hex = [...b.subarray(0, 16)].map((n) => n.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** The names by seat. */
function namesBySeat() {
  const seat = (/** @type {Element} */ one) =>
    Number(/** @type {HTMLInputElement} */ (one.querySelector('.order')).value);
  const seated = [...form.querySelectorAll('.sitter')].filter(seat).sort((one, other) => seat(one) - seat(other));
  return seated.map((one) => {
    const name = /** @type {HTMLElement} */ (one.querySelector('[data-name]'));
    return (name instanceof HTMLInputElement ? name.value : (name.textContent ?? '')).trim();
  });
}

/** @param {string} text */
const escaped = (text) => text.replace(/[&<>]/g, (one) => `&#${one.charCodeAt(0)};`).replace(/["\\]/g, '’');

/** Open the page of a game that starts without a network. */
async function startHere() {
  const pages = await caches.open(PAGES);
  const ruleset = String(new FormData(form).get('ruleset'));
  const names = namesBySeat();
  const blanks = await (await pages.match(`/games/new/tables?ruleset=${ruleset}`))?.json();
  const isReplacing = form.elements.namedItem('instead');
  if (!blanks || isReplacing) return refuse(words.network);
  if (!blanks[names.length]) return refuse(words.seats);
  const command = newCommand();
  const id = await gameOf(command);
  const fields = new URLSearchParams(/** @type {any} */ (new FormData(form)));
  fields.set('command', command);
  const named = blanks[names.length].replace(NAMES, (/** @type {string} */ one) =>
    escaped(names[one.charCodeAt(0) & 255]),
  );
  const page = new DOMParser().parseFromString(named, 'text/html');
  const main = /** @type {HTMLElement} */ (page.querySelector('main'));
  const board = /** @type {HTMLElement} */ (page.querySelector('.board'));
  const counted = JSON.parse(board.dataset.count ?? '{}');
  for (const [name, value] of fields) {
    if (name.startsWith('with.') && value) counted.options[name.slice('with.'.length)] = JSON.parse(value);
    if (name.startsWith('text.')) counted.options[name.slice('text.'.length)] = value;
  }
  board.dataset.count = JSON.stringify(counted);
  main.dataset.start = `${form.getAttribute('action')} ${fields} ${Date.now()}`;
  const blankId = /** @type {string} */ (main.dataset.game);
  const html = `<!doctype html>${page.documentElement.outerHTML.replaceAll(blankId, id)}`;
  const headers = { 'Content-Type': 'text/html; charset=utf-8', 'X-Unsent': encodeURIComponent(names.join(' – ')) };
  await pages.put(`/games/${id}`, new Response(html, { headers }));
  location.href = `/games/${id}`;
}

/** Whether the blank page of a ruleset is stored. @param {string} choice */
async function isStored(choice) {
  const pages = await caches.open(PAGES);
  return Boolean(await pages.match(`/games/new?ruleset=${choice}`));
}

/** Open the stored page of games by points for one of them. @param {string} choice */
function openTitle(choice) {
  const page = `/games/new?ruleset=${words.titled}#${encodeURIComponent(choice)}`;
  if (location.pathname + location.search + location.hash === page) return;
  location.href = page;
}

/** @param {string} why */
function refuse(why) {
  const notice = /** @type {HTMLElement} */ (form.querySelector('[data-unstarted]'));
  notice.textContent = why;
  notice.hidden = false;
  notice.scrollIntoView({ block: 'nearest' });
}

/** Send the form if the server answers; else start the game here, or show the stored form of another game. */
form.addEventListener('submit', async (event) => {
  if (isReached || !navigator.serviceWorker?.controller) return;
  event.preventDefault();
  const button = /** @type {HTMLButtonElement | null} */ (event.submitter);
  const asked = fetch('/healthz', { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(PATIENCE_MS) });
  isReached = await asked.then(
    () => true,
    () => false,
  );
  if (isReached) form.requestSubmit(button);
  else if (button?.name !== 'choose') await startHere().catch(() => refuse(words.network));
  else if (await isStored(button.value)) location.href = `/games/new?ruleset=${button.value}`;
  else if (/^(known\.|[0-9a-f-]{36}$)/.test(button.value)) openTitle(button.value);
  else refuse(words.network);
});
// Back from a game: ask again.
addEventListener('pageshow', () => {
  isReached = false;
});
