"""No change since the last release is one that an old record, client or feed reader notices."""

import re
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from tests.documents.compatibility import Comparison, Direction
from tests.documents.contract import FOLDER, changes, contract, released

Json = dict[str, Any]
TEXT = {"type": "string"}
NUMBER = {"type": "integer"}
NULL = {"type": "null"}


def of(required: tuple[str, ...] = (), **properties: object) -> Json:
    return {"type": "object", "properties": properties, "required": list(required)}


def enum(*values: str) -> Json:
    return {"enum": list(values)}


def any_of(*schemas: Json) -> Json:
    return {"anyOf": list(schemas)}


# A schema, its next version, and in which directions that is a break.
BREAKS: dict[str, tuple[object, object, set[Direction]]] = {
    "the same": (of(("a",), a=TEXT, b=enum("x")), of(("a",), a=TEXT, b=enum("x")), set()),
    "a removed field": (of(a=TEXT, b=TEXT), of(a=TEXT), {"read", "written"}),
    "a new field": (of(a=TEXT), of(a=TEXT, b=TEXT), set()),
    "a new required field": (of(a=TEXT), of(("b",), a=TEXT, b=TEXT), {"read"}),
    "a field that became required": (of(a=TEXT), of(("a",), a=TEXT), {"read"}),
    "a field that became optional": (of(("a",), a=TEXT), of(a=TEXT), {"written"}),
    "another type": (TEXT, NUMBER, {"read", "written"}),
    "a wider number": (NUMBER, {"type": "number"}, {"written"}),
    "a narrower number": ({"type": "number"}, NUMBER, {"read"}),
    "no type": (TEXT, {}, {"written"}),
    "a type where none was": ({}, TEXT, {"read"}),
    "null, too": (TEXT, any_of(TEXT, NULL), {"written"}),
    "no more null": (any_of(TEXT, NULL), TEXT, {"read"}),
    "null in a list of values": ({"enum": ["x", None]}, enum("x"), {"read"}),
    "null by two types": ({"type": ["string", "null"]}, any_of(NULL, TEXT), set()),
    "a new value": (enum("x"), enum("x", "y"), {"written"}),
    "a removed value": (enum("x", "y"), enum("x"), {"read"}),
    "a new word of a list of patterns": (
        TEXT | {"pattern": "^(x|[0-9]{4}(-[0-9]{2}){1})$"},
        TEXT | {"pattern": "^(x|y|[0-9]{4}(-[0-9]{2}){1})$"},
        {"written"},
    ),
    "a removed word of a pattern": (
        TEXT | {"pattern": "^(x|y)$"},
        TEXT | {"pattern": "^(x)$"},
        {"read"},
    ),
    "any value": (enum("x"), TEXT, {"written"}),
    "a list of values": (TEXT, enum("x"), {"read"}),
    "a lower maximum": (NUMBER | {"maximum": 9}, NUMBER | {"maximum": 8}, {"read"}),
    "a higher maximum": (NUMBER | {"maximum": 9}, NUMBER | {"maximum": 10}, set()),
    "a minimum": (NUMBER, NUMBER | {"minimum": 1}, {"read"}),
    "a format": (TEXT, TEXT | {"format": "uuid"}, {"read"}),
    "no more format": (TEXT | {"format": "uuid"}, TEXT, {"written"}),
    "another pattern": (TEXT | {"pattern": "a"}, TEXT | {"pattern": "b"}, {"read", "written"}),
    "another default": (TEXT | {"default": "a"}, TEXT | {"default": "b"}, {"read"}),
    "an unknown keyword": (TEXT, TEXT | {"contentEncoding": "base64"}, {"read", "written"}),
    "another title": (TEXT | {"title": "a"}, TEXT | {"title": "b"}, set()),
    "of a list": ({"items": TEXT}, {"items": NUMBER}, {"read", "written"}),
    "of a tuple": ({"prefixItems": [TEXT, NUMBER]}, {"prefixItems": [TEXT]}, {"read", "written"}),
    "of a mapping": (
        {"additionalProperties": enum("x", "y")},
        {"additionalProperties": enum("x")},
        {"read"},
    ),
    "unknown fields refused": (of(a=TEXT), of(a=TEXT) | {"additionalProperties": False}, {"read"}),
    "an inner field": (of(a=of(b=TEXT)), of(a=of()), {"read", "written"}),
    "a kind of object": (
        any_of(of(type=enum("x")), of(type=enum("y"))),
        any_of(of(type=enum("y"))),
        {"read"},
    ),
    "a field of a kind of object": (
        any_of(of(type=enum("x"), a=TEXT), of(type=enum("y"))),
        any_of(of(type=enum("y")), of(type=enum("x"))),
        {"read", "written"},
    ),
    "one of two lists": (
        any_of({"type": "array", "items": TEXT}, {"type": "array", "items": NUMBER}),
        {"type": "array", "items": NUMBER},
        {"read"},
    ),
    "a condition": ({}, {"if": of(a=TEXT), "then": of(("b",), b=TEXT)}, {"read"}),
    "a condition on a new value": ({}, {"if": of(a={"const": 1}), "then": of(("b",))}, set()),
    "a narrower condition": (
        {"if": of(a=TEXT), "then": {"maxItems": 3}},
        {"if": of(a=TEXT), "then": {"maxItems": 2}},
        {"read"},
    ),
}


