"""A game that replaces one with changed seats, and the links that lead to it."""

from hashlib import sha256
from typing import Literal

from litestar import post
from litestar.response import Redirect

from service.access.admission import Access, sessions_of
from service.access.principal import Right
from service.dependencies import (
    Id,
    NewId,
    PageRequest,
    TheGames,
    TheGrants,
    see_other,
)
from service.errors import NotFound
from service.store.access.grants import NewGrant
from service.web.browser_sessions import gain
from service.web.recorder.table.board import game_address
from service.web.recorder.table.replacement import replacement


@post("/games/{game_id:uuid}/instead", opt={"access": Access.READER})
async def go_on_instead(
    request: PageRequest,
    games: TheGames,
    grants: TheGrants,
    new_id: NewId,
    game_id: Id,
) -> Redirect:
    """Redirect to the replacing game, with a link of the same kind."""
    other = replacement(await games.snapshot(game_id))
    if other is None:
        raise NotFound("game", game_id)
    await games.snapshot(other)
    user = request.user
    right = user.best(game_id)
    to = game_address(other)
    if user.session_id is None or right is None or right.game_id is None:
        return see_other(to)
    role: Literal["scorer", "viewer"] = "scorer" if right.role == "scorer" else "viewer"
    # This token is never shown: the service opens it for holders of the previous link.
    follows = sha256(right.token_hash + other.bytes).digest()
    gained = Right(role=role, game_id=other, token_hash=follows)
    if user.covers(gained):
        return see_other(to)
    if await grants.link(follows) is None:
        await grants.create(
            NewGrant(id=new_id(), kind="link", secret_hash=follows, role=role, games=[other])
        )
    return see_other(to, await gain(request, await sessions_of(request), gained, new_id()))
