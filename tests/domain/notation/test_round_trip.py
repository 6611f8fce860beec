from collections.abc import Iterable
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.inspect import (
    BoolType,
    DateTimeType,
    IntType,
    LiteralType,
    Metadata,
    NoneType,
    StrType,
    StructType,
    TupleType,
    Type,
    UnionType,
    VarTupleType,
    type_info,
)

from domain.notation import canonical, read, write
from domain.notation.forms import entry_forms
from domain.replay import opening
from domain.table.history import History
from domain.table.refusal import Refusal
from domain.table.rules import Game
from schemas.catalogue import SHAPES, decode_record, ruleset_of, shapes
from schemas.entries import Entry
from schemas.record import PortableRecord, decode_portable, encode_record
from schemas.strict_json import Malformed

Values = st.SearchStrategy[Any]

_LIMIT = 10**20
_ZONES = ("Z", "+01:00", "-03:30")


def entry_types(ruleset: str) -> list[StructType]:
    """List the types of a game's entries, `started` apart."""
    kind = type_info(shapes(ruleset).stored)
    assert isinstance(kind, UnionType)
    return [one for one in kind.types if isinstance(one, StructType) and one.tag != "started"]


def values(kind: Type) -> Values:
    match kind:
        case Metadata(type=inner):
            return values(inner)
        case UnionType(types=kinds):
            return st.one_of([values(one) for one in kinds])
        case LiteralType(values=words):
            return st.sampled_from(words)
        case BoolType():
            return st.booleans()
        case NoneType():
            return st.none()
        case IntType(ge=least, le=most):
            return st.integers(-_LIMIT if least is None else least, most or _LIMIT)
        case StrType(max_length=length):
            return st.text(max_size=min(length or 20, 20)) | st.sampled_from(["none", "at", "a.b"])
        case DateTimeType():
            return st.builds(_moment, st.datetimes(), st.sampled_from(_ZONES))
        case VarTupleType(item_type=item):
            return st.lists(values(item), max_size=3)
        case TupleType(item_types=items):
            return st.tuples(*map(values, items))
        case StructType():
            return _struct(kind)
        case _:
            raise AssertionError(kind)


def _moment(moment: datetime, zone: str) -> str:
    return f"{moment.isoformat()}{zone}"


def _struct(kind: StructType) -> Values:
    required = {field.encode_name: values(field.type) for field in kind.fields if field.required}
    optional = {
        field.encode_name: values(field.type) for field in kind.fields if not field.required
    }
    if kind.tag_field is not None:
        required[kind.tag_field] = st.just(kind.tag)
    return st.fixed_dictionaries(required, optional=optional).filter(
        lambda fields: _stands(fields, kind.cls)
    )


def _stands(fields: dict[str, Any], shape: type[object]) -> bool:
    """Return whether fields pass `__post_init__` together."""
    try:
        msgspec.convert(fields, shape)
    except msgspec.ValidationError:
        return False
    return True


def entries(ruleset: str, kind: StructType) -> st.SearchStrategy[Entry]:
    clauses = st.lists(st.sampled_from(sorted(shapes(ruleset).clauses)), max_size=2)

    def known(fields: dict[str, Any], waived: list[str]) -> Entry:
        for inside in (fields, fields.get("move", {}), *fields.get("moves", ())):
            if "waive" in inside:
                inside["waive"] = waived
        entry: Entry = msgspec.convert(fields, shapes(ruleset).stored)
        return entry

    return st.builds(known, _struct(kind), clauses)


@cache  # made once for all examples: making them takes longer than drawing from them
def _any_entry(ruleset: str) -> st.SearchStrategy[Entry]:
    return st.one_of([entries(ruleset, kind) for kind in entry_types(ruleset)])


@cache
def _options(ruleset: str) -> Values:
    kind = type_info(shapes(ruleset).options)
    assert isinstance(kind, StructType)
    return _struct(kind)


@st.composite
def records(draw: st.DrawFn, ruleset: str) -> PortableRecord:
    of = shapes(ruleset)
    seats = draw(st.sampled_from(of.seats))
    fields = draw(
        _options(ruleset).filter(lambda one: _settles(ruleset, one, seats)), label="options"
    )
    names = st.text(min_size=1, max_size=5) | st.none()
    options = of.complete_options(msgspec.convert(fields, of.options), seats)
    assert isinstance(options, msgspec.Struct)
    return PortableRecord(
        ruleset=ruleset,
        rules_version=of.rules_version,
        options=options,
        seats=seats,
        log=tuple(draw(st.lists(_any_entry(ruleset), max_size=5))),
        players=tuple(draw(st.lists(names, min_size=seats, max_size=seats) | st.just([]))),
    )


