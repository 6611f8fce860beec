"""JSON Schemas (2020-12) of every entry of every game as the log and the feed hold them."""

import re
from collections.abc import Mapping
from functools import cache
from inspect import cleandoc
from typing import Any, Literal, TypeAlias, cast

import msgspec
from msgspec import Struct
from msgspec.inspect import StructType, type_info

from schemas.catalogue import SHAPES, shapes
from schemas.entries import DERIVED, Entry, Started
from schemas.free_text import TEXT_FIELDS, text_field
from schemas.upcast import TEXT_INLINE, TEXT_SEPARATE

Schema: TypeAlias = dict[str, Any]
_Part: TypeAlias = Any
_JSON_SCHEMA = "https://json-schema.org/draft/2020-12/schema"
_DEFS = "#/$defs/"
_COMMON = "common.json"
# A list of scalars, which is printed on one line.
_LIST = re.compile(rb"\[[^\[\]{}]*\]")
_MOVES = frozenset({"amend", "splice"})
DIGEST: Mapping[str, Any] = {
    "type": "object",
    "description": "SHA-256 of a salt and of the text, in hexadecimal (`schemas/free_text.py`)",
    "properties": {"sha256": {"type": "string", "pattern": "^[0-9a-f]{64}$"}},
    "required": ["sha256"],
    "additionalProperties": False,
}
# In the moves of a `splice` one digest replaces all texts.
_ELSEWHERE = {"type": "object", "additionalProperties": False}
_EMPTY = {"type": "string", "maxLength": 0}


class EntryKind(Struct, frozen=True, kw_only=True):
    """An entry type of a game. `versions`: its stored shapes; `by`: the recorder or the service."""

    name: str
    shape: type[Entry]
    versions: tuple[int, ...]
    by: Literal["recorder", "service"]

    @property
    def description(self) -> str:
        """The description of the entry type."""
        return cleandoc(self.shape.__doc__ or "")


@cache
def entry_kinds(ruleset: str) -> tuple[EntryKind, ...]:
    """List the entry types of a game, its own first.

    >>> [kind.name for kind in entry_kinds("euchre")][:3]
    ['deal', 'pass', 'order']

    Raises:
        KeyError: no such ruleset.
    """
    union: Any = type_info(shapes(ruleset).stored)
    return tuple(_kind(one) for one in union.types)


@cache
def entry_schema(ruleset: str, type_: str, version: int = TEXT_INLINE) -> dict[str, Any]:
    """Return the JSON Schema of an entry type in a stored version. Do not change it.

    >>> entry_schema("euchre", "pass")["title"]
    'euchre pass 1'

    Raises:
        KeyError: no such ruleset, type or version of it.
    """
    name, defs = _defined(ruleset, type_, version)
    title = f"{ruleset} {type_} {version}"
    return {
        "$schema": _JSON_SCHEMA,
        **defs[name],
        "title": title,
        "$defs": _reachable(defs[name], defs),
    }


@cache
def game_schema(ruleset: str) -> dict[str, Any]:
    """Return the JSON Schema of any entry of a game as recorded (stored version 1).

    Raises:
        KeyError: no such ruleset.
    """
    defs = _definitions(ruleset)
    alternatives = [{"$ref": _DEFS + _name(one.shape.__name__)} for one in entry_kinds(ruleset)]
    title = f"{ruleset}: any entry as it was recorded"
    return {"$schema": _JSON_SCHEMA, "title": title, "anyOf": alternatives, "$defs": defs}


def published_files() -> dict[str, bytes]:
    """Return the published files by name: one per game, and `common.json` for shared types.

    A game's file lists its entry types with their stored versions, each a reference into
    `$defs`. A definition that all games share is in `common.json` alone.
    """
    games = {ruleset: _published(ruleset) for ruleset in SHAPES}
    first, *others = (defs for defs, _ in games.values())
    common = {
        name: shape
        for name, shape in first.items()
        if all(other.get(name) == shape for other in others)
        and not any(target not in first for target in _targets(shape))
    }
    while any(loose := {n for n, of in common.items() if not _targets(of) <= set(common)}):
        common = {name: shape for name, shape in common.items() if name not in loose}
    moved = {_DEFS + name: f"{_COMMON}{_DEFS}{name}" for name in common}
    files: dict[str, object] = {
        _COMMON: {"$schema": _JSON_SCHEMA, "title": "What all games share", "$defs": common}
    }
    for ruleset, (defs, entries) in games.items():
        own = {name: shape for name, shape in defs.items() if name not in common}
        files[f"{ruleset}.json"] = {
            "$schema": _JSON_SCHEMA,
            "title": f"{ruleset}: entries by type and stored version",
            "entries": _renamed(entries, moved),
            "$defs": _renamed(own, moved),
        }
    return {
        name: _LIST.sub(
            lambda found: b" ".join(found[0].split()),
            msgspec.json.format(msgspec.json.encode(content), indent=1) + b"\n",
        )
        for name, content in files.items()
    }


