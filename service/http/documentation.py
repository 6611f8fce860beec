"""OpenAPI 3.1 at `/schema`, as exact as the decoders: it is made from the same structs.

The framework describes paths and answers; this adds what handlers read by hand (`Documented`):
bodies, query parameters, headers, and the entries of every ruleset.
"""

from collections.abc import Iterable, Iterator
from typing import Any, Literal

import msgspec
from litestar import Request
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.routes import HTTPRoute
from msgspec import Struct

from schemas.catalogue import SHAPES
from schemas.catalogue import shapes as shapes_of
from schemas.record import portable_shape

_REF = "#/components/schemas/{name}"
_ENTRY = "Entry"
_HEADERS: dict[str, dict[str, Any]] = {
    "If-Match": {
        "required": True,
        "description": 'The version you saw last, in quotation marks: `"7"`.',
        "schema": {"type": "string", "pattern": '^"[0-9]+"$'},
    },
    "Idempotency-Key": {
        "required": True,
        "description": "A UUID of your own for this command; the same again stores nothing.",
        "schema": {"type": "string", "format": "uuid"},
    },
    "Last-Event-ID": {
        "required": False,
        "description": "The version of the last event that arrived.",
        "schema": {"type": "integer", "minimum": 0},
    },
}
_PROBLEM: dict[str, Any] = {
    "type": "object",
    "description": "RFC 9457; `type` is stable, the sentences follow Accept-Language.",
    "required": ["type", "title", "status"],
    "properties": {
        "type": {
            "enum": [
                "illegal-entry",
                "malformed",
                "version-conflict",
                "key-reused",
                "precondition-required",
                "unauthorized",
                "forbidden",
                "not-found",
                "method-not-allowed",
                "too-large",
                "game-full",
                "too-many-requests",
                "unavailable",
                "internal",
            ]
        },
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "index": {"type": "integer", "description": "Of the refused entry in the batch, from 0."},
        "rule": {"type": "string", "description": "The clause it breaks."},
        "clause": {"type": "string", "description": "The clause's sentence."},
        "contradicts": {"type": "integer", "description": "The version it cannot stand with."},
        "path": {"type": "string", "description": "A JSON path to what cannot be read."},
        "expected": {"type": "string"},
        "version": {"type": "integer", "description": "The version the game is at."},
        "line": {"type": "integer", "description": "Of a record as text, from 1."},
        "column": {"type": "integer", "description": "In characters, from 1."},
        "problems": {
            "type": "array",
            "description": "Everything that is wrong with a record.",
            "items": {"type": "object"},
        },
    },
}


class Documented(Struct, frozen=True, kw_only=True):
    """What a handler reads and writes by hand.

    `entries`: its body holds them, as an `array` or just `one`. `formats`: of the answer, beside
    JSON. `record`: what is a portable record, as JSON or as text. `file`: the media type of an
    answer that is one.
    """

    answer: type[Struct] | None = None
    formats: tuple[str, ...] = ()
    body: type[Struct] | None = None
    query: type[Struct] | None = None
    headers: tuple[str, ...] = ()
    entries: Literal["array", "one"] | None = None
    record: Literal["body", "answer"] | None = None
    file: str | None = None


class SchemaPlugin(JsonRenderPlugin):
    """Serves the document at `/schema` itself."""

    def __init__(self) -> None:
        super().__init__(path="/", media_type="application/json")  # type: ignore[arg-type]
        self._rendered: bytes | None = None

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        """Write the document; made once."""
        if self._rendered is None:
            self._rendered = msgspec.json.encode(_completed(request.app.routes, openapi_schema))
        return self._rendered


def _completed(routes: Iterable[Any], document: dict[str, Any]) -> dict[str, Any]:
    """Add to the framework's document what handlers read by hand."""
    documented = list(_documented(routes))
    shapes = list(
        {shape: None for _, _, one in documented for shape in (one.body, one.answer) if shape}
    )
    schemas, components = msgspec.json.schema_components(shapes, ref_template=_REF)
    schema_of = dict(zip(shapes, schemas, strict=True))
    known = document.setdefault("components", {}).setdefault("schemas", {})
    known |= components | _entry_components() | {"Problem": _PROBLEM}
    for path, method, one in documented:
        _complete(document["paths"][path][method], one, schema_of, known)
    for operations in document["paths"].values():
        for method, operation in operations.items():
            if method in {"get", "post", "patch", "delete"}:
                operation["responses"].pop("400", None)
                operation["responses"]["default"] = {
                    "description": "What went wrong",
                    "content": {"application/problem+json": {"schema": _ref("Problem")}},
                }
    return document


