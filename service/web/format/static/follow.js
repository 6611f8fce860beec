// Server-sent events of a page, read by `fetch`: unlike EventSource it shows the status and each heartbeat.

// The server sends a heartbeat every 15 s. A connection that was cut without a FIN looks only quiet.
const QUIET_MS = 30_000;
// A browser sends requests over idle connections first, which may be dead as well; each failed attempt closes one.
const ANSWER_MS = [1500, 2000, 3000, 5000];
const AGAIN_MS = [1000, 2000, 5000, 10_000];
const MS_MAX = 20_000;

/** Call back when the page is seen again, its network returns, or it comes from the back-forward cache.
 * @param {() => void} call */
export function onWake(call) {
  const seen = () => document.visibilityState === 'visible' && call();
  for (const kind of ['visibilitychange', 'resume']) document.addEventListener(kind, seen);
  addEventListener('pageshow', (event) => event.persisted && call());
  addEventListener('online', seen);
}

/**
 * Follow a stream while the page is visible. A new connection begins with the last event, so each one compares versions.
 * The page is left once it may not be read any more, unless `holds` says that it must stay.
 * @param {string} url
 * @param {{ opened?: () => void, heard?: (version: number) => void, holds?: () => boolean }} [on]
 */
export function follow(url, { opened, heard, holds } = {}) {
  let line = new AbortController();
  let failures = 0;
  let isOut = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  const stop = () => {
    clearTimeout(timer);
    line.abort();
    line = new AbortController();
  };
  const wait = (/** @type {number} */ ms, /** @type {() => void} */ then = connect) => {
    clearTimeout(timer);
    timer = setTimeout(then, ms);
  };
  const retry = () => {
    failures += 1;
    connect();
  };
  const wake = () => {
    failures = 0;
    connect();
  };

  /** Read to the end; true: the session ended. @param {AbortSignal} signal */
  async function read(signal) {
    const answer = await fetch(url, { signal, cache: 'no-store', headers: { Accept: 'text/event-stream' } });
    // A captive portal or a proxy may answer anything.
    const isOurs = answer.headers.has('X-Request-Id');
    if (isOurs && (answer.status === 401 || (isOut && !answer.ok)) && !holds?.()) location.replace('/login?out=1');
    if (!isOurs || !answer.ok || !answer.body) throw new Error(`${answer.status}`);
    isOut = false;
    wait(QUIET_MS);
    opened?.();
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let text = ''; ; ) {
      const { done, value } = await reader.read();
      if (done) return false;
      wait(QUIET_MS);
      const events = (text + value).split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) {
        const version = event.match(/^id: (\d+)/)?.[1];
        if (version) heard?.(Number(version));
        // Another tab may have gained a right: then this browser has a new session, which may read the page.
        isOut ||= event.startsWith('event: signed-out');
      }
      if (isOut) return true;
    }
  }

  async function connect() {
    stop();
    if (document.visibilityState !== 'visible') return;
    wait(ANSWER_MS[failures] ?? MS_MAX, retry);
    const { signal } = line;
    const began = performance.now();
    const ended = await read(signal).catch(() => false);
    if (signal.aborted) return;
    // A proxy may cut each stream at once.
    if (performance.now() - began > MS_MAX) failures = 0;
    if (ended) wait(0);
    else wait(AGAIN_MS[failures] ?? MS_MAX, retry);
  }

  onWake(wake);
  document.addEventListener('visibilitychange', () => document.visibilityState !== 'visible' && stop());
  addEventListener('pagehide', stop);
  connect();
}
