"""OpenAPI 3.1 at `/schema`, built from the structs that decode requests."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from itertools import chain
from pathlib import Path
from typing import Any, Literal, TypeAlias, TypeGuard, cast

import msgspec
from litestar import Litestar, Request, Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.routes import HTTPRoute
from litestar.types import Method
from litestar.types.internal_types import PathParameterDefinition
from msgspec import Struct

from domain.games import TITLED
from schemas.catalogue import SHAPES
from schemas.catalogue import shapes as shapes_of
from schemas.published_entries import entry_kinds, entry_schema, game_schema
from schemas.record import portable_shape
from service.access.admission import guard
from service.errors import NotFound
from service.http.documentation.errors import problems_of
from service.http.documentation.examples import (
    COMPONENT,
    SHOWN,
    Schema,
    entry_example,
    example_of,
    record_example,
    target,
)
from service.http.inputs import ANY_FILE
from service.http.middleware import Deprecation
from service.http.parameters import EntryType, RulesetId, SchemaVersion
from service.http.problem import problem_types

_Part: TypeAlias = Any

ENTRY, RECORD = "Entry", "Record"


def ref(name: str) -> dict[str, str]:
    return {"$ref": COMPONENT + name}


def components_of(shapes: Sequence[type[Struct]]) -> tuple[list[Schema], dict[str, Schema]]:
    schemas, components = msgspec.json.schema_components(shapes, ref_template=COMPONENT + "{name}")
    return [_readable(schema) for schema in schemas], {
        name: _readable(shape) for name, shape in components.items()
    }


def game_components() -> dict[str, Schema]:
    """Return the components of each game, and the unions `Entry` and `Record`."""
    components: dict[str, Schema] = {}
    for game in SHAPES:
        of = shapes_of(game)
        (entry, record), own_components = msgspec.json.schema_components(
            [of.submitted, portable_shape(game)], ref_template=COMPONENT + "{name}"
        )
        names = {name: _name(game, name) for name in own_components}
        names[_clause_name(game)] = _clause_name(game)
        clauses = ref(_clause_name(game))
        components[_clause_name(game)] = {"type": "string", "enum": sorted(of.clauses)}
        for component in own_components.values():
            if "waive" in component["properties"]:
                component["properties"]["waive"]["items"] = clauses
        shapes = {names[name]: _renamed(shape, names) for name, shape in own_components.items()}
        examples: list[dict[str, Any]] = []
        for alternative in entry["anyOf"]:
            shape = shapes[names[target(alternative)]]
            examples.append(entry_example(shape, shapes, of.examples))
            shape["examples"] = examples[-1:]
        whole = shapes[names[target(record)]]
        results = [example for example in examples if example["type"] == "result"]
        whole["examples"] = [record_example(whole, shapes, of.rules_version, *results)]
        components |= {name: {**shape, "title": name} for name, shape in shapes.items()}
        components[entry_name(game)] = _renamed(entry, names)
    example: dict[str, Any] = components[_record_name(SHOWN)]["examples"][0]
    components[ENTRY] = _any_of(map(entry_name, SHAPES), example["log"])
    components[RECORD] = _any_of(map(_record_name, SHAPES), [example])
    return components


def entry_name(game: str) -> str:
    """Return the component name of a game's union of entries."""
    return f"{game.capitalize()}{ENTRY}"


def _clause_name(game: str) -> str:
    return f"{game.capitalize()}Clause"


def _options_name(game: str) -> str:
    return f"{game.capitalize()}Options"


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
        readable: Schema = {
            key: _readable(part) for key, part in parts.items() if not (closed and key == "items")
        }
        open_ended = parts.get("type") == "array" and not {"items", "prefixItems"} & {*parts}
        anything: Schema = {"items": {}} if open_ended else {}
        return readable | anything
    if _is_array(schema):
        return [_readable(part) for part in schema]
    return schema


def _is_array(part: object) -> TypeGuard[list[Any]]:
    return isinstance(part, list)


FILE = Path(__file__).with_name("answers.json")


