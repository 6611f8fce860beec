// A button's entry, completed by the fields around it, as the server does.

/**
 * What must be chosen and was not; a field whose text is no number.
 * @typedef {{ entry: Record<string, any>, lacks: (number | string)[], unread: string }} Completed
 */

/** @param {HTMLButtonElement} button @returns {Completed} */
export function completed(button) {
  const entry = JSON.parse(button.value);
  if (entry.type === 'take_back' || entry.type === 'splice') return { entry, lacks: [], unread: '' };
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
  for (const [name, value] of new FormData(/** @type {HTMLFormElement} */ (button.form))) {
    const [, kind, field] = name.match(/^(\w+)\.(.+)/) ?? [];
    if (kind === 'with' && value) fields[field] = read(name, String(value));
    if (kind === 'text') fields[field] = String(value);
    if (kind === 'open' && value) choose(field, read(name, String(value)));
    if (kind === 'opens' && value) {
      for (const [part, one] of Object.entries(JSON.parse(String(value)))) choose(part, one);
    }
  }
  /** @type {(number | string)[]} */
  const lacks = [];
  const filled = fill(entry, '', chosen, lacks);
  return { entry: { ...filled, ...fields }, lacks: lacks.map((who) => (who === 'seat' ? filled.seat : who)), unread };
}

/**
 * Fill what is left open.
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
  const { else: otherwise, ...parts } = value;
  for (const key of Object.keys(parts)) parts[key] = fill(parts[key], inside(key), chosen, lacks);
  return otherwise && Object.values(parts).includes(undefined) ? otherwise : parts;
}