def _published(ruleset: str) -> tuple[Schema, Schema]:
    defs: Schema = {}
    entries: Schema = {}
    for kind in entry_kinds(ruleset):
        for version in kind.versions:
            name, known = _defined(ruleset, kind.name, version)
            defs |= {name: known[name], **_reachable(known[name], known)}
            entries.setdefault(kind.name, {})[str(version)] = {"$ref": _DEFS + name}
    return dict(sorted(defs.items())), entries


def _kind(one: StructType) -> EntryKind:
    shape: type[Any] = one.cls
    bare: type[Entry] = getattr(shape, "__origin__", shape)
    texted = text_field(bare) is not None or one.tag in _MOVES
    return EntryKind(
        name=str(one.tag),
        shape=bare,
        versions=(TEXT_INLINE, TEXT_SEPARATE) if texted else (TEXT_INLINE,),
        by="service" if bare in DERIVED or bare is Started else "recorder",
    )


@cache
def _definitions(ruleset: str) -> dict[str, Any]:
    _, found = msgspec.json.schema_components(
        [shapes(ruleset).stored], ref_template=_DEFS + "{name}"
    )
    names = {_DEFS + name: _DEFS + _name(name) for name in found}
    return {_name(name): _renamed(shape, names) for name, shape in found.items()}


def _name(name: str) -> str:
    return name.partition("_")[0]


def _renamed(part: _Part, names: Mapping[str, str]) -> _Part:
    if isinstance(part, str):
        return names.get(part, part)
    if isinstance(part, dict):
        held = cast("Schema", part)
        return {key: _described(key, _renamed(of, names)) for key, of in held.items()}
    if isinstance(part, list | tuple):
        return [_renamed(of, names) for of in cast("list[_Part]", part)]
    return part


def _described(key: str, value: _Part) -> _Part:
    return cleandoc(value) if key == "description" and isinstance(value, str) else value


def _defined(ruleset: str, type_: str, version: int) -> tuple[str, Schema]:
    kind = {one.name: one for one in entry_kinds(ruleset)}[type_]
    if version not in kind.versions:
        raise KeyError(version)
    defs = _definitions(ruleset)
    name = _name(kind.shape.__name__)
    if version == TEXT_INLINE:
        return name, defs
    suffix = "OfSplice2" if type_ == "splice" else "2"
    digest = {"anyOf": [DIGEST, _ELSEWHERE, _EMPTY]} if type_ == "splice" else DIGEST
    apart: Schema = {}
    for texted, field in TEXT_FIELDS.items():
        whole = defs[texted.__name__]
        properties = {**whole["properties"], field: digest}
        apart[texted.__name__ + suffix] = {**whole, "properties": properties}
    if text_field(kind.shape) is None:
        names = {_DEFS + one.__name__: _DEFS + one.__name__ + suffix for one in TEXT_FIELDS}
        moves = _renamed(defs[name], names)
        apart[name + "2"] = (
            _with_some_free_text(moves) if type_ == "splice" else _only_with_free_text(moves)
        )
    return name + "2", {**defs, **apart}


def _only_with_free_text(amend: dict[str, Any]) -> dict[str, Any]:
    texted = {_DEFS + kind.__name__ + "2" for kind in TEXT_FIELDS}
    move = {"anyOf": [one for one in amend["properties"]["move"]["anyOf"] if one["$ref"] in texted]}
    return {**amend, "properties": {**amend["properties"], "move": move}}


def _with_some_free_text(splice: dict[str, Any]) -> dict[str, Any]:
    fields = sorted(set(TEXT_FIELDS.values()))
    digest = [{"properties": {one: DIGEST}, "required": [one]} for one in fields]
    moves = {**splice["properties"]["moves"], "contains": {"anyOf": digest}}
    return {**splice, "properties": {**splice["properties"], "moves": moves}}


def _reachable(shape: Schema, defs: Mapping[str, Any]) -> Schema:
    found: dict[str, Any] = {}
    waiting: list[Schema] = [shape]
    while waiting:
        for name in _targets(waiting.pop()):
            if name not in found:
                found[name] = defs[name]
                waiting.append(defs[name])
    return dict(sorted(found.items()))


def _targets(part: _Part) -> set[str]:
    if isinstance(part, dict):
        held = cast("Schema", part)
        own = {str(held["$ref"]).removeprefix(_DEFS)} if "$ref" in held else set[str]()
        return own.union(*map(_targets, held.values()))
    return set[str]().union(*map(_targets, part)) if isinstance(part, list) else set()
