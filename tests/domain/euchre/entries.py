"""Entries of Euchre in JSON form, and the expected answers to a log."""

from tests.domain import told
from tests.domain.told import Table

Entry = told.Entry
amend = told.amend
splice = told.splice
VOID = told.VOID
NOTE = told.NOTE
TABLE = Table("euchre", 2)
judged, accepted = TABLE.judged, TABLE.accepted
refused, malformed, facts = TABLE.refused, TABLE.malformed, TABLE.facts


def deal(turn_up: str, *, dealer: int = 0, **more: object) -> Entry:
    return {"type": "deal", "dealer": dealer, "turn_up": turn_up, **more}


def passes(seat: int, **more: object) -> Entry:
    return {"type": "pass", "seat": seat, **more}


def orders(seat: int = 1, **more: object) -> Entry:
    return {"type": "order", "seat": seat, **more}


def leaves(seat: int = 0, **more: object) -> Entry:
    return {"type": "exchange", "seat": seat, "take": False, **more}


def takes(seat: int = 0, **more: object) -> Entry:
    return {"type": "exchange", "seat": seat, "take": True, **more}


def accepts(seat: int = 0, **more: object) -> Entry:
    return {"type": "accept", "seat": seat, **more}


def names(seat: int, suit: str, **more: object) -> Entry:
    return {"type": "name", "seat": seat, "suit": suit, **more}


def play(seat: int, card: str, **more: object) -> Entry:
    return {"type": "play", "seat": seat, "card": card, **more}


def result(maker: int | None, tricks: int | None = None, **more: object) -> Entry:
    told = {} if tricks is None else {"tricks": tricks}
    return {"type": "result", "maker": maker, **told, **more}


def trick(*played: tuple[int, str]) -> list[Entry]:
    """Return the plays of one or more tricks."""
    return [play(seat, card) for seat, card in played]


def tricks(leader: int, *pairs: str) -> list[Entry]:
    """Return whole tricks, each "lead answer", all led by `leader`."""
    return [
        play(seat, card)
        for pair in pairs
        for seat, card in zip((leader, 1 - leader), pair.split(), strict=True)
    ]
