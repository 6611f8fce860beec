// Entries of other recorders, by an event stream.

/**
 * Listen for entries of others, also after the page is restored from the back-forward cache.
 * @param {string} game
 * @param {(seen: number) => void} heard with the version of the log
 * @param {() => void} connected
 */
export function follow(game, heard, connected) {
  const connect = () => {
    const source = new EventSource(`/api/games/${game}/live`);
    source.addEventListener('open', connected);
    for (const kind of ['message', 'entries']) {
      source.addEventListener(kind, (event) => heard(+(/** @type {MessageEvent} */ (event).lastEventId)));
    }
    import('./access_stream.js').then(({ stays }) => stays(source, connect)).catch(() => undefined);
  };
  connect();
  // Do not reload automatically: the network may be down.
  addEventListener('pageshow', (event) => event.persisted && connect());
}
