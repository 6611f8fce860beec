"""The shapes of entries and records as components of the OpenAPI document.

Promises: made from the structs that decode them, so as exact as those; every name is one that a
generated client can use as it stands (the game, then the entry), and every entry comes with an
example that fits its schema. Assumes shapes as msgspec describes them (JSON Schema 2020-12).
"""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias, TypeGuard, cast

import msgspec
from msgspec import Struct

from schemas.catalogue import SHAPES
from schemas.catalogue import shapes as shapes_of
from schemas.record import portable_shape

Schema: TypeAlias = dict[str, Any]
_Part: TypeAlias = Any

ENTRY = "Entry"
_PREFIX = "#/components/schemas/"
# What stands in an example where a schema admits it, so that it reads as at a table; a game says so
# of its own fields (`EXAMPLES` in `schemas/<game>.py`).
_LIKELY: Mapping[str, Any] = {
    "card": "9H",
    "cards": "9H",
    "to": 4,
    "version": 4,
    "reason": "misdeal",
    "text": "rain stopped play",
}
_BY_FORMAT: Mapping[str, Any] = {
    "uuid": "6f1c2b1e-5d0a-4c58-9f0e-3f6a1c2d4b5e",
    "date-time": "2024-05-09T20:37:00Z",
}


def ref(name: str) -> dict[str, str]:
    """Refer to a component."""
    return {"$ref": _PREFIX + name}


def components_of(shapes: Sequence[type[Struct]]) -> tuple[list[Schema], dict[str, Schema]]:
    """Describe structs: a schema of each, and the components that they refer to."""
    schemas, components = msgspec.json.schema_components(shapes, ref_template=_PREFIX + "{name}")
    return [_readable(one) for one in schemas], {
        name: _readable(shape) for name, shape in components.items()
    }


def game_components() -> dict[str, Schema]:
    """Describe the entries and records of every game, and any entry as `Entry`."""
    found: dict[str, Schema] = {}
    for game in SHAPES:
        (entry, _), components = msgspec.json.schema_components(
            [shapes_of(game).submitted, portable_shape(game)], ref_template=_PREFIX + "{name}"
        )
        names = {name: _name(game, name) for name in components}
        likely = {**_LIKELY, **shapes_of(game).examples}
        shapes = {names[name]: _renamed(shape, names) for name, shape in components.items()}
        for alternative in entry["anyOf"]:
            name = names[_target(alternative)]
            shapes[name]["examples"] = [example_of(shapes[name], shapes, likely)]
        found |= {name: {**shape, "title": name} for name, shape in shapes.items()}
        found[entry_name(game)] = _renamed(entry, names)
    found[ENTRY] = {"anyOf": [ref(entry_name(game)) for game in SHAPES]}
    return found


def entry_name(game: str) -> str:
    """Name the component of any entry of a game."""
    return f"{game.capitalize()}{ENTRY}"


def record_names() -> list[str]:
    """Name the component of the record of each game."""
    return [_name(game, f"{game}_record") for game in SHAPES]


def example_of(
    schema: Schema, components: Mapping[str, Schema], values: Mapping[str, Any], name: str = ""
) -> Any:  # noqa: ANN401 any JSON
    """Make a small value that fits a schema; `name`: of the field that it is for.

    `values`: what stands in a field of that name where the schema admits it.
    """
    likely = values.get(name)
    if "$ref" in schema:
        return example_of(components[_target(schema)], components, values, name)
    if "const" in schema or "enum" in schema:
        admitted: list[Any] = [schema["const"]] if "const" in schema else schema["enum"]
        return likely if likely in admitted else admitted[0]
    if "anyOf" in schema:
        return example_of(schema["anyOf"][0], components, values, name)
    match schema.get("type"):
        case "object":
            properties = schema.get("properties", {})
            required = [field for field in properties if field in schema.get("required", ())]
            return {
                field: example_of(properties[field], components, values, field)
                for field in required
            }
        case "array":
            items = schema.get("prefixItems", [schema.get("items", {})] * schema.get("minItems", 1))
            return [example_of(item, components, values, name) for item in items]
        case "string":
            return _BY_FORMAT.get(schema.get("format", "")) or likely or "remark"
        case "integer" | "number":
            return likely or max(1, schema.get("minimum", 1))
        case "boolean":
            return True
        case _:
            return None


def _name(game: str, name: str) -> str:
    """Name a component for its game: what msgspec adds of type parameters is left out."""
    bare = name.removeprefix(f"{game}_").partition("_")[0]
    return game.capitalize() + bare[0].upper() + bare[1:]


def _target(schema: Mapping[str, str]) -> str:
    return schema["$ref"].removeprefix(_PREFIX)


def _renamed(schema: _Part, names: Mapping[str, str]) -> _Part:
    """Return a part of a schema that refers to components by their new names."""
    schema = _readable(schema)
    if isinstance(schema, str) and schema.startswith(_PREFIX):
        return _PREFIX + names[schema.removeprefix(_PREFIX)]
    if isinstance(schema, dict):
        parts = cast("Schema", schema)
        return {key: _renamed(part, names) for key, part in parts.items()}
    if _is_array(schema):
        return [_renamed(part, names) for part in schema]
    return schema


def _readable(schema: _Part) -> _Part:
    """Say arrays as many tools read them alone.

    `items: false` is left out, for `maxItems` says the same, and anything is said to be in an array
    of which nothing is said.
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
