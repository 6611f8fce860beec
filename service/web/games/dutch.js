// Rows are revealed by tapping cards in their order; two tapped slots exchange their cards under a jack.
import { cardOf } from './form_entry.js';
import './numbers_loader.js';
import './picker_loader.js';

const UNSEEN = '"??"';
/** @type {HTMLSelectElement | undefined} the slot that was chosen by hand */
let chosen;
/** @type {HTMLSelectElement | undefined} the slot that the last card went to */
let last;
/** Whether the last row was counted by its cards: so is the next one. */
let byCards = false;

/** @param {EventTarget | null} target @param {string} what */
const around = (target, what) => (target instanceof Element ? target.closest(what) : null);

document.addEventListener('focusin', (event) => {
  const face = around(event.target, '[data-face]');
  if (face instanceof HTMLSelectElement) chosen = face;
});
// A second tap on a rank leaves its suits where they are.
document.addEventListener('click', (event) => {
  if (around(event.target, '.rank[open] > summary')) event.preventDefault();
});

document.addEventListener('click', (event) => {
  const button = document.querySelector('.panel:not(.offline-pad) [data-trade]');
  const place = event.target;
  if (!(button instanceof HTMLButtonElement) || !(place instanceof HTMLInputElement)) return;
  const first = /** @type {HTMLInputElement | null} */ (document.querySelector('[name="opens.place"][data-first]'));
  for (const one of document.querySelectorAll('[data-first]')) one.removeAttribute('data-first');
  if (place.name !== 'opens.place' || !place.value) return;
  if (!first || first === place) return place.setAttribute('data-first', '');
  const second = /** @type {HTMLInputElement} */ (document.querySelector('[data-second]'));
  second.value = JSON.stringify(JSON.parse(place.value).place);
  first.checked = true;
  button.click();
});
document.addEventListener(
  'click',
  (event) => {
    const key = around(event.target, '.fills .key');
    if (!(key instanceof HTMLElement)) return;
    event.preventDefault();
    const form = /** @type {HTMLElement} */ (key.closest('[data-fill]'));
    const faces = /** @type {HTMLSelectElement[]} */ ([...form.querySelectorAll('[data-face]')]);
    const open = faces.filter(isOpen);
    const byHand = chosen && faces.includes(chosen) ? chosen : undefined;
    chosen = undefined;
    const card = JSON.stringify(cardOf(key));
    const place = byHand ?? whereItLies(faces, card) ?? open[0] ?? faces.at(-1);
    if (!place) return;
    // Some seven says less than the seven that is known to lie there.
    if (byHand || !(isRankAlone(card) && isOfRank(place, card))) place.value = card;
    last = place;
    place.toggleAttribute('data-passed', card === UNSEEN);
    form.toggleAttribute('data-told', !faces.some(isOpen) && faces.some(needsPoints));
  },
  { capture: true },
);

const isOpen = (/** @type {HTMLSelectElement} */ face) => face.value === UNSEEN && !('passed' in face.dataset);
const isRankAlone = (/** @type {string} */ card) => card[2] === '?' && card !== UNSEEN;
/** @param {HTMLSelectElement} face @param {string} card */
const isOfRank = (face, card) => face.value[1] === card[1] && face.value !== UNSEEN;

/**
 * The slot of a tapped card that is known there, or whose rank is.
 * @param {HTMLSelectElement[]} faces @param {string} card in JSON
 */
function whereItLies(faces, card) {
  if (card === UNSEEN) return;
  const its = isRankAlone(card) ? undefined : faces.find((one) => one.value === card);
  if (its) return its;
  const passedOver = faces.slice(last ? faces.indexOf(last) + 1 : 0);
  const next = passedOver.findIndex(isOpen);
  const known = next < 0 ? passedOver : passedOver.slice(0, next);
  return known.find((one) => isOfRank(one, card) && (isRankAlone(card) || isRankAlone(one.value)));
}

/** What a card counts that nobody saw, or some king, is not known. @param {HTMLSelectElement} face */
const needsPoints = (face) => [UNSEEN, '"K?"'].includes(face.value);

document.addEventListener('change', (event) => {
  if (event.target === chosen) [last, chosen] = [chosen, undefined];
  const mode = around(event.target, '[data-fill] [name="mode"]');
  if (mode instanceof HTMLInputElement) byCards = mode.value === 'cards';
});
const holder = document.querySelector('[data-board]');
if (holder) {
  new MutationObserver(() => {
    const mode = holder.querySelector('.panel:not(:has(.last-card)) [data-fill] [value="cards"]');
    if (mode instanceof HTMLInputElement && byCards) mode.checked = true;
  }).observe(holder, { childList: true });
}
