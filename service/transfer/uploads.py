"""Judges an uploaded record and matches its players with people."""

import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Literal
from uuid import UUID, uuid5

from msgspec import Struct, structs

from domain import notation
from domain.notation.problem import Problem
from domain.portable import JudgedRecord, judge_record
from projections.games import sheet_of
from projections.score_sheet import ScoreSheet
from schemas.catalogue import encode
from schemas.days import day_without_time, in_zone
from schemas.entries import Entry
from schemas.names import NAME_LENGTH_MAX, normalized_name, read_name
from schemas.record import PortableRecord, decode_portable
from schemas.strict_json import Malformed
from service.play.append import ENTRIES_MAX, GAME_BYTES_MAX, scores_of, summary_of
from service.play.views import PlayerView
from service.store.club.name_book import NameBook
from service.store.records import DealScore, GameSummary, Player
from service.transfer.upload_problems import AnyProblem, Judgement

BYTES_MAX = 1024 * 1024
FIRST_YEAR = 1900
NAME_EXPECTED = f"the name of a player, {NAME_LENGTH_MAX} signs at most"
PAST_EXPECTED = f"a moment that is past, in {FIRST_YEAR} or later"
OTHER_NAME_EXPECTED = "a name that nobody else has"

_DATE_TAG = re.compile(r"^[^\S\n]*\[\s*date\b", re.IGNORECASE | re.MULTILINE)
_OBJECT = re.compile(rb'\s*\{\s*(?:\}|"[^"\r\n]*"\s*:)')

Format = Literal["text", "json"]


class Seated(Struct, frozen=True, kw_only=True):
    """The player of a seat; `id` None: a new person of this name (None: not named).

    `same_name`: the new person may share the name of another one.
    """

    id: UUID | None
    name: str | None
    same_name: bool = False


class SimilarNames(Struct, frozen=True, kw_only=True):
    """A new name at a seat, and the people whose names it resembles."""

    seat: int
    name: str
    players: tuple[PlayerView, ...]


class Outcome(Struct, frozen=True, kw_only=True):
    """A judged record: all entries after `started`, and the state of the game.

    `scores` None: no deal ended. `sheet` None: not requested.
    """

    entries: tuple[Entry, ...]
    deals: tuple[tuple[int, ...], ...]
    summary: GameSummary
    scores: list[DealScore] | None
    sheet: ScoreSheet | None


class Assessed(Struct, frozen=True, kw_only=True):
    """A judged record, which can be imported if it has no problem.

    `record` is without entries; None if unreadable. `outcome`: the game up to the first fault.
    `faults`: of the record; `unseated`: of its players; `chosen`: players were given separately.
    `hash`: of the game to be stored, outcomes included; None if there are faults.
    """

    record: PortableRecord | None
    outcome: Outcome | None
    faults: tuple[AnyProblem, ...]
    hash: str | None = None
    seated: tuple[Seated, ...] = ()
    unseated: tuple[Malformed, ...] = ()
    alike: tuple[SimilarNames, ...] = ()
    chosen: bool = False

    @property
    def problems(self) -> tuple[AnyProblem, ...]:
        return (*self.unseated, *self.faults)


def assess(
    data: bytes, now: datetime, form: Format | None = None, *, sheet: bool = False
) -> Assessed:
    """Parse and judge a record; `form` None: JSON if it begins with an object."""
    data = data.removeprefix(BOM_UTF8)
    if form == "json" or (form is None and _OBJECT.match(data)):
        return _from_json(data, now, sheet=sheet)
    return _from_text(data, now, sheet=sheet)


def _from_text(data: bytes, now: datetime, *, sheet: bool) -> Assessed:
    reading = notation.read(data)
    if reading.record is None:
        return _unreadable(reading.problems)
    wrong = _out_of_time(reading.record, now)
    if wrong is None:
        return assess_record(reading.record, reading.numbers, reading.lines, sheet=sheet)
    index, moment = wrong
    line = _line_of_date(data.decode()) if index is None else reading.lines[index]
    found = str(day_without_time(moment) or moment.isoformat())
    return _unreadable([Problem(line=line, column=1, found=found, expected=PAST_EXPECTED)])


