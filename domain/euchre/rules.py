"""Two-handed Euchre as `domain.table.rules.Rules`: the judge of each entry type."""

from domain.euchre import bidding, result, tricks, view
from domain.table.rules import Game, Rules, rank_seats
from schemas import euchre as entries


def _decided(game: Game) -> bool:
    options: entries.Options = game.options
    return max(game.totals) >= options.target


RULES = Rules(
    name=entries.NAME,
    rules_version=entries.RULES_VERSION,
    judges={
        entries.Deal: bidding.judge_deal,
        entries.Pass: bidding.judge_pass,
        entries.Order: bidding.judge_order,
        entries.Exchange: bidding.judge_exchange,
        entries.Accept: bidding.judge_accept,
        entries.Name: bidding.judge_name,
        entries.Play: tricks.judge_play,
        entries.Result: result.judge_result,
    },
    pack_size=view.pack_size,
    choices=view.choices,
    moment_facts=view.moment,
    situation=view.situation,
    is_decided=_decided,
    ranking=lambda game: rank_seats(game.totals, highest_first=True),
    highest_wins=lambda _game: True,
)
