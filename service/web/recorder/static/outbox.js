// Unacknowledged taps, stored in IndexedDB so that they survive reloads and eviction of the page.

/**
 * @typedef {object} Tap
 * @property {number} [id]       order of taps, assigned by the database
 * @property {string} game
 * @property {string} command    the Idempotency-Key, the same for every retry
 * @property {Record<string, any>[]} entries  complete, with the seat at the time of the tap
 * @property {number} [base]     the version it follows; unknown while the previous tap is pending
 * @property {string} [after]    the command of the previous tap, if that was pending
 * @property {boolean} [undo]    take back the entries of the previous tap
 * @property {boolean} [sent]    it may have arrived
 * @property {boolean} [mends]   an earlier entry is corrected first, so that it fits
 * @property {boolean} [waive]   waive the rule of play that it breaks
 * @property {boolean} [ask]     needs a person's decision
 * @property {string} label      label for screen readers
 * @property {string} [card]     the card tapped, if any
 * @property {import('./form_memory.js').Typed} [typed]  form values at the time of the tap
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
 * Return whether two entries record the same fact.
 * @param {Record<string, any>} one
 * @param {Record<string, any>} other
 */
export function isSame({ at, unsure, ...one }, { at: _at, unsure: _unsure, ...other }) {
  const fields = Object.keys({ ...one, ...other });
  return fields.every((field) => JSON.stringify(one[field]) === JSON.stringify(other[field]));
}

export class Outbox {
  /** @type {Tap[]} */
  taps = [];
  /** @type {IDBDatabase | undefined} */
  db;
  writes = 0;
  /** Notifies other tabs of this phone. */
  tabs = new BroadcastChannel('carnet-taps');

  /** @param {string} game @param {() => void} changed called when another tab changes the taps */
  constructor(game, changed) {
    this.game = game;
    this.tabs.onmessage = async ({ data }) => {
      if (data !== game || !this.db) return;
      // A tap in the meantime is not among those read: read again.
      for (let writes = -1; writes !== this.writes; ) {
        writes = this.writes;
        this.taps = await this.#stored();
      }
      changed();
    };
  }

  /** Load stored taps; without IndexedDB, taps are only in memory. @param {number} version */
  async open(version) {
    try {
      const request = indexedDB.open('carnet', 1);
      request.onupgradeneeded = () => request.result.createObjectStore('taps', { keyPath: 'id', autoIncrement: true });
      this.db = await settled(request);
      this.taps.unshift(...(await this.#stored()));
      for (const [at, tap] of this.taps.entries()) {
        if (tap.base === undefined && !tap.after)
          Object.assign(tap, at ? { after: this.taps[at - 1].command } : { base: version });
      }
    } catch {
      this.db = undefined;
    }
  }

  async #stored() {
    const all = await settled(this.#store('readonly').getAll());
    return all.filter((/** @type {Tap} */ tap) => tap.game === this.game);
  }

  /** @param {IDBTransactionMode} mode */
  #store(mode) {
    return /** @type {IDBDatabase} */ (this.db).transaction('taps', mode).objectStore('taps');
  }

  /** Store a tap; sending awaits this, painting does not. @param {Tap} tap */
  async add(tap) {
    this.taps.push(tap);
    await this.#change([tap], []);
  }

  /**
   * Replace a tap; its followers follow the new one.
   * @param {Tap} old
   * @param {Tap} tap
   */
  async replace(old, tap) {
    const others = this.taps.filter((one) => one.after === old.command);
    for (const one of others) one.after = tap.command;
    tap.id = old.id;
    // Another tab may have loaded the taps again meanwhile.
    this.taps = this.taps.map((one) => (one.command === old.command ? tap : one));
    await this.#change([tap, ...others], []);
  }

  /**
   * Remove taps. Followers of the last one follow `base`, if it is known.
   * @param {Tap[]} gone
   * @param {number} [base]
   */
  async remove(gone, base) {
    this.taps = this.taps.filter((one) => !gone.includes(one));
    const last = gone.at(-1)?.command;
    const next = base === undefined ? [] : this.taps.filter((one) => one.after === last);
    for (const one of next) one.base = base;
    await this.#change(next, gone);
  }

  /** Store changed taps. @param {Tap[]} taps */
  async keep(...taps) {
    await this.#change(taps, []);
  }

  /** Write and delete in one transaction, so that a crash leaves no half. */
  async #change(/** @type {Tap[]} */ kept, /** @type {Tap[]} */ gone) {
    if (!this.db) return;
    this.writes += 1;
    try {
      const store = this.#store('readwrite');
      for (const tap of gone) if (tap.id) store.delete(tap.id);
      for (const tap of kept) {
        // Another tab may have removed it already.
        if (!tap.id || (await settled(store.getKey(tap.id)))) tap.id = await settled(store.put(tap));
      }
    } catch {
      // The taps remain in memory.
    }
    this.tabs.postMessage(this.game);
  }
}
