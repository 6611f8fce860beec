"""The rulesets: options, entries and clauses."""

from typing import Annotated, Any

from litestar import get
from msgspec import Meta, Struct

from schemas.catalogue import SHAPES, Shapes, shapes
from service.access.admission import Access
from service.errors import NotFound
from service.http.documentation.openapi import Documented
from service.http.inputs import HttpRequest, read_query
from service.http.parameters import RulesetId
from service.language.texts import texts

# The response depends on the language (RFC 9110 §12.5.5).
_BY_LANGUAGE = {"Vary": "Accept-Language"}


class RulesetsQuery(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Filter of the games."""

    q: Annotated[
        str,
        Meta(description="Part of a game's name, in any language; by default all games."),
    ] = ""


class SeatsView(Struct, frozen=True, kw_only=True):
    """The numbers of players."""

    min: int
    max: int


class ClauseView(Struct, frozen=True, kw_only=True):
    """A clause in the requested language. `kind`.

    P physical, R rule of play, D definition, S scoring.
    """

    id: str
    kind: str
    text: str
    source: str


class RulesetView(Struct, frozen=True, kw_only=True):
    """A game. `options` and `entry` are JSON Schemas (2020-12) with defaults and limits.

    `name`: in the requested language; `also`: other names.
    """

    id: str
    name: str
    also: tuple[str, ...]
    rules_version: int
    seats: SeatsView
    options: dict[str, Any]
    entry: dict[str, Any]
    clauses: tuple[ClauseView, ...]


class RulesetList(Struct, frozen=True, kw_only=True):
    """All games."""

    rulesets: tuple[RulesetView, ...]


@get(
    "/rulesets",
    opt={"access": Access.KNOWN, "documented": Documented(query=RulesetsQuery)},
    response_headers=_BY_LANGUAGE,
)
async def list_rulesets(request: HttpRequest) -> RulesetList:
    """List the games with options, entries and clauses."""
    lang = texts().negotiate(request.headers.get("accept-language"))
    games = texts().games_called(read_query(request, RulesetsQuery).q)
    names = [name for name in SHAPES if name in games]
    return RulesetList(rulesets=tuple(_ruleset(shapes(name), lang) for name in names))


@get("/rulesets/{ruleset_id:str}", opt={"access": Access.KNOWN}, response_headers=_BY_LANGUAGE)
async def show_ruleset(request: HttpRequest, ruleset_id: RulesetId) -> RulesetView:
    """Return a game with options, entries and clauses."""
    if ruleset_id not in SHAPES:
        raise NotFound("ruleset", None)
    lang = texts().negotiate(request.headers.get("accept-language"))
    return _ruleset(shapes(ruleset_id), lang)


def _ruleset(of: Shapes, lang: str) -> RulesetView:
    clauses = texts().of_game(of.name)
    return RulesetView(
        id=of.name,
        name=texts().game(of.name, lang),
        also=texts().other_names(of.name, lang),
        rules_version=of.rules_version,
        seats=SeatsView(min=of.seats[0], max=of.seats[-1]),
        options=of.options_schema(),
        entry=of.json_schema(),
        clauses=tuple(
            ClauseView(id=rule, kind=clause.kind, text=clause.of(lang), source=clause.source)
            for rule, clause in clauses.items()
        ),
    )
