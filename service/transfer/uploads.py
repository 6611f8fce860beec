"""A record that somebody brings: read, judged, and its players found among the people."""

import re
from codecs import BOM_UTF8
from collections.abc import Sequence
from datetime import MAXYEAR, MINYEAR, datetime
from typing import Literal
from uuid import UUID

import msgspec
from msgspec import Struct

from domain import notation
from domain.portable import JudgedRecord, judge_record
from schemas.malformed import Malformed
from schemas.names import read_name
from schemas.record import PortableRecord, decode_portable
from service.play.append import ENTRIES_MAX
from service.store.records import Player
from service.transfer.upload_problems import AnyProblem, Judgement

BYTES_MAX = 1024 * 1024
NAME_EXPECTED = "the name of a player"

_OBJECT = re.compile(rb'\s*\{\s*(?:\}|"[^"\r\n]*"\s*:)')

Format = Literal["text", "json"]


class Seated(Struct, frozen=True, kw_only=True):
    """Who would sit somewhere; `id` None: somebody new of this name (None: nobody is named)."""

    id: UUID | None
    name: str | None


class Assessed(Struct, frozen=True, kw_only=True):
    """A record looked at. It can be taken in if there is no problem.

    `record` None: it could not be read. `judged` is the game as far as it stands. `faults` are the
    record's own, `unseated` those of who would play; `chosen`: who plays was said apart from it.
    `hash` is that of the game that would be stored, outcomes included; None while there are faults.
    """

    record: PortableRecord | None
    judged: JudgedRecord | None
    faults: tuple[AnyProblem, ...]
    hash: str | None = None
    seated: tuple[Seated, ...] = ()
    unseated: tuple[Malformed, ...] = ()
    chosen: bool = False

    @property
    def problems(self) -> tuple[AnyProblem, ...]:
        """Every problem there is."""
        return (*self.unseated, *self.faults)


def began_at(record: PortableRecord) -> datetime | None:
    """Say when the game began; None: the record does not tell, or not every calendar has it."""
    date = record.date
    return date if date is not None and MINYEAR < date.year < MAXYEAR else None


def assess(data: bytes, form: Format | None = None) -> Assessed:
    """Read and judge a record; `form` None: JSON if it begins like an object."""
    data = data.removeprefix(BOM_UTF8)
    return _from_json(data) if form == "json" or (form is None and _is_json(data)) else _text(data)


def _is_json(data: bytes) -> bool:
    return _OBJECT.match(data) is not None


def _text(data: bytes) -> Assessed:
    reading = notation.read(data)
    if reading.record is None:
        return _unreadable(reading.problems)
    return judged(reading.record, reading.numbers, reading.lines)


def _from_json(data: bytes) -> Assessed:
    document = decode_portable(data)
    if document.record is None:
        return _unreadable(document.faults)
    if document.hash is not None and document.hash != notation.digest(document.record):
        expected = f"{notation.digest(document.record)}, the hash of what stands here"
        return _unreadable([Malformed(path="$.hash", expected=expected)])
    return judged(document.record)


def _unreadable(problems: Sequence[AnyProblem]) -> Assessed:
    return Assessed(record=None, judged=None, faults=tuple(problems))


def judged(
    record: PortableRecord, numbers: Sequence[int | None] = (), lines: Sequence[int] = ()
) -> Assessed:
    """Judge a record that was read; `numbers` and `lines` are those of its text."""
    too_long = Malformed(path="$.log", expected=f"1 to {ENTRIES_MAX} entries")
    if len(record.log) >= ENTRIES_MAX:
        return _unreadable([too_long])
    found = judge_record(record, numbers)
    if len(found.lines) >= ENTRIES_MAX:
        return _unreadable([too_long])
    faults = tuple(
        Judgement(ruleset=record.ruleset, fault=fault, line=_line(fault.index, lines))
        for fault in found.faults
    )
    digest = None if faults else _digest(record, found)
    return Assessed(record=record, judged=found, faults=faults, hash=digest)


def _digest(record: PortableRecord, judged: JudgedRecord) -> str:
    log = tuple(line.entry for line in judged.lines)
    return notation.digest(msgspec.structs.replace(record, log=log))


def _line(index: int, lines: Sequence[int]) -> int | None:
    if not lines:
        return None
    return lines[index] if index < len(lines) else lines[-1] + 1


def with_players(
    assessed: Assessed, chosen: Sequence[Seated], people: Sequence[Player]
) -> Assessed:
    """Seat who plays: who was `chosen`, one a seat, or else whoever has the record's names."""
    record = assessed.record
    if record is None:
        return assessed
    seated, faults = _chosen(record.seats, chosen, people) if chosen else _named(record, people)
    return msgspec.structs.replace(
        assessed, seated=tuple(seated), unseated=tuple(faults), chosen=bool(chosen)
    )


def _chosen(
    seats: int, chosen: Sequence[Seated], people: Sequence[Player]
) -> tuple[list[Seated], list[Malformed]]:
    if len(chosen) != seats:
        return [], [Malformed(path="$.query.players", expected=f"{seats} players")]
    names = {player.player_id: player.name for player in people if player.name is not None}
    seated: list[Seated] = []
    faults: list[Malformed] = []
    for seat, one in enumerate(chosen):
        sits = Seated(id=one.id, name=names.get(one.id)) if one.id else _new(one.name)
        if one.id is not None and one.id not in names:
            faults.append(_fault(seat, "the id of a player"))
        elif one.id in {other.id for other in seated if other.id is not None}:
            faults.append(_fault(seat, "a player not seated yet"))
        elif sits.name is None:
            faults.append(_fault(seat, NAME_EXPECTED))
        seated.append(sits)
    return seated, faults


def _named(
    record: PortableRecord, people: Sequence[Player]
) -> tuple[list[Seated], list[Malformed]]:
    seated: list[Seated] = []
    faults: list[Malformed] = []
    for seat in range(record.seats):
        sits = _new(record.players[seat] if seat < len(record.players) else None)
        if sits.name is None:
            faults.append(_fault(seat, NAME_EXPECTED))
        seated.append(known_as(sits.name, people, seated) or sits)
    return seated, faults


def known_as(
    name: str | None, people: Sequence[Player], seated: Sequence[Seated] = ()
) -> Seated | None:
    """Find who was added first of all who have a name and are not seated yet.

    Whoever writes the name just so goes before those who write it in other letters.
    """
    if name is None:
        return None
    taken = {one.id for one in seated}
    free = [one for one in people if one.name is not None and one.player_id not in taken]
    for alike in (str, str.casefold):
        for one in free:
            if alike(one.name or "") == alike(name):
                return Seated(id=one.player_id, name=one.name)
    return None


def _new(name: str | None) -> Seated:
    return Seated(id=None, name=read_name(name or ""))


def _fault(seat: int, expected: str) -> Malformed:
    return Malformed(path=f"$.players[{seat}]", expected=expected)
