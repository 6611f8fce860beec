"""Dutch as `domain.table.rules.Rules`: which function judges which entry."""

from collections.abc import Mapping

from domain.dutch import calls, dealing, powers, result, showdown, snaps, turns, view
from domain.dutch.state import PACK
from domain.table.judgement import refuse
from domain.table.rules import Choice, Game, Judge, Ranking, Situation, ranked
from schemas import dutch as entries
from schemas.entries import Entry


class Dutch:
    """The rules of `dutch` as they are now; `rules_version` says which version."""

    name = entries.NAME
    rules_version = entries.RULES_VERSION
    judges: Mapping[type[Entry], Judge] = {
        entries.Deal: dealing.judge_deal,
        entries.Look: dealing.judge_look,
        entries.Draw: turns.judge_draw,
        entries.Take: turns.judge_take,
        entries.Swap: turns.judge_swap,
        entries.Drop: turns.judge_drop,
        entries.Snap: snaps.judge_snap,
        entries.Peek: powers.judge_peek,
        entries.Trade: powers.judge_trade,
        entries.Penalty: dealing.judge_penalty,
        entries.Dutch: calls.judge_dutch,
        entries.Counter: calls.judge_counter,
        entries.Reveal: showdown.judge_reveal,
        entries.Result: result.judge_result,
    }

    def pack_size(self, game: Game) -> int:
        """Count the cards of the pack."""
        del game  # one pack for every table
        return len(PACK)

    def choices(self, game: Game) -> tuple[Choice, ...]:
        """List what may be entered now."""
        return view.choices(game, refuse)

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
