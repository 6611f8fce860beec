import gzip
import socket
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from service.http.games.live import STREAMS_MAX
from tests.http.club import MADE_RESULT, Game, anonymous_client, client_with_key
from tests.service_process import KEY, PLAIN_TLS, ServiceProcess
from tests.waiting import time_limit

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
    async with client_with_key(named.url, KEY) as http:
        game = await Game.start(http)
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
    async with httpx.AsyncClient(base_url=named.url, headers=headers, verify=PLAIN_TLS) as browser:
        await browser.post("/login", data={"key": KEY})
        async with client_with_key(named.url, KEY) as http:
            game = await Game.start(http)
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
            answer = httpx.get(service.url + path, headers=headers, verify=PLAIN_TLS)
            assert (answer.status_code, answer.json()["path"]) == (400, "$.headers.Host")


@pytest.mark.parametrize("coding", ["gzip", "br", "x"])
def test_a_compressed_body_is_refused(service: ServiceProcess, coding: str) -> None:
    headers = {"Content-Encoding": coding, "Authorization": f"Bearer {KEY}"}
    body = gzip.compress(b'{"name": "Ann"}')
    url = service.url + "/api/players"
    answer = httpx.post(url, content=body, headers=headers, verify=PLAIN_TLS)
    assert (answer.status_code, answer.json()["path"]) == (400, "$.headers.Content-Encoding")


@pytest.mark.parametrize("size", ["zz", "-1", "f" * 18])
def test_malformed_chunks_are_answered(service: ServiceProcess, size: str) -> None:
    head = f"POST /api/players HTTP/1.1\r\nHost: carnet\r\nAuthorization: Bearer {KEY}\r\n"
    with socket.create_connection(("127.0.0.1", service.port), timeout=time_limit(5)) as client:
        client.sendall(f"{head}Transfer-Encoding: chunked\r\n\r\n{size}\r\nabc\r\n".encode())
        assert client.recv(100).startswith(b"HTTP/1.1 400 ")


@pytest.mark.parametrize("host", ["a", "A.example:80", "[::1]:8000", "x_y", "192.0.2.7"])
def test_a_host_that_is_one_is_taken(service: ServiceProcess, host: str) -> None:
    headers = {"Host": host}
    assert httpx.get(service.url + "/healthz", headers=headers, verify=PLAIN_TLS).status_code == 200


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
    await game.record(MADE_RESULT)
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
    async with anonymous_client(service.url) as stranger:
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


# More than one address has at once (60), fewer than all have together (600).
TRIES = 250


def told_to_wait(url: str, forwarded: Iterable[str]) -> bool:
    wrong = {"Authorization": "Bearer wrong"}
    with httpx.Client(base_url=url, headers=wrong, verify=PLAIN_TLS) as http:
        return any(
            http.get("/api/players", headers={"X-Forwarded-For": one}).status_code == 429
            for one in forwarded
        )


@pytest.mark.parametrize("named", ["127.0.0.1", "127.0.0.0/8,192.0.2.9"])
def test_behind_a_proxy_wrong_keys_are_counted_by_the_last_address_that_is_none(
    named: str, service_database: str, tmp_path: Path
) -> None:
    settings = {"CARNET_DATABASE_URL": service_database, "FORWARDED_ALLOW_IPS": named}
    with ServiceProcess.running(tmp_path / "log", **settings) as own:
        # A client can forge the addresses before the last one.
        assert told_to_wait(own.url, (f"203.0.113.{one}, 198.51.100.7" for one in range(TRIES)))
        assert not told_to_wait(own.url, ["198.51.100.8"])
        headers = {"Authorization": f"Bearer {KEY}", "X-Forwarded-For": "198.51.100.7"}
        assert (
            httpx.get(f"{own.url}/api/players", headers=headers, verify=PLAIN_TLS).status_code
            == 200
        )


def test_who_is_not_named_as_a_proxy_speaks_for_nobody(
    service_database: str, tmp_path: Path
) -> None:
    settings = {"CARNET_DATABASE_URL": service_database, "FORWARDED_ALLOW_IPS": "192.0.2.9"}
    with ServiceProcess.running(tmp_path / "log", **settings) as own:
        assert told_to_wait(own.url, (f"198.51.100.{one}" for one in range(TRIES)))
