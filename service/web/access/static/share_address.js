// Copy the address of a new link, or open the phone's share sheet.
const row = /** @type {HTMLElement | null} */ (document.querySelector('[data-handing]'));
const address = /** @type {HTMLAnchorElement | null} */ (document.querySelector('.address a'));

/** Copy by selection: the clipboard API needs a secure context. @param {HTMLElement} from */
function copySelected(from) {
  const selection = /** @type {Selection} */ (getSelection());
  selection.selectAllChildren(from);
  // If it fails, the text stays selected for the phone's own copy menu.
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
  // Closing the share sheet rejects; that needs no message.
  share.addEventListener('click', () => navigator.share({ url: address.href }).catch(() => undefined));
  share.hidden = !navigator.share;
  row.hidden = false;
}

if (row && address) enable(row, address);
