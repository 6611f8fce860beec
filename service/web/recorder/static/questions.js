// Dialogs about refused or overtaken taps, and what a form lacks; loaded on demand.

import { stateOf } from './counting.js';
import { newCommand } from './outbox.js';
import { faceOf } from './pad.js';

/** @typedef {import('./outbox.js').Tap} Tap */
/** @typedef {{ entry: Record<string, any>, had: string, noted: string, version: number }} ConcurrentEntry */
/** @typedef {import('./recorder.js').Recorder} Recorder */

const CORRECTIONS = ['take_back', 'splice', 'amend'];

export const dialog = /** @type {HTMLDialogElement} */ (document.querySelector('dialog'));

/** @param {string} way @param {string} text @param {string} [value] */
function choice(way, text, value = '') {
  const button = document.createElement('button');
  button.className = 'big';
  Object.assign(button.dataset, { way });
  button.value = value;
  button.textContent = text;
  return button;
}

/** List taps in words, with their cards. @param {Tap[]} taps */
function listed(taps) {
  const list = document.createElement('ol');
  list.className = 'taps';
  for (const tap of taps) {
    const item = document.createElement('li');
    const said = document.createElement('span');
    said.textContent = tap.label;
    item.append(faceOf(tap.card) ?? '', said);
    list.append(item);
  }
  return list;
}

/**
 * Report missing fields or an invalid number beside the button.
 * @param {HTMLButtonElement} button
 * @param {(number | string)[]} lacks
 * @param {string} unread
 * @param {Record<string, any>} words
 */
function report(button, lacks, unread, words) {
  const names = lacks.filter((who) => typeof who === 'number').map((seat) => words.names[seat]);
  const questions = lacks.filter((who) => typeof who === 'string').map((one) => words.asked.replace('%s', one));
  const text = [...questions, names.length && words.lacks.replace('%s', names.join(', ')), unread && words.unread]
    .filter(Boolean)
    .join(' ');
  const pad = button.closest('[data-numbers]');
  // The pad has a line for it, so that no key moves.
  if (pad) return void pad.dispatchEvent(new CustomEvent('lacks', { bubbles: true, detail: { text, field: unread } }));
  const said = document.createElement('p');
  said.className = 'lacks notice';
  said.setAttribute('role', 'alert');
  said.textContent = text;
  button.before(said);
  button.scrollIntoView({ block: 'nearest' });
}

/** @param {Element[]} content */
function open(...content) {
  dialog.replaceChildren(...content);
  dialog.querySelector('button, .button')?.classList.add('first');
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
}

/**
 * Ask about taps: each sentence of `why` is a line, the first is the title.
 * @param {string[]} why
 * @param {Element[]} inside the list, then the choices
 */
function ask([title, ...why], ...inside) {
  const section = document.createElement('section');
  section.className = 'refusal';
  section.innerHTML = '<h2 id="refusal-title" tabindex="-1" autofocus></h2>';
  /** @type {HTMLElement} */ (section.firstChild).textContent = title;
  for (const text of why) {
    const line = document.createElement('p');
    line.textContent = text;
    section.append(line);
  }
  section.append(...inside);
  open(section);
}

/**
 * Return whether two entries record the same fact.
 * @param {Record<string, any>} one
 * @param {Record<string, any>} other
 */
function isSame({ at, unsure, ...one }, { at: _at, unsure: _unsure, ...other }) {
  const fields = Object.keys({ ...one, ...other });
  return fields.every((field) => JSON.stringify(one[field]) === JSON.stringify(other[field]));
}

