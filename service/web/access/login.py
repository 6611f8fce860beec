"""Coming in: a link's key becomes a cookie, and leaves the address at once.

Promises: the cookie is out of reach of scripts (HttpOnly) and of other sites (SameSite=Lax).
"""

from typing import Any

from litestar import get, post
from litestar.datastructures import Cookie
from litestar.response import Response

from service.access.identity import COOKIE, Identities, same_origin
from service.web.dependencies import MaybeAsked, PageRequest, see_other
from service.web.format.preferences import YEAR_SECONDS
from service.web.format.render import Reader
from service.web.recorder.game_page import game_address

UNKNOWN = 401


@get("/login", opt={"public": True})
async def show_login(request: PageRequest, key: MaybeAsked = None) -> Response[Any]:
    """Take the key of a link, or ask for one."""
    if key is None:
        return Reader(request).page("login.html", wrong=False)
    return await _come_in(request, key)


@post("/login", opt={"public": True})
async def login(request: PageRequest) -> Response[Any]:
    """Take a key that was typed or pasted."""
    if not same_origin(request):
        return Reader(request).page("login.html", UNKNOWN, wrong=False)
    return await _come_in(request, str((await request.form()).get("key", "")))


@post("/logout", opt={"public": True})
async def logout(request: PageRequest) -> Response[Any]:
    """Forget the key on this phone."""
    del request
    gone = Cookie(key=COOKIE, value="", max_age=0, path="/", httponly=True, samesite="lax")
    return see_other("/login", gone)


async def _come_in(request: PageRequest, key: str) -> Response[Any]:
    identities: Identities = request.app.state["identities"]
    client = request.client.host if request.client else ""
    # A link that was pasted whole is as good as its key.
    key = key.strip().rpartition("key=")[2]
    identity = await identities.identify(key, client)
    if identity is None:
        return Reader(request).page("login.html", UNKNOWN, wrong=True)
    cookie = Cookie(
        key=COOKIE,
        value=key,
        max_age=YEAR_SECONDS,
        path="/",
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )
    to = "/" if identity.game_id is None else game_address(identity.game_id)
    return see_other(to, cookie)
