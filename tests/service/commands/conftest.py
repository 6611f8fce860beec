"""What tests of the commands share."""

from collections.abc import AsyncGenerator

import pytest

from service.store.connection.pool import open_pool
from service.store.server.migrate import migrate
from tests.postgres import Cluster
from tests.service.stored_club import Club


@pytest.fixture
async def club(embedded_cluster: Cluster) -> AsyncGenerator[Club]:
    """Make a club in a database of its own."""
    with embedded_cluster.database() as url:
        migrated = await migrate(url)
        async with open_pool(url, migrated.role, size_min=1) as pool:
            yield Club(url, pool)
