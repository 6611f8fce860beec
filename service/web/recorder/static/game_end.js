// A game that ends with a result which waits: the phone shows its end, as far as it can know it.

/** @typedef {import('./counting.js').State} State */
/** @typedef {Record<string, any>} Entry */

const { lang } = document.documentElement;
const lists = new Intl.ListFormat(lang, { type: 'conjunction' });

/** Whether a game ends with the deal that has just ended. @param {State} state */
function isDecided({ options, totals, deal, dealsBefore = 0 }) {
  const most = options.rounds ?? options.deals ?? Number.POSITIVE_INFINITY;
  return (options.target && Math.max(...totals) >= options.target) || deal - 1 - dealsBefore >= most;
}

/**
 * Let a game end as the service will end it: nothing follows.
 * @param {(state: State, entry: Entry) => void} next
 * @returns {(state: State, entry: Entry) => void}
 */
export const untilOver = (next) => (state, entry) => {
  if (state.phase === 'over') return;
  next(state, entry);
  // The points of a deal that was tapped card by card are not known here.
  if (entry.type === 'result' && isDecided(state)) Object.assign(state, { phase: 'over', toAct: [] });
};

/**
 * The seats by place, ties together.
 * @param {State} state
 * @param {string} wins `highest` or `lowest`
 */
function places({ totals, numbered }, wins) {
  const seats = totals.map((_, seat) => seat).filter((seat) => !numbered || numbered[seat]);
  const sign = wins === 'highest' ? -1 : 1;
  const order = [...new Set(seats.map((seat) => totals[seat]))].sort((a, b) => sign * (a - b));
  return order.map((total) => ({ total, seats: seats.filter((seat) => totals[seat] === total) }));
}

/** @param {HTMLElement} end @param {State} state */
function show(end, state) {
  const { names, wins, words, heading: title } = JSON.parse(end.dataset.gameOver ?? '{}');
  const called = (/** @type {number[]} */ seats) => lists.format(seats.map((seat) => names[seat]));
  const levels = places(state, wins);
  const [{ seats } = { seats: [] }] = levels;
  const several = seats.length === names.length ? words.tie : words.several;
  const sentence = seats.length > 1 ? several : words.one;
  const heading = /** @type {HTMLElement} */ (end.querySelector('h2'));
  heading.textContent = wins && seats.length ? sentence.replace('%s', called(seats)) : words.over;
  const rows = levels.map(({ total, seats: those }, at) => {
    const row = document.createElement('li');
    const place = Object.assign(document.createElement('b'), { className: 'number' });
    place.textContent = `${1 + levels.slice(0, at).flatMap((one) => one.seats).length}.`;
    const who = document.createElement('span');
    who.textContent = called(those);
    const sum = Object.assign(document.createElement('strong'), { className: 'number' });
    sum.textContent = `${total}`.replace('-', '−');
    row.append(place, who, sum);
    return row;
  });
  end.querySelector('ol')?.replaceChildren(...rows);
  const bar = document.querySelector('.bar .title');
  if (bar) bar.textContent = title;
}

document.addEventListener('counted', (event) => {
  const { target, detail: state } = /** @type {CustomEvent} */ (event);
  const end = target instanceof Element ? target.querySelector('[data-game-over]') : null;
  if (!(end instanceof HTMLElement)) return;
  const isOver = state.phase === 'over';
  end.hidden = !isOver;
  end.closest('.board')?.classList.toggle('over', isOver);
  if (isOver) show(end, state);
});
