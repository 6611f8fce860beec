"""People: added, listed, renamed, and forgotten on request (the games stay)."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from litestar import Response, delete, get, patch, post
from msgspec import Meta, Struct

from schemas.names import NAME_LENGTH_MAX, read_name
from service.access.admission import Access
from service.dependencies import NewId, TheExports, ThePlayers
from service.http.documentation.openapi import Documented
from service.http.inputs import HttpRequest, malformed, read_body
from service.http.parameters import PlayerId
from service.store.records import Player

_ANN = {"name": "Ann"}


class PlayerBody(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A name, as people write it; blanks around it are dropped, those within become one."""

    name: Annotated[str, Meta(min_length=1, max_length=NAME_LENGTH_MAX)]


class PersonView(Struct, frozen=True, kw_only=True):
    """Somebody who plays; `name` null: forgotten on request."""

    id: UUID
    name: str | None
    created_at: datetime


class PersonList(Struct, frozen=True, kw_only=True):
    """Everybody, the forgotten included, in the order they were added."""

    players: tuple[PersonView, ...]


@post(
    "/players",
    opt={
        "access": Access.STARTER,
        "documented": Documented(body=PlayerBody, example=_ANN, answer=PersonView),
    },
)
async def add_player(
    request: HttpRequest, players: ThePlayers, new_id: NewId
) -> Response[PersonView]:
    """Add somebody."""
    player = await players.create(new_id(), await _name(request))
    location = {"Location": f"/api/players/{player.player_id}"}
    return Response(_person(player), headers=location)


@get("/players", opt={"access": Access.MEMBER})
async def list_players(players: ThePlayers) -> PersonList:
    """List everybody."""
    return PersonList(players=tuple(map(_person, await players.all())))


@patch("/players/{player_id:uuid}", opt={"documented": Documented(body=PlayerBody, example=_ANN)})
async def rename_player(
    request: HttpRequest, player_id: PlayerId, players: ThePlayers
) -> PersonView:
    """Change a name, everywhere it is read."""
    return _person(await players.rename(player_id, await _name(request)))


@delete("/players/{player_id:uuid}")
async def forget_player(player_id: PlayerId, players: ThePlayers, exports: TheExports) -> None:
    """Forget a name everywhere; the games stay."""
    await players.forget(player_id)
    exports.drop_kept()


async def _name(request: HttpRequest) -> str:
    name = read_name((await read_body(request, PlayerBody)).name)
    if name is None:
        raise malformed("$.name", "a name of letters, digits and signs")
    return name


def _person(player: Player) -> PersonView:
    return PersonView(id=player.player_id, name=player.name, created_at=player.created_at)
