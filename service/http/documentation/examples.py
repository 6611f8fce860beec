"""Example values for the schemas of the OpenAPI document."""

from collections.abc import Mapping
from typing import Any, TypeAlias

from msgspec.structs import fields

from schemas.catalogue import SHAPES, shapes

Schema: TypeAlias = dict[str, Any]

COMPONENT = "#/components/schemas/"
PLAYERS = ("Ann", "Bob")
MOMENT = "2024-05-09T20:37:00Z"
# The game of examples that need one; it starts without options.
SHOWN = next(
    name for name in SHAPES if not any(option.required for option in fields(shapes(name).options))
)
# Preferred values, so that examples read like a real game.
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
    "date-time": MOMENT,
}


def entry_example(
    schema: Schema, components: Mapping[str, Schema], of_game: Mapping[str, Any]
) -> dict[str, Any]:
    """Return an entry that fits its schema; `of_game`: the game's own example values."""
    type_ = schema["properties"]["type"]["enum"][0]
    example: dict[str, Any] = example_of(schema, components, {**_LIKELY, **of_game})
    return {**example, **of_game.get(type_, {})}


def record_example(
    schema: Schema, components: Mapping[str, Schema], rules_version: int, *log: dict[str, Any]
) -> dict[str, Any]:
    versions = {"rules_version": rules_version}
    example: dict[str, Any] = example_of(schema, components, versions)
    seated = {"seats": len(PLAYERS), "players": [*PLAYERS]}
    return example | seated | {"date": MOMENT, "log": [*log]}


def example_of(
    schema: Schema, components: Mapping[str, Schema], values: Mapping[str, Any], name: str = ""
) -> Any:  # noqa: ANN401 any JSON
    """Return a small value that fits a schema; `name`: of its field.

    `values`: preferred values by field name, used if the schema admits them.
    """
    likely = values.get(name)
    if "examples" in schema:
        return schema["examples"][0]
    if "$ref" in schema:
        return example_of(components[target(schema)], components, values, name)
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


def target(schema: Mapping[str, str]) -> str:
    return schema["$ref"].removeprefix(COMPONENT)
