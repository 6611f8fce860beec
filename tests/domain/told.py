"""Common entries in JSON form, and assertions about a log of a game.

A `Table` has the default game of its tests. `accepted` asserts that the whole log is legal,
`refused` that its last entry is the first illegal one, with the reason.
"""

from typing import Any

import msgspec

from domain.replay import StoppedRecord, opening, replay
from schemas.catalogue import decode_record
from schemas.strict_json import Malformed
from tests.answers import Answer, answer

Entry = dict[str, Any]

VOID: Entry = {"type": "void", "reason": "misdeal"}
# Facts about the contradicted entry, the same in every refusal.
CITED = {"cited", "by", "whose", "showed", "told", "trick", "bout"}
NOTE: Entry = {"type": "note", "text": "tea"}
FINISH: Entry = {"type": "finish", "reason": "it is late"}


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


class Table:
    def __init__(self, ruleset: str, seats: int, **options: object) -> None:
        self._ruleset = ruleset
        self._seats = seats
        self._options = options

    def judged(self, *log: Entry, seats: int | None = None, **options: object) -> Answer:
        return answer(self._record(log, seats, options))

    def _record(
        self, log: tuple[Entry, ...], seats: int | None, options: dict[str, object]
    ) -> Answer:
        return {
            "ruleset": self._ruleset,
            "options": self._options | options,
            "seats": self._seats if seats is None else seats,
            "log": list(log),
        }

    def accepted(self, *log: Entry, seats: int | None = None, **options: object) -> Answer:
        answered = self.judged(*log, seats=seats, **options)
        assert answered["ok"], answered
        return answered

    def refused(
        self,
        *log: Entry,
        by: str,
        contradicts: int | None = None,
        seats: int | None = None,
        **options: object,
    ) -> None:
        """Assert that the last entry is refused by a clause; `contradicts`: index of an entry."""
        expected: Answer = {"ok": False, "at": len(log) - 1, "rule": by}
        if contradicts is not None:
            expected["contradicts"] = contradicts
        answered = self.judged(*log, seats=seats, **options)
        assert answered == expected, answered

    def facts(self, *log: Entry, seats: int | None = None, **options: object) -> dict[str, object]:
        record = self._record(log, seats, options)
        decoded = decode_record(msgspec.json.encode(record))
        assert not isinstance(decoded, Malformed), decoded
        start = opening(self._ruleset, decoded.options, record["seats"])
        stopped = replay(start, decoded.log)
        assert isinstance(stopped, StoppedRecord)
        assert stopped.index == len(log) - 1
        return {name: fact for name, fact in stopped.refusal.facts.items() if name not in CITED}

    def malformed(self, *log: Entry, seats: int | None = None, **options: object) -> str:
        answered = self.judged(*log, seats=seats, **options)
        assert "malformed" in answered, answered
        return str(answered["malformed"]["path"])
