// The points of a deal of Dutch by its result, as far as the counted rows decide them.

/**
 * Return the points by seat; while rows are missing, a row whose points depend on them counts as it is.
 * @param {Record<string, any>} result `totals`: null for a row that is missing
 * @param {string} tie who wins an equal total: `caller` or `others`
 */
export function points({ totals, caller, counter }, tie) {
  /** @type {(number | null)[]} */
  const won = [...totals];
  const mine = Number.isInteger(caller) ? totals[Number(caller)] : null;
  if (mine === null) return won;
  const put = (/** @type {number | null | undefined} */ seat, /** @type {number} */ number) => {
    won[Number(seat)] = number;
  };
  if (Number.isInteger(counter)) {
    const other = totals[Number(counter)];
    if (other === null) return won;
    put(counter, other < mine ? 0 : 2 * other);
    put(caller, other < mine ? 2 * mine : 0);
    return won;
  }
  const others = totals.filter((/** @type {number | null} */ _, /** @type {number} */ seat) => seat !== caller);
  if (
    others.some(
      (/** @type {number | null} */ other) => other !== null && (tie === 'caller' ? other < mine : other <= mine),
    )
  )
    put(caller, 2 * mine);
  else if (!others.includes(null)) put(caller, 0);
  return won;
}

// The pad shows what will count.
document.addEventListener('scoring', (event) => {
  const { all, about } = /** @type {CustomEvent} */ (event).detail;
  const form = event.target instanceof Element ? event.target.closest('form') : null;
  if (about.scores !== 'dutch' || !form) return;
  const said = new FormData(form);
  const seat = (/** @type {string} */ name) => JSON.parse(`${said.get(name) ?? null}`);
  const totals = all.map((/** @type {any} */ answer) => answer.number);
  const won = points({ totals, caller: seat('open.caller'), counter: seat('open.counter') }, about.tie);
  for (const [at, answer] of all.entries()) answer.points = won[at] ?? 0;
});
