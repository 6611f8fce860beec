"""Which hosts links name: those of `CARNET_HOSTS`, whatever `Host` a request came with."""

from collections.abc import Iterator
from urllib.parse import urlsplit

import httpx
import pytest

from tests.http.club import Game, as_somebody
from tests.service_process import KEY, PLAIN, ServiceProcess

HOSTS = "games.example.org, 192.168.1.5:8000"
FIRST = "http://games.example.org"


@pytest.fixture(scope="module")
def named(
    service_database: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ServiceProcess]:
    log = tmp_path_factory.mktemp("named") / "log"
    settings = {"CARNET_DATABASE_URL": service_database, "CARNET_HOSTS": HOSTS}
    with ServiceProcess.running(log, **settings) as running:
        yield running


@pytest.mark.parametrize(
    ("asked", "base"),
    [
        ("games.example.org", FIRST),
        ("Games.example.org:81", "http://Games.example.org:81"),
        ("192.168.1.5:8000", "http://192.168.1.5:8000"),
        ("192.168.1.5", FIRST),
        ("evil.example", FIRST),
    ],
)
async def test_a_link_names_a_known_host(named: ServiceProcess, asked: str, base: str) -> None:
    async with as_somebody(named.url, KEY) as http:
        game = await Game.started(http)
        for role in ("viewer", "public"):
            answer = await http.post(
                f"{game.path}/links", json={"role": role}, headers={"Host": asked}
            )
            assert answer.json()["url"].startswith(f"{base}/")


@pytest.mark.parametrize("page", ["/people", "share"])
async def test_a_page_that_hands_on_a_link_names_a_known_host(
    named: ServiceProcess, page: str
) -> None:
    headers = {"Host": "evil.example", "Accept": "text/html"}
    async with httpx.AsyncClient(base_url=named.url, headers=headers, verify=PLAIN) as browser:
        await browser.post("/login", data={"key": KEY})
        async with as_somebody(named.url, KEY) as http:
            game = await Game.started(http)
        where = f"/games/{game.id}/share" if page == "share" else page
        sent = await browser.post(where, data={"role": "scorer", "name": "Ann"})
        shown = await browser.get(urlsplit(sent.headers["Location"]).path)
    assert f"{FIRST}/" in shown.text
    assert "evil.example" not in shown.text


async def test_where_none_is_named_links_begin_as_the_request_did(game: Game) -> None:
    headers = {"Host": "carnet.local:8000"}
    answer = await game.http.post(f"{game.path}/links", json={"role": "viewer"}, headers=headers)
    assert answer.json()["url"].startswith("http://carnet.local:8000/")


@pytest.mark.parametrize("host", ['a"b<c', "x:99999", "[1]", "", "a b", "a/b"])
def test_a_host_that_is_none_is_refused(service: ServiceProcess, host: str) -> None:
    for accept in ("application/json", "text/html"):
        headers = {"Host": host, "Accept": accept}
        for path in ("/", "/api/players", "/nothing"):
            answer = httpx.get(service.url + path, headers=headers, verify=PLAIN)
            assert (answer.status_code, answer.json()["path"]) == (400, "$.headers.Host")


@pytest.mark.parametrize("host", ["a", "A.example:80", "[::1]:8000", "x_y", "192.0.2.7"])
def test_a_host_that_is_one_is_taken(service: ServiceProcess, host: str) -> None:
    headers = {"Host": host}
    assert httpx.get(service.url + "/healthz", headers=headers, verify=PLAIN).status_code == 200
