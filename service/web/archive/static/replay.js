// The scrubber: the moment follows the slider; the address follows the moment.
const form = /** @type {HTMLFormElement} */ (document.querySelector('[data-scrubber]'));
const range = /** @type {HTMLInputElement} */ (form.querySelector('input'));
const moment = /** @type {HTMLElement} */ (document.querySelector('[data-moment]'));
const base = form.dataset.scrubber ?? '';
let asked = Number(range.value);

/** @param {number} version */
async function show(version) {
  const wanted = Math.min(Math.max(version, 1), Number(range.max));
  asked = wanted;
  range.value = String(wanted);
  const answer = await fetch(base + wanted, { headers: { 'X-Part': 'moment' } });
  if (!answer.ok || asked !== wanted) return;
  moment.innerHTML = await answer.text();
  history.replaceState(null, '', base + wanted);
}

range.addEventListener('input', () => show(Number(range.value)));
form.addEventListener('submit', (event) => event.preventDefault());
form.addEventListener('click', (event) => {
  const link = /** @type {HTMLElement} */ (event.target).closest('a');
  if (!link) return;
  event.preventDefault();
  show(asked + (link.rel === 'next' ? 1 : -1));
});
document.documentElement.dataset.ready = '';
