"""HEAD answers as GET does, without content."""

import httpx
import pytest

from service.http.games.live import STREAMS_MAX
from tests.http.club import MADE, Game, as_nobody
from tests.service_process import ServiceProcess

DIFFERENT = {"date", "x-request-id", "transfer-encoding", "content-length"}
PATHS = ["", "/sheet", "/sheet.csv", "/sheet.pdf", "/record.carnet", "/entries"]
ANYWHERE = ["/", "/history", "/history.xlsx?to=2020-01-01", "/api/history.json", "/readyz", "/nix"]


async def same(http: httpx.AsyncClient, path: str) -> None:
    got, headed = await http.get(path), await http.head(path)
    assert (headed.status_code, headed.content) == (got.status_code, b"")
    kept = [
        {name: value for name, value in one.headers.items() if name not in DIFFERENT}
        for one in (got, headed)
    ]
    assert kept[1] == kept[0]


@pytest.mark.parametrize("path", ANYWHERE)
async def test_head_has_the_headers_of_get(http: httpx.AsyncClient, path: str) -> None:
    await same(http, path)


async def test_head_has_the_headers_of_get_of_a_game(game: Game) -> None:
    await game.record(MADE)
    for path in PATHS:
        await same(game.http, game.path + path)
    assert (await game.http.head(game.path)).headers["ETag"] == f'"{game.version}"'


async def test_head_of_what_never_ends_ends(game: Game) -> None:
    for _ in range(STREAMS_MAX + 1):
        answer = await game.http.head(f"{game.path}/live")
        assert (answer.status_code, answer.content) == (200, b"")
        assert answer.headers["Content-Type"].startswith("text/event-stream")


async def test_head_where_nothing_can_be_got_is_refused(http: httpx.AsyncClient) -> None:
    assert (await http.head("/api/imports")).status_code == 405


async def test_head_is_for_those_who_may_get(service: ServiceProcess, game: Game) -> None:
    async with as_nobody(service.url) as stranger:
        assert (await stranger.head(game.path)).status_code == 401


async def test_head_is_logged_as_such(http: httpx.AsyncClient, service: ServiceProcess) -> None:
    mark = "head-is-logged-as-such"
    await http.head("/api/players", headers={"X-Request-Id": mark})
    (line,) = [one for one in service.log.read_text().splitlines() if mark in one]
    assert '"method": "HEAD", "path": "/api/players"' in line


async def test_options_and_a_wrong_method_name_the_methods_there_are(game: Game) -> None:
    for path, methods in (
        ("/api/players", "GET, HEAD, OPTIONS, POST"),
        (f"{game.path}/entries", "GET, HEAD, OPTIONS, POST"),
        (f"{game.path}/preview", "OPTIONS, POST"),
        ("/login", "GET, HEAD, OPTIONS, POST"),
    ):
        for method in ("OPTIONS", "TRACE"):
            answer = await game.http.request(method, path)
            assert answer.headers["Allow"] == methods, (method, path)
