// While no answer comes: the keypad for that time, and what a tap that waited means on the board once it is sent.

/** @typedef {import('./outbox.js').Tap} Tap */

/** @type {HTMLTemplateElement | null} */
const pad = document.querySelector('[data-offline]');
/** What has a key for every card. The keypad is the same on every board: the page has it once, until it is needed. */
export const pack = pad?.content ?? document;
/** Where this window remembers that it was needed: what is typed there is kept through boards and reloads. */
const NEEDED = `pad ${location.pathname}`;

/** Put the keypad on a board, if it is or ever was needed. @param {HTMLElement} holder */
export function unpack(holder, needed = NEEDED in sessionStorage) {
  const place = holder.querySelector('.offline-pad:empty');
  if (!place || !needed) return;
  sessionStorage.setItem(NEEDED, '');
  place.append(pack.cloneNode(true));
  holder.append(''); // scripts of games look at each change of the board
}

/**
 * Tell whether an entry that a tap implies may be entered on the board as it is now.
 * @param {HTMLElement} holder
 * @param {Record<string, any>} implied
 */
export function stillToCome(holder, { at, ...implied }) {
  const buttons = /** @type {NodeListOf<HTMLButtonElement>} */ (
    holder.querySelectorAll('.panel:not(.offline-pad) [name=entry]:not(.dim)')
  );
  return [...buttons].some((button) => JSON.stringify(JSON.parse(button.value)) === JSON.stringify(implied));
}

/**
 * Find the buttons that a late tap may mean on the board as it is now.
 * @param {HTMLElement} holder
 * @param {Tap} tap
 */
export function meant(holder, tap) {
  const what = (tap.card ? `.key[data-card="${tap.card}"]` : '') + (tap.does ? `[data-does="${tap.does}"]` : '');
  const found = holder.querySelector(`.panel.online-only ${what}`);
  const buttons = found instanceof HTMLButtonElement ? [found] : [...(found?.querySelectorAll('button') ?? [])];
  return /** @type {HTMLButtonElement[]} */ (buttons);
}

/** Say of a tap what it means. @param {Tap} tap @param {Record<string, any>[]} entries */
export function settle(tap, entries) {
  const { at, unsure } = /** @type {any} */ (tap.entries.at(-1));
  tap.entries = entries.map((entry) => ({ ...entry, at }));
  Object.assign(/** @type {object} */ (tap.entries.at(-1)), { unsure });
  delete tap.turn;
}
