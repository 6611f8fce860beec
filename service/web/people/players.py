"""The players: who they are, somebody new, another name, forgetting one."""

from litestar import get, post
from litestar.response import Redirect, Response

from schemas.names import NAME_LENGTH_MAX, read_name
from service.access.admission import Access
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
from service.store.records import Player
from service.web.format.alphabet import alphabetical
from service.web.format.render import Reader
from service.web.people.refused_name import refuse_name, refused_name


@get("/players", opt={"access": Access.MEMBER})
async def show_players(request: PageRequest, people: ThePeople, draft: Asked = "") -> Response[str]:
    """List the players by name."""
    return await _list(request, people, refused_name(request, draft))


@post("/players", opt={"access": Access.STARTER})
async def add_player(request: PageRequest, players: ThePlayers, new_id: NewId) -> Redirect:
    """Add somebody; what is no name is shown again."""
    typed = str((await request.form()).get("name", ""))
    name = read_name(typed)
    if name is None:
        return refuse_name(request, typed)
    await players.create(new_id(), name)
    return see_other("/players")


@post("/players/{player_id:uuid}")
async def change_player(
    request: PageRequest,
    players: ThePlayers,
    exports: TheExports,
    player_id: Id,
) -> Redirect:
    """Rename somebody, or forget the name everywhere."""
    form = await request.form()
    if form.get("do") == "forget":
        await players.forget(player_id)
        exports.drop_kept()
        return see_other(f"/players/{player_id}")
    typed = str(form.get("name", ""))
    name = read_name(typed)
    if name is None:
        return refuse_name(request, typed)
    await players.rename(player_id, name)
    return see_other(f"/players/{player_id}")


async def _list(request: PageRequest, people: People, refused: str | None = None) -> Response[str]:
    """List everybody with a name; `refused`: what was typed and is no name."""
    found = await people.all()
    named = [one for one in found if one.player.name is not None]
    return Reader(request).page(
        "players.html",
        people=sorted(named, key=_alphabetically),
        forgotten=[one for one in found if one.player.name is None and one.presence.games],
        refused=refused,
        name_length_max=NAME_LENGTH_MAX,
    )


def _alphabetically(one: ListedPlayer) -> tuple[str, str, str]:
    return alphabetical(one.player.name or "")


def known(players: list[Player]) -> list[Player]:
    """Leave out those who were forgotten; sort by name."""
    named = [player for player in players if player.name is not None]
    return sorted(named, key=lambda player: alphabetical(player.name or ""))
