"""The club's members, their roles, and invitations for their devices."""

from typing import cast, get_args
from uuid import UUID

from litestar import get, post
from litestar.response import Redirect, Response

from schemas.names import NAME_LENGTH_MAX, read_name
from service.access.network import shared_base
from service.access.secrets import login_path, token_hash
from service.dependencies import (
    Asked,
    Id,
    NewId,
    NewToken,
    PageRequest,
    TheMembers,
    see_other,
)
from service.errors import LastOwner
from service.store.records import MemberRole
from service.web.access.qr_code import only_here, qr_code
from service.web.access.shown_once import JustMade, ShownOnce
from service.web.format.render import Reader

_ADDRESS = "/club"
_INVITATIONS = ShownOnce("carnet-invitation")
_ROLES = get_args(MemberRole)


@get(_ADDRESS)
async def show_club(request: PageRequest, members: TheMembers, wrong: Asked = "") -> Response[str]:
    reader = Reader(request)
    all_members = await members.all()
    new = _INVITATIONS.read(request)
    invited = next((one for one in all_members if new and one.member_id == new.id), None)
    url = shared_base(request) + login_path(new.secret) if new else ""
    page = reader.page(
        "club.html",
        members=all_members,
        owners=sum(one.role == "owner" for one in all_members),
        roles=_ROLES,
        invited=invited,
        url=url,
        drawing=qr_code(request, url) if invited else None,
        only_here=only_here(request),
        wrong=wrong,
        name_length_max=NAME_LENGTH_MAX,
    )
    if new:
        _INVITATIONS.forget(page, _ADDRESS)
    return page


@post(_ADDRESS)
async def invite_member(
    request: PageRequest, members: TheMembers, new_id: NewId, new_token: NewToken
) -> Redirect:
    form = await request.form()
    name = read_name(str(form.get("name", "")))
    if name is None:
        return see_other(f"{_ADDRESS}?wrong=name")
    member_id, token = new_id(), new_token()
    role = _role(str(form.get("role", "")))
    await members.add_invited(member_id, name, role, token_hash(token))
    return _show_invitation(request, member_id, token)


@post(f"{_ADDRESS}/{{member_id:uuid}}")
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
                    return see_other(f"{_ADDRESS}?wrong=name")
                await members.change(member_id, name, _role(str(form.get("role", ""))))
    except LastOwner:
        return see_other(f"{_ADDRESS}?wrong=owner")
    return see_other(_ADDRESS)


def _role(text: str) -> MemberRole:
    return cast("MemberRole", text) if text in _ROLES else "reader"


def _show_invitation(request: PageRequest, member_id: UUID, token: str) -> Redirect:
    return _INVITATIONS.redirect(request, _ADDRESS, JustMade(id=member_id, secret=token))
