"""OpenAPI parameters of headers and query structs that handlers parse themselves."""

from collections.abc import Sequence

from msgspec import Struct

from service.http.documentation.components import components_of
from service.http.documentation.examples import Schema

_HEADERS: dict[str, Schema] = {
    "If-Match": {
        "description": 'The version you saw last, in quotation marks: `"7"`.',
        "schema": {"type": "string", "pattern": '^((W/)?"[1-9][0-9]{0,8}"|[1-9][0-9]{0,8})$'},
    },
    "Idempotency-Key": {
        "description": "A UUID of your own for this command; the same again stores nothing.",
        # Leave out the format: generated clients would make an object of the header.
        "schema": {"type": "string", "pattern": "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"},
    },
    "If-None-Match": {
        "description": "The version you have: if it is still the last, the answer is a 304.",
        "schema": {"type": "string"},
    },
    "Prefer": {
        "description": "RFC 7240. `return=minimal`, of an append: the answer leaves out what its"
        " sender knows. `wait=25`, of the feed: wait so many seconds for the next entry.",
        "schema": {"type": "string"},
    },
    "Last-Event-ID": {
        "description": "The id of the last event that arrived.",
        "schema": {"type": "integer", "minimum": 0},
    },
}


def parameters(headers: Sequence[str], query: type[Struct] | None) -> list[Schema]:
    found = [
        {
            "name": name.removeprefix("?"),
            "in": "header",
            "required": not name.startswith("?"),
            **_HEADERS[name.removeprefix("?")],
        }
        for name in headers
    ]
    if query is not None:
        (_,), components = components_of([query])
        found += [
            _query(name, shape) for name, shape in components[query.__name__]["properties"].items()
        ]
    return found


def _query(name: str, shape: Schema) -> Schema:
    said = {"description": shape.pop("description")} if "description" in shape else {}
    return {"name": name, "in": "query", "required": False, **said, "schema": shape}
