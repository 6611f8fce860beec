"""Who asks: those who were let in and whose key or link stops counting."""

from uuid import UUID, uuid4

import pytest

from service.access.identity import Identities, OwnerHash, token_hash
from service.access.known_links import KnownLinks
from service.access.throttle import Rate, Throttle
from service.store.links import Links
from service.store.owner_key import OwnerKey
from service.store.pool import Pool


class Clock:
    """Time that goes when it is told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def club_id() -> UUID:
    return uuid4()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def identities(pool: Pool, club_id: UUID, clock: Clock) -> Identities:
    throttle = Throttle(Rate(burst=10, per_second=1), clock)
    owner = OwnerHash(OwnerKey(pool, club_id).stored_hash, clock)
    links = Links(pool, club_id)
    return Identities(owner, links, KnownLinks(links, clock), throttle, throttle)


async def test_an_owner_whose_key_was_replaced_is_the_owner_no_longer(
    pool: Pool, club_id: UUID, clock: Clock, identities: Identities
) -> None:
    keys = OwnerKey(pool, club_id)
    await keys.claim(token_hash("lost"))
    owner = await identities.identify("lost", "a phone")
    assert owner is not None
    assert await identities.still(owner)

    await keys.replace(token_hash("new"))
    clock.now += 2

    assert not await identities.still(owner)
