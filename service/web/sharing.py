"""Inviting others: a link and its QR code for a scorer or a viewer, and taking it back.

Promises: a token is shown once, on the page that answers its making.
"""

from collections.abc import Callable
from typing import Any
from uuid import UUID

import segno
from litestar import get, post
from litestar.response import Redirect, Response
from markupsafe import Markup

from service.errors import NotFound
from service.games import Games
from service.identity import login_path, token_hash
from service.store.links import Links
from service.web.asking import NewId, PageRequest
from service.web.render import Reader, names_of
from service.web.table import place

SEE_OTHER = 303


@get("/games/{game_id:uuid}/share")
async def share(request: PageRequest, games: Games, links: Links, game_id: UUID) -> Response[str]:
    """Show who was invited."""
    return await _page(request, games, links, game_id)


@post("/games/{game_id:uuid}/share")
async def invite(  # noqa: PLR0913 -- handed over by name
    request: PageRequest,
    games: Games,
    links: Links,
    new_id: NewId,
    new_token: Callable[[], str],
    game_id: UUID,
) -> Response[str]:
    """Make a link and show it, this once."""
    role = (await request.form()).get("role")
    token = new_token()
    await links.create(
        new_id(), game_id, "scorer" if role == "scorer" else "viewer", token_hash(token)
    )
    url = str(request.base_url).rstrip("/") + login_path(token)
    code = segno.make(url, micro=False).svg_inline(border=4, light="#fff", omitsize=True)
    return await _page(request, games, links, game_id, url=url, role=role, drawing=Markup(code))  # noqa: S704 -- segno's own drawing


@post("/games/{game_id:uuid}/share/{link_id:uuid}/revoke")
async def revoke(links: Links, game_id: UUID, link_id: UUID) -> Redirect:
    """Make a link open nothing from now on.

    Raises: NotFound
    """
    if link_id not in {link.link_id for link in await links.of_game(game_id)}:
        raise NotFound("link", link_id)
    await links.revoke(link_id)
    return Redirect(f"/games/{game_id}/share", status_code=SEE_OTHER)


async def _page(
    request: PageRequest, games: Games, links: Links, game_id: UUID, **made: Any
) -> Response[str]:
    reader = Reader(request)
    view = await games.view(game_id)
    open_links = [link for link in await links.of_game(game_id) if link.revoked_at is None]
    return reader.page(
        "share.html",
        **place(view, request.user),
        view=view,
        names=names_of(reader, view.players),
        links=open_links,
        **{"url": "", "role": "", "drawing": "", **made},
    )
