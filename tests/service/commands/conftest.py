"""What tests of the commands share."""

from collections.abc import AsyncGenerator

import pytest

from service.store.connection.pool import open_pool
from service.store.server.distribution import SERVICE_ROLE
from tests.postgres import Cluster
from tests.service.stored_club import Club


@pytest.fixture
async def club(embedded_cluster: Cluster) -> AsyncGenerator[Club]:
    with embedded_cluster.migrated_database() as url:
        async with open_pool(url, SERVICE_ROLE, size_min=1) as pool:
            yield Club(url, pool)
