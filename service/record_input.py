"""A record that somebody brings: read, judged, and its players found among the people.

Promises: pure; every problem there is, in the order of the document; nothing is guessed about who
somebody is but by the same name. Judging a long record takes seconds: run it in a thread.
"""

from collections.abc import Sequence
from typing import Literal
from uuid import UUID

import msgspec
from msgspec import Struct

from domain import notation
from domain.portable import Judged, judge_record
from schemas.malformed import Malformed
from schemas.record import PortableRecord, decode_portable
from service.record_problems import AnyProblem, Judgement
from service.store.records import Player

# One record is one command, and the store numbers a command's entries by an int2.
ENTRIES_MAX = 30_000

Format = Literal["text", "json"]


class Seated(Struct, frozen=True, kw_only=True):
    """Who would sit somewhere; `id` None: somebody new of this name."""

    id: UUID | None
    name: str | None


class Assessed(Struct, frozen=True, kw_only=True):
    """A record looked at. It can be taken in if there is no problem.

    `record` None: it could not be read. `judged` is the game as far as it stands.
    """

    record: PortableRecord | None
    judged: Judged | None
    seated: tuple[Seated, ...]
    problems: tuple[AnyProblem, ...]

    @property
    def hash(self) -> str | None:
        """The hash of the game that would be stored, outcomes included."""
        if self.record is None or self.judged is None or self.problems:
            return None
        log = tuple(line.entry for line in self.judged.lines)
        return notation.digest(msgspec.structs.replace(self.record, log=log))


def assess(data: bytes, form: Format | None = None) -> Assessed:
    """Read and judge a record; `form` None: JSON if it can be nothing else."""
    return _from_json(data) if form == "json" or (form is None and _is_json(data)) else _text(data)


def _is_json(data: bytes) -> bool:
    """Tell JSON from text, whose comments may stand in braces too."""
    if not data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return False
    try:
        msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
    return True


def _text(data: bytes) -> Assessed:
    reading = notation.read(data)
    if reading.record is None:
        return _unreadable(reading.problems)
    return _judged(reading.record, reading.numbers, reading.lines)


def _from_json(data: bytes) -> Assessed:
    document = decode_portable(data)
    if document.record is None:
        return _unreadable(document.faults)
    if document.hash is not None and document.hash != notation.digest(document.record):
        expected = f"{notation.digest(document.record)}, the hash of what stands here"
        return _unreadable([Malformed(path="$.hash", expected=expected)])
    return _judged(document.record)


def _unreadable(problems: Sequence[AnyProblem]) -> Assessed:
    return Assessed(record=None, judged=None, seated=(), problems=tuple(problems))


def _judged(
    record: PortableRecord, numbers: Sequence[int | None] = (), lines: Sequence[int] = ()
) -> Assessed:
    if len(record.log) > ENTRIES_MAX:
        return _unreadable([Malformed(path="$.log", expected=f"1 to {ENTRIES_MAX} entries")])
    judged = judge_record(record, numbers)
    problems = tuple(
        Judgement(ruleset=record.ruleset, fault=fault, line=_line(fault.index, lines))
        for fault in judged.faults
    )
    return Assessed(record=record, judged=judged, seated=(), problems=problems)


def _line(index: int, lines: Sequence[int]) -> int | None:
    """Find the line of an entry; what is missing at the end belongs after the last one."""
    if not lines:
        return None
    return lines[index] if index < len(lines) else lines[-1] + 1


def with_players(assessed: Assessed, given: Sequence[UUID], people: Sequence[Player]) -> Assessed:
    """Find who plays: the `given` ids, one a seat, or else the names the record holds."""
    record = assessed.record
    if record is None:
        return assessed
    seated, faults = _given(record.seats, given, people) if given else _named(record, people)
    return msgspec.structs.replace(
        assessed, seated=tuple(seated), problems=(*faults, *assessed.problems)
    )


def _given(
    seats: int, given: Sequence[UUID], people: Sequence[Player]
) -> tuple[list[Seated], list[Malformed]]:
    if len(given) != seats:
        return [], [Malformed(path="$.query.players", expected=f"{seats} players")]
    names = {player.player_id: player.name for player in people if player.name is not None}
    faults: list[Malformed] = []
    for seat, one in enumerate(given):
        if one not in names:
            faults.append(_fault(seat, "the id of a player"))
        elif one in given[:seat]:
            faults.append(_fault(seat, "a player not seated yet"))
    return [Seated(id=one, name=names.get(one)) for one in given], faults


def _named(
    record: PortableRecord, people: Sequence[Player]
) -> tuple[list[Seated], list[Malformed]]:
    """Take, for each name, whoever of that name was added first and sits nowhere yet."""
    seated: list[Seated] = []
    faults: list[Malformed] = []
    for seat in range(record.seats):
        name = (record.players[seat] if seat < len(record.players) else None) or ""
        if not name.strip() or not name.isprintable():
            faults.append(_fault(seat, "the name of a player"))
            continue
        taken = {one.id for one in seated}
        found = (
            one.player_id
            for one in people
            if one.name == name.strip() and one.player_id not in taken
        )
        seated.append(Seated(id=next(found, None), name=name.strip()))
    return seated, faults


def _fault(seat: int, expected: str) -> Malformed:
    return Malformed(path=f"$.players[{seat}]", expected=expected)
