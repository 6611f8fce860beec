"""The game in the place of one whose seats were changed, and the links that lead there.

Promises: whoever came by a link to the other goes on with one
of the same kind to this, the same however often it is asked for; only who holds the old token can
tell the new one, and each is revoked by itself.
"""

from base64 import urlsafe_b64encode
from hashlib import sha256
from hmac import digest
from uuid import UUID

from litestar import post
from litestar.datastructures import Cookie
from litestar.response import Redirect

from service.access.cookies import link_cookie, link_tokens
from service.access.identity import Access, token_hash
from service.dependencies import Id, NewId, PageRequest, TheGames, TheLinks, see_other
from service.errors import NotFound
from service.store.links import Links
from service.web.recorder.game_page import game_address
from service.web.recorder.replacement import replacement


@post("/games/{game_id:uuid}/instead", opt={"access": Access.READER})
async def go_on_instead(
    request: PageRequest, games: TheGames, links: TheLinks, new_id: NewId, game_id: Id
) -> Redirect:
    """Lead on to the game in the place of this one, by a link of the same kind.

    Raises: NotFound (none took its place), StoreUnavailable
    """
    other = replacement(await games.moment(game_id))
    if other is None:
        raise NotFound("game", game_id)
    await games.moment(other)
    return see_other(game_address(other), *await _handed_on(request, links, new_id, other))


async def _handed_on(
    request: PageRequest, links: Links, new_id: NewId, other: UUID
) -> list[Cookie]:
    """Make the link to the other game that follows from the one somebody came by, if not yet."""
    user = request.user
    held = [token for token in link_tokens(request) if token_hash(token) == user.token_hash]
    if user.role == "owner" or not held:
        return []
    token = _following(held[0], other)
    hashed = token_hash(token)
    if not await links.find([hashed]):
        await links.create(new_id(), other, user.role, hashed)
    return [link_cookie(token, secure=request.url.scheme == "https")]


def _following(token: str, other: UUID) -> str:
    """Return the token of the link to the other game that follows from a token."""
    return urlsafe_b64encode(digest(token.encode(), other.bytes, sha256)).decode().rstrip("=")
