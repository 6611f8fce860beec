"""Links to a game: a scorer's can write, a viewer's can read, a public one needs no session."""

from datetime import datetime
from typing import Annotated, Any, TypeAlias
from uuid import UUID

import segno
from litestar import Response, delete, get, post
from msgspec import Meta, Struct, convert, structs

from schemas.entries import Instant
from schemas.names import EMPTY_PATTERN, NAME_LENGTH_MAX, NAME_PATTERN
from service.access.hosts import shared_base
from service.access.links import (
    SITE,
    SITES_MAX,
    BadLink,
    LinkRole,
    LinkTerms,
    add_link,
    end_link,
    link_path,
)
from service.dependencies import NewId, NewToken, Now, TheGrants
from service.http.documentation.openapi import Documented
from service.http.inputs import HttpRequest, malformed, read_body
from service.http.parameters import GameId, LinkId
from service.store.access.grants import Grant

Sites: TypeAlias = Annotated[
    tuple[Annotated[str, Meta(pattern=SITE)], ...], Meta(max_length=SITES_MAX)
]


_EXAMPLE = {
    "role": "scorer",
    "name": "Grandma's tablet",
    "expires_at": "2031-04-02T22:00:00+02:00",
}


class LinkBody(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The terms of a link: its role, a name for its device, and its expiry (null: until revoked).

    A `public` link shows the game to anybody without a key: up to version `until` (null: all of
    it), also embedded in pages of `sites` (origins).
    """

    role: LinkRole
    name: Annotated[
        str,
        Meta(
            max_length=NAME_LENGTH_MAX,
            extra_json_schema={"pattern": f"{EMPTY_PATTERN}|{NAME_PATTERN}"},
        ),
    ] = ""
    expires_at: Instant | None = None
    until: Annotated[int, Meta(ge=1)] | None = None
    sites: Sites = ()


class LinkView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A link, valid until revoked or expired.

    `until`, `sites` and `url` (its address) belong to public links.
    """

    id: UUID
    role: LinkRole
    created_at: datetime
    revoked_at: datetime | None
    name: str = ""
    expires_at: datetime | None = None
    until: int | None = None
    sites: tuple[str, ...] = ()
    url: str = ""


class NewLinkView(LinkView, frozen=True, kw_only=True):
    """A new link with its address, token, and a QR code (SVG) of the address.

    The token of a link that is not public is shown only once.
    """

    token: str
    qr_svg: str


class LinkList(Struct, frozen=True, kw_only=True):
    """The links of a game in order of creation, including revoked and expired ones."""

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
    grants: TheGrants,
    new_id: NewId,
    new_token: NewToken,
    now: Now,
) -> Response[NewLinkView]:
    """Create a link to a game."""
    terms = LinkTerms(**structs.asdict(await read_body(request, LinkBody)))
    token = new_token()
    try:
        link = await add_link(grants, game_id, terms, new_id(), token, now())
    except BadLink as bad:
        raise malformed(f"$.{bad.field}", bad.expected) from None
    url = shared_base(request) + link_path(link, token)
    drawn = segno.make(url).svg_inline(scale=4)
    facts: dict[str, Any] = structs.asdict(_view(link)) | {
        "url": url,
        "token": token,
        "qr_svg": drawn,
    }
    location = f"/api/games/{game_id}/links/{link.id}"
    headers = {"Location": location, "Cache-Control": "no-store"}
    return Response(NewLinkView(**facts), headers=headers)


@get("/games/{game_id:uuid}/links")
async def list_links(request: HttpRequest, game_id: GameId, grants: TheGrants) -> LinkList:
    """List the links of a game."""
    base = shared_base(request)
    return LinkList(
        links=tuple(
            structs.replace(_view(link), url=base + link_path(link, link.secret))
            if link.secret
            else _view(link)
            for link in await grants.links(game_id)
        )
    )


@delete("/games/{game_id:uuid}/links/{link_id:uuid}")
async def revoke_link(game_id: GameId, link_id: LinkId, grants: TheGrants) -> None:
    """Revoke a link."""
    await end_link(grants, game_id, link_id)


def _view(link: Grant) -> LinkView:
    return convert(link, LinkView, from_attributes=True)
