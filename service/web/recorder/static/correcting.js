// What was typed on a page of corrections is there again after a reload, or after a step back to it.

import { keepThroughReloads } from './form_memory.js';

const main = /** @type {HTMLElement} */ (document.querySelector('main'));
const place = `typed ${location.pathname}${location.search}`;
const [opened] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType('navigation'));
// Whoever opens the page by a link begins with what is recorded.
if (opened?.type === 'navigate') sessionStorage.removeItem(place);
const inputs = (main.querySelector('form.correcting') ?? main).querySelectorAll('input:not([name=command])');
/** What is recorded: typed values belong to it. */
const recorded = [.../** @type {NodeListOf<HTMLInputElement>} */ (inputs)].map((one) => one.defaultValue).join();
keepThroughReloads(main, place, () => recorded);
