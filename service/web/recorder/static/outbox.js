// What was tapped and is not yet acknowledged, kept through reloads, locks and eviction (IndexedDB).

/**
 * @typedef {object} Tap
 * @property {number} [id]       order of tapping, given by the database
 * @property {string} game
 * @property {string} command    the Idempotency-Key: the same for every try
 * @property {Record<string, any>[]} entries  more than one: they are entered together
 * @property {string} [turn]     the field to fill with whoever's turn it is when it is sent;
 *   `key`: its meaning is looked up
 * @property {boolean} [undo]    take back whatever is last when it is sent
 * @property {boolean} [waive]   record it whatever rule of play it breaks
 * @property {string} label      what a reader hears
 * @property {string} [card]     the card tapped, if any
 * @property {string} [does]     what the button does, if a key of its `card` may do several things
 * @property {string} [body]     what was first sent; a retry sends exactly this
 * @property {boolean} [held]    refused: waits for a person
 * @property {number} [base]     the version of the board it was tapped on
 * @property {import('./form_memory.js').Typed} [typed]  what was typed and chosen by then
 */

/** @param {IDBRequest} request @returns {Promise<any>} */
const settled = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** A version 4 UUID; `crypto.randomUUID` is missing on plain http. @returns {string} */
export const newCommand = () => {
  const b = crypto.getRandomValues(new Uint8Array(16));
  b[6] = (b[6] & 15) | 64;
  b[8] = (b[8] & 63) | 128;
  const hex = [...b].map((n) => n.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
};

/**
 * Count how many entries say what a tap says that waited for its turn: the card it lays, or all but the turn.
 * @param {Tap} tap
 * @param {Record<string, any>[]} entries
 */
export function alike(tap, entries) {
  if (tap.undo) return Number(entries[0].type === 'take_back');
  if (tap.turn === 'key' && tap.card) {
    const at = entries.slice(0, tap.entries.length).findIndex((entry) => {
      const laid = entry.with ? [entry.with] : (entry.cards ?? [entry.card]);
      return laid.length === 1 && laid[0] === tap.card;
    });
    return at + 1;
  }
  const same = tap.entries.every(({ at, unsure, ...said }, place) =>
    Object.entries(said).every(
      ([field, value]) => field === tap.turn || JSON.stringify(value) === JSON.stringify(entries[place]?.[field]),
    ),
  );
  return same ? tap.entries.length : 0;
}

export class Outbox {
  /** @type {Tap[]} */
  taps = [];
  /** @type {IDBDatabase | undefined} */
  db;

  /** @param {string} game */
  constructor(game) {
    this.game = game;
  }

  /** Read what an earlier visit left. Where nothing can be kept, memory has to do. */
  async open() {
    try {
      const request = indexedDB.open('carnet', 1);
      request.onupgradeneeded = () => request.result.createObjectStore('taps', { keyPath: 'id', autoIncrement: true });
      this.db = await settled(request);
      const all = await settled(this.#store('readonly').getAll());
      this.taps.unshift(...all.filter((/** @type {Tap} */ tap) => tap.game === this.game));
      // All that waits follows on one board (`keepSome`), the newest; what was refused, on none.
      for (const tap of this.taps) tap.base &&= Math.max(...this.taps.map((tap) => tap.base ?? 0));
    } catch {
      this.db = undefined;
    }
  }

  /** @param {IDBTransactionMode} mode */
  #store(mode) {
    return /** @type {IDBDatabase} */ (this.db).transaction('taps', mode).objectStore('taps');
  }

  /** Painting does not wait for this; sending does. @param {Tap} tap */
  async add(tap) {
    this.taps.push(tap);
    await this.keep(tap);
  }

  /** @param {Tap} tap */
  async keep(tap) {
    if (!this.db || !this.taps.includes(tap)) return;
    tap.id = await settled(this.#store('readwrite').put(tap)).catch(() => undefined);
    if (!this.taps.includes(tap)) this.#forget(tap);
  }

  /** Keep on which board what waits follows, with the next few: to keep all for each takes an hour's taps a minute. */
  async keepSome() {
    for (const tap of this.taps.slice(0, 9)) if (tap.id) await this.keep(tap);
  }

  /** @param {Tap} tap */
  remove(tap) {
    this.taps = this.taps.filter((other) => other !== tap);
    this.#forget(tap);
  }

  /** @param {Tap} tap */
  #forget(tap) {
    if (tap.id) this.#store('readwrite').delete(tap.id);
  }
}
