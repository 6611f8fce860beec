"""Links to a game for other people's phones: a scorer's writes it, a viewer's reads it.

Promises: a token is shown once, when its link is made; the store keeps its hash. Assumes that the
address the owner reached us by is one that other phones reach too.
"""

from datetime import datetime
from uuid import UUID

import segno
from litestar import Response, delete, get, post
from msgspec import Struct

from service.access.identity import login_path, token_hash
from service.dependencies import Id, NewId, NewToken, TheLinks
from service.errors import NotFound
from service.http.documentation import Documented
from service.http.inputs import HttpRequest, read_body
from service.store.records import Link, Role


class LinkBody(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a link allows."""

    role: Role


class LinkView(Struct, frozen=True, kw_only=True):
    """A link. `revoked_at` null: it still opens."""

    id: UUID
    role: Role
    created_at: datetime
    revoked_at: datetime | None


class NewLinkView(LinkView, frozen=True, kw_only=True):
    """A link as made: its token, never shown again, its address, and a QR code (SVG) of that."""

    token: str
    url: str
    qr_svg: str


class LinkList(Struct, frozen=True, kw_only=True):
    """A game's links, revoked ones included, in the order they were made."""

    links: tuple[LinkView, ...]


@post(
    "/games/{game_id:uuid}/links",
    opt={
        "documented": Documented(body=LinkBody, example={"role": "scorer"}, answer=NewLinkView),
    },
)
async def make_link(
    request: HttpRequest,
    game_id: Id,
    links: TheLinks,
    new_id: NewId,
    new_token: NewToken,
) -> Response[NewLinkView]:
    """Make a link to a game."""
    body = await read_body(request, LinkBody)
    token = new_token()
    link = await links.create(new_id(), game_id, body.role, token_hash(token))
    url = str(request.base_url).rstrip("/") + login_path(token)
    view = NewLinkView(
        id=link.link_id,
        role=link.role,
        created_at=link.created_at,
        revoked_at=link.revoked_at,
        token=token,
        url=url,
        qr_svg=segno.make(url).svg_inline(scale=4),
    )
    location = f"/api/games/{game_id}/links/{link.link_id}"
    return Response(view, headers={"Location": location, "Cache-Control": "no-store"})


@get("/games/{game_id:uuid}/links")
async def list_links(game_id: Id, links: TheLinks) -> LinkList:
    """List a game's links."""
    return LinkList(links=tuple(map(_link, await links.of_game(game_id))))


@delete("/games/{game_id:uuid}/links/{link_id:uuid}")
async def revoke_link(game_id: Id, link_id: Id, links: TheLinks) -> None:
    """Make a link open nothing from now on."""
    if link_id not in {link.link_id for link in await links.of_game(game_id)}:
        raise NotFound("link", link_id)
    await links.revoke(link_id)


def _link(link: Link) -> LinkView:
    return LinkView(
        id=link.link_id, role=link.role, created_at=link.created_at, revoked_at=link.revoked_at
    )
