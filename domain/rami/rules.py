"""Rami 51 as `domain.table.rules.Rules`: the judge of each entry type."""

from domain.rami import counting, dealing, laying, result, turn, view
from domain.rami.state import pack
from domain.table.rules import Game, Rules, rank_seats
from schemas import rami as entries


def _decided(game: Game) -> bool:
    options: entries.Options = game.options
    return max(game.totals) >= options.target


RULES = Rules(
    name=entries.NAME,
    rules_version=entries.RULES_VERSION,
    judges={
        entries.Deal: dealing.judge_deal,
        entries.Draw: turn.judge_draw,
        entries.Take: turn.judge_take,
        entries.Meld: laying.judge_meld,
        entries.Add: laying.judge_add,
        entries.SwapJoker: laying.judge_swap,
        entries.Discard: turn.judge_discard,
        entries.Count: counting.judge_count,
        entries.Result: result.judge_result,
    },
    pack_size=lambda _game: len(pack()),
    choices=view.choices,
    situation=view.situation,
    is_decided=_decided,
    ranking=lambda game: rank_seats(game.totals, highest_first=False),
    turn_begins=(entries.Draw, entries.Take),
)
