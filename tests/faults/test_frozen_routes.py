"""Every route as a request to a frozen database: it answers within ten seconds."""

import asyncio
import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from random import Random

import httpx
import pytest

from service.store.connection.pool import SIZE_MAX as SESSIONS
from service.store.server.postmaster import Postmaster
from tests.depth import run_size
from tests.faults.processes import go_on, stand_still
from tests.faults.test_database import BACK_SECONDS_MAX, FROZEN_SECONDS_MAX
from tests.http.club import Game, client_with_key
from tests.http.test_rights import TABLE, House
from tests.prepared_clusters import PreparedClusters
from tests.service_process import KEY, ServiceProcess
from tests.waiting import time_limit

# More than there are sessions, so that some wait for one.
AT_ONCE = SESSIONS + 2
CLIENT_SECONDS_MAX = 30.0
GAMES = run_size(10, deep=60)
# Requests that took 12 to 60 s on a club that had been busy.
KNOWN = (
    ("GET", "/players/{player_id}"),
    ("GET", "/players/{player_id}/figures"),
    ("GET", "/standings"),
    ("GET", "/years/{year}"),
    ("GET", "/api/history"),
    ("POST", "/api/games/{game_id}/entries"),
)


@contextmanager
def frozen(postmaster: int) -> Iterator[None]:
    stopped = stand_still(postmaster)
    try:
        yield
    finally:
        go_on(stopped)


async def seconds_of(http: httpx.AsyncClient, method: str, path: str) -> float:
    """Return the time to the head of an answer; infinity after `CLIENT_SECONDS_MAX`."""
    form = None if method == "GET" or path.startswith("/api") else {"nothing": "here"}
    began = time.monotonic()
    try:
        async with http.stream(method, path, data=form, timeout=CLIENT_SECONDS_MAX):
            return time.monotonic() - began
    except httpx.TimeoutException:
        return math.inf


async def until_answered(http: httpx.AsyncClient, path: str) -> None:
    async with asyncio.timeout(time_limit(BACK_SECONDS_MAX)):
        while (await http.get(path)).status_code != 200:  # noqa: ASYNC110 another process
            await asyncio.sleep(0.1)


async def keep_busy(http: httpx.AsyncClient, paths: Sequence[str]) -> None:
    """Let the pool open all its sessions."""
    for _ in range(3):
        await asyncio.gather(*(http.get(path) for path in paths))


@pytest.mark.timeout(1800)
async def test_no_route_takes_longer_than_ten_seconds(
    tmp_path: Path,
    prepared_clusters: PreparedClusters,
    record_property: Callable[[str, int], None],
) -> None:
    settings = {"CARNET_DATA_DIR": str(prepared_clusters.copy_to(tmp_path / "data"))}
    routes = [(method, path) for method, path, _ in TABLE if (method, path) not in KNOWN]
    Random(0).shuffle(routes)  # noqa: S311 tests, not secrets
    chosen = [*KNOWN, *islice(routes, run_size(6, deep=len(routes)))]
    slow: list[tuple[str, str, float]] = []
    with ServiceProcess.running(tmp_path / "log", **settings) as service:
        async with client_with_key(service.url, KEY) as http:
            house = House(service, http)
            await house.furnish()
            games = [await Game.start(http) for _ in range(GAMES)]
            player = (await http.get("/api/players")).json()["players"][0]["id"]
            busy = [house.filled(path) for method, path in KNOWN if method == "GET"]
            busy += [game.path for game in games[:AT_ONCE]]
            postmaster = Postmaster(tmp_path / "data" / "postgres").pid
            assert postmaster is not None
            for first in range(0, len(chosen), AT_ONCE):
                await keep_busy(http, busy)
                some = chosen[first : first + AT_ONCE]
                paths = [house.filled(path.replace("{player_id}", player)) for _, path in some]
                with frozen(postmaster):
                    asked = [
                        seconds_of(http, method, path)
                        for (method, _), path in zip(some, paths, strict=True)
                    ]
                    answers = await asyncio.gather(*asked)
                slow += [
                    (*route, seconds)
                    for route, seconds in zip(some, answers, strict=True)
                    if seconds > FROZEN_SECONDS_MAX
                ]
                await until_answered(http, house.game.path)
    record_property("routes", len(chosen))
    assert slow == []
