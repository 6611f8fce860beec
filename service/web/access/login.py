"""Coming in: a key or a link's token is opened in the browser's session, and leaves the address."""

import re
from contextlib import suppress
from typing import Any, cast
from urllib.parse import unquote, urlencode
from uuid import UUID

from litestar import get, post
from litestar.datastructures import Cookie
from litestar.response import Redirect, Response
from msgspec import Struct

from service.access.admission import (
    Club,
    client_of,
    club_of_secret,
    enter,
    session_in,
    sessions_of,
)
from service.access.cookies import SESSIONS_MAX, forgotten_session, session_cookie
from service.access.device_names import proposed_name
from service.access.principal import Principal, Right
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
    return await _come_in(request, key, new_id())


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
    session = await session_in(request, club)
    if member is not None and session is not None:
        right = Right(role=member.role, holder_id=member.member_id, token_hash=hashed)
        if session.covers(right):
            return see_other(f"/?{ALREADY}=yes", *await in_front(request, club))
    if member is None or not await club.members.use(hashed):
        return see_other("/login?wrong=yes")
    return await _opened(request, _Opening(hashed=hashed, to="/", front=True, new_id=new_id()))


@post("/logout", opt={"public": True})
async def logout(request: PageRequest) -> Response[Any]:
    """End the sessions of this browser, of whichever clubs, at once and for good."""
    for held in await sessions_of(request):
        if held.who.session_id is not None:
            await cast("ClubServices", held.club).sessions.end(held.who.session_id)
    return see_other("/login", forgotten_session())


class _Opening(Struct, frozen=True, kw_only=True):
    """A key to open in the browser's session of the request's club, else in one with a new id.

    `to`: where it leads; `front`: whether the club's pages are what the browser shows from then on.
    """

    hashed: bytes
    to: str
    front: bool
    new_id: UUID


async def _entered_by(request: PageRequest, key: str) -> ClubServices:
    club = await club_of_secret(request, key)
    enter(request, club)
    return services_of(request)


async def _come_in(request: PageRequest, key: str, new_id: UUID) -> Response[Any]:
    club, hashed = await _entered_by(request, key), token_hash(key)
    if await club.members.invited(hashed) is not None:
        return see_other(f"/join?{urlencode({'key': key})}")
    found = await club.identities.identify(key, client_of(request))
    # A program's token opens nothing in a browser.
    if found is None or found.token_id is not None:
        link = (await club.links.find([hashed])).get(hashed)
        ended = link.expires_at if link and link.ended and link.revoked_at is None else None
        return Reader(request).page("login.html", UNKNOWN, wrong=True, out=False, ended=ended)
    to = _entered(found)
    session = await session_in(request, club)
    if session is not None and all(session.covers(right) for right in found.rights):
        cookies = await in_front(request, club) if found.club else []
        return see_other(f"{to}?{ALREADY}=yes", *cookies)
    front = found.club is not None
    return await _opened(request, _Opening(hashed=hashed, to=to, front=front, new_id=new_id))


async def _opened(request: PageRequest, opening: _Opening) -> Redirect:
    club = services_of(request)
    held = await sessions_of(request)
    here = next((one for one in held if one.club is club), None)
    if here is not None and here.who.session_id is not None:
        await club.sessions.add(here.who.session_id, opening.hashed)
        cookies = await in_front(request, club) if opening.front else []
        return see_other(opening.to, *cookies)
    secret = club.new_token()
    name = proposed_name(request.headers.get("user-agent", ""))
    await club.sessions.open(opening.new_id, token_hash(secret), name, opening.hashed)
    others = [one.secret for one in held if one.who.rights]
    # A link to a game leaves a member where they are; else what was opened last is shown first.
    behind = not opening.front and any(one.who.club for one in held)
    secrets = [*others[: SESSIONS_MAX - 1], secret] if behind else [secret, *others]
    return see_other(opening.to, session_cookie(*secrets, secure=request.url.scheme == "https"))


async def in_front(request: PageRequest, club: Club) -> list[Cookie]:
    """Show a club's pages from now on, where the browser holds sessions of several."""
    held = await sessions_of(request)
    ordered = sorted(held, key=lambda one: one.club is not club)
    if ordered == held:
        return []
    secrets = [one.secret for one in ordered]
    return [session_cookie(*secrets, secure=request.url.scheme == "https")]


def _entered(found: Principal) -> str:
    game_id = found.rights[0].game_id if len(found.rights) == 1 else None
    return "/" if game_id is None else game_address(game_id)
