"""Which of the things that break a clause it was: what the sentence of a refusal tells.

`why` of a refusal's facts says which, and the facts beside it who. Nothing is judged here.
"""

from domain.dutch.state import CARDS_EACH, Deal
from domain.table.refusal import Fact
from schemas import dutch as entries

Facts = dict[str, Fact]


def call(deal: Deal, seat: int) -> Facts:
    """Say why a seat cannot say “Dutch” now."""
    if deal.caller is not None:
        return {"seat": seat, "why": "said", "turn": deal.caller}
    return {"seat": seat, **_moment(deal, seat)}


def counter(deal: Deal, seat: int) -> Facts:
    """Say why a seat cannot say “Contre Dutch” now."""
    if seat == deal.caller:
        return {"seat": seat, "why": "own"}
    if deal.counter is not None:
        return {"seat": seat, "why": "said", "turn": deal.counter}
    return {"seat": seat, **_moment(deal, seat)}


def _moment(deal: Deal, seat: int) -> Facts:
    """Say why it is no moment of a seat's turn to speak, or that its row is empty."""
    if not deal.rows[seat]:
        return {"why": "empty"}
    if deal.over:
        return {"why": "over"}
    if seat == deal.turn:
        return {"why": "middle"}
    return {"why": "other", "turn": deal.turn}


def look(deal: Deal, entry: entries.Look) -> Facts:
    """Say why a seat cannot look at these cards now."""
    one, other = entry.slots
    why = "begun"
    if one == other:
        why = "same"
    elif max(one, other) >= CARDS_EACH:
        why = "new"
    elif deal.looked >> entry.seat & 1:
        why = "once"
    return {"seat": entry.seat, "slot": max(one, other), "why": why, **deal.moment}


def penalty(deal: Deal, seat: int) -> Facts:
    """Say why a row takes no penalty cards."""
    return {"seat": seat, "why": "fixed" if deal.fixed else "empty"}
