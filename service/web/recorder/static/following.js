// What happens beside this phone: others enter something.

/**
 * Hear what others enter, also after coming back to a page that was put away.
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
  // Nothing is loaded anew by itself: there may be no network.
  addEventListener('pageshow', (event) => event.persisted && connect());
}
