/** Draw the first dealer by lot, each name with equal probability. @param {HTMLElement} button */
export function draw(button) {
  const { lot = '', says = '' } = button.dataset;
  /** @type {NodeListOf<HTMLInputElement>} */
  const offered = document.querySelectorAll(`.board input[name="${lot}"]`);
  const drawn = offered[Math.floor(Math.random() * offered.length)];
  if (!drawn) return;
  drawn.checked = true;
  drawn.dispatchEvent(new Event('change', { bubbles: true }));
  const name = drawn.closest('label')?.querySelector('span:last-child')?.textContent ?? '';
  const said = says.replace('%s', name.trim());
  button.querySelector('.drawn')?.replaceChildren(said);
  const live = document.querySelector('[data-live]');
  if (live) live.textContent = said;
}