def _complete(
    operation: dict[str, Any],
    one: Documented,
    schema_of: dict[type, dict[str, Any]],
    known: dict[str, Any],
) -> None:
    """Say of one operation what it is asked, what is sent with it and what it answers."""
    responses = operation["responses"]
    operation["parameters"] = [*operation.get("parameters", ()), *_parameters(one)]
    if one.body is not None:
        schema = _with_entries(schema_of[one.body], known, one)
        content = {"application/json": {"schema": schema}}
        operation["requestBody"] = {"required": True, "content": content}
    if one.answer is not None:
        (answer,) = (responses[code] for code in ("200", "201") if code in responses)
        answer["content"] = {"application/json": {"schema": schema_of[one.answer]}} | {
            media_type: {"schema": {"type": "string"}} for media_type in one.formats
        }
    if one.record == "body":
        operation["requestBody"] = {"required": True, "content": _record_content(known)}
    elif one.record == "answer":
        responses["200"]["content"] = _record_content(known)
    if one.file is not None:
        schema = {"type": "string", "format": "binary"}
        responses["200"]["content"] = {one.file: {"schema": schema}}


def _documented(routes: Iterable[Any]) -> Iterator[tuple[str, str, Documented]]:
    for route in routes:
        if not isinstance(route, HTTPRoute):
            continue
        for handler in route.route_handlers:
            one: Documented | None = handler.opt.get("documented")
            if one is not None:
                for method in sorted(handler.http_methods):
                    yield route.path_format, method.lower(), one


def _parameters(one: Documented) -> list[dict[str, Any]]:
    found = [{"name": name, "in": "header", **_HEADERS[name]} for name in one.headers]
    if one.query is not None:
        schema = msgspec.json.schema(one.query)["$defs"][one.query.__name__]
        found += [
            {"name": name, "in": "query", "required": False, "schema": shape}
            for name, shape in schema["properties"].items()
        ]
    return found


def _entry_components() -> dict[str, Any]:
    """Describe the entries of every ruleset, and any of them as `Entry`."""
    found: dict[str, Any] = {}
    for name in SHAPES:
        of = shapes_of(name)
        template = "#/components/schemas/" + name + ".{name}"
        (schema,), components = msgspec.json.schema_components(
            [of.submitted], ref_template=template
        )
        found |= {f"{name}.{part}": shape for part, shape in components.items()}
        found[f"{name}.{_ENTRY}"] = schema
    found[_ENTRY] = {"anyOf": [_ref(f"{name}.{_ENTRY}") for name in SHAPES]}
    return found


def _record_content(known: dict[str, Any]) -> dict[str, Any]:
    """Describe a record of any game."""
    records: list[dict[str, str]] = []
    for name in SHAPES:
        shape = portable_shape(name)
        template = "#/components/schemas/" + name + ".{name}"
        _, components = msgspec.json.schema_components([shape], ref_template=template)
        known |= {f"{name}.{part}": found for part, found in components.items()}
        records.append(_ref(f"{name}.{shape.__name__}"))
    return {
        "application/json": {"schema": {"anyOf": records}},
        "text/vnd.carnet": {"schema": {"type": "string"}},
    }


def _with_entries(schema: dict[str, Any], known: dict[str, Any], one: Documented) -> dict[str, Any]:
    """Say that a body's raw part holds entries."""
    if one.body is None or one.entries is None:
        return schema
    properties = known[one.body.__name__]["properties"]
    if one.entries == "array":
        properties["entries"] = {"type": "array", "minItems": 1, "items": _ref(_ENTRY)}
    else:
        properties["entry"] = _ref(_ENTRY)
    return schema


def _ref(name: str) -> dict[str, str]:
    return {"$ref": _REF.format(name=name)}
