"""Schemas of entries and records as OpenAPI components."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias, TypeGuard, cast

import msgspec
from msgspec import Struct

from schemas.catalogue import SHAPES
from schemas.catalogue import shapes as shapes_of
from schemas.record import portable_shape
from service.http.documentation.examples import (
    COMPONENT,
    SHOWN,
    Schema,
    entry_example,
    record_example,
    target,
)

_Part: TypeAlias = Any

ENTRY, RECORD = "Entry", "Record"


def ref(name: str) -> dict[str, str]:
    return {"$ref": COMPONENT + name}


def components_of(shapes: Sequence[type[Struct]]) -> tuple[list[Schema], dict[str, Schema]]:
    schemas, components = msgspec.json.schema_components(shapes, ref_template=COMPONENT + "{name}")
    return [_readable(one) for one in schemas], {
        name: _readable(shape) for name, shape in components.items()
    }


def game_components() -> dict[str, Schema]:
    """Return the components of each game, and the unions `Entry` and `Record`."""
    found: dict[str, Schema] = {}
    for game in SHAPES:
        of = shapes_of(game)
        (entry, record), components = msgspec.json.schema_components(
            [of.submitted, portable_shape(game)], ref_template=COMPONENT + "{name}"
        )
        names = {name: _name(game, name) for name in components}
        shapes = {names[name]: _renamed(shape, names) for name, shape in components.items()}
        examples: list[dict[str, Any]] = []
        for alternative in entry["anyOf"]:
            shape = shapes[names[target(alternative)]]
            examples.append(entry_example(shape, shapes, of.examples))
            shape["examples"] = examples[-1:]
        whole = shapes[names[target(record)]]
        results = [one for one in examples if one["type"] == "result"]
        whole["examples"] = [record_example(whole, shapes, of.rules_version, *results)]
        found |= {name: {**shape, "title": name} for name, shape in shapes.items()}
        found[entry_name(game)] = _renamed(entry, names)
    example: dict[str, Any] = found[_record_name(SHOWN)]["examples"][0]
    found[ENTRY] = _any_of(map(entry_name, SHAPES), example["log"])
    found[RECORD] = _any_of(map(_record_name, SHAPES), [example])
    return found


def entry_name(game: str) -> str:
    """Return the component name of a game's union of entries."""
    return f"{game.capitalize()}{ENTRY}"


def _record_name(game: str) -> str:
    return _name(game, f"{game}_record")


def _any_of(names: Iterable[str], examples: list[Any]) -> Schema:
    return {"anyOf": [ref(name) for name in names], "examples": examples}


def _name(game: str, name: str) -> str:
    bare = name.removeprefix(f"{game}_").partition("_")[0]
    return game.capitalize() + bare[0].upper() + bare[1:]


def _renamed(schema: _Part, names: Mapping[str, str]) -> _Part:
    schema = _readable(schema)
    if isinstance(schema, str) and schema.startswith(COMPONENT):
        return COMPONENT + names[schema.removeprefix(COMPONENT)]
    if isinstance(schema, dict):
        parts = cast("Schema", schema)
        return {key: _renamed(part, names) for key, part in parts.items()}
    if _is_array(schema):
        return [_renamed(part, names) for part in schema]
    return schema


def _readable(schema: _Part) -> _Part:
    """Simplify array schemas for code generators.

    Drops `items: false` (`maxItems` implies it), and adds `items: {}` if they are missing.
    """
    if isinstance(schema, dict):
        parts = cast("Schema", schema)
        closed = parts.get("items") is False and "maxItems" in parts
        kept: Schema = {
            key: _readable(part) for key, part in parts.items() if not (closed and key == "items")
        }
        open_ended = parts.get("type") == "array" and not {"items", "prefixItems"} & {*parts}
        anything: Schema = {"items": {}} if open_ended else {}
        return kept | anything
    if _is_array(schema):
        return [_readable(part) for part in schema]
    return schema


def _is_array(part: object) -> TypeGuard[list[Any]]:
    return isinstance(part, list)
