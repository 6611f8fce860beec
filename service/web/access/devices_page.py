"""The page of people and devices: members, and browser sessions with last use and sign-out."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

from litestar import get, post
from litestar.response import Redirect, Response
from msgspec import Struct

from schemas.names import NAME_LENGTH_MAX, read_name
from service.access.admission import Access, club_of, sessions_of
from service.access.cookies import session_cookie
from service.access.identities import Identities
from service.access.principal import Principal
from service.dependencies import Asked, Id, Now, PageRequest, TheGrants, TheMembers, see_other
from service.errors import NotFound
from service.store.access.grants import Session
from service.tenancy.club_services import services_of
from service.web.access.people_section import ADDRESS, INVITATIONS, people_section
from service.web.format.render import Reader

_DEVICES = f"{ADDRESS}/devices"
# Shown unfolded: signing in by a link every evening creates many sessions.
_RECENT = timedelta(days=30)
_RECENT_MAX = 12
_KNOWN = {"access": Access.KNOWN}
# Signing out a lost phone must work even when nothing can be written.
_SIGN_OUT = {"access": Access.KNOWN, "stores_nothing": True}


class Device(Struct, frozen=True, kw_only=True):
    """A browser session in the list.

    `whose`: its members; `games`: the number of games that its links open.
    """

    id: UUID
    name: str
    this: bool
    owner: bool
    whose: tuple[str, ...]
    games: int
    created_at: datetime
    seen_at: datetime


@get(ADDRESS, opt=_KNOWN)
async def show_devices(
    request: PageRequest, grants: TheGrants, members: TheMembers, now: Now, wrong: Asked = ""
) -> Response[str]:
    everybody = await members.all()
    names = {one.member_id: one.name for one in everybody}
    identities = services_of(request).identities
    devices = [
        Device(
            id=one.id,
            name=one.name,
            this=one.id == request.user.session_id,
            owner=identities.opened_by_owner(one),
            whose=tuple(names[member] for member in one.members if member in names),
            games=one.linked,
            created_at=one.created_at,
            seen_at=one.seen_at or one.created_at,
        )
        for one in _visible(request.user, await grants.sessions(), identities)
    ]
    listed = sorted(devices, key=lambda one: not one.this)
    since = now() - _RECENT
    recent = [one for one in listed if one.this or one.seen_at >= since][:_RECENT_MAX]
    people = people_section(request, everybody) if request.user.owner else None
    page = Reader(request).page(
        "devices.html",
        lately=recent,
        before=listed[len(recent) :],
        people=people,
        wrong=wrong,
        name_length_max=NAME_LENGTH_MAX,
    )
    if people and people.url:
        INVITATIONS.forget(page, ADDRESS)
    return page


@post(f"{_DEVICES}/{{session_id:uuid}}", opt=_SIGN_OUT)
async def change_device(request: PageRequest, grants: TheGrants, session_id: Id) -> Redirect:
    form = await request.form()
    identities = services_of(request).identities
    mine = _visible(request.user, await grants.sessions(), identities)
    if session_id not in {one.id for one in mine}:
        raise NotFound("session", session_id)
    if form.get("do") == "end":
        await grants.revoke("session", session_id)
        if session_id == request.user.session_id:
            return await _after_sign_out(request)
    elif name := read_name(str(form.get("name", ""))):
        await grants.rename_session(session_id, name)
    return see_other(ADDRESS)


@post(f"{_DEVICES}/others", opt=_SIGN_OUT)
async def end_others(request: PageRequest, grants: TheGrants) -> Redirect:
    identities = services_of(request).identities
    for one in _visible(request.user, await grants.sessions(), identities):
        if one.id != request.user.session_id:
            await grants.revoke("session", one.id)
    return see_other(ADDRESS)


async def _after_sign_out(request: PageRequest) -> Redirect:
    sessions = await sessions_of(request)
    others = [one.secret for one in sessions if one.club is not club_of(request)]
    return see_other("/" if others else "/login", session_cookie(request, *others))


def _visible(user: Principal, sessions: Sequence[Session], identities: Identities) -> list[Session]:
    active = [
        one for one in sessions if one.members or one.linked or identities.opened_by_owner(one)
    ]
    if user.owner:
        return active
    mine = {right.holder_id for right in user.rights if right.game_id is None}
    return [one for one in active if one.id == user.session_id or not mine.isdisjoint(one.members)]
