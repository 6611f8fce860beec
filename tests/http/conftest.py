from collections.abc import AsyncGenerator

import httpx
import pytest

from tests.http.club import Game, client_with_key
from tests.service_process import KEY, ServiceProcess


@pytest.fixture(scope="session")
async def http(service: ServiceProcess) -> AsyncGenerator[httpx.AsyncClient]:
    async with client_with_key(service.url, KEY) as client:
        yield client


@pytest.fixture
async def game(http: httpx.AsyncClient) -> Game:
    return await Game.start(http)
