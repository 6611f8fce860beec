"""Links to a game: what one may be, for the API and the page alike, and where it leads.

A site is an origin (RFC 6454) as a browser sends it: what a policy for frames can name.
"""

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Literal, TypeAlias
from urllib.parse import quote
from uuid import UUID

from msgspec import Struct

from schemas.names import read_name
from service.access.secrets import login_path, token_hash
from service.errors import NotFound
from service.store.access.grants import Grant, Grants, NewGrant

LinkRole: TypeAlias = Literal["scorer", "viewer", "public"]

SITES_MAX = 10
SITE = r"^https?://[a-z0-9]([a-z0-9.\-]{0,251}[a-z0-9])?(:[0-9]{1,5})?$"


class BadLink(ValueError):  # noqa: N818 -- it is about what was given, as NotFound is
    """No link can be like this. `field`: what is wrong; `expected`: what it can be."""

    def __init__(self, field: str, expected: str) -> None:
        super().__init__(field)
        self.field = field
        self.expected = expected


class LinkTerms(Struct, frozen=True, kw_only=True):
    """What a link allows, whose it is, and until when. `name` "": nobody's in particular.

    A public one shows the game up to version `until`, None: the whole of it, also within pages of
    `sites`.
    """

    role: LinkRole
    name: str = ""
    expires_at: datetime | None = None
    until: int | None = None
    sites: Sequence[str] = ()


async def add_link(
    grants: Grants, game_id: UUID, terms: LinkTerms, link_id: UUID, token: str, now: datetime
) -> Grant:
    """Make a link to a game; of a public one the token is kept readable, to be shown again.

    Raises: BadLink, NotFound (the game is not there, or not as long as `until`), StoreUnavailable
    """
    public = terms.role == "public"
    name = read_name(terms.name) if terms.name else ""
    if name is None:
        raise BadLink("name", "a name of letters, digits and signs")
    if terms.expires_at is not None and terms.expires_at <= now:
        raise BadLink("expires_at", "a time to come")
    for field in ("until", "sites"):
        if getattr(terms, field) and not public:
            raise BadLink(field, "only with the role public")
    if len(terms.sites) > SITES_MAX or not all(re.fullmatch(SITE, one) for one in terms.sites):
        raise BadLink("sites", f"{SITES_MAX} origins at most, as https://club.example")
    made = NewGrant(
        id=link_id,
        kind="link",
        secret_hash=token_hash(token),
        secret=token if public else None,
        role=terms.role,
        games=[game_id],
        until=terms.until,
        sites=terms.sites,
        name=name,
        expires_at=terms.expires_at,
    )
    return await grants.create(made)


async def end_link(grants: Grants, game_id: UUID, link_id: UUID) -> None:
    """Make a link open nothing from now on. Doing it twice is doing it once.

    Raises: NotFound (the game has no such link), StoreUnavailable
    """
    if not await grants.revoke("link", link_id, game_id):
        raise NotFound("link", link_id)


def link_path(link: Grant, token: str) -> str:
    """Make the path at which a link opens."""
    return shared_path(token) if link.role == "public" else login_path(token)


def shared_path(token: str) -> str:
    """Make the path at which anybody may see what a public link shows."""
    return f"/shared/{quote(token, safe='')}"