@cache
def answers() -> dict[str, dict[str, Any]]:
    """Return the responses by operation and status."""
    answers: dict[str, dict[str, Any]] = msgspec.json.decode(FILE.read_bytes())
    return answers


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
    parameters = [
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
        parameters += [
            _query(name, shape) for name, shape in components[query.__name__]["properties"].items()
        ]
    return parameters


def _query(name: str, shape: Schema) -> Schema:
    description = {"description": shape.pop("description")} if "description" in shape else {}
    return {"name": name, "in": "query", "required": False, **description, "schema": shape}


RECORD_TEXT = "text/vnd.carnet"
_METHODS = ("get", "post", "put", "patch", "delete")
# Media types of an imported record: generated clients send text as bytes.
_RECORD_FILE: Schema = {
    "type": "string",
    "format": "binary",
    "description": f"A record as text, as `{RECORD_TEXT}` too, or as JSON, a BG Stats export, or"
    " plays of BoardGameGeek as XML: which of them is found out.",
}
_ALSO = {
    "200": "Nothing was stored: what would be, or what is here already",
    "201": "What was stored",
    "304": "The game has not gone on",
}
_PROBLEM: dict[str, Any] = {
    "type": "object",
    "description": "RFC 9457; `type` is stable, the sentences follow Accept-Language.",
    "required": ["type", "title", "status"],
    "properties": {
        "type": {"enum": problem_types()},
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


def _start_conditions() -> Schema:
    """Return the limits that the ruleset of a new game sets, as one chain of conditions."""
    conditions: Schema = {}
    for game in SHAPES:
        of = shapes_of(game)
        limits: Schema = {
            "options": ref(_options_name(game)),
            "players": {"minItems": of.seats.start, "maxItems": of.seats.stop - 1},
        }
        options_required = any(field.required for field in msgspec.structs.fields(of.options))
        conditions = {
            "if": {"properties": {"ruleset": {"const": game}}},
            "then": {
                "properties": limits if game == TITLED else {**limits, "title": False},
                **({"required": ["options"]} if options_required else {}),
            },
            **({"else": conditions} if conditions else {}),
        }
    return conditions


# Conditions between fields, which a struct cannot express.
_CONDITIONS: Mapping[str, Schema] = {
    "StartBody": _start_conditions(),
    "LinkBody": {
        "if": {"properties": {"role": {"enum": ["scorer", "viewer"]}}},
        "then": {"properties": {"until": {"type": "null"}, "sites": {"maxItems": 0}}},
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
        return _complete_document(self._app, self._app.openapi_schema.to_schema())

    @cached_property
    def json(self) -> bytes:
        return msgspec.json.encode(self.document)


class SchemaPlugin(JsonRenderPlugin):
    """Serves the document at `/schema` and at `/schema/openapi.json`."""

    def __init__(self) -> None:
        super().__init__(path=["/", "/openapi.json"], media_type="application/json")  # type: ignore[arg-type] # its code accepts a string

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


def _complete_document(app: Litestar, document: Schema) -> Schema:
    handlers = list(_handlers(app))
    pairs: list[tuple[Schema, Documented]] = [
        (document["paths"][path][method], handler.opt["documented"])
        for path, method, handler in handlers
        if handler.opt.get("documented") is not None
    ]
    used = chain.from_iterable(
        (documented.body, documented.answer, documented.minimal, *chain(*documented.also.values()))
        for _, documented in pairs
    )
    shapes = [shape for shape in dict.fromkeys(used) if shape is not None]
    schemas, components = components_of(shapes)
    schema_of: dict[type, Schema] = dict(zip(shapes, schemas, strict=True))
    known = document.setdefault("components", {}).setdefault("schemas", {})
    known |= components | game_components() | {"Problem": _PROBLEM}
    for name, conditions in _CONDITIONS.items():
        known[name] |= conditions
    for name in ("TitleBody", "TitleChange"):
        known[name]["properties"]["options"] = ref(_options_name(TITLED))
    document["components"]["schemas"] = dict(sorted(known.items()))
    for operation, documented in pairs:
        _complete(operation, documented, schema_of, known)
    for path, method, handler in handlers:
        operation = document["paths"][path][method]
        _frame(operation, method, open_to_all=_is_open(handler))
        deprecation: Deprecation | None = handler.opt.get("deprecation")
        if deprecation is not None:
            operation["deprecated"] = True
            said = f"{deprecation.instead} May be gone from {deprecation.sunset} on."
            operation["description"] = f"{operation['description']}\n\n{said}".strip()
    document["paths"] = {
        path: {method: item[method] for method in _METHODS if method in item}
        for path, item in document["paths"].items()
    }
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


def _frame(operation: Schema, method: str, *, open_to_all: bool) -> None:
    summary = " ".join(operation.get("description", "").split())
    operation["summary"] = re.split(r"(?<=[a-z`)])[.;:](?: |$)", summary)[0]
    operation["description"] = operation.get("description", "")
    operation["responses"].pop("400", None)
    for status, told in problems_of(operation, method, open_to_all=open_to_all).items():
        operation["responses"][status] = _problem_answer(told)
    operation["responses"]["default"] = _problem_answer({})
    for told in operation["responses"].values():
        if "headers" in told:  # the framework has an unordered set
            told["headers"] = dict(sorted(told["headers"].items()))
    if open_to_all:
        operation["security"] = []
    for status, answer in answers().get(operation["operationId"], {}).items():
        media = next(iter(operation["responses"][status]["content"].values()))
        media["example"] = answer


def _problem_answer(told: Mapping[str, Schema]) -> Schema:
    """`told`: the documents of the problems, by type."""
    examples = {name: {"value": document} for name, document in told.items()}
    content = {"schema": ref("Problem"), **({"examples": examples} if examples else {})}
    return {
        "description": ". ".join(problem["title"] for problem in told.values())
        or "What went wrong",
        "content": {"application/problem+json": content},
    }


def _complete(
    operation: Schema,
    documented: Documented,
    schema_of: dict[type, Schema],
    known: dict[str, Schema],
) -> None:
    responses = operation["responses"]
    operation["parameters"] = [
        *operation.get("parameters", ()),
        *parameters(documented.headers, documented.query),
    ]
    if documented.body is not None or documented.record == "body":
        operation["requestBody"] = {
            "required": True,
            "content": _body(documented, schema_of, known),
        }
    success = responses[next(code for code in ("200", "201", "204") if code in responses)]
    if documented.answer is not None:
        short = () if documented.minimal is None else (schema_of[documented.minimal],)
        whole = schema_of[documented.answer]
        success["content"] = _json({"anyOf": [whole, *short]} if short else whole) | {
            media_type: {"schema": {"type": "string"}} for media_type in documented.formats
        }
    elif documented.record not in {None, "body"}:
        success["content"] = _record_answer(documented)
    elif documented.file is not None:
        success["content"] = _file(documented.file)
    for status, shapes in documented.also.items():
        schemas = [schema_of[shape] for shape in shapes]
        schema = schemas[0] if len(schemas) == 1 else {"anyOf": schemas}
        content = {"content": _json(schema)} if schemas else {}
        responses[status] = {"description": _ALSO[status], **content}


def _json(schema: Schema) -> Schema:
    return {"application/json": {"schema": schema}}


def _file(media_type: str) -> Schema:
    if media_type.startswith("text/"):
        return {media_type: {"schema": {"type": "string"}}}
    if media_type.endswith("json"):
        return {media_type: {"schema": {"type": "object"}}}
    schema = {"type": "string", "format": "binary"}
    return {media_type: {"schema": schema}, ANY_FILE: {"schema": schema}}


def _record_answer(documented: Documented) -> Schema:
    text = {RECORD_TEXT: {"schema": {"type": "string"}}}
    if documented.record == "text":
        return text
    return _json(ref(RECORD)) | (text if documented.record == "answer" else {})


def _body(
    documented: Documented, schema_of: dict[type, Schema], known: dict[str, Schema]
) -> Schema:
    if documented.record == "body":
        other = () if documented.body is None else (schema_of[documented.body],)
        content = _json({"anyOf": [ref(RECORD), *other]}) | {ANY_FILE: {"schema": _RECORD_FILE}}
    else:
        assert documented.body is not None  # noqa: S101 -- else there is no body
        content = _json(_with_entries(schema_of[documented.body], known, documented))
    media = content["application/json"]
    shown = ref(RECORD) if documented.record == "body" else media["schema"]
    media["example"] = documented.example or example_of(shown, known, {})
    return content


def _with_entries(schema: Schema, known: dict[str, Schema], documented: Documented) -> Schema:
    if documented.body is None or documented.entries is None:
        return schema
    properties = known[documented.body.__name__]["properties"]
    if documented.entries == "array":
        properties["entries"] = {"type": "array", "minItems": 1, "items": ref(ENTRY)}
    else:
        properties["entry"] = ref(ENTRY)
    return schema


_TYPE = "application/schema+json"
_OPT = {"exclude_from_compression": True, "documented": Documented(file=_TYPE)}


@get("/entries/{ruleset:str}", opt=_OPT)
async def show_game_schema(ruleset: RulesetId) -> Response[bytes]:
    """Return the JSON Schema (2020-12) of a game's entries."""
    if ruleset not in SHAPES:
        raise NotFound("ruleset", None)
    return Response(msgspec.json.encode(game_schema(ruleset)), media_type=_TYPE)


@get("/entries/{ruleset:str}/{entry_type:str}/{schema_version:int}", opt=_OPT)
async def show_entry_schema(
    ruleset: RulesetId, entry_type: EntryType, schema_version: SchemaVersion
) -> Response[bytes]:
    """Return the JSON Schema of `data` in the feed, by game, `type` and `schema_version`."""
    kinds = entry_kinds(ruleset) if ruleset in SHAPES else ()
    if not any(kind.name == entry_type and schema_version in kind.versions for kind in kinds):
        raise NotFound("entry", None)
    schema = entry_schema(ruleset, entry_type, schema_version)
    return Response(msgspec.json.encode(schema), media_type=_TYPE)
