"""Inviting others: a link and its QR code for a scorer or a viewer, and taking it back.

Promises: a token is shown once, on the page that answers its making.
"""

from ipaddress import ip_address
from uuid import UUID

import segno
from litestar import get, post
from litestar.response import Redirect, Response
from markupsafe import Markup
from msgspec import Struct

from service.errors import NotFound
from service.games import Games
from service.identity import login_path, token_hash
from service.store.links import Links
from service.web.asking import Id, NewId, NewToken, PageRequest, TheGames, TheLinks, see_other
from service.web.guests import numbered
from service.web.render import Reader, names_of
from service.web.table import place


class Made(Struct, frozen=True, kw_only=True):
    """A link as made: its address, and a QR code of that if another phone can open it."""

    url: str
    role: str
    drawing: Markup | None


@get("/games/{game_id:uuid}/share")
async def share(
    request: PageRequest, games: TheGames, links: TheLinks, game_id: Id
) -> Response[str]:
    """Show who was invited."""
    return await _page(request, games, links, game_id)


@post("/games/{game_id:uuid}/share")
async def invite(
    request: PageRequest,
    games: TheGames,
    links: TheLinks,
    new_id: NewId,
    new_token: NewToken,
    game_id: Id,
) -> Response[str]:
    """Make a link and show it, this once."""
    role = (await request.form()).get("role")
    token = new_token()
    link = await links.create(
        new_id(), game_id, "scorer" if role == "scorer" else "viewer", token_hash(token)
    )
    url = str(request.base_url).rstrip("/") + login_path(token)
    drawing = None if _only_here(request) else _qr_code(url)
    made = Made(url=url, role=link.role, drawing=drawing)
    return await _page(request, games, links, game_id, made)


@post("/games/{game_id:uuid}/share/{link_id:uuid}/revoke")
async def revoke(links: TheLinks, game_id: Id, link_id: Id) -> Redirect:
    """Make a link open nothing from now on.

    Raises: NotFound
    """
    if link_id not in {link.link_id for link in await links.of_game(game_id)}:
        raise NotFound("link", link_id)
    await links.revoke(link_id)
    return see_other(f"/games/{game_id}/share")


async def _page(
    request: PageRequest, games: Games, links: Links, game_id: UUID, made: Made | None = None
) -> Response[str]:
    reader = Reader(request)
    view = await games.view(game_id)
    given_out = numbered(await links.of_game(game_id))
    return reader.page(
        "share.html",
        **place(view, request.user),
        view=view,
        names=names_of(reader, view.players),
        links=[(number, link) for number, link in given_out if link.revoked_at is None],
        made=made,
        only_here=request.url.netloc if _only_here(request) else "",
    )


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
