// Rounds of any other game are typed on the pad for numbers.
import { load } from './loading.js';
import './numbers.js';

const RETRY_MS = 20_000;
/** @param {string} name */
const insist = (name) => load(name).catch(() => setTimeout(insist, RETRY_MS, name));

if (document.querySelector('[data-turns]')) insist('./turns.js');

const pad = /** @type {HTMLElement | null} */ (document.querySelector('[data-numbers]'));
if (JSON.parse(pad?.dataset.about ?? '{}').zeroSum) insist('./zero_sum.js');
