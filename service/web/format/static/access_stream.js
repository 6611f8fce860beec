// A page that hears of a stream that it may look on no more says so.
const AGAIN_MS = 10_000;
// A browser ends the streams of a page that is being left before it is gone: that is nothing to ask about.
const GONE_MS = 500;

/**
 * Leave once a stream says so, or is refused to somebody whom nobody knows; refused otherwise, it is asked for again.
 * A browser that gained a right in another tab has another session by now, and stays where that may look on.
 * A page that is put away keeps no stream open, and asks for none.
 * What is answered by anything but a stream ends it for good, without saying why.
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
