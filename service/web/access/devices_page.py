"""The devices: every browser that was let in, its name, when it was seen; signing out from afar."""

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
from service.web.access.api_tokens_page import show_no_more, shown_tokens
from service.web.format.render import Reader

_ADDRESS = "/devices"
# Those in sight: who signs in by a link each evening would else scroll past all of them.
_LATELY = timedelta(days=30)
_LATELY_MAX = 12
_KNOWN = {"access": Access.KNOWN}
# Whoever lost a phone signs it out, whatever else nobody may write.
_SIGN_OUT = {"access": Access.KNOWN, "stores_nothing": True}


class Device(Struct, frozen=True, kw_only=True):
    """A browser as it is listed. `whose`: the members; `games`: those its links open."""

    id: UUID
    name: str
    this: bool
    owner: bool
    whose: tuple[str, ...]
    games: int
    created_at: datetime
    seen_at: datetime


@get(_ADDRESS, opt=_KNOWN)
async def show_devices(
    request: PageRequest, grants: TheGrants, members: TheMembers, now: Now, wrong: Asked = ""
) -> Response[str]:
    """List the devices, and the tokens of programs to an owner; `wrong`: what was refused.

    Those not seen lately are folded.
    """
    names = {one.member_id: one.name for one in await members.all()}
    identities = services_of(request).identities
    shown = [
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
    listed = sorted(shown, key=lambda one: not one.this)
    since = now() - _LATELY
    lately = [one for one in listed if one.this or one.seen_at >= since][:_LATELY_MAX]
    tokens = await shown_tokens(request) if request.user.owner else None
    page = Reader(request).page(
        "devices.html",
        lately=lately,
        before=listed[len(lately) :],
        tokens=tokens,
        wrong=wrong,
        name_length_max=NAME_LENGTH_MAX,
    )
    if tokens and tokens.made:
        show_no_more(page)
    return page


@post(f"{_ADDRESS}/{{session_id:uuid}}", opt=_SIGN_OUT)
async def change_device(request: PageRequest, grants: TheGrants, session_id: Id) -> Redirect:
    """Name a device, or sign it out; this one is led to where it can come in again.

    Raises: NotFound (there is none that they may see)
    """
    form = await request.form()
    identities = services_of(request).identities
    mine = _visible(request.user, await grants.sessions(), identities)
    if session_id not in {one.id for one in mine}:
        raise NotFound("session", session_id)
    if form.get("do") == "end":
        await grants.revoke("session", session_id)
        if session_id == request.user.session_id:
            return await _left(request)
    elif name := read_name(str(form.get("name", ""))):
        await grants.rename_session(session_id, name)
    return see_other(_ADDRESS)


@post(f"{_ADDRESS}/others", opt=_SIGN_OUT)
async def end_others(request: PageRequest, grants: TheGrants) -> Redirect:
    """Sign out every device that is listed but this one."""
    identities = services_of(request).identities
    for one in _visible(request.user, await grants.sessions(), identities):
        if one.id != request.user.session_id:
            await grants.revoke("session", one.id)
    return see_other(_ADDRESS)


async def _left(request: PageRequest) -> Redirect:
    held = await sessions_of(request)
    others = [one.secret for one in held if one.club is not club_of(request)]
    return see_other("/" if others else "/login", session_cookie(request, *others))


def _visible(who: Principal, sessions: Sequence[Session], identities: Identities) -> list[Session]:
    living = [
        one for one in sessions if one.members or one.linked or identities.opened_by_owner(one)
    ]
    if who.owner:
        return living
    mine = {right.holder_id for right in who.rights if right.game_id is None}
    return [one for one in living if one.id == who.session_id or not mine.isdisjoint(one.members)]