def _line_of_date(text: str) -> int:
    tag = _DATE_TAG.search(text)
    return text.count("\n", 0, tag.start()) + 1 if tag else 1


def _from_json(data: bytes, now: datetime, *, sheet: bool) -> Assessed:
    document = decode_portable(data)
    if document.record is None:
        return _unreadable(document.faults)
    if document.hash is not None and document.hash != notation.digest(document.record):
        expected = f"{notation.digest(document.record)}, the hash of what stands here"
        return _unreadable([Malformed(path="$.hash", expected=expected)])
    wrong = _out_of_time(document.record, now)
    if wrong is not None:
        path = "$.date" if wrong[0] is None else f"$.log[{wrong[0]}].at"
        return _unreadable([Malformed(path=path, expected=PAST_EXPECTED)])
    return assess_record(document.record, sheet=sheet)


def _out_of_time(record: PortableRecord, now: datetime) -> tuple[int | None, datetime] | None:
    """Find the first time in the future or before `FIRST_YEAR`; index None: the record's date."""
    moments = [(None, record.date), *((index, entry.at) for index, entry in enumerate(record.log))]
    for index, moment in moments:
        if not isinstance(moment, datetime):
            continue
        # A day begins up to half a day before its noon in UTC.
        latest = now + timedelta(days=1) if day_without_time(moment) else now
        if moment.year < FIRST_YEAR or moment > latest:
            return index, moment
    return None


def _unreadable(problems: Sequence[AnyProblem]) -> Assessed:
    return Assessed(record=None, outcome=None, faults=tuple(problems))


def size_of(entries: Iterable[Entry]) -> int:
    """Return the bytes of entries with their texts."""
    return sum(len(encode(entry)) for entry in entries)


def assess_record(
    record: PortableRecord,
    numbers: Sequence[int | None] = (),
    lines: Sequence[int] = (),
    *,
    sheet: bool = False,
) -> Assessed:
    """Judge a parsed record. `numbers`, `lines`: of its entries, if it was parsed from text."""
    too_long = Malformed(path="$.log", expected=f"1 to {ENTRIES_MAX} entries")
    if len(record.log) >= ENTRIES_MAX:
        return _unreadable([too_long])
    judged = judge_record(record, numbers)
    if len(judged.lines) >= ENTRIES_MAX:
        return _unreadable([too_long])
    # The text of an entry is shorter than what is stored of it.
    if size_of([line.entry for line in judged.lines]) > GAME_BYTES_MAX:
        mebibytes = GAME_BYTES_MAX // 2**20
        return _unreadable([Malformed(path="$.log", expected=f"a game of {mebibytes} MiB at most")])
    faults = tuple(
        Judgement(
            ruleset=record.ruleset,
            fault=fault,
            line=_line(fault.index, lines),
            entry=record.log[fault.index] if fault.index < len(record.log) else None,
        )
        for fault in judged.faults
    )
    outcome = _outcome(judged, sheet=sheet)
    return Assessed(
        record=structs.replace(record, log=()),
        outcome=outcome,
        faults=faults,
        hash=None if faults else notation.digest(structs.replace(record, log=outcome.entries)),
    )


def _outcome(judged: JudgedRecord, *, sheet: bool) -> Outcome:
    history = judged.history
    return Outcome(
        entries=tuple(line.entry for line in judged.lines),
        deals=tuple(history.game.deals),
        summary=summary_of(history),
        scores=scores_of(history),
        sheet=sheet_of(history) if sheet else None,
    )


def _line(index: int, lines: Sequence[int]) -> int | None:
    if not lines:
        return None
    return lines[index] if index < len(lines) else lines[-1] + 1


class Traits(Struct, frozen=True, kw_only=True):
    """The search key of a game. `version`: its last; `began_at` None: unknown."""

    ruleset: str
    version: int
    totals: tuple[int, ...]
    began_at: datetime | None
    players: tuple[str | None, ...]
    hash: str
    title: str | None = None


