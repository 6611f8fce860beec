"""Dutch as `domain.table.rules.Rules`: which function judges and applies which entry."""

from collections.abc import Callable
from typing import Any

from domain.dutch import calls, dealing, powers, result, showdown, snaps, turns, view
from domain.dutch.state import PACK
from domain.table.judgement import BETWEEN_DEALS
from domain.table.refusal import Refusal
from domain.table.rules import Choice, Game, Ranking, Situation, ranked
from schemas import dutch as entries
from schemas.entries import Entry

_REFUSE: dict[type[Entry], Callable[[Game, Any, int], Refusal | None]] = {
    entries.Deal: dealing.refuse_deal,
    entries.Look: dealing.refuse_look,
    entries.Draw: turns.refuse_draw,
    entries.Take: turns.refuse_take,
    entries.Swap: turns.refuse_swap,
    entries.Drop: turns.refuse_drop,
    entries.Snap: snaps.refuse_snap,
    entries.Peek: powers.refuse_peek,
    entries.Trade: powers.refuse_trade,
    entries.Penalty: dealing.refuse_penalty,
    entries.Dutch: calls.refuse_dutch,
    entries.Counter: calls.refuse_counter,
    entries.Reveal: showdown.refuse_reveal,
    entries.Result: result.refuse_result,
}
_APPLY: dict[type[Entry], Callable[[Game, Any, int], Game]] = {
    entries.Deal: dealing.apply_deal,
    entries.Look: dealing.apply_look,
    entries.Draw: turns.apply_draw,
    entries.Take: turns.apply_take,
    entries.Swap: turns.apply_discard,
    entries.Drop: turns.apply_discard,
    entries.Snap: snaps.apply_snap,
    entries.Peek: powers.apply_peek,
    entries.Trade: powers.apply_trade,
    entries.Penalty: dealing.apply_penalty,
    entries.Dutch: calls.apply_dutch,
    entries.Counter: calls.apply_counter,
    entries.Reveal: showdown.apply_reveal,
    entries.Result: result.apply_result,
}
_OPENS = frozenset({entries.Deal, entries.Result})


class Dutch:
    """The rules of `dutch` version 1."""

    name = entries.NAME
    rules_version = entries.RULES_VERSION
    own = frozenset(_REFUSE)

    def pack_size(self, game: Game) -> int:
        """Count the cards of the pack."""
        del game  # one pack for every table
        return len(PACK)

    def refuse(self, game: Game, entry: Entry, version: int) -> Refusal | None:
        """Say why an entry cannot stand; between deals only a deal or a result can."""
        kind = type(entry)
        if game.deal is None and kind not in _OPENS:
            return Refusal("table.phase", facts={"phase": BETWEEN_DEALS})
        return _REFUSE[kind](game, entry, version)

    def apply(self, game: Game, entry: Entry, version: int) -> Game:
        """Return the game after a legal entry."""
        return _APPLY[type(entry)](game, entry, version)

    def choices(self, game: Game) -> tuple[Choice, ...]:
        """List what may be entered now."""
        return view.choices(game, self.refuse)

    def situation(self, game: Game) -> Situation:
        """Describe the deal in progress."""
        return view.situation(game)

    def decided(self, game: Game) -> bool:
        """Tell whether the target is reached or all deals are played (`dutch.win`)."""
        options: entries.Options = game.options
        reached = options.target is not None and max(game.totals) >= options.target
        return reached or (options.deals is not None and len(game.deals) >= options.deals)

    def ranking(self, game: Game) -> Ranking:
        """Rank by points, fewest first."""
        return ranked(game.totals, highest_first=False)
