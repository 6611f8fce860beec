"""Who the reader is among the players: my games, my figures."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from litestar import get, post
from litestar.response import Redirect, Response

from service.access.admission import Access
from service.access.principal import Principal
from service.dependencies import Asked, PageRequest, TheMembers, ThePlayers, see_other
from service.web.format.render import Reader, uuid_of
from service.web.people.players import known


def _members(user: Principal) -> Sequence[UUID]:
    return [one.holder_id for one in user.rights if one.game_id is None and one.holder_id]


@get("/me", opt={"access": Access.MEMBER})
async def show_me(
    request: PageRequest, members: TheMembers, players: ThePlayers, ask: Asked = ""
) -> Response[Any]:
    """Redirect to the reader's own page; ask who they are, if that is not known or `ask` is set."""
    mine = await members.player(_members(request.user), request.user.session_id)
    if mine and not ask:
        return see_other(f"/players/{mine}?me=1")
    everybody = known([*(await players.names()).everybody()])
    return Reader(request).page("me.html", people=everybody, mine=mine)


@post("/me", opt={"access": Access.MEMBER})
async def tie_me(request: PageRequest, members: TheMembers, players: ThePlayers) -> Redirect:
    """Tie the reader to a player, or to nobody."""
    chosen = uuid_of(str((await request.form()).get("player", "")))
    person = (await players.names()).person(chosen) if chosen else None
    session = request.user.session_id
    if session is None or (chosen and person is None):
        return see_other("/me?ask=1")
    await members.tie(_members(request.user), session, person.player_id if person else None)
    return see_other("/me")
