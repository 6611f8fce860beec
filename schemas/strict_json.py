"""JSON whose objects name each member once (RFC 8259 §4), and where input is malformed."""

import json
import re
import typing
from contextlib import suppress
from typing import Any, TypeVar, cast

import msgspec
from msgspec import UNSET, Struct, inspect

_WITH_PATH = re.compile(r"^(?P<what>.*?) - at (?:`key` in )?`(?P<path>\$.*)`$", re.DOTALL)
_FIELD = re.compile(r"^Object (?:contains unknown|missing required) field `(?P<field>.*)`$")
_EXPECTED = re.compile(r"^Expected (?P<expected>.*?)(?:, got (?P<got>.*))?$")
_STEP = re.compile(r"\.([A-Za-z_]\w*)|\[(\d+|\.\.\.)\]")
_SHOWN_MAX = 12

T = TypeVar("T")

CARD = "a card: a rank (A K Q J T 9 8 7 6 5 4 3 2) then a suit (S H D C)"
OR_JOKER = ", or XX for a joker"
RANK_ALONE = "a rank alone (7?)"


class Malformed(Struct, frozen=True, kw_only=True):
    """The JSON path at which decoding failed, and what was expected there.

    `id` is the record's own id, if it could be read.
    """

    path: str
    expected: str
    id: object = UNSET


FAULTS = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)


def decode_strictly(raw: bytes | str, shape: type[T]) -> T:
    """Decode JSON whose objects name each member once.

    Raises: msgspec.DecodeError (also where msgspec itself raises RecursionError)
    """
    try:
        value = msgspec.json.decode(raw, type=shape)
        repeated = find_repeated_name(raw)
    except (RecursionError, UnicodeDecodeError) as fault:
        raise msgspec.DecodeError(str(fault)) from None
    if repeated is not None:
        raise msgspec.ValidationError(f"Expected {repeated.expected} - at `{repeated.path}`")
    return value


def read_fault(fault: Exception, raw: bytes, shape: object) -> Malformed:
    """Convert msgspec's error about `raw`, decoded as `shape`, into a `Malformed`.

    >>> try:
    ...     msgspec.json.decode(b"[1]", type=list[str])
    ... except msgspec.ValidationError as error:
    ...     read_fault(error, b"[1]", list[str])
    Malformed(path='$[0]', expected='str', id=UNSET)
    """
    message = str(fault)
    if isinstance(fault, UnicodeDecodeError):
        return Malformed(path="$", expected="UTF-8 text")
    if isinstance(fault, RecursionError):
        return Malformed(path="$", expected="one JSON document, nested less deeply")
    if not isinstance(fault, msgspec.ValidationError):
        return Malformed(path="$", expected=f"one JSON document ({message})")
    placed = _WITH_PATH.match(message)
    what, path = (placed["what"], placed["path"]) if placed else (message, "$")
    if field := _FIELD.match(what):
        known = "no field of that name" if "unknown" in what else "this field"
        return Malformed(path=f"{path}.{field['field']}", expected=known)
    if what.startswith("Invalid "):
        return Malformed(path=path, expected=_choices_at(path, raw, shape) or what)
    if expected := _EXPECTED.match(what):
        return Malformed(path=path, expected=expected["expected"].replace("`", ""))
    return Malformed(path=path, expected=what)


def _choices_at(path: str, raw: bytes, shape: object) -> str | None:
    try:
        node: object = msgspec.json.decode(raw)
    except FAULTS:
        return None
    kinds: list[inspect.Type] = [inspect.type_info(shape)]
    for name, position in _STEP.findall(path):
        kinds = _step(_narrow(kinds, node), name)
        node = _child(node, name, position)
    shown = [text for kind in _narrow(kinds, None) if (text := _describe(kind))]
    said = " or ".join(shown).replace(f"{CARD} or one of XX", CARD + OR_JOKER)
    return said.replace(f"{CARD} or {RANK_ALONE}", f"{CARD}, or {RANK_ALONE}") or None


