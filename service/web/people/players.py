"""The list of players: add, rename, forget and merge."""

from uuid import UUID

from litestar import get, post
from litestar.response import Redirect, Response

from schemas.names import NAME_LENGTH_MAX, read_name
from service.access.admission import Access
from service.club.exports import Exports
from service.club.people import ListedPlayer, People
from service.dependencies import (
    Asked,
    Id,
    NewId,
    PageRequest,
    TheExports,
    ThePeople,
    ThePlayers,
    see_other,
)
from service.errors import AlreadyMerged, NameTaken, SameGame
from service.store.club.players import Players
from service.store.records import Player
from service.web.format.collation import alphabetical_key
from service.web.format.render import Reader, uuid_of
from service.web.people.refused_name import RefusedName, refuse_name, refused_name


@get("/players", opt={"access": Access.MEMBER})
async def show_players(request: PageRequest, people: ThePeople, draft: Asked = "") -> Response[str]:
    return await _list(request, people, refused_name(request, draft))


@post("/players", opt={"access": Access.STARTER})
async def add_player(request: PageRequest, players: ThePlayers, new_id: NewId) -> Redirect:
    form = await request.form()
    typed = str(form.get("name", ""))
    name = read_name(typed)
    if name is None:
        return refuse_name(request, typed)
    try:
        await players.create(new_id(), name, same_name=form.get("do") == "two")
    except NameTaken as error:
        return refuse_name(request, typed, error.player_id)
    return see_other("/players")


@post("/players/{player_id:uuid}")
async def change_player(
    request: PageRequest,
    players: ThePlayers,
    exports: TheExports,
    player_id: Id,
) -> Redirect:
    form = await request.form()
    do = form.get("do")
    if do == "forget":
        await players.forget(player_id)
        exports.drop_temporary()
        return see_other(f"/players/{player_id}")
    if do in {"merge", "part"}:
        other = uuid_of(str(form.get("other", "")))
        return await _merge(players, exports, player_id, other, undo=do == "part")
    typed = str(form.get("name", ""))
    name = read_name(typed)
    if name is None:
        return refuse_name(request, typed)
    try:
        await players.rename(player_id, name, same_name=do == "two")
    except NameTaken as error:
        return refuse_name(request, typed, error.player_id)
    return see_other(f"/players/{player_id}")


async def _merge(
    players: Players, exports: Exports, player_id: UUID, other: UUID | None, *, undo: bool
) -> Redirect:
    if other is None or other == player_id:
        return see_other(f"/players/{player_id}?wrong=nobody")
    try:
        person = await (players.part(other) if undo else players.merge(player_id, other))
    except (SameGame, AlreadyMerged) as error:
        wrong = "game" if isinstance(error, SameGame) else "merged"
        return see_other(f"/players/{player_id}?wrong={wrong}")
    exports.drop_temporary()
    return see_other(f"/players/{person.player_id}")


async def _list(
    request: PageRequest, people: People, refused: RefusedName | None = None
) -> Response[str]:
    listed = await people.all()
    named = [one for one in listed if one.player.name is not None]
    taken = refused.taken if refused else None
    return Reader(request).page(
        "players.html",
        people=sorted(named, key=_sort_key),
        forgotten=[one for one in listed if one.player.name is None and one.presence.games],
        refused=refused,
        other=next((one for one in named if one.player.player_id == taken), None),
        name_length_max=NAME_LENGTH_MAX,
    )


def _sort_key(one: ListedPlayer) -> tuple[str, str, str]:
    return alphabetical_key(one.player.name or "")


def known(players: list[Player]) -> list[Player]:
    named = [player for player in players if player.name is not None]
    return sorted(named, key=lambda player: alphabetical_key(player.name or ""))
