"""Games: start, list, show now and at earlier versions."""

from typing import Annotated, Any
from uuid import UUID

import msgspec
from litestar import Response, get, post
from msgspec import UNSET, Meta, Raw, Struct, UnsetType, to_builtins

from schemas.catalogue import shapes
from schemas.strict_json import Malformed
from service.access.admission import Access
from service.club.game_filters import FilterQuery, RulesetName
from service.dependencies import Answer, TheCommands, TheGames, TheSeasons, TheTitles
from service.errors import NotFound
from service.http.club.seasons import filter_of
from service.http.documentation.examples import SHOWN
from service.http.documentation.openapi import Documented, answers
from service.http.inputs import (
    HttpRequest,
    MalformedInput,
    find_idempotency_key,
    malformed,
    read_body,
    read_query,
)
from service.http.parameters import Cursor, GameId, Version
from service.http.problem import NotContinued
from service.play.commands import GameCommands
from service.play.continuing import POINTS_MAX, CannotContinue, Continuing
from service.play.queries import GameQueries
from service.play.views import GameLine, GameView
from service.store.read_models.listing import GameCursor

_PLAYERS_MAX = 20
_GAME = {
    "access": Access.READER,
    "documented": Documented(answer=GameView, also={"304": ()}, headers=("?If-None-Match",)),
}


class StartBody(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A game to start. Absent `options` have their defaults; `players`: seat 0 first.

    `title`: of a game by points; its options are the defaults.

    `continues`: a running game that goes on as this one, because players or options change. Title
    and absent options are taken from it; an option that limits the rounds or deals counts those to
    come. Totals of players who stay are carried over as `adjust` entries. `starts`: the points of
    players who arrive, 0 by default. The game before gets no more entries, and lists count both as
    one.
    """

    ruleset: RulesetName
    title: UUID | UnsetType = UNSET
    options: Raw | UnsetType = UNSET
    players: Annotated[
        tuple[UUID, ...],
        Meta(max_length=_PLAYERS_MAX, extra_json_schema={"uniqueItems": True}),
    ]
    continues: UUID | UnsetType = UNSET
    starts: (
        Annotated[
            dict[UUID, Annotated[int, Meta(ge=-POINTS_MAX, le=POINTS_MAX)]],
            Meta(extra_json_schema={"propertyNames": {"format": "uuid"}}),
        ]
        | UnsetType
    ) = UNSET


class GamesQuery(FilterQuery, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Filter and page of games."""

    cursor: Cursor = UNSET
    limit: Annotated[
        int,
        Meta(ge=1, le=200, description="The page size, 1 to 200; 50 by default."),
    ] = 50


class GamesPage(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A page of the list, latest start first. `next`: cursor of the next page.

    Null on the last one.

    `set_aside`: how many games were excluded because they are set aside; absent if none.
    """

    games: tuple[GameLine, ...]
    next: str | None
    set_aside: int = 0


_STARTED = Documented(
    body=StartBody,
    example={
        "ruleset": SHOWN,
        "options": to_builtins(shapes(SHOWN).options()),
        "players": [player["id"] for player in answers()["startGame"]["201"]["players"]],
    },
    headers=("?Idempotency-Key",),
    answer=GameView,
)


@post("/games", opt={"access": Access.STARTER, "documented": _STARTED})
async def start_game(
    request: HttpRequest, games: TheGames, commands: TheCommands, titles: TheTitles
) -> Answer:
    """Start a game; idempotent by `Idempotency-Key`."""
    body = await read_body(request, StartBody)
    if body.continues is not UNSET:
        return await _go_on(request, body, body.continues, games, commands)
    if body.starts is not UNSET:
        raise malformed("$.starts", "no `starts` without `continues`")
    try:
        title = None if body.title is UNSET else await titles.get(body.title)
    except NotFound:
        raise malformed("$.title", "the id of a title") from None
    started = await commands.start(
        body.ruleset,
        b"{}" if body.options is UNSET else bytes(body.options),
        body.players,
        request.user.recorded_as(),
        find_idempotency_key(request),
        title,
    )
    if isinstance(started, Malformed):
        raise MalformedInput(started)
    game = await games.show(started)
    return as_of_version(game, {"Location": f"/api/games/{game.id}"})


async def _go_on(
    request: HttpRequest,
    body: StartBody,
    game_id: UUID,
    games: GameQueries,
    commands: GameCommands,
) -> Answer:
    try:
        before = await games.snapshot(game_id)
    except NotFound:
        raise malformed("$.continues", "the id of a game") from None
    if body.ruleset != before.ruleset:
        raise malformed("$.ruleset", f"the ruleset of the game before, {before.ruleset}")
    title = before.title.title_id if before.title else None
    if body.title is not UNSET and body.title != title:
        raise malformed("$.title", "the title of the game before")
    continuing = Continuing(
        players=body.players,
        options=b"{}" if body.options is UNSET else bytes(body.options),
        starts={} if body.starts is UNSET else body.starts,
    )
    started = await commands.go_on(
        before, continuing, request.user.recorded_as(), find_idempotency_key(request)
    )
    if isinstance(started, Malformed):
        raise MalformedInput(started)
    if isinstance(started, CannotContinue):
        raise NotContinued(started.why)
    game = await games.show(started)
    return as_of_version(game, {"Location": f"/api/games/{game.id}"})


@get(
    "/games",
    opt={"access": Access.MEMBER, "documented": Documented(query=GamesQuery, answer=GamesPage)},
)
async def list_games(request: HttpRequest, games: TheGames, seasons: TheSeasons) -> GamesPage:
    """List games, latest start first."""
    query = read_query(request, GamesQuery)
    page = await games.list(
        await filter_of(query, seasons),
        None if query.cursor is UNSET else GameCursor.parse(query.cursor),
        query.limit,
    )
    return GamesPage(games=page.games, next=page.after, set_aside=page.set_aside)


@get("/games/{game_id:uuid}", opt=_GAME)
async def show_game(request: HttpRequest, game_id: GameId, games: TheGames) -> Answer:
    """Return the current game; use its `ETag` as `If-Match` of a write.

    With that tag as `If-None-Match`, an unchanged game is a 304 without a body.
    """
    game = await games.view(game_id)
    if f'"{game.version}"' in request.headers.get("if-none-match", ""):
        return Response(None, status_code=304, headers={"ETag": f'"{game.version}"'})
    return as_of_version(game)


@get(
    "/games/{game_id:uuid}/at/{version:int}",
    opt={"access": Access.READER, "documented": Documented(answer=GameView)},
)
async def show_game_at(game_id: GameId, version: Version, games: TheGames) -> Answer:
    """Return the game as it was at a version."""
    return as_of_version(await games.show((await games.snapshot(game_id)).at(version)))


def as_of_version(game: GameView, headers: dict[str, str] | None = None) -> Response[Any]:
    return Response(
        msgspec.json.encode(game),
        media_type="application/json",
        headers={**(headers or {}), "ETag": f'"{game.version}"'},
    )
