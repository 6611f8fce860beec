"""Determine the turn and the end of turns and deal (`dutch.last-round`, `dutch.empty`)."""

from msgspec.structs import replace

from domain.dutch import score
from domain.dutch.state import Deal
from domain.table.rules import Game


def begin_turn(deal: Deal, seat: int, seats: int) -> Deal:
    """Begin the turn of a seat. In the last round, skipped seats lose their turns."""
    if deal.to_come is None:
        return replace(deal, turn=seat)
    if seat == deal.caller:
        return replace(deal, turn=seat, in_last_round=False)
    to_come = _seats_from(deal, _turn_index(deal, seat, seats), seats)
    return replace(deal, turn=seat, in_last_round=True, to_come=to_come)


def end_turn(deal: Deal, seat: int, seats: int) -> Deal:
    """End the turn of a seat after its discard. The next turn begins, or the turns are over."""
    if deal.to_come is None:
        return replace(deal, turn=(seat + 1) % seats, ended=seat, held=None)
    ended = replace(deal, ended=seat, held=None, in_last_round=False)
    if deal.in_last_round:
        ended = replace(ended, to_come=_seats_from(deal, _turn_index(deal, seat, seats) + 1, seats))
    return begin_next_turn(ended)


def begin_next_turn(deal: Deal) -> Deal:
    """Begin the turn of the next seat of the last round, unless a card is in hand."""
    if deal.held is not None or deal.over or deal.to_come is None:
        return deal
    if deal.to_come:
        return replace(deal, turn=deal.to_come[0])
    return replace(deal, over=True)


def empty_row(deal: Deal, seat: int) -> Deal:
    """End the turns if a row is emptied before the call; after it, skip that player."""
    if deal.to_come is None:
        return replace(deal, over=True, rows_final=True, snap_allowed=False, powers=())
    others = tuple(other for other in deal.to_come if other != seat)
    return begin_next_turn(replace(deal, to_come=others))


def begin_last_round(deal: Deal, seat: int, seats: int, *, at_any_moment: bool) -> Deal:
    """Begin the last round: every other player has one more turn, from the caller's left.

    With calls at any time (`dutch.call`), it begins after the turn in progress, or between turns
    with the player whose turn is about to begin.
    """
    last = seat
    if at_any_moment:
        last = deal.turn if deal.held is not None else (deal.turn - 1) % seats
    round_table = [(last + 1 + step) % seats for step in range(seats)]
    last_round = replace(
        deal,
        caller=seat,
        turns_begun=True,
        ended=None,
        in_last_round=False,
        to_come=tuple(other for other in round_table if other != seat),
        last=last,
    )
    return begin_next_turn(last_round)


def _turn_index(deal: Deal, seat: int, seats: int) -> int:
    return (seat - deal.last - 1) % seats


def _seats_from(deal: Deal, place: int, seats: int) -> tuple[int, ...]:
    return tuple(seat for seat in deal.to_come or () if _turn_index(deal, seat, seats) >= place)


def end_if_revealed(game: Game, deal: Deal) -> Game:
    """Return the game after these consequences, with the deal ended if every row is revealed."""
    if deal.over and all(
        total is not None or not row for row, total in zip(deal.rows, deal.totals, strict=True)
    ):
        totals = tuple(total or 0 for total in deal.totals)
        outcome = score.outcome(game, deal.caller, deal.counter, totals, deal.dealer)
        return replace(game, deal=deal, outcome=outcome)
    return replace(game, deal=deal)
