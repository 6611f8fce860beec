"""The portable record: one whole game, exchanged between installations as text or JSON.

It holds ruleset, rules version, options, seats, the raw log with derived entries, and beside them
players and date. `domain.notation` is its text form; this module reads and writes JSON. Reading
returns up to `FAULTS_MAX` faults, each with its path.
"""

import datetime as dt
from contextlib import suppress
from datetime import datetime
from functools import cache
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Raw, Struct, UnsetType
from msgspec.inspect import StructType, UnionType, type_info

from schemas.catalogue import SHAPES, Shapes, shapes
from schemas.days import day_without_time, timestamp_of_day
from schemas.entries import Entry, Instant, Started
from schemas.names import (
    NAME_EXPECTED,
    NAME_LENGTH_MAX,
    NAME_PATTERN,
    PLACE_LENGTH_MAX,
    read_name,
    read_place,
)
from schemas.strict_json import FAULTS, Malformed, find_repeated_name, read_fault

FAULTS_MAX = 100  # further faults are left out

Name = Annotated[
    str, Meta(min_length=1, max_length=NAME_LENGTH_MAX, extra_json_schema={"pattern": NAME_PATTERN})
]
Place = Annotated[
    str,
    Meta(min_length=1, max_length=PLACE_LENGTH_MAX, extra_json_schema={"pattern": NAME_PATTERN}),
]
NO_TITLE_EXPECTED = "no title: this ruleset is its own title"
TITLE_EXPECTED = NAME_EXPECTED
PLACE_EXPECTED = f"a line of {PLACE_LENGTH_MAX} signs at most"
Hash = Annotated[str, Meta(pattern="^sha256:[0-9a-f]{64}$")]

# The known times of a game: all, if it was recorded live; of an imported game its start, its day
# (in UTC) or none.
Times = Literal["recorded", "start", "day", "none"]

_encoder = msgspec.json.Encoder(order="deterministic")


class PortableRecord(Struct, frozen=True, kw_only=True):
    """One game. `log` begins at version 2 and includes derived entries as stored.

    `players` (seat 0 first; None: no name; () unknown), `date` (start of the game), `title` (the
    name of a game by points) and `place` are not hashed.
    """

    ruleset: str
    rules_version: int
    options: Struct
    seats: int
    log: tuple[Entry, ...]
    players: tuple[str | None, ...] = ()
    date: datetime | None = None
    title: str | None = None
    place: str | None = None


class Decoded(Struct, frozen=True, kw_only=True):
    """A record, or the faults that prevent it. `hash` is the hash that the document states."""

    record: PortableRecord | None
    faults: tuple[Malformed, ...] = ()
    hash: str | None = None


