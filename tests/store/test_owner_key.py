"""The key of the club's owner."""

import asyncio
from hashlib import sha256
from uuid import UUID

import pytest

from service.store.access.owner_key import OwnerKey
from service.store.connection.pool import Pool

HASH = sha256(b"a key").digest()
OTHER_HASH = sha256(b"another key").digest()


@pytest.fixture
def owner_key(pool: Pool, club_id: UUID) -> OwnerKey:
    return OwnerKey(pool, club_id)


async def test_before_the_first_start_there_is_no_key(owner_key: OwnerKey) -> None:
    assert await owner_key.stored_hash() is None


async def test_the_first_key_counts(owner_key: OwnerKey) -> None:
    assert await owner_key.claim(HASH)
    assert not await owner_key.claim(OTHER_HASH)
    assert await owner_key.stored_hash() == HASH


async def test_of_many_first_keys_one_counts(owner_key: OwnerKey) -> None:
    hashes = [sha256(bytes([n])).digest() for n in range(16)]
    claimed = await asyncio.gather(*(owner_key.claim(key_hash) for key_hash in hashes))
    assert sum(claimed) == 1
    assert await owner_key.stored_hash() == hashes[claimed.index(True)]


async def test_a_key_can_be_replaced(owner_key: OwnerKey) -> None:
    await owner_key.claim(HASH)
    await owner_key.replace(OTHER_HASH)
    assert await owner_key.stored_hash() == OTHER_HASH
