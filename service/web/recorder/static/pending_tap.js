// What a tap that waited means on the board as it is once it is sent.

/** @typedef {import('./outbox.js').Tap} Tap */

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
