// Fill details when they are opened, from the page that their link leads to.

/**
 * @param {HTMLDetailsElement} details
 * @param {(where: string) => Promise<[Response, string]>} request
 * @param {() => number} version of the board
 */
export async function fill(details, request, version) {
  const link = /** @type {HTMLAnchorElement | null} */ (details.querySelector('[data-fill]'));
  if (link?.closest('details') !== details) return;
  const [, html] = await request(link.href);
  const page = new DOMParser().parseFromString(html, 'text/html');
  const now = /** @type {HTMLElement | null} */ (page.querySelector('.board'))?.dataset.version;
  const content = page.querySelector(`[data-filled="${link.dataset.fill}"]`);
  if (content && now === `${version()}`) link.replaceWith(content);
}
