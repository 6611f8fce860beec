from collections.abc import AsyncGenerator

import pytest

from tests.postgres import Cluster
from tests.service.stored_club import Club, new_club


@pytest.fixture
async def club(embedded_cluster: Cluster) -> AsyncGenerator[Club]:
    async with new_club(embedded_cluster) as made:
        yield made


@pytest.fixture
async def here(embedded_cluster: Cluster) -> AsyncGenerator[Club]:
    async with new_club(embedded_cluster) as made:
        yield made


@pytest.fixture
async def elsewhere(embedded_cluster: Cluster) -> AsyncGenerator[Club]:
    async with new_club(embedded_cluster) as made:
        yield made
