"""Durak as `domain.table.rules.Rules`: which function judges which entry."""

from collections.abc import Mapping

from domain.durak import attack, away, dealing, defence, done, result, score, view
from domain.durak.state import PACK_SIZE
from domain.table.judgement import refuse
from domain.table.rules import Choice, Game, Judge, Ranking, Situation
from schemas import durak as entries
from schemas.entries import Entry


class Durak:
    """The rules of `durak`; the options tell version 1 from version 2."""

    name = entries.NAME
    rules_version = entries.RULES_VERSION
    judges: Mapping[type[Entry], Judge] = {
        entries.Deal: dealing.judge_deal,
        entries.Redeal: dealing.judge_redeal,
        entries.Lowest: dealing.judge_lowest,
        entries.Attack: attack.judge_attack,
        entries.Beat: defence.judge_beat,
        entries.PassOn: defence.judge_pass_on,
        entries.Take: defence.judge_take,
        entries.Done: done.judge_done,
        entries.Away: away.judge_away,
        entries.Result: result.judge_result,
    }

    def pack_size(self, _game: Game) -> int:
        """Count the cards of the pack."""
        return PACK_SIZE

    def choices(self, game: Game) -> tuple[Choice, ...]:
        """List what may be entered now."""
        return view.choices(game, refuse)

    def situation(self, game: Game) -> Situation:
        """Describe the deal in progress."""
        return view.situation(game)

    def decided(self, game: Game) -> bool:
        """Tell whether the agreed number of deals has been played."""
        options: entries.Options = game.options
        return options.deals is not None and len(game.deals) >= options.deals

    def ranking(self, game: Game) -> Ranking:
        """Rank as the table agreed (`winner_by`)."""
        return score.ranking(game)
