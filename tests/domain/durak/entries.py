"""Entries of Durak as somebody sends them, and what is answered about a log of them.

`accepted` and `refused` state one fact of a log: that all of it stands, or that its last entry is
the first that does not, and why. Three play the French rules unless a test says otherwise.
"""

from typing import Any

from tests.answers import Answer, answer

Entry = dict[str, Any]


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


def take_back(to: int) -> Entry:
    return {"type": "take_back", "to": to}


def amend(version: int, move: Entry) -> Entry:
    return {"type": "amend", "version": version, "move": move}


VOID: Entry = {"type": "void", "reason": "misdeal"}
FINISH: Entry = {"type": "finish", "reason": "it is late"}

# Seat 0 leads against seat 1; trump is spades.
BEGUN = [deal(), lowest(0, "6S")]
# Seat 1 has beaten seat 0's seven of diamonds with the nine, and seat 0 has the word.
BEATEN = [*BEGUN, attack(0, "7D"), beat(1, "7D", "9D")]
# That bout is over: seat 1 leads against seat 2.
SECOND = [*BEATEN, done(0), done(2)]


def judged(*log: Entry, seats: int = 3, **options: object) -> Answer:
    said = {"rules": "fr", **options}
    return answer({"ruleset": "durak", "options": said, "seats": seats, "log": list(log)})


def accepted(*log: Entry, seats: int = 3, **options: object) -> Answer:
    """State that the whole log stands, and return what it comes to."""
    answered = judged(*log, seats=seats, **options)
    assert answered["ok"], answered
    return answered


def refused(
    *log: Entry, by: str, contradicts: int | None = None, seats: int = 3, **options: object
) -> None:
    """State that the last entry is refused, by which clause and against which entry (an index)."""
    expected: Answer = {"ok": False, "at": len(log) - 1, "rule": by}
    if contradicts is not None:
        expected["contradicts"] = contradicts
    answered = judged(*log, seats=seats, **options)
    assert answered == expected, answered


def malformed(*log: Entry, seats: int = 3, **options: object) -> str:
    """State that the log cannot be decoded, and return where."""
    answered = judged(*log, seats=seats, **options)
    assert "malformed" in answered, answered
    return str(answered["malformed"]["path"])