def _child(node: object, name: str, position: str) -> object:
    if isinstance(node, dict):
        return typing.cast("dict[str, object]", node).get(name)
    if isinstance(node, list) and position.isdigit():
        items = typing.cast("list[object]", node)
        return items[int(position)] if int(position) < len(items) else None
    return None


def _narrow(kinds: list[inspect.Type], node: object) -> list[inspect.Type]:
    flat = [bare for kind in kinds for bare in _flat(kind)]
    if not isinstance(node, dict):
        return flat
    fields = typing.cast("dict[str, object]", node)
    tagged: list[inspect.Type] = [
        kind
        for kind in flat
        if isinstance(kind, inspect.StructType)
        and kind.tag_field
        and fields.get(kind.tag_field) == kind.tag
    ]
    return tagged or flat


def _flat(kind: inspect.Type) -> typing.Iterator[inspect.Type]:
    if isinstance(kind, inspect.UnionType):
        for one in kind.types:
            yield from _flat(one)
    elif isinstance(kind, inspect.Metadata):
        yield from _flat(kind.type)
    else:
        yield kind


def _step(kinds: list[inspect.Type], name: str) -> list[inspect.Type]:
    found: list[inspect.Type] = []
    tags: list[str] = []
    for kind in kinds:
        if isinstance(kind, inspect.StructType) and name:
            found.extend(field.type for field in kind.fields if field.encode_name == name)
            if kind.tag_field == name:
                tags.append(str(kind.tag))
        elif isinstance(kind, inspect.VarTupleType | inspect.ListType) and not name:
            found.append(kind.item_type)
    return [*found, inspect.LiteralType(tuple(tags))] if tags else found


def _describe(kind: inspect.Type) -> str | None:
    match kind:
        case inspect.LiteralType(values=values) if "AS" in values:
            return CARD
        case inspect.LiteralType(values=values) if "A?" in values:
            return RANK_ALONE
        case inspect.LiteralType(values=values):
            shown = ", ".join(str(value) for value in values[:_SHOWN_MAX])
            return f"one of {shown}" if len(values) <= _SHOWN_MAX else f"one of {shown}, …"
        case inspect.DateTimeType():
            return "a moment with its time zone (RFC 3339), such as 2024-05-09T20:37:00Z"
        case inspect.UUIDType():
            return "a UUID"
        case inspect.NoneType():
            return "null"
        case _:
            return None


class _RepeatedError(Exception):
    pass


class _Members(list[tuple[str, Any]]):
    """The members of an object, in the order of the text."""


def find_repeated_name(raw: bytes | str) -> Malformed | None:
    """Find a name that stands twice in one object of a JSON document; None: there is none.

    msgspec takes the last of them and says nothing. `raw` was decoded before: it is JSON.

    >>> find_repeated_name(b'{"log": [{"card": "QC", "card": "QD"}]}')
    Malformed(path='$.log[0].card', expected='this name once', id=UNSET)

    Raises: RecursionError (nested too deeply)
    """
    text = raw.encode() if isinstance(raw, str) else raw.rstrip()
    with suppress(*FAULTS):
        # Most input is written compactly. No name was dropped if it is the same when written again.
        if msgspec.json.encode(msgspec.json.decode(text)) == text:
            return None
    try:
        _DECODER.decode(text.decode())
    except _RepeatedError:
        found = _find_repeated(json.loads(raw, object_pairs_hook=_Members, parse_int=str), "$")
        return Malformed(path=found or "$", expected="this name once")
    return None


def _collect_members(members: list[tuple[str, Any]]) -> None:
    if len({name for name, _ in members}) != len(members):
        raise _RepeatedError


_DECODER = json.JSONDecoder(object_pairs_hook=_collect_members, parse_int=str)


def _find_repeated(node: object, path: str) -> str | None:
    if isinstance(node, _Members):
        seen: set[str] = set()
        for name, value in node:
            below = f"{path}.{name}"
            if name in seen:
                return below
            seen.add(name)
            if found := _find_repeated(value, below):
                return found
    elif isinstance(node, list):
        for index, item in enumerate(cast("list[object]", node)):
            if found := _find_repeated(item, f"{path}[{index}]"):
                return found
    return None
