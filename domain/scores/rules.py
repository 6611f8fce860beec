"""Any game by points as `domain.table.rules.Rules`: a round is one entry, judged by its sums."""

from msgspec import UNSET, Struct
from msgspec.structs import replace

from domain.table import judgement
from domain.table.dealing import next_dealer
from domain.table.refusal import Fact, Refusal
from domain.table.rules import (
    TEXT,
    Choice,
    FreeField,
    Game,
    Outcome,
    Ranking,
    Refuse,
    Rules,
    Situation,
    has_points,
    rank_seats,
)
from schemas import scores as entries
from schemas.entries import CARRIED, Adjust

POINTS = "scores.points"
ZERO_SUM = "scores.zero-sum"
WINNERS = "scores.winners"


class Counted(Struct, frozen=True, gc=False):
    """The seats that have a number in a round, and the winners that the table named, if any."""

    numbered: frozenset[int] = frozenset()
    winners: tuple[int, ...] | None = None


_NOTHING = Counted()


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


def judge_adjust(game: Game, entry: Adjust, version: int) -> Game:
    """Judge an adjustment; a total carried from the game before is a number of that seat."""
    after = judgement.judge_adjust(game, entry, version)
    if entry.reason != CARRIED:
        return after
    counted = _counted(game)
    return replace(after, counted=Counted(counted.numbered | {entry.seat}, counted.winners))


def judge_finish(game: Game, entry: entries.Finish, version: int) -> Game | Refusal:
    """Judge the end of a game, with the winners that the table names.

    Clause: `scores.winners`.
    """
    winners = entry.winners
    if winners is UNSET:
        return judgement.judge_finish(game, entry, version)
    for seat in winners:
        if not 0 <= seat < game.seats:
            return Refusal(WINNERS, facts={"why": "seat", "seat": seat})
        if winners.count(seat) > 1:
            return Refusal(WINNERS, facts={"why": "twice", "seat": seat})
    for team in game.options.teams or ():
        won = [seat for seat in team if seat in winners]
        if 0 < len(won) < len(team):
            left = next(seat for seat in team if seat not in winners)
            return Refusal(WINNERS, facts={"why": "team", "seat": left, "by": won[0]})
    counted = replace(_counted(game), winners=tuple(sorted(winners)))
    return replace(judgement.judge_finish(game, entry, version), counted=counted)


def judge_finish_1(game: Game, entry: entries.Finish, version: int) -> Game | Refusal:
    """Judge the end of a game of version 1, which is ranked by its totals alone."""
    if entry.winners is not UNSET:
        return Refusal(WINNERS, facts={"why": "version"})
    return judgement.judge_finish(game, entry, version)


def _choices_1(game: Game, _refuse: Refuse) -> tuple[Choice, ...]:
    points: FreeField = {
        "shape": "scores",
        "count": game.seats,
        "ranges": ((-entries.POINTS_MAX, entries.POINTS_MAX),),
    }
    return (Choice("result", fields={"points": points, "dealer": tuple(range(game.seats))}),)


def _choices(game: Game, refuse: Refuse) -> tuple[Choice, ...]:
    winners: FreeField = {"shape": "seats", "optional": True}
    finish = Choice("finish", fields={"reason": TEXT, "winners": winners})
    return (*_choices_1(game, refuse), finish)


def _situation(game: Game) -> Situation:
    nobody = (0,) * game.seats
    return Situation("round", tuple(range(game.seats)), nobody, 0, {"dealer": game.dealer})


def _decided(game: Game) -> bool:
    options: entries.Options = game.options
    reached = options.target is not None and max(game.totals) >= options.target
    return reached or (options.rounds is not None and len(game.deals) >= options.rounds)


def _highest_wins(game: Game) -> bool:
    options: entries.Options = game.options
    return options.wins == "highest"


def _ranking_1(game: Game) -> Ranking:
    return rank_seats(game.totals, highest_first=_highest_wins(game))


def _ranking(game: Game) -> Ranking:
    counted = _counted(game)
    if counted.winners is None:
        return _only(_ranking_1(game), counted.numbered)
    if not counted.winners:
        return ()
    others = counted.numbered.difference(counted.winners)
    return (counted.winners, *_only(_ranking_1(game), others))


def _only(ranked: Ranking, seats: frozenset[int]) -> Ranking:
    kept = (tuple(seat for seat in level if seat in seats) for level in ranked)
    return tuple(level for level in kept if level)


def _took_part(game: Game) -> tuple[bool, ...]:
    counted = _counted(game)
    if not counted.numbered:
        return has_points(game) if counted.winners is None else (True,) * game.seats
    part = counted.numbered.union(counted.winners or ())
    return tuple(seat in part for seat in range(game.seats))


def _counted(game: Game) -> Counted:
    return game.counted or _NOTHING


def _count_deal(game: Game, detail: entries.Detail) -> Counted:
    before = _counted(game)
    numbered = before.numbered.union(set(range(game.seats)).difference(detail.absent))
    return before if numbered == before.numbered else Counted(numbered)


RULES = Rules(
    name=entries.NAME,
    rules_version=entries.RULES_VERSION,
    judges={
        entries.Result: judge_result,
        entries.Finish: judge_finish,
        Adjust: judge_adjust,
    },
    pack_size=lambda _game: 0,
    choices=_choices,
    situation=_situation,
    is_decided=_decided,
    ranking=_ranking,
    highest_wins=_highest_wins,
    took_part=_took_part,
    between_deals=_situation,
    count_deal=_count_deal,
)
RULES_1 = replace(
    RULES,
    rules_version=1,
    judges={entries.Result: judge_result, entries.Finish: judge_finish_1},
    choices=_choices_1,
    ranking=_ranking_1,
    took_part=has_points,
    count_deal=lambda _game, _detail: None,
)
