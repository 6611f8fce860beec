"""Login by a key, a link or an invitation: each gives the browser a session.

Promises: a link from another site, or to another club than the browser shows, asks for
confirmation before it changes the session.
"""

import re
from contextlib import suppress
from datetime import datetime
from typing import Any, Literal, cast
from urllib.parse import unquote, urlencode
from uuid import UUID

from litestar import get, post
from litestar.response import Redirect, Response

from service.access.admission import (
    bind_club,
    client_of,
    club_of_secret,
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
from service.web.browser_sessions import gain, session_in, switch_club, will_be_first
from service.web.format.render import ALREADY, Reader
from service.web.recorder.table.board import game_address

UNKNOWN = 401
# A link to this page, possibly pasted without its beginning.
_LINK = re.compile(r"(?:\S*/)?(?:login)?\?key=([^&#\s]*)")


@get("/login", opt={"public": True})
async def show_login(
    request: PageRequest, new_id: NewId, key: MaybeAsked = None, wrong: MaybeAsked = None
) -> Response[Any]:
    """Log in with the `key` of a link, else show the form; `wrong`: the last key was invalid."""
    if key is None:
        out = "out" in request.query_params
        return _form(request, 200, wrong=wrong is not None, out=out)
    return await _log_in(request, key, new_id(), may_ask=True)


@post("/login", opt={"public": True})
async def login(request: PageRequest, new_id: NewId) -> Response[Any]:
    typed = str((await request.form()).get("key", "")).strip()
    # A pasted link works like its key; but a key may also look like a link, so try both.
    if link := _LINK.fullmatch(typed):
        with suppress(TooManyRequests):
            answer = await _log_in(request, unquote(link[1]), new_id())
            if answer.status_code != UNKNOWN:
                return answer
    answer = await _log_in(request, typed, new_id())
    return see_other("/login?wrong=yes") if answer.status_code == UNKNOWN else answer


@get("/join", opt={"public": True})
async def show_invitation(request: PageRequest, key: Asked = "") -> Response[Any]:
    """Ask for confirmation; viewing an invitation does not use it up."""
    club, hashed = await _enter_club(request, key), token_hash(key)
    member = await club.members.find_invited(hashed)
    if member is None:
        why = await club.members.invitation_end(hashed)
        return await _refuse(request, club, why) if why else see_other("/login?wrong=yes")
    return Reader(request).page("join.html", name=member.name, role=member.role, key=key)


@post("/join", opt={"public": True})
async def join(request: PageRequest, new_id: NewId) -> Redirect:
    """Use an invitation up and give this browser the member's session.

    If the browser already has these rights, the invitation remains valid.
    """
    key = str((await request.form()).get("key", ""))
    club, hashed = await _enter_club(request, key), token_hash(key)
    member = await club.members.find_invited(hashed)
    if member is None:
        return see_other(f"/join?{urlencode({'key': key})}")
    right = Right(role=member.role, holder_id=member.member_id, token_hash=hashed)
    sessions = await sessions_of(request)
    current = session_in(club, sessions)
    if current is not None and current.who.covers(right):
        return see_other(f"/?{ALREADY}=yes", *await switch_club(request, club))
    if not await club.members.use(hashed):
        return see_other(f"/join?{urlencode({'key': key})}")
    return see_other("/", await gain(request, sessions, right, new_id()))


@post("/logout", opt={"public": True})
async def logout(request: PageRequest) -> Response[Any]:
    for session in await sessions_of(request):
        if session.who.session_id is not None:
            await cast("ClubServices", session.club).grants.revoke(
                "session", session.who.session_id
            )
    return see_other("/login", session_cookie(request))


async def _refuse(
    request: PageRequest,
    club: ClubServices,
    why: Literal["used", "ended", "revoked"],
    ended: datetime | None = None,
) -> Response[str]:
    """Show why a link no longer works and name the owners of its club."""
    members = await club.members.all()
    owners = [one.name for one in members if one.role == "owner" and one.joined]
    return _form(request, UNKNOWN, why=why, ended=ended, owners=owners)


def _form(request: PageRequest, status: int, **context: object) -> Response[str]:
    known = {"wrong": False, "out": False, "why": None, "ended": None, "owners": ()}
    return Reader(request).page("login.html", status, None, **{**known, **context})


async def _enter_club(request: PageRequest, key: str) -> ClubServices:
    club = await club_of_secret(request, key)
    bind_club(request, club)
    return services_of(request)


async def _log_in(
    request: PageRequest, key: str, new_id: UUID, *, may_ask: bool = False
) -> Response[Any]:
    club, hashed = await _enter_club(request, key), token_hash(key)
    if await club.members.find_invited(hashed) is not None:
        return see_other(f"/join?{urlencode({'key': key})}")
    principal = await club.identities.identify(key, client_of(request))
    # An API token must not open a browser session.
    if principal is None or principal.token_id is not None:
        link = await club.grants.link(hashed)
        if link is not None and not link.opens:
            ended = link.expires_at if link.revoked_at is None else None
            return await _refuse(request, club, "ended" if ended else "revoked", ended)
        if why := await club.members.invitation_end(hashed):
            return await _refuse(request, club, why)
        return _form(request, UNKNOWN, wrong=True)
    right = principal.rights[0]
    sessions = await sessions_of(request)
    current = session_in(club, sessions)
    covered = current is not None and current.who.covers(right)
    if may_ask:
        shown = next((one.club for one in sessions if one.who.rights), club)
        replaces = shown is not club and will_be_first(right, club, sessions)
        if replaces or (not covered and linked_from_other_site(request)):
            role = right.role
            return Reader(request).page("open_link.html", key=key, role=role, replaces=replaces)
    to = "/" if right.game_id is None else game_address(right.game_id)
    if covered:
        cookies = await switch_club(request, club) if right.game_id is None else []
        return see_other(f"{to}?{ALREADY}=yes", *cookies)
    return see_other(to, await gain(request, sessions, right, new_id))
