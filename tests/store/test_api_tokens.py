"""The tokens of programs as they are stored, and what they open."""

from datetime import timedelta
from uuid import UUID, uuid4

import pytest

from service.errors import NotFound
from service.store.access.api_tokens import ApiTokens, NewApiToken
from service.store.access.secret_holders import Changes, Opened, SecretHolders
from service.store.access.sessions import Sessions
from service.store.connection.pool import Pool
from tests.store.samples import Table

HASH = bytes(range(32))


@pytest.fixture
def tokens(pool: Pool, club_id: UUID) -> ApiTokens:
    return ApiTokens(pool, club_id, Changes())


def new(*games: UUID, lasts: timedelta | None = None) -> NewApiToken:
    """Make a token of a scorer."""
    return NewApiToken(
        token_id=uuid4(), token_hash=HASH, name="a", role="scorer", games=games, lasts=lasts
    )


async def opened(pool: Pool, club_id: UUID) -> Opened:
    """Find what the token's hash opens."""
    (found,) = await SecretHolders(pool, club_id, Changes()).find([HASH])
    return found


async def test_a_token_opens_its_games(
    tokens: ApiTokens, pool: Pool, club_id: UUID, table: Table
) -> None:
    made = new(await table.started(), await table.started())
    await tokens.create(made)
    found = await opened(pool, club_id)
    assert (found.token_id, found.token_role) == (made.token_id, "scorer")
    assert found.token_games == list(made.games)
    assert not found.token_ended


async def test_a_token_is_seen_and_revoked(tokens: ApiTokens, pool: Pool, club_id: UUID) -> None:
    made = new(lasts=timedelta(days=1))
    await tokens.create(made)
    (listed,) = await tokens.all()
    assert (listed.seen_at, listed.ended) == (None, False)
    await tokens.saw(made.token_id)
    (listed,) = await tokens.all()
    assert listed.seen_at is not None
    assert (await opened(pool, club_id)).seen_at == listed.seen_at
    await tokens.revoke(made.token_id)
    assert await tokens.all() == []
    assert (await opened(pool, club_id)).token_ended


async def test_a_token_ends(tokens: ApiTokens, pool: Pool, club_id: UUID) -> None:
    await tokens.create(new(lasts=timedelta(0)))
    (listed,) = await tokens.all()
    assert listed.ended
    assert (await opened(pool, club_id)).token_ended


async def test_a_token_opens_nothing_in_a_session(
    tokens: ApiTokens, pool: Pool, club_id: UUID
) -> None:
    await tokens.create(new())
    await Sessions(pool, club_id, Changes()).open(uuid4(), bytes(32), "", HASH)
    found = await SecretHolders(pool, club_id, Changes()).find([bytes(32)])
    assert HASH in [one.token_hash for one in found]
    assert [one.token_id for one in found if one.token_id] == []


async def test_there_is_no_token_for_a_game_nobody_started(tokens: ApiTokens, table: Table) -> None:
    with pytest.raises(NotFound):
        await tokens.create(new(await table.started(), uuid4()))
    assert await tokens.all() == []


async def test_a_token_is_nothing_in_another_club(tokens: ApiTokens, pool: Pool) -> None:
    await tokens.create(new())
    assert (await opened(pool, uuid4())).token_id is None