def traits_of(assessed: Assessed) -> Traits | None:
    """Return a record's search key; None if it has faults or no entries."""
    record, outcome = assessed.record, assessed.outcome
    if record is None or outcome is None or assessed.hash is None:
        return None
    if not outcome.entries and record.date is None:
        return None
    return Traits(
        ruleset=record.ruleset,
        version=len(outcome.entries) + 1,
        totals=outcome.summary.totals,
        began_at=in_zone(record.date, UTC) if record.date else None,
        players=record.players,
        hash=assessed.hash,
        title=record.title,
    )


_IMPORTS = UUID("9f2a7f1e-2f0f-5a3b-8a55-7d7c3f6f2f0a")


def imported_game_id(command_id: UUID) -> UUID:
    return uuid5(_IMPORTS, command_id.hex)


def seat_players(assessed: Assessed, chosen: Sequence[Seated], names: NameBook) -> Assessed:
    """Seat the `chosen` players, one per seat, or people with the record's names."""
    record = assessed.record
    if record is None:
        return assessed
    seated, faults = (
        _seat_chosen(record.seats, chosen, names) if chosen else _seat_named(record, names)
    )
    alike = () if chosen else tuple(_similar_names(seated, names))
    return structs.replace(
        assessed, seated=tuple(seated), unseated=tuple(faults), alike=alike, chosen=bool(chosen)
    )


def _similar_names(seated: Sequence[Seated], names: NameBook) -> Iterator[SimilarNames]:
    for seat, player in enumerate(seated):
        like = names.like(player.name) if player.id is None and player.name else ()
        players = tuple(PlayerView(id=other.player_id, name=other.name) for other in like)
        if players:
            yield SimilarNames(seat=seat, name=player.name or "", players=players)


def _seat_chosen(
    seats: int, chosen: Sequence[Seated], names: NameBook
) -> tuple[list[Seated], list[Malformed]]:
    if len(chosen) != seats:
        return [], [Malformed(path="$.query.players", expected=f"{seats} players")]
    seated: list[Seated] = []
    faults: list[Malformed] = []
    for seat, player in enumerate(chosen):
        person = names.person(player.id) if player.id else None
        chosen_player = _seat_of(person) or player
        sits = _new(player) if player.id is None else chosen_player
        if player.id is not None and person is None:
            faults.append(_fault(seat, "the id of a player"))
        elif sits.id in {other.id for other in seated if other.id is not None}:
            faults.append(_fault(seat, "a player not seated yet"))
        elif sits.name is None:
            faults.append(_fault(seat, NAME_EXPECTED))
        elif _is_name_taken(sits, seated, names):
            faults.append(_fault(seat, OTHER_NAME_EXPECTED))
        seated.append(sits)
    return seated, faults


def _seat_named(record: PortableRecord, names: NameBook) -> tuple[list[Seated], list[Malformed]]:
    seated: list[Seated] = []
    faults: list[Malformed] = []
    for seat in range(record.seats):
        given = record.players[seat] if seat < len(record.players) else None
        sits = _new(Seated(id=None, name=given and names.meant(given)))
        if sits.name is None:
            faults.append(_fault(seat, NAME_EXPECTED))
        else:
            used_ids = {player.id for player in seated if player.id is not None}
            chosen = names.chosen(sits.name)
            sits = _seat_of(names.find(sits.name, used_ids)) or sits
            if chosen is not None and chosen.player_id in used_ids:
                faults.append(_fault(seat, "a player not seated yet"))
            elif _is_name_taken(sits, seated, names):
                faults.append(_fault(seat, OTHER_NAME_EXPECTED))
        seated.append(sits)
    return seated, faults


def _seat_of(person: Player | None) -> Seated | None:
    return None if person is None else Seated(id=person.player_id, name=person.name)


def _is_name_taken(sits: Seated, seated: Sequence[Seated], names: NameBook) -> bool:
    """Return a fault if a new person has the name of another one, unconfirmed."""
    if sits.id is not None or sits.name is None or sits.same_name:
        return False
    name = normalized_name(sits.name)
    return bool(names.find_all(name)) or name in {
        normalized_name(player.name or "") for player in seated
    }


def _new(player: Seated) -> Seated:
    return Seated(id=None, name=read_name(player.name or ""), same_name=player.same_name)


def _fault(seat: int, expected: str) -> Malformed:
    return Malformed(path=f"$.players[{seat}]", expected=expected)