/** @param {Recorder} recorder */
export function questions(recorder) {
  const {
    outbox,
    words,
    board,
    version,
    waitFor,
    mention,
    enqueue,
    replace,
    resume,
    swap,
    paint,
    request,
    timeOf,
    send,
  } = recorder;
  const several = () => outbox.taps.length > 1;
  /** The choices for all pending taps. */
  const endings = () =>
    several() ? [choice('each', words.each), choice('none', words.none)] : [choice('drop', words.drop)];
  /** The player may act now, as far as the board knows: other entries can only be refused. @param {Tap} tap */
  const canFit = ({ entries: [{ seat }] }) =>
    seat === undefined || stateOf(board().dataset.count ?? '{}').toAct.includes(seat);
  const right = (/** @type {Tap} */ tap) => choice('right', words.right.replace('%s', tap.label));

  /** Ask the user to choose one of several taps. @param {string} why @param {Tap[]} taps @param {string} [label] */
  function pick(why, taps, label) {
    const ways = taps.map((tap) => {
      const way = choice('close', label ?? tap.label);
      way.addEventListener('click', () => enqueue(tap));
      return way;
    });
    ask(label ? [why, taps[0].label] : [why], ...ways, choice('close', words.drop));
  }

  /** Others appended first: drop pending taps that record the same facts. @param {Tap} first */
  async function meanwhile(first) {
    /** @type {ConcurrentEntry[]} */
    let facts = JSON.parse(board().dataset.since ?? '[]');
    facts = facts.filter(({ entry }) => entry.type !== 'note' && !(first.mends && CORRECTIONS.includes(entry.type)));
    /** @type {Tap[]} */
    const gone = [];
    for (const tap of outbox.taps) {
      const same = tap.entries.findIndex((entry, at) => !facts[at] || !isSame(entry, facts[at].entry));
      const count = same < 0 ? tap.entries.length : same;
      if (tap.undo || !count || (same >= 0 && facts[count])) break;
      mention(facts[count - 1].had);
      facts = facts.slice(count);
      if (same < 0) gone.push(tap);
      else tap.entries = tap.entries.slice(count);
    }
    const next = outbox.taps[gone.length];
    if (next && !facts.length) next.base = version();
    await outbox.remove(gone);
    if (next) await outbox.keep(next);
    paint();
    if (next && facts.length) await overtaken(next, facts);
  }

  /** Others appended first: the tap and its followers wait. @param {Tap} tap @param {ConcurrentEntry[]} facts */
  async function overtaken(tap, facts) {
    if (tap.undo) {
      // Undo would now remove another entry.
      mention(facts[0]?.noted ?? words.moved);
      await outbox.remove([tap]);
      return swap();
    }
    const why = facts.length ? facts.map(({ noted }) => noted) : [words.moved];
    const [{ at, unsure, ...said }, more] = tap.entries;
    await waitFor(tap, () => {
      /** @type {HTMLButtonElement[]} */
      const ways = [];
      const [{ entry, version: other } = { entry: /** @type {Record<string, any>} */ ({}), version: 0 }] = facts;
      const single = facts.length === 1 && !several() && !more;
      const alike = single && entry.type === said.type && entry.seat === said.seat;
      if (alike) {
        const put = { type: 'amend', version: other, move: { ...said, at, unsure } };
        ways.push(choice('waive', words.instead.replace('%s', tap.label), JSON.stringify([put])));
      }
      const keep = choice('rest', several() ? words.all : words.keep);
      const drop = choice('drop', several() ? words.rest : words.drop);
      const fits = canFit(tap);
      ways.push(...(fits ? [keep, drop] : alike ? [drop] : [drop, keep]));
      ask(why, listed(outbox.taps), ...ways, ...(several() ? [right(tap), ...endings()] : []));
    });
  }

  /** Ask about a single tap. @param {Tap} tap */
  const wonder = (tap) =>
    waitFor(tap, () => {
      const [keep, drop] = [choice('rest', words.keep), choice('drop', words.drop)];
      ask([words.one], listed([tap]), ...(canFit(tap) ? [keep, drop] : [drop, keep]));
    });

  /** Ask about a tap that the server rejects from any user. @param {Tap} tap */
  const failed = (tap) => waitFor(tap, () => ask([words.failed], listed(outbox.taps), ...endings()), true);

  /** @param {Tap} tap @param {string} html */
  async function refused(tap, html) {
    const answer = document.createElement('template');
    answer.innerHTML = html;
    const waive = /** @type {HTMLButtonElement | null} */ (answer.content.querySelector('[data-way="waive"]'));
    if (tap.waive && waive) return putInPlace(tap, JSON.parse(waive.value));
    await waitFor(
      tap,
      () => {
        const content = /** @type {DocumentFragment} */ (answer.content.cloneNode(true));
        const own = content.querySelector('.stack');
        if (several()) {
          content.querySelector('[data-way="drop"]')?.remove();
          content.querySelector('a[href^="/rules/"]')?.remove();
          own?.before(listed(outbox.taps));
          own?.prepend(right(tap), choice('rest', words.rest), ...endings());
        }
        open(...content.children);
      },
      true,
    );
  }

  /** Replace the entries of a tap. @param {Tap} tap @param {Record<string, any>[]} entries */
  async function putInPlace(tap, entries) {
    const base = entries[0].type === 'amend' ? version() : tap.base;
    await outbox.replace(tap, { ...tap, entries, base, command: newCommand(), waive: false, sent: false });
  }

  /** @param {string} way @param {Tap} tap @param {boolean} isRefused @param {string} value */
  async function answered(way, tap, isRefused, value) {
    if (way === 'right') {
      dialog.close();
      return replace(tap);
    }
    if (way === 'waive') await putInPlace(tap, [JSON.parse(value)].flat());
    else if (way === 'none') await outbox.remove([...outbox.taps]);
    else if (way === 'each') {
      for (const one of outbox.taps) one.ask = true;
      await outbox.keep(...outbox.taps);
    }
    if (way === 'drop' || (isRefused && ['rest', 'each'].includes(way))) await outbox.remove([tap], version());
    else if (way === 'rest') {
      Object.assign(tap, { base: version(), ask: false });
      await outbox.keep(tap);
    }
    resume();
    swap();
    if (way === 'drop') recorder.giveBack(tap);
  }

  /** Answer a click in the dialog. @param {Event} event @param {Tap} [tap] @param {boolean} [isRefused] */
  async function click(event, tap, isRefused = false) {
    const target = /** @type {HTMLElement} */ (event.target);
    const link = target.closest('a[href*="/correct/"]');
    const button = /** @type {HTMLButtonElement | null} */ (target.closest('[data-way]'));
    if (link instanceof HTMLAnchorElement && tap) {
      event.preventDefault();
      tap.mends = true;
      await outbox.keep(tap);
      location.href = link.href;
    }
    if (!button?.dataset.way) return;
    event.preventDefault();
    if (!tap) return dialog.close();
    await answered(button.dataset.way, tap, isRefused, button.value);
    await send();
  }

  /** Close the dialog without an answer. @param {Tap} [tap] */
  async function cancel(tap) {
    if (!tap) return;
    if (several()) return mention(words.answer, true);
    // No tap follows it: drop it.
    await answered('drop', tap, false, '');
    await send();
  }

  /**
   * Send the start of a game that began without a network, then load its page.
   * @param {string} sent address, form and the time by the phone's clock
   */
  async function start(sent) {
    const [where, form, began] = sent.split(' ');
    await request('/healthz', { method: 'HEAD', cache: 'no-store' });
    // The clock may have been set since: what passed before the first tap counts back from that tap's time.
    const first = outbox.taps[0];
    const wall = Math.min(Number(began), first?.wall ?? Infinity);
    const passed = (first?.wall ?? wall) - wall;
    const time = Date.parse(timeOf({ wall, ...first }) ?? '') - passed;
    if (first && time) {
      // The clock is measured again before the first tap is sent, and may differ by a second.
      first.least = time;
      await outbox.keep(first);
    }
    const body = time ? `${form}&tapped_at=${new Date(time).toISOString()}` : form;
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    location.replace((await request(where, { method: 'POST', headers, body }))[0].url);
  }

  /** @param {HTMLButtonElement} button @param {(number | string)[]} lacks @param {string} unread */
  const lacking = (button, lacks, unread) => report(button, lacks, unread, words);
  return { start, pick, meanwhile, overtaken, wonder, failed, refused, click, cancel, lacking };
}
