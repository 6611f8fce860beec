// An open page of an ended session or a revoked link says so. Hidden pages keep no connection.
const game = document.documentElement.dataset.game;
/** @type {EventSource | undefined} */
let source;
const AGAIN_MS = 10_000;

function listen() {
  source?.close();
  source = undefined;
  if (document.visibilityState !== 'visible') return;
  const opened = new EventSource(`/api/signed-in${game ? `?game=${game}` : ''}`);
  opened.addEventListener('signed-out', leave);
  opened.addEventListener('error', () => {
    if (opened.readyState === EventSource.CLOSED) ask(opened);
  });
  source = opened;
}

function leave() {
  location.replace('/login?out=1');
}

/**
 * What is answered otherwise than by a stream ends it for good, without saying why.
 * @param {EventSource} refused
 */
async function ask(refused) {
  const asked = new AbortController();
  const answer = await fetch(refused.url, { signal: asked.signal }).catch(() => undefined);
  asked.abort();
  if (answer?.status === 401) leave();
  else if (source === refused) setTimeout(listen, AGAIN_MS);
}

document.addEventListener('visibilitychange', listen);
addEventListener('pagehide', () => source?.close());
listen();
