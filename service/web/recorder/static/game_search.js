// The search of a new game: games are found while a name is typed, and a known one fills the options.

/** @typedef {{ choice: string, name: string, spellings: string[], options: Record<string, unknown> | null }} OfferedGame */

const MATCHES_MAX = 8;
const form = /** @type {HTMLFormElement} */ (document.querySelector('form[data-seats]'));
const search = /** @type {HTMLInputElement} */ (document.querySelector('[data-search]'));
const found = /** @type {HTMLElement} */ (document.querySelector('[data-found]'));
const find = /** @type {HTMLButtonElement} */ (document.querySelector('button[name="choose"][value="called"]'));
const title = /** @type {HTMLInputElement | null} */ (form.elements.namedItem('title'));
const preset = /** @type {HTMLElement | null} */ (form.querySelector('[data-preset]'));

/** A name as names are compared. @param {string} name */
function plain(name) {
  const letters = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('œ', 'oe')
    .replaceAll('æ', 'ae')
    .replaceAll('ß', 'ss');
  return letters.replace(/[^\p{L}\p{N}]/gu, '');
}

/** @type {OfferedGame[]} */
const games = JSON.parse(search.dataset.search ?? '[]').map(
  (/** @type {[string, string, string[], Record<string, unknown> | null]} */ [choice, name, also, options]) => ({
    choice,
    name,
    spellings: [name, ...also].map(plain),
    options,
  }),
);

/** @param {string} choice @param {string} name */
function button(choice, name) {
  const made = document.createElement('button');
  made.setAttribute('form', form.id);
  made.formNoValidate = true;
  [made.name, made.value, made.textContent] = ['choose', choice, name];
  return made;
}

/** Show the games of which a name contains what is typed, those that begin with it first. */
function lookUp() {
  const sought = plain(search.value);
  const rank = (/** @type {OfferedGame} */ game) => {
    if (game.spellings.includes(sought)) return 0;
    return game.spellings.some((one) => one.startsWith(sought)) ? 1 : 2;
  };
  const matching = sought ? games.filter((game) => game.spellings.some((one) => one.includes(sought))) : [];
  matching.sort((one, other) => rank(one) - rank(other));
  const shown = matching.slice(0, MATCHES_MAX).map((game) => button(game.choice, game.name));
  if (sought && !games.some((game) => rank(game) === 0)) {
    const words = search.dataset.new ?? '%1';
    shown.push(
      button(
        'new-title',
        words.replace('%1', () => search.value.trim()),
      ),
    );
  }
  found.replaceChildren(...shown);
}

search.addEventListener('input', lookUp);
search.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter') return;
  event.preventDefault();
  if (search.value.trim()) find.click();
});

/** @param {string} name @param {string} value */
function fill(name, value) {
  for (const field of form.querySelectorAll(`[name="${name}"]`)) {
    const input = /** @type {HTMLInputElement} */ (field);
    if (input.type === 'radio' || input.type === 'checkbox') input.checked = input.value === value;
    else input.value = value;
  }
}

/** Fill in the options of a game. @param {Record<string, unknown>} options */
function fillOptions(options) {
  const written = (/** @type {unknown} */ value) =>
    value === undefined || value === null ? '' : JSON.stringify(value);
  fill('text.wins', String(options.wins ?? 'highest'));
  for (const name of ['target', 'rounds', 'zero_sum', 'teams']) fill(`with.${name}`, written(options[name]));
  if (!preset) return;
  /** @type {string[]} */
  const words = JSON.parse(preset.dataset.preset ?? '[]');
  const values = [options.target, options.rounds, options.zero_sum];
  const said = words.map((one, at) => (values[at] ? one.replace('%1', String(values[at])) : ''));
  preset.textContent = said.filter(Boolean).join(' · ');
}

/** @type {OfferedGame | undefined} */
let filled;
title?.addEventListener('input', () => {
  const called = plain(title.value);
  const game = games.find((one) => one.options && one.spellings.includes(called));
  if (game?.options && game !== filled) fillOptions(game.options);
  filled = game;
});

/** Without a network, a game by points is chosen on its stored page. */
function openChosen() {
  const chosen = games.find((game) => `#${encodeURIComponent(game.choice)}` === location.hash);
  if (!title || !chosen?.options) return;
  title.value = chosen.name;
  fillOptions(chosen.options);
}
addEventListener('hashchange', openChosen);
openChosen();