@pytest.mark.parametrize("name", BREAKS)
@pytest.mark.parametrize("direction", ["read", "written"])
def test_a_change_of_a_schema_breaks_in_the_directions_in_which_it_is_noticed(
    name: str, direction: Direction
) -> None:
    old, new, directions = BREAKS[name]
    found = Comparison({}, {})
    found.schemas("body", old, new, direction)
    assert bool(found.breaks) == (direction in directions), found.changes


def test_a_list_that_may_grow_gets_values_and_kinds_of_objects_and_loses_none() -> None:
    note, kinds = of(type=enum("note")), any_of(of(type=enum("note")), of(type=enum("void")))
    for old, new, breaks in (
        (enum("x"), enum("x", "y"), False),
        (enum("x", "y"), enum("x"), True),
        (note, kinds, False),
        (kinds, note, True),
        (note, any_of(note, NULL), True),
    ):
        found = Comparison({}, {}, lambda where: where == "body")
        found.schemas("body", old, new, "written")
        assert bool(found.breaks) is breaks, (old, new, found.changes)
        assert found.changes


def test_a_shape_that_contains_itself_is_compared_once() -> None:
    def tree(of_leaf: Json) -> Json:
        below = {"type": "array", "items": {"$ref": "#/$defs/Tree"}}
        return {"$defs": {"Tree": of(leaf=of_leaf, below=below)}, "$ref": "#/$defs/Tree"}

    found = Comparison(tree(TEXT), tree(NUMBER))
    found.schemas("body", tree(TEXT), tree(NUMBER), "written")
    assert found.breaks == ["$defs/Tree.leaf: can be integer, too"]


NOW = contract()


def test_nothing_that_was_released_is_broken() -> None:
    found = changes(released(), NOW)
    assert not found.breaks, f"{found}\n\nThe contract is in {FOLDER}; see docs/release.md."


def without(part: Any, game: str) -> Any:  # noqa: ANN401 JSON
    """Return a part of the contract as it was before a game was added."""
    own = game.capitalize()
    if isinstance(part, str):
        return part.replace(f"{game}|", "")
    if isinstance(part, list):
        kept = (one for one in part if one != game and not _names(one, f"schemas/{own}"))
        return [without(one, game) for one in kept]
    if not isinstance(part, dict):
        return part
    if _names(part.get("if"), f"'{game}'"):
        beside = {key: one for key, one in part.items() if key not in {"if", "then", "else"}}
        part = {**beside, **part.get("else", {})}
    return {
        name: without(one, game)
        for name, one in part.items()
        if not re.match(f"{own}[A-Z]", name) and name not in {game, f"{game}.json"}
    }


def _names(part: object, name: str) -> bool:
    return isinstance(part, dict) and len(part) == 1 and name in str(part)


