// Hands the address of a new link on: to the clipboard, or by the phone's share sheet where it has one.
const row = /** @type {HTMLElement | null} */ (document.querySelector('[data-handing]'));
const address = /** @type {HTMLAnchorElement | null} */ (document.querySelector('.address a'));

/** Copy by selecting: by plain http there is no other way. @param {HTMLElement} from */
function copySelected(from) {
  const selection = /** @type {Selection} */ (getSelection());
  selection.selectAllChildren(from);
  // Stays selected where it fails: the phone's own menu copies it then.
  return document.execCommand('copy');
}

/** @param {HTMLElement} row @param {HTMLAnchorElement} address */
function enable(row, address) {
  const copy = /** @type {HTMLButtonElement} */ (row.querySelector('[data-copy]'));
  const share = /** @type {HTMLButtonElement} */ (row.querySelector('[data-share]'));
  const status = /** @type {HTMLElement} */ (row.querySelector('[role=status]'));
  copy.addEventListener('click', async () => {
    const done = navigator.clipboard
      ? await navigator.clipboard.writeText(address.href).then(
          () => true,
          () => copySelected(address),
        )
      : copySelected(address);
    status.textContent = (done ? copy.dataset.done : copy.dataset.failed) ?? '';
  });
  // Whoever closes the sheet shared nothing, and knows it.
  share.addEventListener('click', () => navigator.share({ url: address.href }).catch(() => undefined));
  share.hidden = !navigator.share;
  row.hidden = false;
}

if (row && address) enable(row, address);
