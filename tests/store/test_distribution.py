"""Spreading tables over a cluster: what is said where there is none.

What is done where there is one stands in on_cluster.py, which runs with all the store's tests by
`python3 deploy/dev.py test --cluster`.
"""

import pytest

from service.errors import StartupError
from service.store.server.distribution import distribute
from tests.postgres import Cluster


async def test_a_database_without_citus_is_told_so(embedded_cluster: Cluster) -> None:
    with embedded_cluster.database() as url, pytest.raises(StartupError, match="CREATE EXTENSION"):
        await distribute(url)


async def test_a_server_that_is_not_there_is_told_so() -> None:
    with pytest.raises(StartupError, match="cannot be reached"):
        await distribute("postgresql://postgres@127.0.0.1:1/carnet")
