"""Any game by points as `domain.table.rules.Rules`: a round is one entry, judged by its sums."""

from msgspec import UNSET

from domain.table import judgement
from domain.table.dealing import next_dealer
from domain.table.refusal import Fact, Refusal
from domain.table.rules import (
    Choice,
    FreeField,
    Game,
    Outcome,
    Ranking,
    Refuse,
    Rules,
    Situation,
    rank_seats,
)
from schemas import scores as entries

POINTS = "scores.points"
ZERO_SUM = "scores.zero-sum"


def judge_result(game: Game, entry: entries.Result, _version: int) -> Game | Refusal:
    """Judge a round, which is complete with this entry.

    Clauses: `table.seat`, `scores.points`, `scores.zero-sum`.
    """

    def outcome(dealer: int | None) -> Outcome:
        absent = tuple(seat for seat, won in enumerate(entry.points) if won is None)
        return Outcome(
            tuple(won or 0 for won in entry.points),
            entries.Detail(absent=absent),
            next_dealer(dealer, game.seats),
        )

    return judgement.end_by_result(game, entry.dealer, _refuse(game, entry), outcome)


def _refuse(game: Game, entry: entries.Result) -> Refusal | None:
    options: entries.Options = game.options
    points = entry.points
    if entry.dealer is not UNSET and not 0 <= entry.dealer < game.seats:
        return Refusal("table.seat", facts={"seat": entry.dealer})
    if len(points) != game.seats:
        facts: dict[str, Fact] = {"why": "count", "found": len(points), "expected": game.seats}
        return Refusal(POINTS, facts=facts)
    if all(won is None for won in points):
        return Refusal(POINTS, facts={"why": "none"})
    for seat, won in enumerate(points):
        if won is not None and abs(won) > entries.POINTS_MAX:
            return Refusal(POINTS, facts={"why": "limit", "seat": seat, "most": entries.POINTS_MAX})
    for team in options.teams or ():
        unequal = [seat for seat in team if points[seat] != points[team[0]]]
        if unequal:
            return Refusal(POINTS, facts={"why": "team", "seat": unequal[0], "by": team[0]})
    total = sum(won or 0 for won in points)
    if options.zero_sum and total and ZERO_SUM not in entry.waive:
        return Refusal(ZERO_SUM, facts={"points": total})
    return None


def _choices(game: Game, _refuse: Refuse) -> tuple[Choice, ...]:
    points: FreeField = {
        "shape": "scores",
        "count": game.seats,
        "ranges": ((-entries.POINTS_MAX, entries.POINTS_MAX),),
    }
    return (Choice("result", fields={"points": points, "dealer": tuple(range(game.seats))}),)


def _situation(game: Game) -> Situation:
    nobody = (0,) * game.seats
    return Situation("round", tuple(range(game.seats)), nobody, 0, {"dealer": game.dealer})


def _decided(game: Game) -> bool:
    options: entries.Options = game.options
    reached = options.target is not None and max(game.totals) >= options.target
    return reached or (options.rounds is not None and len(game.deals) >= options.rounds)


def _ranking(game: Game) -> Ranking:
    return rank_seats(game.totals, highest_first=game.options.wins == "highest")


def _no_pack(_game: Game) -> int:
    return 0


RULES = Rules(
    name=entries.NAME,
    rules_version=entries.RULES_VERSION,
    judges={entries.Result: judge_result},
    pack_size=_no_pack,
    choices=_choices,
    situation=_situation,
    is_decided=_decided,
    ranking=_ranking,
    between_deals=_situation,
)
