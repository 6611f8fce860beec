"""Rami 51 as `domain.table.rules.Rules`: which function judges and applies which entry."""

from collections.abc import Callable
from typing import Any

from domain.rami import counting, dealing, laying, result, turn, view
from domain.rami.state import pack
from domain.table.judgement import BETWEEN_DEALS
from domain.table.refusal import Refusal
from domain.table.rules import Choice, Game, Ranking, Situation, ranked
from schemas import rami as entries
from schemas.entries import Entry

_REFUSE: dict[type[Entry], Callable[[Game, Any, int], Refusal | None]] = {
    entries.Deal: dealing.refuse_deal,
    entries.Draw: turn.refuse_draw,
    entries.Take: turn.refuse_take,
    entries.Meld: laying.refuse_meld,
    entries.Add: laying.refuse_add,
    entries.SwapJoker: laying.refuse_swap,
    entries.Discard: turn.refuse_discard,
    entries.Count: counting.refuse_count,
    entries.Result: result.refuse_result,
}
_APPLY: dict[type[Entry], Callable[[Game, Any, int], Game]] = {
    entries.Deal: dealing.apply_deal,
    entries.Draw: turn.apply_draw,
    entries.Take: turn.apply_take,
    entries.Meld: laying.apply_meld,
    entries.Add: laying.apply_add,
    entries.SwapJoker: laying.apply_swap,
    entries.Discard: turn.apply_discard,
    entries.Count: counting.apply_count,
    entries.Result: result.apply_result,
}
_OPENS = frozenset({entries.Deal, entries.Result})


class Rami:
    """The rules of `rami` version 1."""

    name = entries.NAME
    rules_version = entries.RULES_VERSION
    own = frozenset(_REFUSE)

    def pack_size(self, _game: Game) -> int:
        """Count the cards of the two packs."""
        return len(pack())

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
        """Tell whether somebody's total has reached the target (`rami.win`)."""
        options: entries.Options = game.options
        return max(game.totals) >= options.target

    def ranking(self, game: Game) -> Ranking:
        """Rank by points, fewest first."""
        return ranked(game.totals, highest_first=False)
