// Typed and chosen values survive a new board and a reload.

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
 * Preserve typed values across a reload while the version is unchanged; numbers of a board's pad also after it changed.
 * @param {HTMLElement} holder
 * @param {string} place
 * @param {() => number | string} version
 */
export function keepThroughReloads(holder, place, version) {
  const { at, typed } = JSON.parse(sessionStorage.getItem(place) ?? '{}');
  const pads = /** @type {HTMLElement[]} */ ([...holder.querySelectorAll('.board [data-numbers]')]);
  for (const form of at === version() ? [holder] : pads) putBack(form, typed ?? {});
  addEventListener('pagehide', () =>
    sessionStorage.setItem(place, JSON.stringify({ at: version(), typed: kept(holder) })),
  );
}
