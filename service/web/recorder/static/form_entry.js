// A button's entry, completed from the form's fields as on the server.

/**
 * `lacks`: required choices without a value; `unread`: a field with an invalid number.
 * @typedef {{ entries: Entry[], lacks: (number | string)[], unread: string }} CompletedForm
 * @typedef {Record<string, any>} Entry
 */

const KEY = 'key.';
/** Stands for the card of a key in the entry of its group. */
const CARD = '"@"';

/** The buttons that enter something. */
export const ENTERING = `button[name="entry"], button[name^="${KEY}"]`;

/** What has a button's entry: itself, or the field of its group of keys. @param {HTMLButtonElement} button */
export const groupOf = (button) =>
  button.name.startsWith(KEY)
    ? /** @type {HTMLInputElement} */ (
        (button.form ?? document).querySelector(`[name="keys.${button.name.slice(KEY.length)}"]`)
      )
    : button;

/** A button's entries: one, or several entered together. @param {HTMLButtonElement} button @returns {Entry[]} */
export function entriesOf(button) {
  const group = groupOf(button);
  const text = group === button ? button.value : group.value.replaceAll(CARD, JSON.stringify(button.value));
  return [JSON.parse(text)].flat();
}

/** What tells a button from all others. @param {HTMLButtonElement} button */
export const idOf = (button) => `${button.name} ${button.value}`;

/** The card of a key or button. @param {Element} key */
export const cardOf = (key) =>
  (key instanceof HTMLButtonElement && key.name.startsWith(KEY) && key.value) ||
  /** @type {HTMLElement} */ (key).dataset.card ||
  '';

const SUM = /^[+-]?\d{1,9}([+-]\d{1,9})*$/;

/** A typed number, or a sum such as 3+6-2; null: neither. @param {string} text */
export function sum(text) {
  const plain = text.replaceAll('−', '-').replace(/\s|[+-]\s*$/g, '');
  if (!SUM.test(plain)) return null;
  return (plain.match(/[+-]?\d+/g) ?? []).reduce((all, term) => all + Number(term), 0);
}

/** @param {HTMLButtonElement} button @returns {CompletedForm} */
export function completed(button) {
  const entries = entriesOf(button);
  if (['take_back', 'splice', 'amend'].includes(entries.at(-1)?.type)) return { entries, lacks: [], unread: '' };
  /** @type {Record<string, any[]>} */
  const chosen = {};
  const choose = (/** @type {string} */ name, /** @type {any} */ one) => {
    chosen[name] ??= [];
    chosen[name].push(one);
  };
  /** @type {Record<string, any>} */
  const fields = {};
  let unread = '';
  const read = (/** @type {string} */ name, /** @type {string} */ text) => {
    try {
      return JSON.parse(text);
    } catch {
      unread = name;
    }
  };
  for (const [name, given] of new FormData(/** @type {HTMLFormElement} */ (button.form))) {
    const value = String(given);
    const [, kind, field] = name.match(/^(\w+)\.(.+)/) ?? [];
    // Fields of the pending board do not apply to the keys of the offline keypad.
    const fits = field === 'unsure' || !button.closest('.offline-pad');
    if (kind === 'with' && value && fits) fields[field] = read(name, value);
    if (kind === 'text') fields[field] = value;
    if (kind === 'open' && value) choose(field, sum(value) ?? read(name, value));
    if (kind === 'cards' && value.trim()) choose(field, value.toUpperCase().match(/[^\s,]+/g));
    if (kind === 'opens' && value) {
      for (const [part, one] of Object.entries(JSON.parse(value))) choose(part, one);
    }
  }
  /** @type {(number | string)[]} */
  const lacks = [];
  const filled = entries.map((entry) => {
    /** @type {(number | string)[]} */
    const wants = [];
    const one = fill(entry, '', chosen, wants);
    lacks.push(...wants.map((who) => (who === 'seat' ? one.seat : who)));
    return one;
  });
  Object.assign(/** @type {object} */ (filled.at(-1)), fields);
  return { entries: filled, lacks, unread };
}

/**
 * Fill the open fields of an entry.
 * @param {any} value
 * @param {string} name
 * @param {Record<string, any[]>} chosen
 * @param {(number | string)[]} lacks
 * @returns {any}
 */
function fill(value, name, chosen, lacks) {
  const text = JSON.stringify(value);
  if (text === '[]') return chosen[name] ?? value;
  if (text === '{}') return chosen[name]?.at(-1);
  const inside = (/** @type {string | number} */ key) => (name ? `${name}.${key}` : String(key));
  if (Array.isArray(value)) return value.map((part, at) => fill(part, inside(at), chosen, lacks));
  if (!value || typeof value !== 'object') return value;
  if ('must' in value) {
    const only = value.if;
    if (!chosen[name] && (!only || chosen[only[0]]?.some((one) => only.includes(one)))) lacks.push(value.must);
    return chosen[name]?.at(-1);
  }
  if ('is' in value) {
    const [who, wanted] = value.is;
    return chosen[who]?.at(-1) === wanted ? value.then : fill(value.else, name, chosen, lacks);
  }
  if ('from' in value) return chosen[value.from]?.at(-1) ?? value.or;
  if ('each' in value) {
    const each = Array.from({ length: value.each }, (_, at) => chosen[inside(at)]?.at(-1) ?? null);
    return each.some((one) => one !== null) ? each : undefined;
  }
  const { else: otherwise, ...parts } = value;
  for (const key of Object.keys(parts)) parts[key] = fill(parts[key], inside(key), chosen, lacks);
  return otherwise && Object.values(parts).includes(undefined) ? fill(otherwise, name, chosen, lacks) : parts;
}
