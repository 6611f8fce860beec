// Export with progress: the server writes the file, this shows its progress and then downloads it.
// Without this script, the same buttons download the file directly.
const form = /** @type {HTMLFormElement | null} */ (document.querySelector('[data-exporting]'));

/** @param {HTMLFormElement} form */
function enable(form) {
  /** @type {Record<string, string>} */
  const words = JSON.parse(form.dataset.words ?? '{}');
  /** @param {string} what @returns {HTMLElement} */
  const part = (what) => /** @type {HTMLElement} */ (form.querySelector(`[data-${what}]`));
  const bar = /** @type {HTMLProgressElement} */ (form.querySelector('progress'));
  const [state, far, live, stop, again] = ['state', 'far', 'live', 'stop', 'again'].map(part);
  const number = new Intl.NumberFormat(document.documentElement.lang);
  /** @type {EventSource | undefined} */
  let source;
  let address = '';
  let quarter = 0;

  /** Close the stream and show the result. @param {string} how */
  function end(how) {
    source?.close();
    source = undefined;
    far.textContent = live.textContent = words[how];
    bar.hidden = stop.hidden = true;
    again.hidden = how === 'ready';
  }

  /** @param {number} done @param {number} of */
  function progress(done, of) {
    bar.max = Math.max(of, 1);
    bar.value = done;
    far.textContent = words.progress.replace('%1', number.format(done)).replace('%2', number.format(of));
    // Announce four times in total, so that screen readers stay quiet.
    const reached = Math.floor((4 * done) / bar.max);
    if (reached > quarter) live.textContent = far.textContent;
    quarter = reached;
  }

  function begin() {
    source?.close();
    state.hidden = bar.hidden = stop.hidden = false;
    again.hidden = true;
    bar.removeAttribute('value');
    quarter = 0;
    far.textContent = live.textContent = words.begin;
    state.scrollIntoView({ block: 'nearest' });
    source = new EventSource(address);
    source.addEventListener('progress', (event) => {
      const { done, of } = JSON.parse(event.data);
      progress(done, of);
    });
    source.addEventListener('ready', (event) => {
      end('ready');
      location.assign(JSON.parse(event.data).address);
    });
    // EventSource would reconnect and restart the export, so close it; the reader may retry.
    for (const kind of ['failed', 'error']) source.addEventListener(kind, () => end('failed'));
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const button = /** @type {HTMLButtonElement} */ (event.submitter);
    const query = new URLSearchParams(/** @type {any} */ (new FormData(form, button)));
    address = `${button.getAttribute('formaction') ?? form.action}?${query}`;
    begin();
  });
  stop.addEventListener('click', () => end('stopped'));
  again.addEventListener('click', begin);
  document.documentElement.dataset.ready = '';
}

if (form) enable(form);
