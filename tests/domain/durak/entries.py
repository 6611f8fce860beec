"""Entries of Durak in JSON form, and the expected answers to a log.

Three play by the French rules by default.
"""

from tests.domain import told
from tests.domain.told import Table

Entry = told.Entry
VOID = told.VOID
FINISH = told.FINISH
TABLE = Table("durak", 3, rules="fr")
judged, accepted = TABLE.judged, TABLE.accepted
refused, malformed, facts = TABLE.refused, TABLE.malformed, TABLE.facts


def deal(trump: str = "9S", *, dealer: int = 2, **more: object) -> Entry:
    return {"type": "deal", "dealer": dealer, "trump": trump, **more}


def lowest(seat: int = 0, card: str | None = None, **more: object) -> Entry:
    named = {} if card is None else {"card": card}
    return {"type": "lowest", "seat": seat, **named, **more}


def redeal(reason: str = "no_trump", **more: object) -> Entry:
    return {"type": "redeal", "reason": reason, **more}


def attack(seat: int, cards: str, **more: object) -> Entry:
    return {"type": "attack", "seat": seat, "cards": cards.split(), **more}


def beat(seat: int, card: str, over: str, **more: object) -> Entry:
    """Beat `card` with `over`."""
    return {"type": "beat", "seat": seat, "card": card, "with": over, **more}


def pass_on(seat: int, cards: str, **more: object) -> Entry:
    return {"type": "pass_on", "seat": seat, "cards": cards.split(), **more}


def take(seat: int, **more: object) -> Entry:
    return {"type": "take", "seat": seat, **more}


def done(seat: int | None, **more: object) -> Entry:
    return {"type": "done", "seat": seat, **more}


def away(seat: int, cards: str, **more: object) -> Entry:
    return {"type": "away", "seat": seat, "cards": cards.split(), **more}


def result(places: list[list[int]], durak: int | None, **more: object) -> Entry:
    return {"type": "result", "places": places, "durak": durak, **more}


# Seat 0 leads against seat 1; trump is spades.
BEGUN = [deal(), lowest(0, "6S")]
# Seat 1 has beaten seat 0's seven of diamonds with the nine, and seat 0 has the word.
BEATEN = [*BEGUN, attack(0, "7D"), beat(1, "7D", "9D")]
# That bout is over: seat 1 leads against seat 2.
SECOND = [*BEATEN, done(0), done(2)]
