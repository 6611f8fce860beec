"""What a record proves at a moment, and what would follow from there: asked, nothing stored."""

from typing import Annotated, Literal

import msgspec
from litestar import Response, get, post
from msgspec import Meta, Raw, Struct

from schemas.malformed import Malformed
from service.access.admission import Access
from service.dependencies import Answer, TheGames
from service.errors import Forbidden
from service.http.documentation.openapi import Documented
from service.http.inputs import HttpRequest, MalformedInput, malformed, read_body, read_query
from service.http.parameters import GameId, Version
from service.http.problem import IllegalEntry
from service.play.append import RefusedBatch
from service.play.moments import Moment
from service.play.possibilities import PossibleView, kept_secret
from service.play.queries import GameQueries
from service.play.views import GameView

SUPPOSED_MAX = 200


class EyesQuery(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Whose eyes: all that was recorded, what everybody saw, or what one seat could know."""

    eyes: Annotated[
        Literal["recorder", "everybody"] | Annotated[int, Meta(ge=0, le=19)],
        Meta(
            description="By what is known: all that was recorded (`recorder`, unless given), what"
            " everybody saw (`everybody`), or what one seat, from 0, could know."
        ),
    ] = "recorder"


class SupposedBody(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Entries to suppose, as the game's ruleset writes them."""

    entries: Raw


class SupposedView(Struct, frozen=True, kw_only=True):
    """The game as it would stand after them."""

    state: GameView


_POSSIBLE = {
    "access": Access.READER,
    "documented": Documented(query=EyesQuery, answer=PossibleView),
}


@get("/games/{game_id:uuid}/possible", opt=_POSSIBLE)
async def show_possible(request: HttpRequest, game_id: GameId, games: TheGames) -> Answer:
    """Show what the record proves now of the cards nobody has shown."""
    return await _possible(request, games, game_id, None)


@get("/games/{game_id:uuid}/at/{version:int}/possible", opt=_POSSIBLE)
async def show_possible_at(
    request: HttpRequest, game_id: GameId, version: Version, games: TheGames
) -> Answer:
    """Show what the record proved when this version was the last one.

    Of the deal in progress it is told to those who record, and to others when it is over, or when
    the operator lets them know (`CARNET_VIEWERS_KNOW`).
    """
    return await _possible(request, games, game_id, version)


async def _possible(
    request: HttpRequest, games: GameQueries, game_id: GameId, version: int | None
) -> Answer:
    eyes = read_query(request, EyesQuery).eyes
    now = await games.moment(game_id)
    moment = now if version is None else now.at(version)
    if isinstance(eyes, int) and eyes >= len(now.players):
        raise malformed("$.eyes", f"a seat, 0 to {len(now.players) - 1}, recorder or everybody")
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
    """Show what would follow from a moment: judged like real entries, and thrown away.

    Of the deal in progress it is told to those who record.
    """
    body = await read_body(request, SupposedBody)
    entries = await games.decode(game_id, bytes(body.entries), "$.entries")
    if isinstance(entries, Malformed):
        raise MalformedInput(entries)
    if not 1 <= len(entries) <= SUPPOSED_MAX:
        raise malformed("$.entries", f"1 to {SUPPOSED_MAX} entries")
    now = await games.moment(game_id)
    moment = now.at(version)
    _refuse_watchers(request, now, version)
    found = await games.suppose(moment, entries)
    if isinstance(found, RefusedBatch):
        raise IllegalEntry(found, tuple(player.name for player in moment.players))
    return Response(msgspec.json.encode(SupposedView(state=found)), media_type="application/json")


def _refuse_watchers(request: HttpRequest, now: Moment, version: int) -> None:
    """Keep from those who only watch what they are not told yet.

    Raises: Forbidden
    """
    told = request.app.state["viewers_know"]
    if not request.user.may_write(now.id) and kept_secret(now, version, told):
        raise Forbidden
