"""Two-handed Euchre as `domain.table.rules.Rules`: which function judges which entry."""

from collections.abc import Callable
from typing import Any

from domain.euchre import bidding, result, tricks, view
from domain.euchre.trumps import pack
from domain.table.judgement import BETWEEN_DEALS
from domain.table.refusal import Refusal
from domain.table.rules import Choice, Game, Ranking, Situation, ranked
from schemas import euchre as entries
from schemas.entries import Entry

_REFUSE: dict[type[Entry], Callable[[Game, Any, int], Refusal | None]] = {
    entries.Deal: bidding.refuse_deal,
    entries.Pass: bidding.refuse_pass,
    entries.Order: bidding.refuse_order,
    entries.Exchange: bidding.refuse_exchange,
    entries.Accept: bidding.refuse_accept,
    entries.Name: bidding.refuse_name,
    entries.Play: tricks.refuse_play,
    entries.Result: result.refuse_result,
}
_APPLY: dict[type[Entry], Callable[[Game, Any, int], Game]] = {
    entries.Deal: bidding.apply_deal,
    entries.Pass: bidding.apply_pass,
    entries.Order: bidding.apply_order,
    entries.Exchange: bidding.apply_exchange,
    entries.Accept: bidding.apply_accept,
    entries.Name: bidding.apply_name,
    entries.Play: tricks.apply_play,
    entries.Result: result.apply_result,
}
_OPENS = frozenset({entries.Deal, entries.Result})


class Euchre:
    """The rules of `euchre` version 1."""

    name = entries.NAME
    rules_version = entries.RULES_VERSION
    own = frozenset(_REFUSE)

    def pack_size(self, game: Game) -> int:
        """Count the cards of the pack."""
        return len(pack(game.options.deck))

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
        return view.situation(game, self.pack_size(game))

    def decided(self, game: Game) -> bool:
        """Tell whether somebody has reached the target (`euchre.win`)."""
        options: entries.Options = game.options
        return max(game.totals) >= options.target

    def ranking(self, game: Game) -> Ranking:
        """Rank by points, most first."""
        return ranked(game.totals, highest_first=True)
