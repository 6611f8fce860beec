// Long work with progress: exports, backups and imports. The server sends events while it works; this shows
// them, and then the result. Without this script, the same buttons lead to the result directly.
const form = /** @type {HTMLFormElement | null} */ (document.querySelector('[data-progress]'));

/** @param {HTMLFormElement} form */
function enable(form) {
  /** @type {Record<string, string>} */
  const words = JSON.parse(form.dataset.words ?? '{}');
  /** @param {string} what @returns {HTMLElement} */
  const part = (what) => /** @type {HTMLElement} */ (form.querySelector(`[data-${what}]`));
  const bar = /** @type {HTMLProgressElement} */ (form.querySelector('progress'));
  const [state, far, live, stop, again] = ['state', 'far', 'live', 'stop', 'again'].map(part);
  const lang = document.documentElement.lang;
  const [number, percent] = [new Intl.NumberFormat(lang), new Intl.NumberFormat(lang, { style: 'percent' })];
  /** @type {HTMLElement | null} */
  let button = null;
  let leaving = new AbortController();
  let quarter = 0;

  /** Leave the events, which stops the work, and show the result. @param {string} how */
  function end(how) {
    leaving.abort();
    far.textContent = live.textContent = words[how];
    bar.hidden = stop.hidden = true;
    again.hidden = how === 'ready';
  }

  /** @param {number} done @param {number} of */
  function progress(done, of) {
    far.textContent = words.progress
      .replace('%1', number.format(done))
      .replace('%2', of ? number.format(of) : '?')
      .replace('%3', percent.format(of ? done / of : 0));
    if (!of) return;
    bar.max = of;
    bar.value = done;
    // Announce four times in total, so that screen readers stay quiet.
    const reached = Math.floor((4 * done) / of);
    if (reached > quarter) live.textContent = far.textContent;
    quarter = reached;
  }

  function show() {
    leaving.abort();
    leaving = new AbortController();
    state.hidden = bar.hidden = stop.hidden = false;
    again.hidden = true;
    bar.removeAttribute('value');
    quarter = 0;
    far.textContent = live.textContent = words.begin;
    state.scrollIntoView({ block: 'nearest' });
  }

  async function begin() {
    show();
    const { signal } = leaving;
    const fields = new URLSearchParams(/** @type {any} */ (new FormData(form, button)));
    const address = button?.getAttribute('formaction') ?? form.action;
    const sends = form.method === 'post';
    const headers = { accept: 'text/event-stream' };
    try {
      const answer = sends
        ? await fetch(address, { method: 'POST', body: fields, headers, signal })
        : await fetch(`${address}?${fields}`, { headers, signal });
      if (answer.redirected) location.assign(answer.url);
      else if (sends && !answer.ok) form.submit();
      else await follow(answer);
    } catch {
      if (!signal.aborted) end('failed');
    }
  }

  /** @param {Response} answer */
  async function follow(answer) {
    const reader = /** @type {ReadableStream<Uint8Array>} */ (answer.body).getReader();
    const decoder = new TextDecoder();
    let text = '';
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      const events = (text + decoder.decode(read.value, { stream: true })).split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) {
        const [, name, data] = /^event: (\w+)\ndata: (.*)$/.exec(event) ?? [];
        if (name === 'progress') {
          const { done, of } = JSON.parse(data);
          progress(done, of);
        } else if (name === 'ready') {
          end('ready');
          location.assign(JSON.parse(data).address);
          return;
        } else if (name === 'failed' && form.method === 'post') {
          form.submit(); // the page that answers tells the reason
          return;
        }
      }
    }
    end('failed');
  }

  form.addEventListener('submit', (event) => {
    button = event.submitter;
    // A file is sent by the browser; its answer is another page.
    if (form.enctype === 'multipart/form-data') {
      show();
      return;
    }
    event.preventDefault();
    begin();
  });
  stop.addEventListener('click', () => {
    window.stop();
    end('stopped');
    // Work of the service goes on without its page.
    if (form.dataset.stops) fetch(form.dataset.stops, { method: 'POST' });
  });
  again.addEventListener('click', () =>
    form.enctype === 'multipart/form-data' ? form.requestSubmit(button) : begin(),
  );
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) state.hidden = true;
  });
  document.documentElement.dataset.ready = '';
  if (form.dataset.begun !== undefined) begin();
}

if (form) enable(form);
