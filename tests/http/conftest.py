from collections.abc import AsyncGenerator

import httpx
import pytest

from tests.http.club import Game, as_somebody
from tests.service_process import KEY, ServiceProcess


@pytest.fixture(scope="session")
async def http(service: ServiceProcess) -> AsyncGenerator[httpx.AsyncClient]:
    async with as_somebody(service.url, KEY) as client:
        yield client


@pytest.fixture
async def game(http: httpx.AsyncClient) -> Game:
    return await Game.started(http)
