// Event streams that end when the reader loses access.
const AGAIN_MS = 10_000;
// Browsers close streams while leaving a page; wait before treating it as a lost connection.
const GONE_MS = 500;

/**
 * Leave the page after a `signed-out` event or status 401; retry after any other failure.
 * If another tab gained a right, this browser has a new session: stay if that session may read the page.
 * A hidden page (`pagehide`) closes its stream. EventSource does not retry after an HTTP error, and hides its status.
 * @param {EventSource} source
 * @param {() => void} again
 */
export function stays(source, again) {
  let away = false;
  const leave = () => location.replace('/login?out=1');
  const status = async () => {
    const asked = new AbortController();
    const answer = await fetch(source.url, { signal: asked.signal }).catch(() => undefined);
    asked.abort();
    return answer?.status;
  };
  const look = () => {
    if (source.readyState !== EventSource.CLOSED) return;
    setTimeout(async () => {
      if (away) return;
      if ((await status()) === 401) leave();
      else setTimeout(() => away || again(), AGAIN_MS);
    }, GONE_MS);
  };
  source.addEventListener('signed-out', async () => {
    source.close();
    if ((await status()) !== 200) leave();
    else if (!away) again();
  });
  source.addEventListener('error', look);
  const putAway = () => {
    away = true;
    source.close();
  };
  addEventListener('pagehide', putAway, { once: true });
  look();
}
