"""The people section of the page of people and devices: members, roles, invitations."""

from collections.abc import Sequence
from typing import cast, get_args
from uuid import UUID

from litestar import post
from litestar.response import Redirect
from markupsafe import Markup
from msgspec import Struct

from schemas.names import read_name
from service.access.hosts import shared_base
from service.access.secrets import login_path, token_hash
from service.dependencies import (
    Id,
    NewId,
    NewToken,
    PageRequest,
    TheMembers,
    see_other,
)
from service.errors import LastOwner
from service.store.access.members import Member
from service.store.records import MemberRole
from service.web.access.qr_code import only_here, qr_code
from service.web.access.shown_once import JustMade, ShownOnce

ADDRESS = "/people"
INVITATIONS = ShownOnce("carnet-invitation")
_ROLES = get_args(MemberRole)


class PeopleSection(Struct, frozen=True, kw_only=True):
    """The section's variables: `invited` has just been invited by the link `url`."""

    members: Sequence[Member]
    invited: Member | None
    url: str
    drawing: Markup | None
    only_here: str
    roles: tuple[str, ...] = _ROLES


def people_section(request: PageRequest, everybody: Sequence[Member]) -> PeopleSection:
    """List the members, with a new invitation if there is one."""
    new = INVITATIONS.read(request)
    invited = next((one for one in everybody if new and one.member_id == new.id), None)
    url = shared_base(request) + login_path(new.secret) if new else ""
    return PeopleSection(
        members=everybody,
        invited=invited,
        url=url,
        drawing=qr_code(request, url) if invited else None,
        only_here=only_here(request),
    )


@post(ADDRESS)
async def invite_member(
    request: PageRequest, members: TheMembers, new_id: NewId, new_token: NewToken
) -> Redirect:
    form = await request.form()
    name = read_name(str(form.get("name", "")))
    if name is None:
        return see_other(f"{ADDRESS}?wrong=name")
    member_id, token = new_id(), new_token()
    role = _role(str(form.get("role", "")))
    await members.add_invited(member_id, name, role, token_hash(token))
    return _show_invitation(request, member_id, token)


@post(f"{ADDRESS}/{{member_id:uuid}}")
async def change_member(
    request: PageRequest, members: TheMembers, new_token: NewToken, member_id: Id
) -> Redirect:
    form = await request.form()
    try:
        match form.get("do"):
            case "invite":
                token = new_token()
                await members.invite(member_id, token_hash(token))
                return _show_invitation(request, member_id, token)
            case "remove":
                await members.remove(member_id)
            case _:
                name = read_name(str(form.get("name", "")))
                if name is None:
                    return see_other(f"{ADDRESS}?wrong=name")
                await members.change(member_id, name, _role(str(form.get("role", ""))))
    except LastOwner:
        return see_other(f"{ADDRESS}?wrong=owner")
    return see_other(ADDRESS)


def _role(text: str) -> MemberRole:
    return cast("MemberRole", text) if text in _ROLES else "reader"


def _show_invitation(request: PageRequest, member_id: UUID, token: str) -> Redirect:
    return INVITATIONS.redirect(request, ADDRESS, JustMade(id=member_id, secret=token))
