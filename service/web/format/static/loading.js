// Load a module on demand. A browser remembers for as long as a page lives that an import failed, also of a module
// that it imports: all of them are fetched first, so that a failure can be repaired by the next attempt.

const IMPORTED = /from '(\.\/\w+\.js)'/g;
/** What is in the browser's cache. @type {Map<string, Promise<unknown>>} */
const fetched = new Map();

/** Fetch a script and what it imports. @param {string} url @returns {Promise<unknown>} rejected without a network */
function reach(url) {
  const known = fetched.get(url) ?? read(url);
  fetched.set(url, known);
  known.catch(() => fetched.delete(url));
  return known;
}

/** @param {string} url */
async function read(url) {
  const answer = await fetch(url);
  // A captive portal answers with a page.
  if (!answer.ok || !answer.headers.get('Content-Type')?.includes('javascript')) throw new Error(`${answer.status}`);
  // One after the other: without a network an attempt costs one request.
  for (const [, name] of (await answer.text()).matchAll(IMPORTED)) await reach(new URL(name, url).href);
}

/** Import a script that lies beside this one. @param {string} name @returns {Promise<any>} rejected without a network */
export async function load(name) {
  const url = new URL(name, import.meta.url).href;
  await reach(url);
  return import(url);
}