@pytest.mark.parametrize("game", ["durak", "euchre"])
def test_a_new_game_is_an_addition(game: str) -> None:
    found = changes(without(NOW, game), NOW)
    assert not found.breaks, str(found)
    assert f'StartBody.ruleset: the value "{game}" is new' in found.additions


def _route(api: Json) -> None:
    del api["paths"]["/api/years/{year}"]


def _method(api: Json) -> None:
    del api["paths"]["/api/titles/{title_id}"]["patch"]


def _operation_name(api: Json) -> None:
    api["paths"]["/api/evenings"]["get"]["operationId"] = "evenings"


def _key(api: Json) -> None:
    del api["paths"]["/healthz"]["get"]["security"]


def _status(api: Json) -> None:
    responses = api["paths"]["/api/games"]["post"]["responses"]
    responses["202"] = responses.pop("201")


def _problem(api: Json) -> None:
    answer = api["paths"]["/api/players"]["post"]["responses"]["409"]["content"]
    del answer["application/problem+json"]["examples"]["name-taken"]


def _problem_type(api: Json) -> None:
    api["components"]["schemas"]["Problem"]["properties"]["type"]["enum"].remove("busy")


def _parameter(api: Json) -> None:
    parameters = api["paths"]["/api/feed"]["get"]["parameters"]
    parameters[:] = [one for one in parameters if one["name"] != "after"]


def _media_type(api: Json) -> None:
    del api["paths"]["/api/feed"]["get"]["responses"]["200"]["content"]["application/x-ndjson"]


def _renamed_field(api: Json) -> None:
    properties = api["components"]["schemas"]["GameView"]["properties"]
    properties["points"] = properties.pop("totals")


def _seats(api: Json) -> None:
    api["components"]["schemas"]["StartBody"]["properties"]["players"]["maxItems"] = 4


def _clause(api: Json) -> None:
    api["components"]["schemas"]["EuchreClause"]["enum"].remove("euchre.follow-suit")


OF_THE_API: dict[Callable[[Json], None], str] = {
    _route: "API: the route /api/years/{year} is missing",
    _method: "/api/titles/{title_id}: the method patch is missing",
    _operation_name: "GET /api/evenings: listEvenings became evenings",
    _key: "GET /healthz: needs a key now",
    _status: "POST /api/games: the status 201 is missing",
    _problem: "POST /api/players 409: the problem name-taken is missing",
    _problem_type: 'Problem.type: the value "busy" is missing',
    _parameter: "GET /api/feed: the parameter after (query) is missing",
    _media_type: "GET /api/feed 200: the media type application/x-ndjson is missing",
    _renamed_field: "GameView: the field totals is missing",
    _seats: "StartBody.players: maxItems 20 became 4",
    _clause: 'EuchreClause: the value "euchre.follow-suit" is missing',
}


def test_breaks_of_the_api_are_noticed() -> None:
    changed = deepcopy(NOW)
    for change in OF_THE_API:
        change(changed["openapi"])
    assert {*OF_THE_API.values()} <= {*changes(NOW, changed).breaks}


def test_breaks_of_stored_entries_and_of_what_is_sent_are_noticed() -> None:
    changed = deepcopy(NOW)
    del changed["entries"]["euchre.json"]["entries"]["note"]["2"]
    changed["entries"]["rami.json"]["$defs"]["Draw"]["required"].append("cards")
    del changed["asyncapi"]["components"]["schemas"]["FeedEntry"]["properties"]["hash"]
    del changed["asyncapi"]["channels"]["webhook"]["messages"]["webhookHead"]
    assert {*changes(NOW, changed).breaks} >= {
        "euchre.json note: the stored version 2 is missing",
        "rami.json/$defs/Draw: the field cards is required now",
        "FeedEntry: the field hash is missing",
        "webhook: the message webhookHead is missing",
    }


def test_additions_are_listed() -> None:
    former = deepcopy(NOW)
    _route(former["openapi"])
    del former["openapi"]["components"]["schemas"]["GameView"]["properties"]["totals"]
    found = changes(former, NOW)
    assert found.breaks == []
    assert {*found.additions} >= {
        "API: the route /api/years/{year} is new",
        "GameView: the field totals is new",
    }
