"""People: add, list, rename, merge, and erase on request (their games stay)."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated
from uuid import UUID

from litestar import Response, delete, get, patch, post
from litestar.status_codes import HTTP_200_OK
from msgspec import Meta, Struct, structs

from schemas.names import NAME_EXPECTED, NAME_LENGTH_MAX, NAME_PATTERN, read_name
from service.access.admission import Access
from service.dependencies import NewId, TheExports, ThePlayers
from service.http.documentation.openapi import Documented
from service.http.inputs import HttpRequest, malformed, read_body
from service.http.parameters import PlayerId
from service.play.views import PlayerView
from service.store.club.players import Players
from service.store.records import MergedPlayer, Player

_ANN = {"name": "Ann"}
_INTO = {"into": "0192f1c2-7c3e-7a51-8f2b-6f7f4a1d0c11"}


class PlayerBody(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A name; surrounding spaces are removed, others collapsed.

    `same_name`: allow the name of another person, compared case-insensitively.
    """

    name: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=NAME_LENGTH_MAX,
            extra_json_schema={"pattern": NAME_PATTERN},
        ),
    ]
    same_name: bool = False


class MergeBody(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The id of the player that this person is."""

    into: UUID


class MergedView(Struct, frozen=True, kw_only=True):
    """An entry that was merged into another one; `name` is null if erased."""

    id: UUID
    name: str | None
    into: UUID


class PersonView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A person; `name` is null if erased.

    `merged`: other entries of the same person; `alike`: after adding or renaming, people whose
    names differ only in accents, hyphens or spaces. Both absent if none.
    """

    id: UUID
    name: str | None
    created_at: datetime
    merged: tuple[MergedView, ...] = ()
    alike: tuple[PlayerView, ...] = ()


class PersonList(Struct, frozen=True, kw_only=True):
    """All people in order of creation, erased ones included."""

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
    """Add a person."""
    name, same_name = await _name(request)
    player = await players.create(new_id(), name, same_name=same_name)
    location = {"Location": f"/api/players/{player.player_id}"}
    return Response(await _with_alike(players, _person(player)), headers=location)


@get("/players", opt={"access": Access.MEMBER})
async def list_players(players: ThePlayers) -> PersonList:
    """List all people."""
    people, merged = await players.all(), await players.list_merged()
    return PersonList(players=tuple(_person(player, merged) for player in people))


@patch("/players/{player_id:uuid}", opt={"documented": Documented(body=PlayerBody, example=_ANN)})
async def rename_player(
    request: HttpRequest, player_id: PlayerId, players: ThePlayers
) -> PersonView:
    """Change a name everywhere it is shown."""
    name, same_name = await _name(request)
    renamed = await players.rename(player_id, name, same_name=same_name)
    return await _with_alike(players, _person(renamed, await players.list_merged()))


async def _with_alike(players: Players, person: PersonView) -> PersonView:
    like = (await players.names()).like(person.name or "")
    alike = [PlayerView(id=other.player_id, name=other.name) for other in like]
    return structs.replace(person, alike=tuple(other for other in alike if other.id != person.id))


@delete("/players/{player_id:uuid}")
async def forget_player(player_id: PlayerId, players: ThePlayers, exports: TheExports) -> None:
    """Erase a name everywhere; the games stay."""
    await players.forget(player_id)
    exports.drop_temporary()


@post(
    "/players/{player_id:uuid}/merge",
    status_code=HTTP_200_OK,
    opt={"documented": Documented(body=MergeBody, example=_INTO)},
)
async def merge_players(
    request: HttpRequest, player_id: PlayerId, players: ThePlayers, exports: TheExports
) -> PersonView:
    """Merge two entries of one person, in all lists, figures and files; the log is unchanged."""
    into = (await read_body(request, MergeBody)).into
    if into == player_id:
        raise malformed("$.into", "the id of another player")
    person = await players.merge(player_id, into)
    exports.drop_temporary()
    return _person(person, await players.list_merged())


@delete("/players/{player_id:uuid}/merge")
async def part_players(player_id: PlayerId, players: ThePlayers, exports: TheExports) -> None:
    """Undo a merge."""
    await players.undo_merge(player_id)
    exports.drop_temporary()


async def _name(request: HttpRequest) -> tuple[str, bool]:
    body = await read_body(request, PlayerBody)
    name = read_name(body.name)
    if name is None:
        raise malformed("$.name", NAME_EXPECTED)
    return name, body.same_name


def _person(player: Player, merged: Sequence[MergedPlayer] = ()) -> PersonView:
    return PersonView(
        id=player.player_id,
        name=player.name,
        created_at=player.created_at,
        merged=tuple(
            MergedView(id=merged_player.player_id, name=merged_player.name, into=merged_player.into)
            for merged_player in merged
            if merged_player.person == player.player_id
        ),
    )
