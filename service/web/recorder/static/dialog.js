// What a person is asked about a tap, and told beside the board.

import { pack } from './pending.js';

export const dialog = /** @type {HTMLDialogElement} */ (document.querySelector('dialog'));
const TOLD_MS = 6000;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let hiding;

/**
 * Ask whether a tap still holds, or which of some things it means.
 * @param {string} why
 * @param {string} label what the tap says
 * @param {Record<string, any>} words
 * @param {HTMLButtonElement[]} [ways]
 */
export function askWhether(why, label, words, ways) {
  dialog.innerHTML =
    '<section class="refusal"><h2 id="refusal-title" tabindex="-1" autofocus></h2><p></p>' +
    '<button class="big first" data-way="keep"></button><button class="big" data-way="drop"></button></section>';
  const [title, said, keep, drop] = dialog.querySelectorAll('h2, p, button');
  title.textContent = why;
  said.textContent = label;
  keep.textContent = words.keep;
  drop.textContent = words.drop;
  if (ways)
    keep.replaceWith(
      ...ways.map((way) => {
        const button = /** @type {HTMLButtonElement} */ (way.cloneNode(true));
        button.dataset.way = 'pick';
        return button;
      }),
    );
  if (!dialog.open) dialog.showModal();
}

/** Say something in passing. @param {string} text */
export function mention(text) {
  const place = /** @type {HTMLElement} */ (document.querySelector('[data-mention]'));
  clearTimeout(hiding);
  place.textContent = text;
  place.hidden = false;
  hiding = setTimeout(() => {
    place.hidden = true;
  }, TOLD_MS);
}

/**
 * Show what waits to be sent.
 * @param {import('./outbox.js').Tap} tap
 * @param {Record<string, any>} words
 */
export function chip(tap, words) {
  const item = document.createElement('li');
  const face = pack.querySelector(`[data-card="${tap.card}"] .card`);
  const laid = document.createElement('span');
  laid.className = face ? 'laid' : 'laid words';
  laid.append(face?.cloneNode(true) ?? tap.label);
  const said = document.createElement('span');
  said.className = 'sr';
  said.textContent = `${face ? tap.label : ''}, ${words.unsent}`;
  item.append(laid, said);
  return item;
}
