// Unacknowledged taps, stored in IndexedDB so that they survive reloads and eviction of the page.

import { load } from './loading.js';

/**
 * @typedef {object} Tap
 * @property {number} [id]       order of taps, assigned by the database
 * @property {string} game
 * @property {string} [named]    the game's name and players, set when it is stored
 * @property {string} command    the Idempotency-Key, the same for every retry
 * @property {Record<string, any>[]} entries  complete, with the seat at the time of the tap
 * @property {number} [base]     the version it follows; unknown while the previous tap is pending
 * @property {string} [after]    the command of the previous tap, if that was pending
 * @property {number} [wall]     the phone's clock at the tap, in ms
 * @property {number} [tick]     ms since the window `page` (its `performance.timeOrigin`) was opened
 * @property {number} [page]
 * @property {number} [clock]    the error of the phone's clock as known at the tap, in ms
 * @property {number} [least]    the server's time that it is later than, in ms
 * @property {boolean} [undo]    take back the entries of the previous tap
 * @property {boolean} [sent]    it may have arrived
 * @property {boolean} [mends]   an earlier entry is corrected first, so that it fits
 * @property {boolean} [waive]   waive the rule of play that it breaks
 * @property {boolean} [ask]     needs a person's decision
 * @property {string} label      label for screen readers
 * @property {string} [card]     the card tapped, if any
 * @property {boolean} [pad]     numbers of a pad, which is empty as soon as they wait
 * @property {import('./form_memory.js').Typed} [typed]  form values at the time of the tap
 */

const PATIENCE_MS = 1500;
const pause = () => new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));

/** A version 4 UUID; `crypto.randomUUID` is missing on plain http. @returns {string} */
export const newCommand = () => {
  const b = crypto.getRandomValues(new Uint8Array(16));
  b[6] = (b[6] & 15) | 64;
  b[8] = (b[8] & 63) | 128;
  const hex = [...b].map((n) => n.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
};

export class Outbox {
  /** @type {Tap[]} */
  taps = [];
  /** @type {import('./tap_store.js').TapStore | undefined} */
  store;
  writes = 0;
  /** Not stored yet, with the number of the last change. @type {Map<Tap, number>} */
  dirty = new Map();
  /** Not deleted yet. @type {Set<Tap>} */
  gone = new Set();
  /** @type {Promise<unknown>} */
  queue = Promise.resolve();
  /** A write failed or takes long. */
  isUnsafe = false;
  /** Notifies other tabs of this phone. */
  tabs = new BroadcastChannel('carnet-taps');

  /** @param {string} game @param {() => void} changed called when another tab changes the taps */
  constructor(game, changed) {
    this.game = game;
    this.tabs.onmessage = async ({ data }) => {
      if (data !== game || !this.store) return;
      // A tap in the meantime is not among those read: read again.
      for (let writes = -1; writes !== this.writes; ) {
        writes = this.writes;
        await this.queue;
        const stored = await this.store.read(game);
        this.taps = [...stored, ...this.taps.filter((tap) => !tap.id)];
      }
      changed();
    };
    this.changed = changed;
  }

  /** All taps are stored. */
  get isStored() {
    return Boolean(this.store) && !this.dirty.size;
  }

  /** Load stored taps; while IndexedDB fails or does not answer, taps are only in memory. @param {number} version */
  async open(version) {
    const opened = this.#open(version).catch(() => undefined);
    await Promise.race([opened, pause()]);
    this.isUnsafe = !this.store;
    if (this.isUnsafe) opened.then(() => this.changed());
  }

  /** @param {number} version */
  async #open(version) {
    const { openStore } = await load('./tap_store.js');
    /** @type {import('./tap_store.js').TapStore} */
    const store = await openStore(() => {
      // The system threw the stored taps away: those in memory are stored again.
      this.store = undefined;
      for (const tap of this.taps) {
        delete tap.id;
        this.dirty.set(tap, this.writes);
      }
      this.open(version);
    });
    this.store = store;
    const stored = await store.read(this.game);
    this.taps.unshift(...stored.filter((one) => !this.taps.some((tap) => tap.command === one.command)));
    for (const [at, tap] of this.taps.entries()) {
      if (tap.base === undefined && !tap.after)
        Object.assign(tap, at ? { after: this.taps[at - 1].command } : { base: version });
    }
    await this.#change([], []);
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
    if (old.id) tap.id = old.id;
    // Another tab may have loaded the taps again meanwhile.
    this.taps = this.taps.map((one) => (one.command === old.command ? tap : one));
    await this.#change([tap, ...others], old.id ? [] : [old]);
  }

  /**
   * Remove taps. Followers of the last one follow `base`, if it is known, and are later than `least`.
   * @param {Tap[]} gone
   * @param {number} [base]
   * @param {number} [least]
   */
  async remove(gone, base, least) {
    this.taps = this.taps.filter((one) => !gone.includes(one));
    const last = gone.at(-1)?.command;
    const next = base === undefined ? [] : this.taps.filter((one) => one.after === last);
    for (const one of next) Object.assign(one, { base }, least && { least });
    await this.#change(next, gone);
  }

  /** Store changed taps. @param {Tap[]} taps */
  async keep(...taps) {
    await this.#change(taps, []);
  }

  /** Store changes in their order; a write that fails or hangs is repeated with the next one. */
  async #change(/** @type {Tap[]} */ kept, /** @type {Tap[]} */ gone) {
    this.writes += 1;
    for (const tap of kept) this.dirty.set(tap, this.writes);
    for (const tap of gone) {
      this.dirty.delete(tap);
      this.gone.add(tap);
    }
    if (!this.store) return;
    this.queue = this.queue.then(() => this.#write()).catch(() => undefined);
    if (!this.isUnsafe) await Promise.race([this.queue, pause()]);
    this.isUnsafe = this.dirty.size > 0;
    this.tabs.postMessage(this.game);
  }

  async #write() {
    const [kept, gone] = [new Map(this.dirty), [...this.gone]];
    await this.store?.write([...kept.keys()], gone);
    // A tap that changed meanwhile is written again.
    for (const [tap, change] of kept) if (this.dirty.get(tap) === change) this.dirty.delete(tap);
    for (const tap of gone) this.gone.delete(tap);
    this.isUnsafe = this.dirty.size > 0;
  }
}
