"""Links to a game: their terms, for API and pages alike, and their paths."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Literal, TypeAlias
from urllib.parse import quote
from uuid import UUID

from msgspec import Struct

from schemas.days import in_zone
from schemas.names import NAME_EXPECTED, read_name
from service.access.secrets import login_path, token_hash
from service.errors import NotFound
from service.store.access.grants import Grant, Grants, NewGrant

LinkRole: TypeAlias = Literal["scorer", "viewer", "public"]

SITES_MAX = 10
SITE = r"^https?://[a-z0-9]([a-z0-9.\-]{0,251}[a-z0-9])?(:[0-9]{1,5})?$"


class BadLink(ValueError):  # noqa: N818 -- named by its fact, as in service.errors
    """Invalid terms of a link: the `field`, and what was `expected` there."""

    def __init__(self, field: str, expected: str) -> None:
        super().__init__(field)
        self.field = field
        self.expected = expected


class LinkTerms(Struct, frozen=True, kw_only=True):
    """The terms of a link. A `name` of "" is for anybody; `expires_at` None: until it is revoked.

    A public link shows the game up to version `until` (None: all of it), also embedded in pages of
    `sites` (origins, RFC 6454).
    """

    role: LinkRole
    name: str = ""
    expires_at: datetime | None = None
    until: int | None = None
    sites: Sequence[str] = ()


async def add_link(
    grants: Grants, game_id: UUID, terms: LinkTerms, link_id: UUID, token: str, now: datetime
) -> Grant:
    """Create a link to a game; the token of a public link is stored in clear, to be shown again.

    Raises: BadLink, NotFound (an unknown game, or one shorter than `until`)
    """
    public = terms.role == "public"
    name = read_name(terms.name) if terms.name.strip() else ""
    if name is None:
        raise BadLink("name", NAME_EXPECTED)
    if terms.expires_at is not None and terms.expires_at <= now:
        raise BadLink("expires_at", "a time to come")
    for field in ("until", "sites"):
        if getattr(terms, field) and not public:
            raise BadLink(field, "only with the role public")
    if len(terms.sites) > SITES_MAX or not all(
        re.fullmatch(SITE, origin) for origin in terms.sites
    ):
        raise BadLink("sites", f"{SITES_MAX} origins at most, as https://club.example")
    new_link = NewGrant(
        id=link_id,
        kind="link",
        secret_hash=token_hash(token),
        secret=token if public else None,
        role=terms.role,
        games=[game_id],
        until=terms.until,
        sites=terms.sites,
        name=name,
        expires_at=in_zone(terms.expires_at, UTC) if terms.expires_at else None,
    )
    return await grants.create(new_link)


async def end_link(grants: Grants, game_id: UUID, link_id: UUID) -> None:
    """Revoke a link; idempotent. Raises: NotFound (the game has no such link)."""
    if not await grants.revoke("link", link_id, game_id):
        raise NotFound("link", link_id)


def link_path(link: Grant, token: str) -> str:
    return shared_path(token) if link.role == "public" else login_path(token)


def shared_path(token: str) -> str:
    return f"/shared/{quote(token, safe='')}"
