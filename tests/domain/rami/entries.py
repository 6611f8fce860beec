"""Entries of Rami in JSON form, and the expected answers to a log."""

from tests.domain import told
from tests.domain.told import Table

Entry = told.Entry
VOID = told.VOID
NOTE = told.NOTE
FINISH = told.FINISH
TABLE = Table("rami", 2)
judged, accepted = TABLE.judged, TABLE.accepted
refused, malformed, facts = TABLE.refused, TABLE.malformed, TABLE.facts


def deal(up: str = "2H", *, dealer: int = 0, **more: object) -> Entry:
    return {"type": "deal", "dealer": dealer, "up": up, **more}


def draw(seat: int, card: str | None = None, **more: object) -> Entry:
    named = {} if card is None else {"card": card}
    return {"type": "draw", "seat": seat, **named, **more}


def take(seat: int, **more: object) -> Entry:
    return {"type": "take", "seat": seat, **more}


def meld(seat: int, *melds: str, **more: object) -> Entry:
    return {"type": "meld", "seat": seat, "melds": [cards.split() for cards in melds], **more}


def add(seat: int, number: int, cards: str, **more: object) -> Entry:
    return {"type": "add", "seat": seat, "meld": number, "cards": cards.split(), **more}


def swap(seat: int, number: int, card: str, **more: object) -> Entry:
    return {"type": "swap_joker", "seat": seat, "meld": number, "card": card, **more}


def throw(seat: int, card: str, **more: object) -> Entry:
    return {"type": "discard", "seat": seat, "card": card, **more}


def count(seat: int, cards: str | None = None, points: int | None = None, **more: object) -> Entry:
    held: Entry = {"points": points} if cards is None else {"cards": cards.split()}
    return {"type": "count", "seat": seat, **held, **more}


def opened(cards: str | int) -> Entry:
    """Return the hand of a loser who had opened, by cards or points."""
    if isinstance(cards, int):
        return {"opened": True, "points": cards}
    return {"opened": True, "cards": cards.split()}


def result(winner: int, *hands: Entry | None, **more: object) -> Entry:
    return {"type": "result", "winner": winner, "hands": list(hands), **more}


ROYAL = "TC JC QC KC AC"  # a run worth exactly 51


def turn(seat: int, card: str) -> list[Entry]:
    return [draw(seat), throw(seat, card)]


def opening(*more: str, seat: int = 1, thrown: str = "9H") -> list[Entry]:
    """Return a deal (dealer 0, two players) and a first turn that opens with 51 points and more."""
    return [deal(), draw(seat), meld(seat, ROYAL, *more), throw(seat, thrown)]


def gone_out() -> list[Entry]:
    """Return a deal in which seat 1 opens and goes out; seat 0 had opened and holds two cards."""
    return [
        deal(dealer=1),
        draw(0),
        meld(0, "TS JS QS KS AS", "2D 3D 4D", "6C 7C 8C"),
        throw(0, "9H"),
        draw(1),
        meld(1, ROYAL, "2S 3S 4S 5S 6S", "7D 8D 9D TD"),
    ]
