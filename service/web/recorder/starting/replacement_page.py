"""The game in the place of one whose seats were changed, and the links that lead there."""

from hashlib import sha256
from uuid import UUID

from litestar import post
from litestar.response import Redirect

from service.access.admission import Access
from service.access.principal import Right
from service.dependencies import (
    Id,
    NewId,
    PageRequest,
    TheGames,
    TheLinks,
    TheSessions,
    see_other,
)
from service.errors import NotFound
from service.store.access.links import Links
from service.store.access.sessions import Sessions
from service.store.records import Role
from service.web.recorder.table.game_page import game_address
from service.web.recorder.table.replacement import replacement


@post("/games/{game_id:uuid}/instead", opt={"access": Access.READER})
async def go_on_instead(
    request: PageRequest,
    games: TheGames,
    links: TheLinks,
    sessions: TheSessions,
    new_id: NewId,
    game_id: Id,
) -> Redirect:
    """Lead on to the game in the place of this one, by a link of the same kind.

    Raises: NotFound (none took its place), StoreUnavailable
    """
    other = replacement(await games.moment(game_id))
    if other is None:
        raise NotFound("game", game_id)
    await games.moment(other)
    user = request.user
    right = user.best(game_id)
    if user.session_id is not None and right is not None and right.game_id is not None:
        await _handed_on(right, other, new_id(), user.session_id, links, sessions)
    return see_other(game_address(other))


async def _handed_on(
    right: Right, other: UUID, link_id: UUID, session_id: UUID, links: Links, sessions: Sessions
) -> None:
    # Nobody is given this token: it is opened for those who hold the link it follows from.
    follows = sha256(right.token_hash + other.bytes).digest()
    if not await links.find([follows]):
        await links.create(link_id, other, _role(right), follows)
    await sessions.add(session_id, follows)


def _role(right: Right) -> Role:
    return "scorer" if right.role == "scorer" else "viewer"
