"""Determine the defender, the adders, their order, the limit of a bout, and the holders."""

from collections.abc import Mapping
from typing import Any

from domain.durak.clauses import WHO_ADDS, WORD
from domain.durak.ranks import PACK
from domain.durak.state import SIDES, Bout, Deal, Seats, next_seat
from schemas.durak import Options
from schemas.entries import Seat


def defender_of(seats: Seats, attacker: int, options: Options) -> int | None:
    """Return the seat that `attacker` attacks (`durak.defender`); None if there is none left."""
    against = seats & SIDES[1 - attacker % 2] if options.teams is True else seats
    return next_seat(against, attacker)


def adders_of(seats: Seats, main: int, defender: int, options: Options) -> Seats:
    """Return the seats that may add (`durak.who-adds`): the main attacker and some of `seats`."""
    if options.teams is True:
        allowed = seats & SIDES[main % 2]
    elif options.throwers == "all":
        allowed = seats
    else:
        neighbour = next_seat(seats, defender)
        allowed = 0 if neighbour is None else 1 << neighbour
    return (allowed | 1 << main) & ~(1 << defender)


def main_after(bout: Bout, passer: int, defender: int, options: Options) -> int:
    """Return the main attacker after a transfer to `defender` (`durak.transfer`).

    It is the passing player in games recorded before this option existed.
    """
    if options.after_transfer == "opener" and bout.opener != defender:
        return bout.opener
    return passer


def limit_of(deal: Deal, defender: int, options: Options) -> int:
    """Return the limit of attack cards against a defender (`durak.limit`)."""
    return min(bout_limit(deal, options), deal.counts[defender])


def bout_limit(deal: Deal, options: Options) -> int:
    """Return the limit of attack cards against any defender (`durak.limit`)."""
    most = len(PACK) if options.max_bout is None else options.max_bout
    if deal.beaten_off or options.first_bout is None:
        return most
    return min(most, options.first_bout)


def seat_to_add(bout: Bout, holding: Seats) -> int | None:
    """Return the seat whose turn it is to add; empty hands are skipped (`durak.word`)."""
    able = bout.adders & holding
    return bout.word if able >> bout.word & 1 else next_seat(able, bout.word)


def may_still_add(bout: Bout, holding: Seats) -> bool:
    """Return whether the limit leaves room and an adder has a card."""
    return len(bout.pairs) < bout.limit and bool(bout.adders & holding)


def clause_against_adding(bout: Bout, holding: Seats, seat: int, options: Options) -> str | None:
    """Return the clause for which a seat can neither add nor be done; None if it can."""
    if not bout.adders >> seat & 1:
        return WHO_ADDS
    if options.word == "loose" or seat == seat_to_add(bout, holding):
        return None
    return WORD


def holders(table: Mapping[str, Any], hand_counts: tuple[int, ...], card: str) -> tuple[Seat, ...]:
    """Return the seats that may hold a card, the defender first while a card is unbeaten.

    Reads `known` (cards known in each hand), `gone`, and the cards in `bout` or `under`.
    """
    shown = table["shown"] if table["under"] else None
    is_played = any(card in pair.values() for pair in table["bout"])
    if is_played or card == shown or card in table["gone"]:
        return ()
    known = table["known"]
    elsewhere = any(card in hand for hand in known)
    holding = [
        seat
        for seat, hand in enumerate(known)
        if card in hand or (len(hand) < hand_counts[seat] and not elsewhere)
    ]
    return tuple(sorted(holding, key=lambda seat: seat != table["defender"]))
