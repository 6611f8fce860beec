"""Durak as `domain.table.rules.Rules`: which function judges and applies which entry."""

from collections.abc import Callable
from typing import Any

from domain.durak import attack, away, dealing, defence, done, result, score, view
from domain.durak.state import PACK_SIZE
from domain.table.judgement import BETWEEN_DEALS
from domain.table.refusal import Refusal
from domain.table.rules import Choice, Game, Ranking, Situation
from schemas import durak as entries
from schemas.entries import Entry

_REFUSE: dict[type[Entry], Callable[[Game, Any, int], Refusal | None]] = {
    entries.Deal: dealing.refuse_deal,
    entries.Redeal: dealing.refuse_redeal,
    entries.Lowest: dealing.refuse_lowest,
    entries.Attack: attack.refuse_attack,
    entries.Beat: defence.refuse_beat,
    entries.PassOn: defence.refuse_pass_on,
    entries.Take: defence.refuse_take,
    entries.Done: done.refuse_done,
    entries.Away: away.refuse_away,
    entries.Result: result.refuse_result,
}
_APPLY: dict[type[Entry], Callable[[Game, Any, int], Game]] = {
    entries.Deal: dealing.apply_deal,
    entries.Redeal: dealing.apply_redeal,
    entries.Lowest: dealing.apply_lowest,
    entries.Attack: attack.apply_attack,
    entries.Beat: defence.apply_beat,
    entries.PassOn: defence.apply_pass_on,
    entries.Take: defence.apply_take,
    entries.Done: done.apply_done,
    entries.Away: away.apply_away,
    entries.Result: result.apply_result,
}
_OPENS = frozenset({entries.Deal, entries.Result})


class Durak:
    """The rules of `durak` version 1."""

    name = entries.NAME
    rules_version = entries.RULES_VERSION
    own = frozenset(_REFUSE)

    def pack_size(self, _game: Game) -> int:
        """Count the cards of the pack."""
        return PACK_SIZE

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
        """Tell whether the agreed number of deals has been played."""
        options: entries.Options = game.options
        return options.deals is not None and len(game.deals) >= options.deals

    def ranking(self, game: Game) -> Ranking:
        """Rank by points, fewest first, then by the sum of places."""
        return score.ranking(game)
