// What happens beside this phone: others enter something, the screen would sleep.

/**
 * Hear what other phones enter, also after coming back to a page the browser had put away.
 * @param {string} game
 * @param {(seen: number) => void} heard with the version of the log
 * @param {() => void} connected
 */
export function follow(game, heard, connected) {
  const connect = () => {
    const source = new EventSource(`/api/games/${game}/live`);
    source.addEventListener('open', connected);
    for (const kind of ['message', 'entries']) {
      source.addEventListener(kind, (event) => heard(Number(/** @type {MessageEvent} */ (event).lastEventId)));
    }
    addEventListener('pagehide', () => source.close(), { once: true });
  };
  connect();
  // Nothing is loaded anew by itself: there may be no network.
  addEventListener('pageshow', (event) => event.persisted && connect());
}

/** Keep the screen awake while the page is seen. */
export function stayAwake() {
  const ask = () =>
    document.visibilityState === 'visible' && navigator.wakeLock?.request('screen').catch(() => undefined);
  document.addEventListener('visibilitychange', ask);
  ask();
}
