"""Two-handed Euchre as `domain.table.rules.Rules`: which function judges which entry."""

from collections.abc import Mapping

from domain.euchre import bidding, result, tricks, view
from domain.euchre.trumps import pack
from domain.table.judgement import refuse
from domain.table.rules import Choice, Game, Judge, Ranking, Situation, ranked
from schemas import euchre as entries
from schemas.entries import Entry


class Euchre:
    """The rules of `euchre` version 1."""

    name = entries.NAME
    rules_version = entries.RULES_VERSION
    judges: Mapping[type[Entry], Judge] = {
        entries.Deal: bidding.judge_deal,
        entries.Pass: bidding.judge_pass,
        entries.Order: bidding.judge_order,
        entries.Exchange: bidding.judge_exchange,
        entries.Accept: bidding.judge_accept,
        entries.Name: bidding.judge_name,
        entries.Play: tricks.judge_play,
        entries.Result: result.judge_result,
    }

    def pack_size(self, game: Game) -> int:
        """Count the cards of the pack."""
        return len(pack(game.options.deck))

    def choices(self, game: Game) -> tuple[Choice, ...]:
        """List what may be entered now."""
        return view.choices(game, refuse)

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
