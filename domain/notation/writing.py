"""Write a record as text, and compute the hash of its meaning."""

import re
from collections.abc import Sequence
from hashlib import sha256
from typing import Any, cast

import msgspec
from msgspec.inspect import (
    DateTimeType,
    LiteralType,
    StructType,
    TupleType,
    Type,
    VarTupleType,
)

from domain.notation import forms
from domain.notation.forms import FieldForm, StructForm
from schemas.catalogue import type_of
from schemas.entries import Entry
from schemas.record import PortableRecord, written_date

NOTATION_VERSION = 1
HASH_PREFIX = "sha256:"
_ESCAPED = re.compile('["\\\\\x00-\x1f\x7f-\x9f\u2028\u2029]')
_SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def write(record: PortableRecord) -> str:
    """Write a record with the tags that are not hashed: `Players` to `Hash`."""
    tags: list[str] = []
    if record.players:
        names = " ".join(forms.NOBODY if name is None else quote(name) for name in record.players)
        tags.append(f"[Players {names}]")
    if record.date is not None:
        tags.append(f"[Date {msgspec.to_builtins(written_date(record))}]")
    if record.title is not None:
        tags.append(f"[Title {quote(record.title)}]")
    if record.place is not None:
        tags.append(f"[Place {quote(record.place)}]")
    tags.append(f"[Hash {digest(record)}]")
    return _text(record, tags)


def canonical(record: PortableRecord) -> bytes:
    """Return the bytes that the hash covers."""
    return _text(record, []).encode()


def digest(record: PortableRecord) -> str:
    """Return the record's hash: `sha256:` and 64 hexadecimal digits."""
    return HASH_PREFIX + sha256(canonical(record)).hexdigest()


def _text(record: PortableRecord, more_tags: Sequence[str]) -> str:
    options = _fields(forms.options_form(record.ruleset), msgspec.to_builtins(record.options))
    lines = [
        f"[Carnet {NOTATION_VERSION}]",
        f"[Ruleset {record.ruleset}]",
        f"[Rules {record.rules_version}]",
        " ".join(("[Options", *options)) + "]",
        f"[Seats {record.seats}]",
        *more_tags,
        "",
    ]
    words = forms.entry_forms(record.ruleset)
    lines += [
        f"{version}. {entry_text(words[type_of(entry)], entry)}"
        for version, entry in enumerate(record.log, 2)
    ]
    return "\n".join(lines) + "\n"


def entry_text(form: StructForm, entry: Entry) -> str:
    """Write an entry: seat, word, fields."""
    return " ".join(_entry(form, msgspec.to_builtins(entry)))


def _entry(form: StructForm, fields: dict[str, Any]) -> list[str]:
    seat = fields.get(forms.SEAT, ...) if form.seated else ...
    parts = [] if seat is ... else [forms.NOBODY if seat is None else str(seat)]
    return [*parts, str(form.tag), *_fields(form, fields)]


def _fields(form: StructForm, fields: dict[str, Any]) -> list[str]:
    """Return the words of all given fields; the unnamed one has no name before its value."""
    parts: list[str] = []
    for field in form.fields:
        if field.name not in fields or (form.seated and field.name == forms.SEAT):
            continue
        value = fields[field.name]
        if form.tag is not None and field.name == forms.UNSURE and value is True:
            parts.append(forms.UNSURE)
            continue
        if field is not form.unnamed_field:
            parts.append(field.name)
        parts += _outer(field, value)
    return parts


def _outer(field: FieldForm, value: Any) -> list[str]:  # noqa: ANN401 any JSON value
    kind = sequence_kind(field.kinds) if isinstance(value, list | tuple) else None
    if not isinstance(kind, VarTupleType):
        return [_inner(field.kinds, value)]
    return _items(kind, value) or [forms.NO_ITEMS]


def _inner(kinds: tuple[Type, ...], value: Any) -> str:  # noqa: ANN401 any JSON value
    match value:
        case None:
            return forms.NOBODY
        case bool():
            return forms.YES if value else forms.NO
        case int():
            return str(value)
        case str():
            return _string(kinds, value)
        case dict():
            fields = cast("dict[str, Any]", value)
            return f"({' '.join(_struct(kinds, fields))})"
        case _:
            kind = sequence_kind(kinds)
            if isinstance(kind, TupleType):
                pairs = zip(kind.item_types, value, strict=True)
                return forms.JOINED.join(_inner(forms.kinds_of(pair), item) for pair, item in pairs)
            assert kind is not None  # noqa: S101 the shapes have no other sequence
            return f"({' '.join(_items(kind, value))})"


def _items(kind: VarTupleType, values: Any) -> list[str]:  # noqa: ANN401 any JSON array
    kinds = forms.kinds_of(kind.item_type)
    return [
        value if isinstance(value, str) and forms.CLAUSE.fullmatch(value) else _inner(kinds, value)
        for value in values
    ]


def _string(kinds: tuple[Type, ...], value: str) -> str:
    for kind in kinds:
        if isinstance(kind, DateTimeType):
            return value
        if isinstance(kind, LiteralType) and value in kind.values:
            return value
    return quote(value)


def _struct(kinds: tuple[Type, ...], value: dict[str, Any]) -> list[str]:
    if "type" in value:
        return _entry(forms.forms_by_word(kinds)[value["type"]], value)
    (kind,) = (kind for kind in kinds if isinstance(kind, StructType))
    return _fields(forms.struct_form(kind), value)


def sequence_kind(kinds: tuple[Type, ...]) -> VarTupleType | TupleType | None:
    """Return the one list or tuple type among alternatives, None if there is none."""
    for kind in kinds:
        if isinstance(kind, VarTupleType | TupleType):
            return kind
    return None


def quote(text: str) -> str:
    """Write a text in quotation marks, escaping line ends and quotation marks.

    >>> quote("tea")
    '"tea"'
    """
    return f'"{_ESCAPED.sub(_escape, text)}"'


def _escape(match: "re.Match[str]") -> str:
    sign = match[0]
    return _SHORT.get(sign) or f"\\u{{{ord(sign):x}}}"
