"""Links handed to phones."""

from hashlib import sha256
from uuid import uuid4

import pytest

from service.errors import NotFound
from service.store.access.links import Links
from tests.store.samples import Table

TOKEN_HASH = sha256(b"a token").digest()


async def test_a_token_finds_its_link(links: Links, table: Table) -> None:
    link = await links.create(uuid4(), await table.started(), "scorer", TOKEN_HASH)
    assert await links.find([TOKEN_HASH]) == {TOKEN_HASH: link}


async def test_a_token_nobody_gave_out_finds_nothing(links: Links) -> None:
    assert await links.find([TOKEN_HASH]) == {}


async def test_the_first_revocation_counts(links: Links, table: Table) -> None:
    link = await links.create(uuid4(), await table.started(), "viewer", TOKEN_HASH)
    assert await links.revoke(link.link_id) == await links.revoke(link.link_id)


async def test_a_games_links_are_listed_with_the_revoked(links: Links, table: Table) -> None:
    game_id = await table.started()
    first = await links.create(uuid4(), game_id, "viewer", TOKEN_HASH)
    second = await links.create(uuid4(), game_id, "scorer", sha256(b"another").digest())
    revoked = await links.revoke(first.link_id)
    assert await links.of_game(game_id) == [revoked, second]


async def test_there_is_no_link_to_a_game_nobody_started(links: Links) -> None:
    with pytest.raises(NotFound):
        await links.create(uuid4(), uuid4(), "viewer", TOKEN_HASH)


async def test_a_link_nobody_made_is_not_revoked(links: Links) -> None:
    with pytest.raises(NotFound):
        await links.revoke(uuid4())
