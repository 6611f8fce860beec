"""Durak as `domain.table.rules.Rules`: the judge of each entry type."""

from domain.durak import attack, away, dealing, defence, done, result, score, view
from domain.durak.state import PACK_SIZE
from domain.table.rules import Game, Rules
from schemas import durak as entries


def _decided(game: Game) -> bool:
    options: entries.Options = game.options
    return options.deals is not None and len(game.deals) >= options.deals


RULES = Rules(
    name=entries.NAME,
    rules_version=entries.RULES_VERSION,
    judges={
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
    },
    pack_size=lambda _game: PACK_SIZE,
    choices=view.choices,
    moment_facts=view.moment,
    situation=view.situation,
    is_decided=_decided,
    ranking=score.ranking,
    count_deal=score.count_deal,
)
