import asyncio
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.http.club import client_with_key
from tests.http.crowd import DEALS, GAMES, insert_games
from tests.postgres import Cluster
from tests.service_process import KEY, ServiceProcess

MEMORY_MAX_BYTES = 200_000_000
_LOOKS = 200
_PAUSE_SECONDS = 0.1


@pytest.fixture(scope="module")
def crowded(
    embedded_cluster: Cluster, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ServiceProcess]:
    folder = tmp_path_factory.mktemp("crowded")
    with embedded_cluster.database() as url:
        (folder / "tmp").mkdir()
        settings = {
            "CARNET_DATABASE_URL": url,
            "CARNET_DATA_DIR": str(folder / "data"),
            "TMPDIR": str(folder / "tmp"),
        }
        with ServiceProcess.running(folder / "log", **settings) as service:
            insert_games(url)
            yield service


@pytest.mark.parametrize(
    ("path", "lines"),
    [
        ("/api/history.csv", 1 + 2 * GAMES),
        ("/api/history.csv?view=deals&for=excel-fr", 1 + 2 * DEALS * GAMES),
        ("/api/history.json", GAMES + 2),
        ("/api/history.csv?view=standings", 1 + 40),
    ],
)
async def test_an_export_of_very_many_games_takes_less_than_200_mb(
    crowded: ServiceProcess, path: str, lines: int
) -> None:
    found = 0
    async with client_with_key(crowded.url, KEY) as http, http.stream("GET", path) as answer:
        async for piece in answer.aiter_bytes():
            found += piece.count(b"\n")
    assert found == lines
    assert crowded.memory_peak_bytes < MEMORY_MAX_BYTES


def files(service: ServiceProcess) -> list[Path]:
    folders = (service.log.parent / "data" / "exports", service.log.parent / "tmp")
    found = (path for folder in folders for path in folder.rglob("*"))
    return [path for path in found if path.is_file() and path.name != "lock"]


async def until_only(service: ServiceProcess, left: list[Path]) -> None:
    for _ in range(_LOOKS):
        if files(service) == left:
            return
        await asyncio.sleep(_PAUSE_SECONDS)
    raise AssertionError(files(service))


async def test_who_leaves_stops_the_writing_of_the_file(crowded: ServiceProcess) -> None:
    before = files(crowded)
    async with client_with_key(crowded.url, KEY) as http:
        headers = {"Accept": "text/event-stream"}
        async with http.stream("GET", "/history.xlsx", headers=headers) as answer:
            async for line in answer.aiter_lines():
                if line.startswith("data:") and '"done":0' not in line:
                    break
            assert len(files(crowded)) > len(before) + 1
    await until_only(crowded, before)


async def test_progress_is_told_on_the_way_to_the_whole_file(crowded: ServiceProcess) -> None:
    async with client_with_key(crowded.url, KEY) as http:
        headers = {"Accept": "text/event-stream"}
        answer = await http.get("/history.csv?from=2020-01-02T00:00:00Z", headers=headers)
        told = [line for line in answer.text.splitlines() if line.startswith("data: ")]
        assert len(told) >= 3
        address = told[-1].split('"')[3]
        kept = await http.get(address)
        of = GAMES - 24 * 60 + 1
        assert told[0] == f'data: {{"done":0,"of":{of}}}'
        assert kept.content.count(b"\n") == 1 + 2 * of
    assert crowded.memory_peak_bytes < MEMORY_MAX_BYTES


async def test_more_games_than_a_form_holds_are_told_with_a_way_on(crowded: ServiceProcess) -> None:
    async with client_with_key(crowded.url, KEY) as http:
        answer = await http.get("/api/history.pdf", headers={"Accept-Language": "fr"})
        assert (answer.status_code, answer.json()["path"]) == (400, "$.query.from")
        assert "1000 parties" in answer.json()["detail"]
        assert (await http.get("/history.pdf?to=2020-06-01")).headers["Location"] == (
            "/history?to=2020-06-01"
        )
        fits = await http.get("/api/history.pdf?to=2020-01-01T10:00:00Z")
        assert fits.content.startswith(b"%PDF")


async def test_a_page_of_them_is_read(crowded: ServiceProcess) -> None:
    async with client_with_key(crowded.url, KEY) as http:
        page: httpx.Response = await http.get("/api/history?limit=200")
    assert len(page.json()["games"]) == 200
