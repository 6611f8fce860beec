"""Entries of Dutch in JSON form, and the expected answers to a log.

Three play by default; seat 0 deals and seat 1 begins.
"""

from tests.domain import told
from tests.domain.told import Table

Entry = told.Entry
VOID = told.VOID
NOTE = told.NOTE
TABLE = Table("dutch", 3)
judged, accepted = TABLE.judged, TABLE.accepted
refused, malformed, facts = TABLE.refused, TABLE.malformed, TABLE.facts


def deal(up: str = "9C", *, dealer: int = 0, **more: object) -> Entry:
    return {"type": "deal", "dealer": dealer, "up": up, **more}


def look(seat: int, *slots: int, **more: object) -> Entry:
    return {"type": "look", "seat": seat, "slots": list(slots), **more}


def draw(seat: int, card: str | None = None, **more: object) -> Entry:
    named = {} if card is None else {"card": card}
    return {"type": "draw", "seat": seat, **named, **more}


def take(seat: int, **more: object) -> Entry:
    return {"type": "take", "seat": seat, **more}


def swap(seat: int, slot: int, card: str, **more: object) -> Entry:
    return {"type": "swap", "seat": seat, "slot": slot, "card": card, **more}


def drop(seat: int, card: str, **more: object) -> Entry:
    return {"type": "drop", "seat": seat, "card": card, **more}


def snap(seat: int, slot: int, card: str, **more: object) -> Entry:
    return {"type": "snap", "seat": seat, "slot": slot, "card": card, **more}


def peek(seat: int, place: tuple[int, int], **more: object) -> Entry:
    return {"type": "peek", "seat": seat, "place": list(place), **more}


def penalty(seat: int) -> Entry:
    return {"type": "penalty", "seat": seat}


def dutch(seat: int, **more: object) -> Entry:
    return {"type": "dutch", "seat": seat, **more}


def counter(seat: int, **more: object) -> Entry:
    return {"type": "counter", "seat": seat, **more}


def reveal(seat: int, cards: str | None = None, **more: object) -> Entry:
    shown = {} if cards is None else {"cards": cards.split()}
    return {"type": "reveal", "seat": seat, **shown, **more}


def result(caller: int | None, *totals: int, counter: int | None = None, **more: object) -> Entry:
    said = {"caller": caller, "counter": counter}
    return {"type": "result", **said, "totals": list(totals), **more}


def turn(seat: int, card: str, **more: object) -> list[Entry]:
    return [draw(seat), drop(seat, card, **more)]


# Seat 0 throws three eights on an eight, and holds slot 3 alone.
# Seat 0 discards the last card without a call.
# Seat 1 calls at once; seats 2 and 0 take their last turns.
ALL_TURNS = [deal(), dutch(1), *turn(2, "2S"), *turn(0, "3S")]
