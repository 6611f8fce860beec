"""Judge the call and the counter-call (`dutch.call`, `dutch.counter`)."""

from msgspec.structs import replace

from domain.dutch import order, reasons
from domain.dutch.state import Deal
from domain.table.refusal import Refusal
from domain.table.rules import Game
from schemas import dutch as entries

CALL, COUNTER = "dutch.call", "dutch.counter"


def is_at_turn_start(deal: Deal, seat: int) -> bool:
    return not deal.over and deal.held is None and seat == deal.turn


def is_at_turn_end(deal: Deal, seat: int) -> bool:
    return not deal.rows_final and deal.held is None and seat == deal.ended


def judge_dutch(game: Game, entry: entries.Dutch, _version: int) -> Game | Refusal:
    """Judge a call, which starts the last round (`dutch.call`).

    It is allowed once in a deal. A second one under a waiver has no effect.
    """
    deal: Deal = game.deal
    if deal.caller is None and deal.over:
        return Refusal("table.phase", facts=deal.moment)
    if not may_call_now(game, deal, entry.seat) and CALL not in entry.waive:
        return Refusal(CALL, facts=reasons.explain_call(deal, entry.seat))
    if deal.caller is not None:
        return game
    at_any_moment = game.options.call == "any"
    last_round = order.begin_last_round(deal, entry.seat, game.seats, at_any_moment=at_any_moment)
    return replace(game, deal=last_round)


def may_call_now(game: Game, deal: Deal, seat: int) -> bool:
    if deal.caller is not None or deal.over or not deal.rows[seat]:
        return False
    return game.options.call == "any" or is_at_turn_start(deal, seat) or is_at_turn_end(deal, seat)


def judge_counter(game: Game, entry: entries.Counter, _version: int) -> Game | Refusal:
    """Judge a counter-call by another player after a call (`dutch.counter`).

    Instead of a draw it gives up the turn. A second one under a waiver has no effect.
    """
    deal: Deal = game.deal
    refusal = _refuse_counter(deal, entry)
    if refusal is not None:
        return refusal
    if deal.counter is not None:
        return game
    said = replace(deal, counter=entry.seat)
    if is_at_turn_start(deal, entry.seat):
        to_come = tuple(seat for seat in deal.to_come or () if seat != entry.seat)
        said = order.begin_next_turn(replace(said, to_come=to_come))
    return order.end_if_revealed(game, said)


def _refuse_counter(deal: Deal, entry: entries.Counter) -> Refusal | None:
    seat = entry.seat
    waived = COUNTER in entry.waive
    if deal.caller is None:
        return Refusal("table.phase", facts=deal.moment)
    if seat == deal.caller:
        if waived:
            return Refusal("table.phase", facts={"seat": seat, **deal.moment})
        return Refusal(COUNTER, facts=reasons.explain_counter(deal, seat))
    due = deal.counter is None and may_counter_now(deal, seat)
    return None if due or waived else Refusal(COUNTER, facts=reasons.explain_counter(deal, seat))


def may_counter_now(deal: Deal, seat: int) -> bool:
    return bool(deal.rows[seat]) and (is_at_turn_start(deal, seat) or is_at_turn_end(deal, seat))
