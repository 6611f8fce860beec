"""Inviting others: a link and its QR code for a scorer or a viewer, and revoking it.

Promises: a token is shown once, on the page that its making leads to; the browser carries it there
out of reach of scripts, and no address holds it. A page that is asked for again has forgotten it.
"""

from collections.abc import Sequence
from ipaddress import ip_address
from uuid import UUID

import segno
from litestar import get, post
from litestar.response import Redirect, Response
from markupsafe import Markup
from msgspec import Struct

from service.access.identity import login_path, token_hash
from service.dependencies import Id, NewId, NewToken, PageRequest, TheGames, TheLinks, see_other
from service.errors import NotFound
from service.store.records import Link
from service.web.format.drafts import draft_of, dropped, read_draft
from service.web.format.link_labels import numbered
from service.web.format.render import Reader, names_of
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


@get("/games/{game_id:uuid}/share")
async def share(
    request: PageRequest, games: TheGames, links: TheLinks, game_id: Id
) -> Response[str]:
    """Show who was invited, and a link that was just made, this once."""
    reader = Reader(request)
    view = await games.view(game_id)
    living = [one for one in numbered(await links.of_game(game_id)) if one[1].revoked_at is None]
    fresh = read_draft(request, _FRESH, Fresh)
    made = _made(request, fresh, [link for _, link in living]) if fresh else None
    page = reader.page(
        "links.html",
        **place(view, request.user),
        view=view,
        names=names_of(reader, view.players),
        links=living,
        made=made,
        only_here=request.url.netloc if _only_here(request) else "",
    )
    if fresh:
        page.set_cookie(dropped(_FRESH, request.url.path))
    return page


@post("/games/{game_id:uuid}/share")
async def invite(
    request: PageRequest,
    links: TheLinks,
    new_id: NewId,
    new_token: NewToken,
    game_id: Id,
) -> Redirect:
    """Make a link, and lead to the page that shows it."""
    role = (await request.form()).get("role")
    token = new_token()
    link = await links.create(
        new_id(), game_id, "scorer" if role == "scorer" else "viewer", token_hash(token)
    )
    fresh = Fresh(link_id=link.link_id, token=token)
    address = f"/games/{game_id}/share"
    draft = draft_of(request, _FRESH, address, fresh, _FRESH_SECONDS)
    return see_other(address, *([draft.cookie] if draft else []))


@post("/games/{game_id:uuid}/share/{link_id:uuid}/revoke")
async def revoke(links: TheLinks, game_id: Id, link_id: Id) -> Redirect:
    """Make a link open nothing from now on.

    Raises: NotFound
    """
    if link_id not in {link.link_id for link in await links.of_game(game_id)}:
        raise NotFound("link", link_id)
    await links.revoke(link_id)
    return see_other(f"/games/{game_id}/share")


def _made(request: PageRequest, fresh: Fresh, living: Sequence[Link]) -> Made | None:
    """Show a link that was just made; None: it opens nothing any more."""
    role = next((link.role for link in living if link.link_id == fresh.link_id), None)
    if role is None:
        return None
    url = str(request.base_url).rstrip("/") + login_path(fresh.token)
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
