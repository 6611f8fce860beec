"""The players: who they are, another name, forgetting one."""

from litestar import get, post
from litestar.response import Redirect, Response

from service.store.records import Player
from service.web.asking import Id, NewId, PageRequest, ThePlayers, see_other
from service.web.render import Reader

NAME_LENGTH_MAX = 60


@get("/players")
async def show_players(request: PageRequest, players: ThePlayers) -> Response[str]:
    """List the players by name."""
    return Reader(request).page("players.html", players=known(await players.all()))


@post("/players")
async def add_player(request: PageRequest, players: ThePlayers, new_id: NewId) -> Redirect:
    """Add somebody; a name without a sign adds nobody."""
    name = name_of(str((await request.form()).get("name", "")))
    if name:
        await players.create(new_id(), name)
    return see_other("/players")


@post("/players/{player_id:uuid}")
async def change_player(request: PageRequest, players: ThePlayers, player_id: Id) -> Redirect:
    """Rename somebody, or forget the name everywhere."""
    form = await request.form()
    name = name_of(str(form.get("name", "")))
    if form.get("do") == "forget":
        await players.forget(player_id)
    elif name:
        await players.rename(player_id, name)
    return see_other("/players")


def name_of(text: str) -> str:
    """Trim a name to what is kept."""
    return " ".join(text.split())[:NAME_LENGTH_MAX]


def known(players: list[Player]) -> list[Player]:
    """Leave out those who were forgotten; sort by name."""
    named = [player for player in players if player.name is not None]
    return sorted(named, key=lambda player: (player.name or "").casefold())
