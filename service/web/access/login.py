"""Coming in: a link's key becomes a cookie, and leaves the address at once.

Promises: what was opened in a browser adds to what it may do there, and a link takes nothing away;
whoever follows one that adds nothing is told so on the page it leads to.
"""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from litestar import get, post
from litestar.datastructures import Cookie
from litestar.response import Response

from service.access.cookies import (
    LINKS_MAX,
    forgotten,
    link_cookie,
    link_cookie_name,
    link_tokens,
    names_kept,
    owner_cookie,
)
from service.access.identity import Identities, Identity, identities_held, token_hash
from service.dependencies import MaybeAsked, PageRequest, see_other
from service.errors import TooManyRequests
from service.web.format.render import ALREADY, Reader
from service.web.recorder.game_page import game_address

UNKNOWN = 401


@get("/login", opt={"public": True})
async def show_login(
    request: PageRequest, key: MaybeAsked = None, wrong: MaybeAsked = None
) -> Response[Any]:
    """Take the key of a link, or ask for one, after a `wrong` one again."""
    if key is None:
        return Reader(request).page("login.html", wrong=wrong is not None)
    return await _come_in(request, key)


@post("/login", opt={"public": True})
async def login(request: PageRequest) -> Response[Any]:
    """Take a key that was typed or pasted; one that opens nothing is asked for again."""
    answer = await _come_in(request, str((await request.form()).get("key", "")))
    return see_other("/login?wrong=yes") if answer.status_code == UNKNOWN else answer


@post("/logout", opt={"public": True})
async def logout(request: PageRequest) -> Response[Any]:
    """Forget the key and the links in this browser."""
    return see_other("/login", *forgotten(names_kept(request)))


async def _come_in(request: PageRequest, key: str) -> Response[Any]:
    identities: Identities = request.app.state["identities"]
    client = request.client.host if request.client else ""
    # A link that was pasted whole is as good as its key.
    key = key.strip().rpartition("key=")[2]
    identity = await identities.identify(key, client)
    if identity is None:
        return Reader(request).page("login.html", UNKNOWN, wrong=True)
    held: list[Identity] = []
    with suppress(TooManyRequests):
        held = await identities_held(request)
    to = "/" if identity.game_id is None else game_address(identity.game_id)
    if any(one.covers(identity) for one in held):
        return see_other(f"{to}?{ALREADY}=yes")
    secure = request.url.scheme == "https"
    if identity.role == "owner":
        return see_other(to, owner_cookie(key, secure=secure))
    return see_other(to, *_surplus(request, held), link_cookie(key, secure=secure))


def _surplus(request: PageRequest, held: Sequence[Identity]) -> list[Cookie]:
    """Make room where there are too many links: those that open nothing go, then the first."""
    living = {one.token_hash for one in held}
    tokens = sorted(link_tokens(request), key=lambda token: token_hash(token) in living)
    surplus = tokens[: max(0, len(tokens) + 1 - LINKS_MAX)]
    return forgotten(map(link_cookie_name, surplus))
