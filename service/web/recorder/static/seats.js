// Seating by taps: a tapped or typed player takes the next seat, clockwise, and can be moved.
import { tableOf } from './seat_circle.js';

const form = /** @type {HTMLFormElement} */ (document.querySelector('form[data-seats]'));
/** @type {{ round: string, partners: string }} */
const words = JSON.parse(form.dataset.words ?? '{}');
const sitters = /** @type {HTMLElement[]} */ ([...form.querySelectorAll('.sitter')]);
const round = form.querySelector('[data-round]');
const partners = /** @type {HTMLElement | null} */ (form.querySelector('[data-partners]'));
const unsaid = partners?.textContent ?? '';
const TEAMS_OF = 4;
/** @type {HTMLElement[]} the players by seat */
let seated = [];

/** @template {HTMLElement} T @param {HTMLElement} sitter @param {string} what @returns {T} */
const part = (sitter, what) => /** @type {T} */ (sitter.querySelector(what));

/** @param {HTMLElement} sitter */
const number = (sitter) => /** @type {HTMLInputElement} */ (part(sitter, '.order'));

/** @param {HTMLElement} sitter */
function nameOf(sitter) {
  const name = part(sitter, '[data-name]');
  return (name instanceof HTMLInputElement ? name.value : (name.textContent ?? '')).trim();
}

/** @param {HTMLElement} sitter */
function plays(sitter) {
  const box = /** @type {HTMLInputElement | null} */ (sitter.querySelector('[type=checkbox]'));
  return box ? box.checked : nameOf(sitter) !== '';
}

/** Whether the form's options make two teams. */
function inTeams() {
  const said = new FormData(form);
  /** @type {Record<string, string>[]} */
  const ways = JSON.parse(partners?.dataset.partners ?? '[]');
  return ways.some((way) => Object.entries(way).every(([field, value]) => said.get(field) === value));
}

const table = tableOf(
  /** @type {HTMLElement} */ (form.querySelector('[data-circle]')),
  /** @type {HTMLInputElement} */ (form.elements.namedItem('dealer')),
  (from, to) => {
    seated.splice(to, 0, ...seated.splice(from, 1));
    renumber();
  },
);

function tell() {
  const names = seated.map(nameOf);
  const teams = inTeams() && names.length === TEAMS_OF ? ['I', 'II'] : [''];
  table.draw(names.map((name, seat) => ({ name, team: teams[seat % teams.length] })));
  if (round) round.textContent = names.length > 1 ? words.round.replace('%1', () => names.join(', ')) : '';
  if (!partners) return;
  partners.hidden = !inTeams();
  partners.textContent =
    names.length === TEAMS_OF ? words.partners.replace(/%([1-4])/g, (_, seat) => names[Number(seat) - 1]) : unsaid;
}

/** A removed player leaves no gap; a new one takes the last seat. */
function renumber() {
  seated = [...seated.filter(plays), ...sitters.filter((sitter) => plays(sitter) && !seated.includes(sitter))];
  for (const sitter of sitters) {
    const seat = seated.indexOf(sitter) + 1;
    const place = part(sitter, '[data-place]');
    number(sitter).value = place.textContent = seat ? String(seat) : '';
    place.hidden = !seat;
  }
  // Show one empty name field at a time.
  const free = sitters.filter((sitter) => part(sitter, 'input[data-name]') && !nameOf(sitter));
  for (const [at, sitter] of free.entries()) sitter.hidden = at > 0 && !sitter.contains(document.activeElement);
  for (const sitter of seated) sitter.hidden = false;
  tell();
}

/** Start with the numbers in the page or restored by the browser. */
function begin() {
  const last = sitters.length + 1;
  const seatOf = (/** @type {HTMLElement} */ sitter) => Number(number(sitter).value) || last;
  seated = sitters.filter(plays).sort((one, other) => seatOf(one) - seatOf(other));
  form.classList.remove('numbering');
  renumber();
}

form.addEventListener('input', renumber);
// The players of the last game, in their order, without a request.
const again = /** @type {HTMLButtonElement | null} */ (document.querySelector('[data-same]'));
again?.addEventListener('click', (event) => {
  event.preventDefault();
  for (const id of (again.dataset.same ?? '').split(' ')) {
    const box = /** @type {HTMLInputElement | null} */ (form.querySelector(`[name="player"][value="${id}"]`));
    if (box) box.checked = true;
    renumber();
  }
  /** @type {HTMLElement} */ (again.closest('p')).hidden = true;
});
// Enter after a name adds it and goes on to the next one; in an empty field it starts the game.
form.addEventListener('keydown', (event) => {
  const field = event.target;
  if (event.key !== 'Enter' || !(field instanceof HTMLInputElement) || !('name' in field.dataset)) return;
  const next = sitters
    .map((sitter) => /** @type {HTMLInputElement | null} */ (sitter.querySelector('input[data-name]')))
    .find((one) => one && !one.value);
  if (!field.value.trim() || !next) return;
  event.preventDefault();
  /** @type {HTMLElement} */ (next.closest('.sitter')).hidden = false;
  next.focus();
});
// Browsers restore fields after the scripts have run.
addEventListener('pageshow', begin);
begin();
