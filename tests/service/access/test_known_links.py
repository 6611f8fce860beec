"""Links that were looked up a moment ago."""

import asyncio
from uuid import UUID, uuid4

import pytest

from service.access.known_links import KNOWN_SECONDS, KnownLinks
from service.store.events import EventStore
from service.store.links import Links
from service.store.players import Players
from service.store.pool import Pool
from service.store.records import Link
from tests.store.samples import Table

TOKEN = bytes(range(32))


class Clock:
    """Time that goes when it is told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def club_id() -> UUID:
    return uuid4()


@pytest.fixture
def links(pool: Pool, club_id: UUID) -> Links:
    return Links(pool, club_id)


@pytest.fixture
def elsewhere(pool: Pool, club_id: UUID) -> Links:
    """Reach the same links from another process."""
    return Links(pool, club_id)


@pytest.fixture
async def link(pool: Pool, club_id: UUID, links: Links) -> Link:
    table = await Table.laid(EventStore(pool, club_id), Players(pool, club_id))
    return await links.create(uuid4(), await table.started(), "scorer", TOKEN)


@pytest.fixture
def known(links: Links, clock: Clock) -> KnownLinks:
    return KnownLinks(links, clock)


async def test_a_link_revoked_here_opens_nothing_at_once(
    known: KnownLinks, links: Links, link: Link
) -> None:
    assert await known.resolve(TOKEN) == link
    await links.revoke(link.link_id)
    assert await known.resolve(TOKEN) is None


async def test_a_link_revoked_elsewhere_opens_nothing_a_second_later(
    known: KnownLinks, elsewhere: Links, link: Link, clock: Clock
) -> None:
    assert await known.resolve(TOKEN) == link
    await elsewhere.revoke(link.link_id)
    assert await known.resolve(TOKEN) == link
    clock.now += KNOWN_SECONDS
    assert await known.resolve(TOKEN) is None


async def test_a_link_looked_up_while_it_is_revoked_is_not_kept(
    known: KnownLinks, links: Links, link: Link
) -> None:
    await asyncio.gather(known.resolve(TOKEN), links.revoke(link.link_id), known.resolve(TOKEN))
    assert await known.resolve(TOKEN) is None


async def test_what_opens_nothing_is_asked_for_again(
    known: KnownLinks, pool: Pool, club_id: UUID, links: Links
) -> None:
    assert await known.resolve(TOKEN) is None
    table = await Table.laid(EventStore(pool, club_id), Players(pool, club_id))
    made = await links.create(uuid4(), await table.started(), "viewer", TOKEN)
    assert await known.resolve(TOKEN) == made