def _settles(ruleset: str, fields: dict[str, Any], seats: int) -> bool:
    of = shapes(ruleset)
    settled = of.complete_options(msgspec.convert(fields, of.options), seats)
    return isinstance(settled, of.options)


GAMES = Path(__file__).parents[2] / "games"
FILES = sorted(GAMES.rglob("*.jsonl"))
ENTRIES = [
    pytest.param(ruleset, kind, id=f"{ruleset}-{kind.tag}")
    for ruleset in SHAPES
    for kind in entry_types(ruleset)
]


class _Seats(msgspec.Struct):
    seats: int


def minimal(ruleset: str, *log: Entry) -> PortableRecord:
    of = shapes(ruleset)
    raw = b'{"rules": "fr"}' if ruleset == "durak" else b"{}"
    decoded = of.decode_options(raw)
    assert not isinstance(decoded, Malformed)
    options = of.complete_options(decoded, of.seats[0])
    assert not isinstance(options, Malformed)
    return PortableRecord(
        ruleset=ruleset,
        rules_version=of.rules_version,
        options=options,
        seats=of.seats[0],
        log=log,
    )


@pytest.mark.parametrize(("ruleset", "kind"), ENTRIES)
def test_entry__of_every_type_comes_back_as_it_was_written(ruleset: str, kind: StructType) -> None:
    @settings(max_examples=settings().max_examples // 4)
    @given(entries(ruleset, kind))
    def comes_back(entry: Entry) -> None:
        record = minimal(ruleset, entry)
        assert read(write(record)).record == record

    comes_back()


@pytest.mark.parametrize("ruleset", SHAPES)
def test_record__has_one_text_and_one_hash_and_the_text_one_record(ruleset: str) -> None:
    @settings(max_examples=settings().max_examples // 3)
    @given(records(ruleset))
    def the_same(record: PortableRecord) -> None:
        text = write(record)
        again = read(text.encode()).record
        assert again is not None
        assert again == record
        assert write(again) == text
        assert canonical(again) == canonical(record)

    the_same()


@pytest.mark.parametrize("ruleset", SHAPES)
def test_json__says_what_the_text_says(ruleset: str) -> None:
    @settings(max_examples=settings().max_examples // 3)
    @given(records(ruleset))
    def the_same(record: PortableRecord) -> None:
        assert decode_portable(encode_record(record, "sha256:" + "0" * 64)).record == record

    the_same()


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(GAMES)))
def test_recorded_games__come_back_with_the_outcomes_the_rules_wrote(path: Path) -> None:
    for line in path.read_bytes().splitlines():
        decoded = decode_record(line)
        if isinstance(decoded, Malformed):
            continue
        seats = msgspec.json.decode(line, type=_Seats).seats
        log = raw_log(opening(ruleset_of(decoded), decoded.options, seats), decoded.log)
        record = PortableRecord(
            ruleset=ruleset_of(decoded),
            rules_version=1,
            options=decoded.options,
            seats=seats,
            log=log,
        )
        assert read(write(record)).record == record


def raw_log(start: Game, log: Iterable[Entry]) -> tuple[Entry, ...]:
    history = History(start)
    lines: list[Entry] = []
    for entry in log:
        judged = history.judge(entry)
        lines += [entry] if isinstance(judged, Refusal) else [line.entry for line in judged]
    return tuple(lines)


@given(st.text() | st.text('2. [](){};"\\/-?\n\r Carnetplyukd10AH'))
def test_any_text__is_read_without_an_accident(text: str) -> None:
    reading = read(text)
    assert (reading.record is None) == bool(reading.problems)


@given(st.binary())
def test_any_bytes__are_read_without_an_accident(data: bytes) -> None:
    reading = read(data)
    assert (reading.record is None) == bool(reading.problems)


@pytest.mark.parametrize("ruleset", SHAPES)
def test_words__no_value_without_a_name_can_be_taken_for_a_field(ruleset: str) -> None:
    for form in entry_forms(ruleset).values():
        codes = str(form.unnamed_field.kinds).casefold() if form.unnamed_field else ""
        assert not [name for name in form.names if f"'{name}'" in codes]
