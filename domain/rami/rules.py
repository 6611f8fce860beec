"""Rami 51 as `domain.table.rules.Rules`: which function judges which entry."""

from collections.abc import Mapping

from domain.rami import counting, dealing, laying, result, turn, view
from domain.rami.state import pack
from domain.table.judgement import refuse
from domain.table.rules import Choice, Game, Judge, Ranking, Situation, ranked
from schemas import rami as entries
from schemas.entries import Entry


class Rami:
    """The rules of `rami` version 1."""

    name = entries.NAME
    rules_version = entries.RULES_VERSION
    judges: Mapping[type[Entry], Judge] = {
        entries.Deal: dealing.judge_deal,
        entries.Draw: turn.judge_draw,
        entries.Take: turn.judge_take,
        entries.Meld: laying.judge_meld,
        entries.Add: laying.judge_add,
        entries.SwapJoker: laying.judge_swap,
        entries.Discard: turn.judge_discard,
        entries.Count: counting.judge_count,
        entries.Result: result.judge_result,
    }

    def pack_size(self, _game: Game) -> int:
        """Count the cards of the two packs."""
        return len(pack())

    def choices(self, game: Game) -> tuple[Choice, ...]:
        """List what may be entered now."""
        return view.choices(game, refuse)

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
