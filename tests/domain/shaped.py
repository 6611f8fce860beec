"""Hypothesis strategies read off the shapes: any entry, any options of any game, legal or not."""

from datetime import datetime
from functools import cache
from typing import Any

import msgspec
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

from schemas.catalogue import shapes
from schemas.entries import Entry
from schemas.record import PortableRecord

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
    """Tell whether fields fit together, as `__post_init__` judges them."""
    try:
        msgspec.convert(fields, shape)
    except msgspec.ValidationError:
        return False
    return True


def entries(ruleset: str, kind: StructType) -> st.SearchStrategy[Entry]:
    """Make entries of one type; the clauses they waive exist."""
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
    options = of.settled(msgspec.convert(fields, of.options), seats)
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
    settled = of.settled(msgspec.convert(fields, of.options), seats)
    return isinstance(settled, of.options)
