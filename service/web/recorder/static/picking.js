// The card picker: keys of the pack below the selected card field.

import { pack as wholePack } from './pad.js';

/** @type {HTMLInputElement | undefined} the selected field */
let into;

/** @param {EventTarget | null} target @param {string} what */
const around = (target, what) => (target instanceof Element ? target.closest(what) : null);
const everywhere = (/** @type {string} */ selector) =>
  [document, wholePack].flatMap((part) => [...part.querySelectorAll(selector)]);
const codes = () => into?.value.match(/[^\s,]+/g) ?? [];

/** The name of a card: the shortest label of its keys. @param {string} code */
function called(code) {
  const said = everywhere(`.key[value="${code}"][aria-label]`);
  const names = said.map((key) => key.getAttribute('aria-label')?.split(',')[0] ?? '');
  return names.sort((a, b) => a.length - b.length)[0] ?? code;
}

/** The keys of the pack, copied from a keypad of this page. */
function pack() {
  const pads = everywhere('.keys:not(.picks)');
  const size = (/** @type {Element} */ pad) => pad.querySelectorAll('button[value]').length;
  const keys = /** @type {HTMLElement} */ (pads.sort((a, b) => size(b) - size(a))[0].cloneNode(true));
  for (const key of /** @type {NodeListOf<HTMLButtonElement>} */ (keys.querySelectorAll('button[value]'))) {
    const code = key.value;
    for (const name of key.getAttributeNames()) if (name !== 'class') key.removeAttribute(name);
    Object.assign(key.dataset, { pick: code });
    key.setAttribute('aria-label', called(code));
    key.type = 'button';
    key.classList.remove('dim', 'tapped', 'spent', 'marked');
    key.firstElementChild?.setAttribute('aria-hidden', 'true');
  }
  keys.classList.add('picks');
  return keys;
}

/** Show the tapped cards. @param {Element} picker */
function show(picker) {
  const faces = codes().map((code) => {
    const face = picker.querySelector(`[data-pick="${code}"]`)?.firstElementChild;
    return face?.cloneNode(true) ?? code;
  });
  picker.querySelector('.picked')?.replaceChildren(...faces);
}

/** Select a field for the picker. @param {EventTarget | null} target */
function choose(target) {
  const input = around(target, 'input[name^="cards."]');
  const all = input?.closest('[data-picks]');
  const picker = all?.querySelector('[data-picker]');
  if (!(input instanceof HTMLInputElement) || !(picker instanceof HTMLElement)) return;
  into = input;
  input.inputMode = 'none';
  if (!picker.querySelector('.keys')) picker.prepend(pack());
  if (input.parentElement?.nextElementSibling !== picker) input.parentElement?.after(picker);
  picker.hidden = false;
  show(picker);
}

for (const kind of ['pointerdown', 'focusin']) document.addEventListener(kind, (event) => choose(event.target));
document.addEventListener('click', (event) => {
  const key = around(event.target, '[data-pick]');
  const picker = key?.closest('[data-picker]');
  if (!(key instanceof HTMLElement) || !picker || !into) return;
  const { pick } = key.dataset;
  into.value = (pick ? [...codes(), pick] : codes().slice(0, -1)).join(' ');
  show(picker);
});
document.addEventListener('input', (event) => {
  const picker = event.target === into && into?.closest('[data-picks]')?.querySelector('[data-picker]');
  if (picker) show(picker);
});
choose(document.activeElement);
