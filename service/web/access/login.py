"""Signing in: a key or a link's token gives the browser a session, and leaves the address.

Promises: an address that another site's page leads to, or that would show another club than this
browser shows, asks before it changes who is signed in.
"""

import re
from contextlib import suppress
from typing import Any, cast
from urllib.parse import unquote, urlencode
from uuid import UUID

from litestar import get, post
from litestar.response import Redirect, Response

from service.access.admission import (
    client_of,
    club_of_secret,
    enter,
    linked_from_other_site,
    sessions_of,
)
from service.access.cookies import session_cookie
from service.access.principal import Right
from service.access.secrets import token_hash
from service.dependencies import (
    Asked,
    MaybeAsked,
    NewId,
    PageRequest,
    see_other,
)
from service.errors import TooManyRequests
from service.tenancy.club_services import ClubServices, services_of
from service.web.browser_sessions import gain, in_front, session_in, will_be_first
from service.web.format.render import ALREADY, Reader
from service.web.recorder.table.game_page import game_address

UNKNOWN = 401
# A link to this page, or what is left of one that was pasted without its beginning.
_LINK = re.compile(r"(?:\S*/)?(?:login)?\?key=([^&#\s]*)")


@get("/login", opt={"public": True})
async def show_login(
    request: PageRequest, new_id: NewId, key: MaybeAsked = None, wrong: MaybeAsked = None
) -> Response[Any]:
    """Take the key of a link, or ask for one: after a `wrong` one again, and who is `out`."""
    if key is None:
        out = "out" in request.query_params
        return Reader(request).page("login.html", wrong=wrong is not None, out=out, ended=None)
    return await _come_in(request, key, new_id(), asks=True)


@post("/login", opt={"public": True})
async def login(request: PageRequest, new_id: NewId) -> Response[Any]:
    """Take a key that was typed or pasted; one that opens nothing is asked for again."""
    typed = str((await request.form()).get("key", "")).strip()
    # A link that was pasted whole is as good as its key; and a key may look like a link.
    if link := _LINK.fullmatch(typed):
        with suppress(TooManyRequests):
            answer = await _come_in(request, unquote(link[1]), new_id())
            if answer.status_code != UNKNOWN:
                return answer
    answer = await _come_in(request, typed, new_id())
    return see_other("/login?wrong=yes") if answer.status_code == UNKNOWN else answer


@get("/join", opt={"public": True})
async def show_invitation(request: PageRequest, key: Asked = "") -> Response[Any]:
    """Ask whether this is the device: looking at an invitation does not use it up."""
    members = (await _entered_by(request, key)).members
    member = await members.invited(token_hash(key))
    if member is None:
        return see_other("/login?wrong=yes")
    return Reader(request).page("join.html", name=member.name, role=member.role, key=key)


@post("/join", opt={"public": True})
async def join(request: PageRequest, new_id: NewId) -> Redirect:
    """Use an invitation up: this browser is the member's from then on.

    Who may already do as much is told so, and the invitation stays good.
    """
    key = str((await request.form()).get("key", ""))
    club, hashed = await _entered_by(request, key), token_hash(key)
    member = await club.members.invited(hashed)
    if member is None:
        return see_other("/login?wrong=yes")
    right = Right(role=member.role, holder_id=member.member_id, token_hash=hashed)
    held = await sessions_of(request)
    here = session_in(club, held)
    if here is not None and here.who.covers(right):
        return see_other(f"/?{ALREADY}=yes", *await in_front(request, club))
    if not await club.members.use(hashed):
        return see_other("/login?wrong=yes")
    return see_other("/", await gain(request, held, right, new_id()))


@post("/logout", opt={"public": True})
async def logout(request: PageRequest) -> Response[Any]:
    """End the sessions of this browser, of whichever clubs, at once and for good."""
    for held in await sessions_of(request):
        if held.who.session_id is not None:
            await cast("ClubServices", held.club).grants.revoke("session", held.who.session_id)
    return see_other("/login", session_cookie(request))


async def _entered_by(request: PageRequest, key: str) -> ClubServices:
    club = await club_of_secret(request, key)
    enter(request, club)
    return services_of(request)


async def _come_in(
    request: PageRequest, key: str, new_id: UUID, *, asks: bool = False
) -> Response[Any]:
    club, hashed = await _entered_by(request, key), token_hash(key)
    if await club.members.invited(hashed) is not None:
        return see_other(f"/join?{urlencode({'key': key})}")
    found = await club.identities.identify(key, client_of(request))
    # A program's token opens nothing in a browser.
    if found is None or found.token_id is not None:
        link = await club.grants.link(hashed)
        ended = link.expires_at if link and link.ended and link.revoked_at is None else None
        return Reader(request).page("login.html", UNKNOWN, wrong=True, out=False, ended=ended)
    right = found.rights[0]
    held = await sessions_of(request)
    here = session_in(club, held)
    covered = here is not None and here.who.covers(right)
    if asks:
        shown = next((one.club for one in held if one.who.rights), club)
        replaces = shown is not club and will_be_first(right, club, held)
        if replaces or (not covered and linked_from_other_site(request)):
            role = right.role
            return Reader(request).page("open_link.html", key=key, role=role, replaces=replaces)
    to = "/" if right.game_id is None else game_address(right.game_id)
    if covered:
        cookies = await in_front(request, club) if right.game_id is None else []
        return see_other(f"{to}?{ALREADY}=yes", *cookies)
    return see_other(to, await gain(request, held, right, new_id))
