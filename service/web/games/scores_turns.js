// Any other game while taps wait: a round follows a round.
import { count, dealOver, left } from './counting.js';
import { untilOver } from './game_end.js';

count({
  next: untilOver((state, entry) => {
    if (entry.type === 'note') return;
    if (entry.type !== 'result') throw new Error('only the server knows what follows');
    const dealer = entry.dealer ?? state.table.dealer;
    dealOver(state, entry.points);
    state.numbered = state.numbered?.map((before, seat) => before || entry.points[seat] !== null);
    const next = Number.isInteger(dealer) ? left(state, dealer) : dealer;
    Object.assign(state, { phase: 'round', table: { dealer: next } });
  }),
  means: (_state, entries) => [entries],
});