class _RecordEnvelope(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    ruleset: str
    rules_version: int | UnsetType = UNSET
    options: Raw | UnsetType = UNSET
    seats: int
    log: tuple[Raw, ...]
    players: tuple[Name | None, ...] = ()
    title: Name | None = None
    place: Place | None = None
    hash: Hash | None = None


class _Envelope(_RecordEnvelope, frozen=True, kw_only=True):
    date: Instant | None = None


class _DayEnvelope(_RecordEnvelope, frozen=True, kw_only=True):
    """A record of which only the day is known."""

    date: dt.date


class _EncodedRecord(Struct, frozen=True, kw_only=True, omit_defaults=True):
    ruleset: str
    rules_version: int
    options: Struct
    seats: int
    log: tuple[Entry, ...]
    players: tuple[str | None, ...] = ()
    date: datetime | dt.date | None = None
    title: str | None = None
    place: str | None = None
    hash: str


def encode_record(record: PortableRecord, digest: str) -> bytes:
    """Encode a record as JSON; `digest` is its hash (`domain.notation`)."""
    return _encoder.encode(
        _EncodedRecord(
            ruleset=record.ruleset,
            rules_version=record.rules_version,
            options=record.options,
            seats=record.seats,
            log=record.log,
            players=record.players,
            date=written_date(record),
            title=record.title,
            place=record.place,
            hash=digest,
        )
    )


def written_date(record: PortableRecord) -> datetime | dt.date | None:
    """Return a record's date as it is written: the day alone where no hour is known."""
    day = day_without_time(record.date) if record.date else None
    return day or record.date


def decode_portable(raw: bytes) -> Decoded:
    """Decode a record from JSON.

    Omitted options take their defaults, omitted rules today's version.

    >>> decode_portable(b'{"ruleset": "chess", "seats": 2, "log": []}').faults[0].path
    '$.ruleset'
    """
    try:
        envelope = _envelope(raw)
        repeated = find_repeated_name(raw)
    except FAULTS as fault:
        return Decoded(record=None, faults=(read_fault(fault, raw, _Envelope),))
    if repeated is not None:
        return Decoded(record=None, faults=(repeated,))
    if envelope.ruleset not in SHAPES:
        expected = f"one of {', '.join(SHAPES)}"
        return Decoded(record=None, faults=(Malformed(path="$.ruleset", expected=expected),))
    of = shapes(envelope.ruleset)
    options = _options(of, envelope)
    log, faults = _log(of, envelope.log)
    faults = [*_envelope_faults(of, envelope), *faults]
    if isinstance(options, Malformed):
        faults.insert(0, options)
    if faults or isinstance(options, Malformed):
        return Decoded(record=None, faults=tuple(faults), hash=envelope.hash)
    record = PortableRecord(
        ruleset=of.name,
        rules_version=_rules_version(of, envelope),
        options=options,
        seats=envelope.seats,
        log=log,
        players=envelope.players,
        date=timestamp_of_day(envelope.date)
        if isinstance(envelope, _DayEnvelope)
        else envelope.date,
        title=envelope.title and read_name(envelope.title),
        place=envelope.place and read_place(envelope.place),
    )
    return Decoded(record=record, hash=envelope.hash)


def _envelope(raw: bytes) -> _Envelope | _DayEnvelope:
    try:
        return msgspec.json.decode(raw, type=_Envelope)
    except msgspec.ValidationError:
        with suppress(msgspec.ValidationError):
            return msgspec.json.decode(raw, type=_DayEnvelope)
        raise


def _options(of: Shapes, envelope: _RecordEnvelope) -> Struct | Malformed:
    raw = b"{}" if envelope.options is UNSET else bytes(envelope.options)
    options = of.decode_options(raw, "$.options")
    if isinstance(options, Malformed):
        return options
    return of.complete_options(options, envelope.seats, _rules_version(of, envelope))


def _rules_version(of: Shapes, envelope: _RecordEnvelope) -> int:
    return of.rules_version if envelope.rules_version is UNSET else envelope.rules_version


def _envelope_faults(of: Shapes, envelope: _RecordEnvelope) -> list[Malformed]:
    faults: list[Malformed] = []
    if _rules_version(of, envelope) not in of.rules_versions:
        expected = f"one of {', '.join(map(str, of.rules_versions))}"
        faults.append(Malformed(path="$.rules_version", expected=expected))
    if envelope.players and len(envelope.players) != envelope.seats:
        faults.append(Malformed(path="$.players", expected=f"{envelope.seats} players"))
    if envelope.title is not None:
        if not of.titled:
            faults.append(Malformed(path="$.title", expected=NO_TITLE_EXPECTED))
        elif read_name(envelope.title) is None:
            faults.append(Malformed(path="$.title", expected=TITLE_EXPECTED))
    if envelope.place is not None and read_place(envelope.place) is None:
        faults.append(Malformed(path="$.place", expected=PLACE_EXPECTED))
    return faults


def _log(of: Shapes, raws: tuple[Raw, ...]) -> tuple[tuple[Entry, ...], list[Malformed]]:
    log: list[Entry] = []
    faults: list[Malformed] = []
    for index, raw in enumerate(raws):
        if len(faults) >= FAULTS_MAX:
            break
        root = f"$.log[{index}]"
        try:
            entry = of.decode_stored(bytes(raw))
        except FAULTS as fault:
            found = read_fault(fault, bytes(raw), of.stored)
            faults.append(Malformed(path=root + found.path[1:], expected=found.expected))
            continue
        if isinstance(entry, Started):
            faults.append(Malformed(path=f"{root}.type", expected="what came after `started`"))
            continue
        unknown = of.unknown_clause([entry], "$.log")
        if unknown is not None:
            path = unknown.path.replace("$.log[0]", root, 1)
            faults.append(Malformed(path=path, expected=unknown.expected))
        log.append(entry)
    return tuple(log), faults


_BESIDE: list[tuple[str, Any, Any]] = [
    (field.encode_name, field.type, field.default)
    for field in msgspec.structs.fields(_Envelope)
    if field.encode_name in {"players", "place", "hash"}
]
_DATE = Annotated[
    Instant | None,
    Meta(
        extra_json_schema={
            "anyOf": [
                {"type": "string", "format": "date-time"},
                {"type": "string", "format": "date"},
                {"type": "null"},
            ]
        }
    ),
]


@cache
def portable_shape(ruleset: str) -> type[Struct]:
    """Return the JSON shape of a game's record, for its schema.

    Raises:
        KeyError: no such ruleset.
    """
    of = shapes(ruleset)
    required = any(one.required for one in msgspec.structs.fields(of.options))
    fields: list[tuple[str, Any] | tuple[str, Any, Any]] = [
        ("rules_version", Literal[of.rules_versions], of.rules_version),
        ("options", of.options) if required else ("options", of.options | UnsetType, UNSET),
        ("seats", Annotated[int, Meta(ge=of.seats.start, le=of.seats.stop - 1)]),
        ("log", tuple.__class_getitem__((_after_started(of), ...))),
        *_BESIDE,
        ("date", _DATE, None),
    ]
    if of.titled:
        fields.append(("title", Name | None, None))
    return msgspec.defstruct(
        f"{ruleset}_record",
        fields,
        frozen=True,
        kw_only=True,
        forbid_unknown_fields=True,
        tag_field="ruleset",
        tag=ruleset,
    )


def _after_started(of: Shapes) -> Any:  # noqa: ANN401 a union type
    kind = type_info(of.stored)
    found: Any = None
    for one in kind.types if isinstance(kind, UnionType) else (kind,):
        if isinstance(one, StructType) and one.tag != "started":
            found = one.cls if found is None else found | one.cls
    return found


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of a record of any game."""
    definitions: dict[str, Any] = {}
    records: list[Any] = []
    for name in SHAPES:
        template = f"#/$defs/{name}.{{name}}"
        (record,), components = msgspec.json.schema_components(
            [portable_shape(name)], ref_template=template
        )
        definitions |= {f"{name}.{part}": shape for part, shape in components.items()}
        records.append(record)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Carnet record",
        "anyOf": records,
        "$defs": definitions,
    }
