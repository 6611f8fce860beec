from collections.abc import AsyncGenerator
from typing import Any
from uuid import UUID, uuid4

import pytest
from psycopg import AsyncConnection

from service.store.access.grants import Grants
from service.store.club.players import Players
from service.store.connection.pool import Pool
from service.store.log.events import EventStore
from service.store.read_models.projections import GameIndex
from tests.store.samples import SampleTable


@pytest.fixture
def club_id() -> UUID:
    return uuid4()


@pytest.fixture
def events(pool: Pool, club_id: UUID) -> EventStore:
    return EventStore(pool, club_id)


@pytest.fixture
def games(pool: Pool, club_id: UUID) -> GameIndex:
    return GameIndex(pool, club_id)


@pytest.fixture
def players(pool: Pool, club_id: UUID) -> Players:
    return Players(pool, club_id)


@pytest.fixture
def grants(pool: Pool, club_id: UUID) -> Grants:
    return Grants(pool, club_id)


@pytest.fixture
async def table(events: EventStore, players: Players) -> SampleTable:
    return await SampleTable.with_players(events, players)


@pytest.fixture
async def owner(database_url: str) -> AsyncGenerator[AsyncConnection[tuple[Any, ...]]]:
    async with await AsyncConnection.connect(database_url) as conn:
        yield conn
        await conn.rollback()
