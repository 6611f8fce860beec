"""Judge a result, entered for a whole deal or to end one recorded in part (`table.result`)."""

from functools import lru_cache

from msgspec import UNSET

from domain.dutch import proof, score
from domain.dutch.calls import is_at_turn_end
from domain.dutch.state import Deal
from domain.table import judgement
from domain.table.judgement import RESULT
from domain.table.refusal import Fact, Refusal
from domain.table.rules import Game
from schemas import dutch as entries


def judge_result(game: Game, entry: entries.Result, version: int) -> Game | Refusal:
    """Judge a result, which ends the deal."""
    return judgement.end_by_result(
        game,
        entry.dealer,
        _refuse(game, game.deal, entry, version),
        lambda dealer: score.outcome(game, entry.caller, entry.counter, entry.totals, dealer),
    )


def _refuse(game: Game, deal: Deal | None, entry: entries.Result, version: int) -> Refusal | None:
    for seat in (entry.caller, entry.counter):
        if seat is not None and not 0 <= seat < game.seats:
            return Refusal("table.seat", facts={"seat": seat})
    if len(entry.totals) != game.seats:
        facts: dict[str, Fact] = {
            "why": "totals",
            "found": len(entry.totals),
            "expected": game.seats,
        }
        return Refusal("cards.count", facts=facts)
    if deal is None:
        if entry.dealer is not UNSET:
            refusal = judgement.refuse_dealer(game, entry, entry.dealer)
            if refusal is not None:
                return refusal
        return None if _is_possible(game, entry) else Refusal(RESULT, facts=_why_impossible(entry))
    if not _is_possible(game, entry):
        return Refusal(RESULT, facts=_why_impossible(entry))
    if not fits_record(deal, entry):
        return Refusal(RESULT, facts=_disagreement(deal, entry))
    if not deal.rows_final or deal.knowledge is None:
        return None
    red_kings = game.options.red_kings
    against = proof.suspects_of_totals(deal.knowledge, deal, entry.totals, red_kings, version)
    return None if against is None else Refusal(RESULT, None, {"why": "cards"}, against)


def _why_impossible(entry: entries.Result) -> dict[str, Fact]:
    if entry.caller is None and entry.counter is not None:
        return {"why": "uncalled", "seat": entry.counter}
    if entry.caller is None and 0 not in entry.totals:
        return {"why": "nobody"}
    if entry.counter is not None and entry.counter == entry.caller:
        return {"why": "own", "seat": entry.counter}
    return {"why": "totals"}


def _disagreement(deal: Deal, entry: entries.Result) -> dict[str, Fact]:
    if entry.dealer not in {UNSET, deal.dealer}:
        return {"why": "dealer", "dealer": deal.dealer}
    if entry.caller != deal.caller and deal.caller is not None:
        return {"why": "called", "seat": deal.caller}
    if entry.caller != deal.caller and deal.over:
        return {"why": "not called"}
    if deal.counter is not None and entry.counter != deal.counter:
        return {"why": "countered", "seat": deal.counter}
    for seat, (total, row) in enumerate(zip(entry.totals, deal.rows, strict=False)):
        if total and not row:
            return {"why": "empty", "seat": seat, "points": total}
    return {"why": "too late", "seat": -1 if entry.counter is None else entry.counter}


def _is_possible(game: Game, entry: entries.Result) -> bool:
    if entry.caller is None and (entry.counter is not None or 0 not in entry.totals):
        return False
    if entry.counter is not None and entry.counter == entry.caller:
        return False
    by_emptying = entry.caller is None
    return rows_possible(tuple(sorted(entry.totals)), game.options.red_kings, by_emptying)


def fits_record(deal: Deal, entry: entries.Result) -> bool:
    """Return whether a result fits the dealer, the calls and the empty rows recorded so far."""
    if entry.dealer is not UNSET and entry.dealer != deal.dealer:
        return False
    if entry.caller != deal.caller and (deal.caller is not None or deal.over):
        return False
    if deal.counter is not None and entry.counter != deal.counter:
        return False
    if any(total and not row for total, row in zip(entry.totals, deal.rows, strict=False)):
        return False
    added = entry.counter if deal.counter is None and deal.caller is not None else None
    return added is None or may_yet_counter(deal, added)


def may_yet_counter(deal: Deal, seat: int) -> bool:
    if seat == deal.caller or not deal.rows[seat]:
        return False
    holds = deal.held is not None and not deal.over and seat == deal.turn
    return holds or seat in (deal.to_come or ()) or is_at_turn_end(deal, seat)


@lru_cache(maxsize=4_096)
def rows_possible(totals: tuple[int, ...], red_kings: str, by_emptying: bool) -> bool:  # noqa: FBT001 a cached function takes what it is keyed by
    """Return whether rows of one pack can have these `totals`, in order, with any sizes.

    `by_emptying`: at most one row is empty, so any other row of 0 points has kings of value 0.
    """
    each = score.values(red_kings)
    if totals[0] < 0 or sum(totals) > sum(each):
        return False
    if by_emptying and totals.count(0) - 1 > each.count(0):
        return False
    left = tuple(each.count(value) for value in sorted({*each} - {0}))
    return _rows(tuple(total for total in totals if total), left)


@lru_cache(maxsize=4_096)
def _rows(totals: tuple[int, ...], left: tuple[int, ...]) -> bool:
    if not totals:
        return True
    return _row(totals[0], len(left), totals[1:], left)


def _row(missing: int, most: int, others: tuple[int, ...], left: tuple[int, ...]) -> bool:
    if not missing:
        return _rows(others, left)
    for value in range(min(most, missing), 0, -1):
        if left[value - 1]:
            less = (*left[: value - 1], left[value - 1] - 1, *left[value:])
            if _row(missing - value, value, others, less):
                return True
    return False
