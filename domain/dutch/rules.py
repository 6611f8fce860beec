"""Dutch as `domain.table.rules.Rules`: the judge of each entry type."""

from domain.dutch import calls, dealing, powers, result, showdown, snaps, turns, view
from domain.dutch.state import PACK
from domain.table.rules import Game, Rules, rank_seats
from schemas import dutch as entries


def _decided(game: Game) -> bool:
    options: entries.Options = game.options
    reached = options.target is not None and max(game.totals) >= options.target
    return reached or (options.deals is not None and len(game.deals) >= options.deals)


RULES = Rules(
    name=entries.NAME,
    rules_version=entries.RULES_VERSION,
    judges={
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
    },
    pack_size=lambda _game: len(PACK),
    choices=view.choices,
    situation=view.situation,
    is_decided=_decided,
    ranking=lambda game: rank_seats(game.totals, highest_first=False),
    turn_begins=(entries.Draw, entries.Take),
)
