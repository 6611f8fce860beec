// Typed and chosen values survive a new board; missing fields are reported beside the button.

/** @typedef {HTMLInputElement | HTMLSelectElement} Field */
/** @typedef {Record<string, string>} Typed the changed fields with their values */

const fields = (/** @type {HTMLElement} */ holder) =>
  /** @type {Field[]} */ ([...holder.querySelectorAll('input:not([type=hidden]), select')]);
const ticked = (/** @type {Field} */ field) =>
  field instanceof HTMLInputElement && ['radio', 'checkbox'].includes(field.type);

/**
 * Give every field a key: name, scope, value of a checkbox, and index among equal ones.
 * @param {HTMLElement} holder
 * @returns {Map<string, Field>}
 */
function named(holder) {
  /** @type {Map<string, Field>} */
  const found = new Map();
  for (const field of fields(holder)) {
    const of = /** @type {HTMLElement | null} */ (field.closest('[data-of]'))?.dataset.of;
    let place = 0;
    const key = () => JSON.stringify([field.name, of, ticked(field) ? field.value : '', place]);
    while (found.has(key())) place += 1;
    found.set(key(), field);
  }
  return found;
}

/** @param {Field} field */
function changed(field) {
  if (field instanceof HTMLSelectElement) return !field.selectedOptions[0]?.defaultSelected && field.selectedIndex > 0;
  return ticked(field) ? field.checked !== field.defaultChecked : field.value !== field.defaultValue;
}

/** Return the changed fields. @param {HTMLElement} holder @returns {Typed} */
export const kept = (holder) =>
  Object.fromEntries(
    [...named(holder)]
      .filter(([, field]) => changed(field))
      .map(([key, field]) => [
        key,
        ticked(field) ? String(/** @type {HTMLInputElement} */ (field).checked) : field.value,
      ]),
  );

/**
 * Restore values into fields that still exist.
 * @param {HTMLElement} holder
 * @param {Typed} typed
 * @param {Typed} [entered] values to skip
 */
export function putBack(holder, typed, entered) {
  const there = named(holder);
  for (const [key, value] of Object.entries(typed)) {
    const field = there.get(key);
    if (!field || value === entered?.[key]) continue;
    if (field instanceof HTMLInputElement && ticked(field)) field.checked = value === 'true';
    else if (field instanceof HTMLInputElement || [...field.options].some((option) => option.value === value))
      field.value = value;
    if (changed(field)) field.closest('details')?.setAttribute('open', '');
  }
}

/**
 * Preserve typed values across a reload while the game's version is unchanged.
 * @param {HTMLElement} holder
 * @param {string} place
 * @param {() => number} version
 */
export function keepThroughReloads(holder, place, version) {
  const { at, typed } = JSON.parse(sessionStorage.getItem(place) ?? '{}');
  if (at === version()) putBack(holder, typed);
  addEventListener('pagehide', () =>
    sessionStorage.setItem(place, JSON.stringify({ at: version(), typed: kept(holder) })),
  );
}

/**
 * Report missing fields or an invalid number beside the button; clear the report otherwise.
 * @param {HTMLButtonElement} button
 * @param {(number | string)[]} lacks
 * @param {string} unread
 * @param {Record<string, any>} words
 */
export function tell(button, lacks, unread, words) {
  button.form?.querySelector('.lacks')?.remove();
  if (!lacks.length && !unread) return;
  const said = document.createElement('p');
  said.className = 'lacks notice';
  said.setAttribute('role', 'alert');
  const names = lacks.filter((who) => typeof who === 'number').map((seat) => words.names[seat]);
  const questions = lacks.filter((who) => typeof who === 'string').map((one) => words.asked.replace('%s', one));
  said.textContent = [...questions, names.length && words.lacks.replace('%s', names.join(', ')), unread && words.unread]
    .filter(Boolean)
    .join(' ');
  button.before(said);
  button.scrollIntoView({ block: 'nearest' });
  const numbers = /** @type {HTMLInputElement[]} */ ([
    ...(button.closest('.bids')?.querySelectorAll('[data-number]') ?? []),
  ]);
  const empty = numbers.find((field) =>
    unread ? field.name === unread : !field.value && field.getClientRects().length,
  );
  empty?.focus({ preventScroll: true });
}
