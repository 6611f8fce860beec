"""OpenAPI 3.1 at `/schema`, built from the structs that decode requests."""

import re
from collections.abc import Iterator
from functools import cached_property
from itertools import chain
from typing import Any, Literal, cast

import msgspec
from litestar import Litestar, Request
from litestar.handlers import HTTPRouteHandler
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.routes import HTTPRoute
from litestar.types import Method
from litestar.types.internal_types import PathParameterDefinition
from msgspec import Struct

from service.access.admission import guard
from service.http.documentation.answers import answers
from service.http.documentation.components import (
    ENTRY,
    RECORD,
    components_of,
    game_components,
    ref,
)
from service.http.documentation.examples import Schema, example_of
from service.http.documentation.parameters import parameters
from service.http.inputs import ANY_FILE

RECORD_TEXT = "text/vnd.carnet"
_METHODS = ("get", "post", "put", "patch", "delete")
# Media types of an imported record: generated clients send text as bytes.
_RECORD_FILE: Schema = {
    "type": "string",
    "format": "binary",
    "description": f"A record as text, as `{RECORD_TEXT}` too, or as JSON: which of them is found"
    " out.",
}
_ALSO = {
    "200": "Nothing was stored: what would be, or what is here already",
    "304": "The game has not gone on",
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
                "name-taken",
                "same-game",
                "already-merged",
                "precondition-required",
                "unauthorized",
                "forbidden",
                "not-found",
                "method-not-allowed",
                "too-large",
                "upload-too-large",
                "game-full",
                "not-printable",
                "too-many-requests",
                "unavailable",
                "busy",
                "storage-full",
                "suspended",
                "quota-games",
                "quota-entries",
                "quota-people",
                "quota-bytes",
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
        "id": {"type": "string", "format": "uuid", "description": "The other player."},
        "name": {"type": "string", "description": "The name that is taken."},
        "game": {"type": "string", "format": "uuid", "description": "A game in which both sat."},
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
    """The parts of an operation that Litestar does not see.

    `entries`: the body has an `array` of entries, or `one`. `formats`: media types of the response
    beside JSON. `record`: which part is a portable record. `file`: the media type of a file
    response. `minimal`: the response to `Prefer: return=minimal` (RFC 7240). `also`: alternative
    responses by status. `example`: a body. `headers` prefixed with `?` are optional.
    """

    answer: type[Struct] | None = None
    minimal: type[Struct] | None = None
    also: dict[str, tuple[type[Struct], ...]] = {}
    formats: tuple[str, ...] = ()
    body: type[Struct] | None = None
    example: Any = None
    query: type[Struct] | None = None
    headers: tuple[str, ...] = ()
    entries: Literal["array", "one"] | None = None
    record: Literal["body", "answer", "json", "text"] | None = None
    file: str | None = None


class Reference:
    """The OpenAPI document of an application, built on first use."""

    def __init__(self, app: Litestar) -> None:
        self._app = app

    @cached_property
    def document(self) -> Schema:
        # Copy the framework's cached document before completing it.
        return _completed(self._app, self._app.openapi_schema.to_schema())

    @cached_property
    def json(self) -> bytes:
        return msgspec.json.encode(self.document)


class SchemaPlugin(JsonRenderPlugin):
    """Serves the document at `/schema` and at `/schema/openapi.json`."""

    def __init__(self) -> None:
        super().__init__(path=["/", "/openapi.json"], media_type="application/json")  # type: ignore[arg-type] # a text does, says its own code

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        del openapi_schema
        reference: Reference = request.app.state["reference"]
        return reference.json


def operation_id(
    handler: HTTPRouteHandler, method: Method, path: list[str | PathParameterDefinition]
) -> str:
    """Return the name of a handler in camel case: `appendEntries`."""
    del method, path
    first, *rest = handler.handler_name.split("_")
    return first + "".join(map(str.capitalize, rest))


def _completed(app: Litestar, document: Schema) -> Schema:
    handlers = list(_handlers(app))
    documented = [
        (document["paths"][path][method], one)
        for path, method, handler in handlers
        if (one := handler.opt.get("documented")) is not None
    ]
    shapes = [
        shape
        for _, one in documented
        for shape in (one.body, one.answer, one.minimal, *chain(*one.also.values()))
        if shape is not None
    ]
    shapes = list(dict.fromkeys(shapes))
    schemas, components = components_of(shapes)
    schema_of: dict[type, Schema] = dict(zip(shapes, schemas, strict=True))
    known = document.setdefault("components", {}).setdefault("schemas", {})
    known |= components | game_components() | {"Problem": _PROBLEM}
    document["components"]["schemas"] = dict(sorted(known.items()))
    for operation, one in documented:
        _complete(operation, one, schema_of, known)
    for path, method, handler in handlers:
        _frame(document["paths"][path][method], open_to_all=_is_open(handler))
    document["paths"] = {path: _in_order(item) for path, item in document["paths"].items()}
    return document


def _handlers(app: Litestar) -> Iterator[tuple[str, str, HTTPRouteHandler]]:
    for route in app.routes:
        if isinstance(route, HTTPRoute):
            for handler in route.route_handlers:
                if handler.resolve_include_in_schema():
                    methods = {str(method).lower() for method in handler.http_methods}
                    for method in sorted(methods.intersection(_METHODS)):
                        yield route.path_format, method, handler


def _is_open(handler: HTTPRouteHandler) -> bool:
    # Litestar does not document the security of guards.
    guards = cast("list[object]", handler.resolve_guards())  # pyright: ignore[reportUnknownMemberType]
    return guard not in guards


def _frame(operation: Schema, *, open_to_all: bool) -> None:
    said = " ".join(operation.get("description", "").split())
    operation["summary"] = re.split(r"(?<=[a-z`)])[.;:](?: |$)", said)[0]
    operation["description"] = operation.get("description", "")
    operation["responses"].pop("400", None)
    operation["responses"]["default"] = {
        "description": "What went wrong",
        "content": {"application/problem+json": {"schema": ref("Problem")}},
    }
    for told in operation["responses"].values():
        if "headers" in told:  # the framework has them in a set, whose order is chance
            told["headers"] = dict(sorted(told["headers"].items()))
    if open_to_all:
        operation["security"] = []
    for status, answer in answers().get(operation["operationId"], {}).items():
        media = next(iter(operation["responses"][status]["content"].values()))
        media["example"] = answer


def _in_order(item: Schema) -> Schema:
    return {method: item[method] for method in _METHODS if method in item}


def _complete(
    operation: Schema, one: Documented, schema_of: dict[type, Schema], known: dict[str, Schema]
) -> None:
    responses = operation["responses"]
    operation["parameters"] = [
        *operation.get("parameters", ()),
        *parameters(one.headers, one.query),
    ]
    if one.body is not None or one.record == "body":
        operation["requestBody"] = {"required": True, "content": _body(one, schema_of, known)}
    success = responses[next(code for code in ("200", "201", "204") if code in responses)]
    if one.answer is not None:
        short = () if one.minimal is None else (schema_of[one.minimal],)
        whole = schema_of[one.answer]
        success["content"] = _json({"anyOf": [whole, *short]} if short else whole) | {
            media_type: {"schema": {"type": "string"}} for media_type in one.formats
        }
    elif one.record not in {None, "body"}:
        success["content"] = _record_answer(one)
    elif one.file is not None:
        success["content"] = _file(one.file)
    for status, shapes in one.also.items():
        schemas = [schema_of[shape] for shape in shapes]
        schema = schemas[0] if len(schemas) == 1 else {"anyOf": schemas}
        content = {"content": _json(schema)} if schemas else {}
        responses[status] = {"description": _ALSO[status], **content}


def _json(schema: Schema) -> Schema:
    return {"application/json": {"schema": schema}}


def _file(media_type: str) -> Schema:
    """Describe a file: text as a string; others also as bytes, if `Accept` asks for them."""
    if media_type.startswith("text/"):
        return {media_type: {"schema": {"type": "string"}}}
    if media_type.endswith("json"):
        return {media_type: {"schema": {"type": "object"}}}
    schema = {"type": "string", "format": "binary"}
    return {media_type: {"schema": schema}, ANY_FILE: {"schema": schema}}


def _record_answer(one: Documented) -> Schema:
    text = {RECORD_TEXT: {"schema": {"type": "string"}}}
    if one.record == "text":
        return text
    return _json(ref(RECORD)) | (text if one.record == "answer" else {})


def _body(one: Documented, schema_of: dict[type, Schema], known: dict[str, Schema]) -> Schema:
    if one.body is None:
        content = _json(ref(RECORD)) | {ANY_FILE: {"schema": _RECORD_FILE}}
    else:
        content = _json(_with_entries(schema_of[one.body], known, one))
    media = content["application/json"]
    media["example"] = one.example or example_of(media["schema"], known, {})
    return content


def _with_entries(schema: Schema, known: dict[str, Schema], one: Documented) -> Schema:
    if one.body is None or one.entries is None:
        return schema
    properties = known[one.body.__name__]["properties"]
    if one.entries == "array":
        properties["entries"] = {"type": "array", "minItems": 1, "items": ref(ENTRY)}
    else:
        properties["entry"] = ref(ENTRY)
    return schema
