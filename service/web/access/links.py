"""Inviting others: a link and its QR code for a scorer, a viewer or anybody, and revoking it.

Promises: a token is shown once, on the page that its making leads to; the browser carries it there
out of reach of scripts, and no address holds it. A page that is asked for again has forgotten it.
"""

import re
from collections.abc import Sequence
from ipaddress import ip_address
from uuid import UUID

import segno
from litestar import get, post
from litestar.response import Redirect, Response
from markupsafe import Markup
from msgspec import Struct

from service.access.identity import login_path, token_hash
from service.access.public import SITE, SITES_MAX, shared_path
from service.dependencies import (
    Asked,
    Id,
    NewId,
    NewToken,
    PageRequest,
    TheGames,
    TheLinks,
    ThePublicLinks,
    see_other,
)
from service.store.records import Link, PublicLink, Role
from service.web.format.drafts import draft_of, dropped, read_draft
from service.web.format.link_labels import numbered
from service.web.format.render import Reader, names_of, version_of
from service.web.recorder.game_page import place

_FRESH = "carnet-link"
_FRESH_SECONDS = 60


class Fresh(Struct, frozen=True, kw_only=True):
    """A link on its way from its making to the page that shows it."""

    link_id: UUID
    token: str


class Made(Struct, frozen=True, kw_only=True):
    """A link as made: its address, and a QR code of that if another phone can open it."""

    url: str
    role: str
    drawing: Markup | None
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
) -> Response[str]:
    """Show who was invited, and a link that was just made, this once; `wrong`: no site's name."""
    reader = Reader(request)
    view = await games.view(game_id)
    living = [one for one in numbered(await links.of_game(game_id)) if one[1].revoked_at is None]
    public = [one for one in await public_links.of_game(game_id) if one.revoked_at is None]
    fresh = read_draft(request, _FRESH, Fresh)
    made = _made(request, fresh, [link for _, link in living], public) if fresh else None
    page = reader.page(
        "links.html",
        **place(view, request.user),
        view=view,
        names=names_of(reader, view.players),
        links=living,
        public=public,
        made=made,
        wrong=bool(wrong),
        only_here=request.url.netloc if _only_here(request) else "",
    )
    if fresh:
        page.set_cookie(dropped(_FRESH, request.url.path))
    return page


@post("/games/{game_id:uuid}/share")
async def invite(
    request: PageRequest,
    links: TheLinks,
    public_links: ThePublicLinks,
    new_id: NewId,
    new_token: NewToken,
    game_id: Id,
) -> Redirect:
    """Make a link, and lead to the page that shows it."""
    form = await request.form()
    role, token = form.get("role"), new_token()
    address = f"/games/{game_id}/share"
    if role == "public":
        sites = str(form.get("sites", "")).lower().replace(",", " ").split()
        if len(sites) > SITES_MAX or not all(re.fullmatch(SITE, site) for site in sites):
            return see_other(f"{address}?wrong=site")
        until = version_of(str(form.get("until", ""))) or None
        hashed = token_hash(token)
        shown = await public_links.create(new_id(), game_id, hashed, until, sites)
        link_id = shown.link_id
    else:
        as_whom: Role = "scorer" if role == "scorer" else "viewer"
        link_id = (await links.create(new_id(), game_id, as_whom, token_hash(token))).link_id
    fresh = Fresh(link_id=link_id, token=token)
    draft = draft_of(request, _FRESH, address, fresh, _FRESH_SECONDS)
    return see_other(address, *([draft.cookie] if draft else []))


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


def _made(
    request: PageRequest, fresh: Fresh, living: Sequence[Link], public: Sequence[PublicLink]
) -> Made | None:
    """Show a link that was just made; None: it opens nothing any more."""
    base = str(request.base_url).rstrip("/")
    shown = next((link for link in public if link.link_id == fresh.link_id), None)
    if shown is not None:
        url = base + shared_path(fresh.token)
        drawing = None if _only_here(request) else _qr_code(url)
        return Made(url=url, role="public", drawing=drawing, until=shown.until, sites=shown.sites)
    role = next((link.role for link in living if link.link_id == fresh.link_id), None)
    if role is None:
        return None
    url = base + login_path(fresh.token)
    return Made(url=url, role=role, drawing=None if _only_here(request) else _qr_code(url))


def _qr_code(url: str) -> Markup:
    drawing = segno.make(url, micro=False).svg_inline(border=4, light="#fff", omitsize=True)
    return Markup(drawing)  # noqa: S704 segno draws it


def _only_here(request: PageRequest) -> bool:
    """Say whether the address the page was asked at leads other machines to themselves."""
    host = request.url.hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
