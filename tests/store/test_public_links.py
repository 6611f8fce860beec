"""Links that anybody may open."""

from hashlib import sha256
from uuid import UUID, uuid4

import pytest

from service.errors import NotFound
from service.store.access.links import Links
from service.store.access.public_links import PublicLinks
from service.store.connection.pool import Pool
from tests.store.samples import Table

TOKEN_HASH = sha256(b"a token").digest()


@pytest.fixture
def public_links(pool: Pool, club_id: UUID) -> PublicLinks:
    return PublicLinks(pool, club_id)


async def test_a_token_finds_its_link(public_links: PublicLinks, table: Table) -> None:
    made = await public_links.create(
        uuid4(), await table.started(), TOKEN_HASH, "token", 1, ["https://a.example"]
    )
    assert await public_links.find(TOKEN_HASH) == made
    assert (made.until, made.sites) == (1, ("https://a.example",))


async def test_its_token_lets_nobody_in(
    public_links: PublicLinks, links: Links, table: Table
) -> None:
    await public_links.create(uuid4(), await table.started(), TOKEN_HASH, "token")
    assert await links.find([TOKEN_HASH]) == {}


async def test_a_revoked_link_is_not_found_by_its_token(
    public_links: PublicLinks, table: Table
) -> None:
    made = await public_links.create(uuid4(), await table.started(), TOKEN_HASH, "token")
    await public_links.revoke(made.game_id, made.link_id)
    with pytest.raises(NotFound):
        await public_links.find(TOKEN_HASH)


async def test_the_first_revocation_counts(public_links: PublicLinks, table: Table) -> None:
    made = await public_links.create(uuid4(), await table.started(), TOKEN_HASH, "token")
    first = await public_links.revoke(made.game_id, made.link_id)
    assert await public_links.revoke(made.game_id, made.link_id) == first
    assert await public_links.of_game(made.game_id) == [first]


async def test_a_link_of_another_game_is_not_revoked(
    public_links: PublicLinks, table: Table
) -> None:
    made = await public_links.create(uuid4(), await table.started(), TOKEN_HASH, "token")
    with pytest.raises(NotFound):
        await public_links.revoke(await table.started(), made.link_id)


async def test_there_is_no_link_to_a_moment_that_is_not_there(
    public_links: PublicLinks, table: Table
) -> None:
    with pytest.raises(NotFound):
        await public_links.create(uuid4(), await table.started(), TOKEN_HASH, "token", 1_000)


async def test_there_is_no_link_to_a_game_nobody_started(public_links: PublicLinks) -> None:
    with pytest.raises(NotFound):
        await public_links.create(uuid4(), uuid4(), TOKEN_HASH, "token")
