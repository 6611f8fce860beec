"""Inviting others: a link and its QR code for a scorer, a viewer or anybody, and revoking it."""

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Literal
from zoneinfo import ZoneInfo

from litestar import get, post
from litestar.response import Redirect, Response
from markupsafe import Markup
from msgspec import Struct

from schemas.names import NAME_LENGTH_MAX, read_name
from service.access.hosts import shared_base
from service.access.public import SITE, SITES_MAX, shared_path
from service.access.secrets import login_path, token_hash
from service.dependencies import (
    Asked,
    Id,
    NewId,
    NewToken,
    Now,
    PageRequest,
    TheGames,
    TheLinks,
    ThePublicLinks,
    see_other,
)
from service.store.records import UNNAMED, Link, PublicLink, Role, Terms
from service.web.access.qr_code import only_here, qr_code
from service.web.access.shown_once import JustMade, ShownOnce
from service.web.format.link_labels import numbered
from service.web.format.render import Reader, names_of, version_of
from service.web.recorder.table.game_page import place

_NEW_LINKS = ShownOnce("carnet-link")


class MadeLink(Struct, frozen=True, kw_only=True):
    """A link as made: its address, and a QR code of that if another phone can open it."""

    url: str
    role: str
    drawing: Markup | None
    name: str = ""
    expires_at: datetime | None = None
    until: int | None = None
    sites: tuple[str, ...] = ()


@get("/games/{game_id:uuid}/share")
async def share(
    request: PageRequest,
    games: TheGames,
    links: TheLinks,
    public_links: ThePublicLinks,
    game_id: Id,
    wrong: Asked = "",
    shown: Asked = "",
) -> Response[str]:
    """Show who was invited, and a link that was just made, this once.

    `shown`: the id of a public link to show again; `wrong`: what was refused.
    """
    reader = Reader(request)
    view = await games.view(game_id)
    living = [one for one in numbered(await links.of_game(game_id)) if one[1].revoked_at is None]
    public = [one for one in await public_links.of_game(game_id) if one.revoked_at is None]
    fresh = _NEW_LINKS.read(request)
    anew = next((link for link in public if str(link.link_id) == shown and not link.ended), None)
    made = _made_public(request, anew) if anew is not None else None
    if made is None and fresh is not None:
        made = _made(request, fresh, [link for _, link in living])
    page = reader.page(
        "links.html",
        **place(view, request.user),
        view=view,
        names=names_of(reader, view.players),
        links=living,
        public=public,
        made=made,
        wrong=wrong,
        name_length_max=NAME_LENGTH_MAX,
        only_here=only_here(request),
    )
    if fresh:
        _NEW_LINKS.forget(page, request.url.path)
    return page


@post("/games/{game_id:uuid}/share")
async def invite(
    request: PageRequest,
    links: TheLinks,
    public_links: ThePublicLinks,
    new_id: NewId,
    new_token: NewToken,
    now: Now,
    game_id: Id,
) -> Redirect:
    """Make a link, and lead to the page that shows it."""
    form = await request.form()
    role, token = form.get("role"), new_token()
    address = f"/games/{game_id}/share"
    terms, wrong = _terms(form, Reader(request).zone, now())
    if wrong:
        return see_other(f"{address}?wrong={wrong}")
    if role == "public":
        sites = str(form.get("sites", "")).lower().replace(",", " ").split()
        if len(sites) > SITES_MAX or not all(re.fullmatch(SITE, site) for site in sites):
            return see_other(f"{address}?wrong=site")
        until = version_of(str(form.get("until", ""))) or None
        shown = await public_links.create(
            new_id(), game_id, token_hash(token), token, until, sites, terms
        )
        return see_other(f"{address}?shown={shown.link_id}")
    as_whom: Role = "scorer" if role == "scorer" else "viewer"
    link = await links.create(new_id(), game_id, as_whom, token_hash(token), terms)
    return _NEW_LINKS.lead(request, address, JustMade(id=link.link_id, secret=token))


@post("/games/{game_id:uuid}/share/{link_id:uuid}/revoke")
async def revoke(
    links: TheLinks, public_links: ThePublicLinks, game_id: Id, link_id: Id
) -> Redirect:
    """Make a link open nothing from now on.

    Raises: NotFound
    """
    if link_id in {link.link_id for link in await links.of_game(game_id)}:
        await links.revoke(link_id)
    else:
        await public_links.revoke(game_id, link_id)
    return see_other(f"/games/{game_id}/share")


def _made_public(request: PageRequest, link: PublicLink) -> MadeLink:
    url = shared_base(request) + shared_path(link.token)
    return MadeLink(
        url=url,
        role="public",
        drawing=qr_code(request, url),
        name=link.name,
        expires_at=link.expires_at,
        until=link.until,
        sites=link.sites,
    )


def _made(request: PageRequest, fresh: JustMade, living: Sequence[Link]) -> MadeLink | None:
    link = next((one for one in living if one.link_id == fresh.id), None)
    if link is None:
        return None
    url = shared_base(request) + login_path(fresh.secret)
    return MadeLink(
        url=url,
        role=link.role,
        drawing=qr_code(request, url),
        name=link.name,
        expires_at=link.expires_at,
    )


def _terms(
    form: Mapping[str, object], zone: ZoneInfo | None, now: datetime
) -> tuple[Terms, Literal["", "name", "end"]]:
    typed, end = (str(form.get(field, "")).strip() for field in ("name", "end"))
    name = read_name(typed) if typed else ""
    if name is None:
        return UNNAMED, "name"
    if not end:
        return Terms(name=name), ""
    try:
        expires_at = datetime.fromisoformat(end).replace(tzinfo=zone).astimezone(UTC)
    except (ValueError, OverflowError):
        return UNNAMED, "end"
    return (Terms(name=name, expires_at=expires_at), "") if expires_at > now else (UNNAMED, "end")
