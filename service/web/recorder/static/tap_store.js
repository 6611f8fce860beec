// Taps in IndexedDB.

/** @typedef {import('./outbox.js').Tap} Tap */

/** @param {IDBRequest} request @returns {Promise<any>} */
const settled = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** @returns {Promise<IDBDatabase>} */
function openTaps() {
  const request = indexedDB.open('carnet', 1);
  request.onupgradeneeded = () => request.result.createObjectStore('taps', { keyPath: 'id', autoIncrement: true });
  return settled(request);
}

/** @param {() => void} lost called when the system throws the stored taps away */
export async function openStore(lost) {
  const db = await openTaps();
  db.onclose = lost;
  return new TapStore(db);
}

export class TapStore {
  /** @param {IDBDatabase} db */
  constructor(db) {
    this.db = db;
  }

  /** The stored taps of a game, or of all games. @param {string} [game] @returns {Promise<Tap[]>} */
  async read(game) {
    const all = await settled(this.db.transaction('taps').objectStore('taps').getAll());
    return all.filter((/** @type {Tap} */ tap) => !game || tap.game === game);
  }

  /**
   * Write and delete in one transaction, so that a crash leaves no half.
   * @param {Tap[]} kept
   * @param {Tap[]} gone
   */
  async write(kept, gone) {
    const store = this.db.transaction('taps', 'readwrite').objectStore('taps');
    const written = new Promise((resolve, reject) => {
      store.transaction.oncomplete = resolve;
      store.transaction.onabort = reject;
    });
    written.catch(() => undefined);
    for (const { id } of gone) if (id) store.delete(id);
    // Pages that list what waits name the game by it.
    const { named } = /** @type {HTMLElement} */ (document.querySelector('main')).dataset;
    /** @type {[Tap, number][]} */
    const ids = [];
    for (const tap of kept) {
      // Another tab may have removed it already.
      if (!tap.id || (await settled(store.getKey(tap.id))))
        ids.push([tap, await settled(store.put({ ...tap, named }))]);
    }
    await written;
    for (const [tap, id] of ids) tap.id = id;
  }
}
