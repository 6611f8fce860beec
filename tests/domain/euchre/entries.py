"""Entries of Euchre as somebody sends them, and what is answered about a log of them.

`accepted` and `refused` state one fact of a log: that all of it stands, or that its last entry is
the first that does not, and why.
"""

from typing import Any

from tests.answers import Answer, answer

Entry = dict[str, Any]


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


def adjust(seat: int, points: int) -> Entry:
    return {"type": "adjust", "seat": seat, "points": points, "reason": "agreed"}


def take_back(to: int) -> Entry:
    return {"type": "take_back", "to": to}


def amend(version: int, move: Entry, **more: object) -> Entry:
    return {"type": "amend", "version": version, "move": move, **more}


def splice(version: int, drop: int, *moves: Entry, **more: object) -> Entry:
    return {"type": "splice", "version": version, "drop": drop, "moves": list(moves), **more}


def set_aside(reason: str = "a trial") -> Entry:
    return {"type": "set_aside", "reason": reason}


VOID: Entry = {"type": "void", "reason": "misdeal"}
NOTE: Entry = {"type": "note", "text": "tea"}
FINISH: Entry = {"type": "finish", "reason": "it is late"}


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


def judged(*log: Entry, **options: object) -> Answer:
    return answer({"ruleset": "euchre", "options": options, "seats": 2, "log": list(log)})


def accepted(*log: Entry, **options: object) -> Answer:
    """State that the whole log stands, and return what it comes to."""
    answered = judged(*log, **options)
    assert answered["ok"], answered
    return answered


def refused(*log: Entry, by: str, contradicts: int | None = None, **options: object) -> None:
    """State that the last entry is refused, by which clause and against which entry (an index)."""
    expected: Answer = {"ok": False, "at": len(log) - 1, "rule": by}
    if contradicts is not None:
        expected["contradicts"] = contradicts
    answered = judged(*log, **options)
    assert answered == expected, answered


def malformed(*log: Entry, **options: object) -> str:
    """State that the log cannot be decoded, and return where."""
    answered = judged(*log, **options)
    assert "malformed" in answered, answered
    return str(answered["malformed"]["path"])
