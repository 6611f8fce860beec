"""Links to a game: a scorer's writes it, a viewer's reads it, a public one shows it to anybody."""

from datetime import datetime
from typing import Annotated, Literal, TypeAlias
from uuid import UUID

import segno
from litestar import Response, delete, get, post
from msgspec import Meta, Struct

from schemas.entries import Instant
from schemas.names import NAME_LENGTH_MAX, read_name
from service.access.hosts import shared_base
from service.access.public import SITE, SITES_MAX, shared_path
from service.access.secrets import login_path, token_hash
from service.dependencies import NewId, NewToken, Now, TheLinks, ThePublicLinks
from service.http.documentation.openapi import Documented
from service.http.inputs import HttpRequest, malformed, read_body
from service.http.parameters import GameId, LinkId
from service.store.records import Link, PublicLink, Role, Terms

AnyRole: TypeAlias = Role | Literal["public"]
Sites: TypeAlias = Annotated[
    tuple[Annotated[str, Meta(pattern=SITE)], ...], Meta(max_length=SITES_MAX)
]


_EXAMPLE = {
    "role": "scorer",
    "name": "Grandma's tablet",
    "expires_at": "2031-04-02T22:00:00+02:00",
}


class LinkBody(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a link allows, whose phone it is for, and when it ends (null: never) by itself.

    A `public` one is opened without a key and shows the game to anybody: up to version `until`,
    null: the whole of it; pages of `sites` (origins) may show it inside themselves.
    """

    role: AnyRole
    name: Annotated[str, Meta(max_length=NAME_LENGTH_MAX)] = ""
    expires_at: Instant | None = None
    until: Annotated[int, Meta(ge=1)] | None = None
    sites: Sites = ()


class LinkView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A link. It opens until it is revoked or ends.

    `until`, `sites`, `url` (its address): of a public one, as made.
    """

    id: UUID
    role: AnyRole
    created_at: datetime
    revoked_at: datetime | None
    name: str = ""
    expires_at: datetime | None = None
    until: int | None = None
    sites: tuple[str, ...] = ()
    url: str = ""


class NewLinkView(LinkView, frozen=True, kw_only=True):
    """A link as made, with its address, its token and a QR code (SVG) of its address.

    The token of a link that is not public is never shown again.
    """

    token: str
    qr_svg: str


class LinkList(Struct, frozen=True, kw_only=True):
    """A game's links, revoked and ended ones included, in the order they were made."""

    links: tuple[LinkView, ...]


@post(
    "/games/{game_id:uuid}/links",
    opt={
        "documented": Documented(body=LinkBody, example=_EXAMPLE, answer=NewLinkView),
    },
)
async def make_link(
    request: HttpRequest,
    game_id: GameId,
    links: TheLinks,
    public_links: ThePublicLinks,
    new_id: NewId,
    new_token: NewToken,
    now: Now,
) -> Response[NewLinkView]:
    """Make a link to a game."""
    body = await read_body(request, LinkBody)
    terms = _terms(body, now())
    token = new_token()
    base = shared_base(request)
    if body.role == "public":
        shown = await public_links.create(
            new_id(), game_id, token_hash(token), token, body.until, body.sites, terms
        )
        return _made(game_id, _public(shown, base), token, base + shared_path(token))
    for name in ("until", "sites"):
        if getattr(body, name):
            raise malformed(f"$.{name}", "only with the role public")
    link = await links.create(new_id(), game_id, body.role, token_hash(token), terms)
    return _made(game_id, _link(link), token, base + login_path(token))


def _terms(body: LinkBody, now: datetime) -> Terms:
    name = read_name(body.name) if body.name else ""
    if name is None:
        raise malformed("$.name", "a name of letters, digits and signs")
    if body.expires_at is not None and body.expires_at <= now:
        raise malformed("$.expires_at", "a time to come")
    return Terms(name=name, expires_at=body.expires_at)


def _made(game_id: UUID, link: LinkView, token: str, url: str) -> Response[NewLinkView]:
    drawn = segno.make(url).svg_inline(scale=4)
    view = NewLinkView(
        id=link.id,
        role=link.role,
        created_at=link.created_at,
        revoked_at=link.revoked_at,
        name=link.name,
        expires_at=link.expires_at,
        until=link.until,
        sites=link.sites,
        token=token,
        url=url,
        qr_svg=drawn,
    )
    location = f"/api/games/{game_id}/links/{link.id}"
    return Response(view, headers={"Location": location, "Cache-Control": "no-store"})


@get("/games/{game_id:uuid}/links")
async def list_links(
    request: HttpRequest, game_id: GameId, links: TheLinks, public_links: ThePublicLinks
) -> LinkList:
    """List a game's links."""
    base = shared_base(request)
    found = [*map(_link, await links.of_game(game_id))]
    found += [_public(link, base) for link in await public_links.of_game(game_id)]
    return LinkList(links=tuple(sorted(found, key=lambda one: one.created_at)))


@delete("/games/{game_id:uuid}/links/{link_id:uuid}")
async def revoke_link(
    game_id: GameId, link_id: LinkId, links: TheLinks, public_links: ThePublicLinks
) -> None:
    """Make a link open nothing from now on."""
    if link_id in {link.link_id for link in await links.of_game(game_id)}:
        await links.revoke(link_id)
    else:
        await public_links.revoke(game_id, link_id)


def _link(link: Link) -> LinkView:
    return LinkView(
        id=link.link_id,
        role=link.role,
        created_at=link.created_at,
        revoked_at=link.revoked_at,
        name=link.name,
        expires_at=link.expires_at,
    )


def _public(link: PublicLink, base: str) -> LinkView:
    return LinkView(
        id=link.link_id,
        role="public",
        created_at=link.created_at,
        revoked_at=link.revoked_at,
        name=link.name,
        expires_at=link.expires_at,
        until=link.until,
        sites=link.sites,
        url=base + shared_path(link.token),
    )
