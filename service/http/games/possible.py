"""The possible cards at a moment, and the effects of hypothetical entries; nothing is stored."""

from typing import Annotated, Literal

import msgspec
from litestar import Response, get, post
from msgspec import Meta, Raw, Struct

from schemas.strict_json import Malformed
from service.access.admission import Access
from service.dependencies import Answer, TheGames
from service.errors import Forbidden, NotFound
from service.http.documentation.openapi import Documented
from service.http.inputs import HttpRequest, MalformedInput, malformed, read_body, read_query
from service.http.parameters import GameId, Version
from service.http.problem import IllegalEntry
from service.play.append import RefusedBatch
from service.play.possibilities import PossibleView, hidden_from_viewers
from service.play.queries import GameQueries
from service.play.snapshots import GameSnapshot
from service.play.views import GameView

SUPPOSED_MAX = 200


class EyesQuery(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The perspective: the full record, the public part, or what one seat knows."""

    eyes: Annotated[
        Literal["recorder", "everybody"] | Annotated[int, Meta(ge=0, le=19)],
        Meta(
            description="The perspective: everything recorded (`recorder`, the default), the"
            " public part (`everybody`), or one seat's knowledge (its number, from 0)."
        ),
    ] = "recorder"


class SupposedBody(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Hypothetical entries, in the shapes of the game's ruleset."""

    entries: Raw


class SupposedView(Struct, frozen=True, kw_only=True):
    """The game after the hypothetical entries."""

    state: GameView


_POSSIBLE = {
    "access": Access.READER,
    "documented": Documented(query=EyesQuery, answer=PossibleView),
}


@get("/games/{game_id:uuid}/possible", opt=_POSSIBLE)
async def show_possible(request: HttpRequest, game_id: GameId, games: TheGames) -> Answer:
    """Return what the record proves now about unseen cards."""
    return await _possible(request, games, game_id, None)


@get("/games/{game_id:uuid}/at/{version:int}/possible", opt=_POSSIBLE)
async def show_possible_at(
    request: HttpRequest, game_id: GameId, version: Version, games: TheGames
) -> Answer:
    """Return what the record proved at a version.

    For a deal in progress only scorers may ask; others when the deal is over, or as
    `CARNET_VIEWERS_KNOW` allows.
    """
    return await _possible(request, games, game_id, version)


async def _possible(
    request: HttpRequest, games: GameQueries, game_id: GameId, version: int | None
) -> Answer:
    eyes = read_query(request, EyesQuery).eyes
    now = await games.snapshot(game_id)
    moment = now if version is None else now.at(version)
    if isinstance(eyes, int) and eyes >= len(now.players):
        raise NotFound("seat", None)
    _refuse_watchers(request, now, moment.version)
    view = await games.possible(moment, eyes)
    return Response(
        msgspec.json.encode(view),
        media_type="application/json",
        headers={"ETag": f'"{moment.version}"'},
    )


@post(
    "/games/{game_id:uuid}/at/{version:int}/preview",
    status_code=200,
    opt={
        "access": Access.READER,
        "stores_nothing": True,
        "documented": Documented(
            body=SupposedBody,
            entries="array",
            answer=SupposedView,
        ),
    },
)
async def preview_moves(
    request: HttpRequest, game_id: GameId, version: Version, games: TheGames
) -> Answer:
    """Judge hypothetical entries at a version, without storing them.

    For a deal in progress only scorers may ask.
    """
    body = await read_body(request, SupposedBody)
    entries = await games.decode(game_id, bytes(body.entries), "$.entries")
    if isinstance(entries, Malformed):
        raise MalformedInput(entries)
    if not 1 <= len(entries) <= SUPPOSED_MAX:
        raise malformed("$.entries", f"1 to {SUPPOSED_MAX} entries")
    now = await games.snapshot(game_id)
    moment = now.at(version)
    _refuse_watchers(request, now, version)
    supposed = await games.suppose(moment, entries)
    if isinstance(supposed, RefusedBatch):
        raise IllegalEntry(supposed, tuple(player.name for player in moment.players))
    return Response(
        msgspec.json.encode(SupposedView(state=supposed)), media_type="application/json"
    )


def _refuse_watchers(request: HttpRequest, now: GameSnapshot, version: int) -> None:
    told = request.app.state["viewers_know"]
    if not request.user.may_write(now.id) and hidden_from_viewers(now, version, told):
        raise Forbidden
