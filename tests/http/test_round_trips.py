"""How often a request waits for the database: a tap at most twice, a page at most three times.

The first page waits four times: for the last evening and for the standings, twice each.
"""

import asyncio
import re
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from itertools import count
from json import dumps
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest

from service.app import build
from service.play.following import POLL_SECONDS
from service.settings import Settings
from tests.depth import run_size
from tests.http.club import DEAL, MADE_RESULT, Game, anonymous_client, client_with_key
from tests.http.follower import Follower
from tests.postgres import Cluster
from tests.round_trips import RoundTrips
from tests.service_process import KEY, ServiceProcess

TAP, PAGE, FIRST_PAGE, LAST_TAP = 2, 3, 4, 4
PLAYED = "/games/{game}"
# Every page, by its route: the address of one.
PAGES = {
    "/": "/",
    "/backup": "/backup",
    "/me": "/me",
    "/more": "/more",
    "/people": "/people",
    "/programs": "/programs",
    "/join": "/join?key=none",
    "/evenings/{evening_id}": "/evenings/{evening}",
    "/games/new": "/games/new",
    "/games/new/tables": "/games/new/tables?ruleset=euchre",
    "/go-on": "/go-on",
    "/history": "/history",
    "/import": "/import",
    "/import/everything/{name}": "/import/everything/{everything}",
    "/import/games/{name}": "/import/games/{games}",
    "/login": "/login",
    "/notation": "/notation",
    "/offline": "/offline",
    "/players": "/players",
    "/players/{player_id}": "/players/{player}",
    "/titles": "/titles",
    "/titles/{title_id}": "/titles/{title}",
    "/players/{player_id}/figures": "/players/{player}/figures?other={other}",
    "/rules/{ruleset}": "/rules/euchre",
    "/settings": "/settings",
    "/screen": "/screen",
    "/standings": "/standings",
    "/years/{year}": "/years/2026",
    "/webhooks": "/webhooks",
    "/webhooks/{webhook_id}": "/webhooks/{webhook}",
    "/games/{game_id}": PLAYED,
    "/games/{game_id}/board": f"{PLAYED}/board",
    "/games/{game_id}/log": f"{PLAYED}/log",
    "/games/{game_id}/sheet": f"{PLAYED}/sheet",
    "/games/{game_id}/at/{version}": f"{PLAYED}/at/2",
    "/games/{game_id}/go-on": f"{PLAYED}/go-on",
    "/games/{game_id}/more": f"{PLAYED}/more",
    "/games/{game_id}/share": f"{PLAYED}/share",
    "/games/{game_id}/correct/{version}": f"{PLAYED}/correct/3",
    "/games/{game_id}/preview": f"{PLAYED}/preview",
    "/games/{game_id}/preview/keep": f"{PLAYED}/preview/keep",
    "/games/{game_id}/at/{version}/what-if": f"{PLAYED}/at/2/what-if",
    "/games/{game_id}/replay": f"{PLAYED}/replay",
    "/games/{game_id}/rules": f"{PLAYED}/rules",
    "/games/{game_id}/screen": f"{PLAYED}/screen",
    "/games/{game_id}/entries": f"{PLAYED}/entries",
    "/games/{game_id}/erase/{version}": f"{PLAYED}/erase/2",
    "/shared/{token}": "/shared/{token}",
    "/shared/{token}/at/{version}": "/shared/{token}/at/2",
    "/shared/{token}/replay": "/shared/{token}/replay",
    "/shared/{token}/scores": "/shared/{token}/scores",
    "/shared/{token}/version": "/shared/{token}/version",
}
# Uploaded files, one of each kind.
BROUGHT = {
    "everything": ("a.jsonl", b'{"line":"carnet-export"}\n'),
    "games": ("a.csv", b"Day,Ann,Bob\n2020-01-01,1,2\n"),
}
FILES = r"^/static/|^/exports/|/progress$|\.(csv|js|jsonl?|pdf|png|xlsx|carnet)$"
OF_A_GAME = [path for path, address in PAGES.items() if address.startswith(PLAYED)]
OF_THE_CLUB = [path for path in PAGES if path not in OF_A_GAME]
# Statements are prepared in the first requests, by each connection for itself, and the process asks
# for itself meanwhile (its watch, rounds, webhooks), on a busy machine during most requests. So a
# page above its limit is requested again, until a request was alone or there were too many; of the
# last ones the fewest waits count. A page within its limit is not, except in a deep run.
COUNTED = 5
ROUNDS_MIN, ROUNDS_MAX = run_size(5, deep=20), 400
# Background round trips per second.
BESIDE = 5


@pytest.fixture(scope="module")
def proxy(embedded_cluster: Cluster) -> Iterator[RoundTrips]:
    with embedded_cluster.database() as url, RoundTrips.counted(url) as counting:
        yield counting


@pytest.fixture(scope="module")
def counted_service(
    proxy: RoundTrips, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ServiceProcess]:
    log = tmp_path_factory.mktemp("counted") / "log"
    with ServiceProcess.running(log, CARNET_DATABASE_URL=proxy.url) as running:
        yield running


@pytest.fixture(scope="module")
async def game(counted_service: ServiceProcess) -> AsyncGenerator[Game]:
    async with client_with_key(counted_service.url, KEY) as http:
        started = await Game.start(http)
        await started.record({"type": "note", "text": "by the window"}, *DEAL)
        yield started


@pytest.fixture(scope="module", params=["owner", "scorer"])
async def browser(
    request: pytest.FixtureRequest, counted_service: ServiceProcess, game: Game
) -> AsyncGenerator[httpx.AsyncClient]:
    key = KEY
    if request.param != "owner":
        answer = await game.http.post(f"{game.path}/links", json={"role": request.param})
        key = answer.json()["token"]
    async with anonymous_client(counted_service.url) as client:
        await client.get("/login", params={"key": key})
        yield client


async def tap(browser: httpx.AsyncClient, game: Game, entry: dict[str, Any]) -> httpx.Response:
    return await browser.post(
        f"/games/{game.id}/outbox",
        json={"entries": [entry]},
        headers={"If-Match": f'"{game.version}"', "Idempotency-Key": str(uuid4())},
    )


async def test_a_tap_waits_twice_at_most(
    browser: httpx.AsyncClient, game: Game, proxy: RoundTrips
) -> None:
    async def enter() -> None:
        answer = await tap(browser, game, {"type": "note", "text": "once more"})
        assert answer.status_code == 201
        game.version += 1

    assert 0 < await _fewest(proxy, enter, TAP) <= TAP


async def test_a_tap_that_is_refused_waits_twice_at_most(
    browser: httpx.AsyncClient, game: Game, proxy: RoundTrips
) -> None:
    async def enter() -> None:
        answer = await tap(browser, game, {"type": "play", "seat": 0, "card": "QH", "waive": []})
        assert answer.status_code == 422

    assert 0 < await _fewest(proxy, enter, TAP) <= TAP


async def test_a_tap_that_ends_a_game_waits_twice_more_for_the_standings(
    counted_service: ServiceProcess, game: Game, proxy: RoundTrips
) -> None:
    waits: list[int] = []
    async with anonymous_client(counted_service.url) as owner:
        await owner.get("/login", params={"key": KEY})
        while not _settled(waits, LAST_TAP):
            other = await Game.start(game.http)
            await other.record(MADE_RESULT)
            before = proxy.count
            answer = await tap(owner, other, {"type": "finish", "reason": "late"})
            assert answer.status_code == 201
            waits.append(proxy.count - before)
    assert TAP < min(waits[-COUNTED:]) <= LAST_TAP


async def test_an_append_by_the_api_waits_twice_at_most(game: Game, proxy: RoundTrips) -> None:
    async def send() -> None:
        await game.record({"type": "note", "text": "sent"})

    assert 0 < await _fewest(proxy, send, TAP) <= TAP


@pytest.mark.parametrize("corrected", [False, True])
async def test_a_form_without_script_waits_twice_at_most(
    browser: httpx.AsyncClient, game: Game, proxy: RoundTrips, *, corrected: bool
) -> None:
    numbers = count()

    async def send() -> None:
        entry: dict[str, Any] = {"type": "note", "text": f"typed {next(numbers)}"}
        if corrected:
            entry = {"type": "amend", "version": 2, "move": entry}
        fields = {"version": str(game.version), "command": str(uuid4()), "entry": dumps(entry)}
        sent = await browser.post(f"/games/{game.id}/entries", data=fields)
        assert (sent.status_code, sent.headers["Location"]) == (303, f"/games/{game.id}")
        game.version += 1

    assert 0 < await _fewest(proxy, send, TAP) <= TAP


@pytest.fixture(scope="module")
async def drafts(game: Game, browser: httpx.AsyncClient) -> dict[str, str]:
    amend = {"type": "amend", "version": 3, "move": DEAL[0]}
    sent = await browser.post(
        f"{PLAYED}/preview".format(game=game.id), data={"entry": dumps(amend)}
    )
    assert sent.status_code == 303, sent.text
    draft = sent.headers["Location"].partition("?")[2]
    return dict.fromkeys(("/games/{game_id}/preview", "/games/{game_id}/preview/keep"), draft)


@pytest.mark.parametrize("path", OF_A_GAME)
async def test_a_page_of_a_game_waits_three_times_at_most(
    path: str, browser: httpx.AsyncClient, game: Game, proxy: RoundTrips, drafts: dict[str, str]
) -> None:
    address = PAGES[path].format(game=game.id)
    assert await _waits(browser, f"{address}?{drafts.get(path, '')}", proxy) <= PAGE


@pytest.fixture(scope="module")
async def finished(game: Game) -> dict[str, str]:
    other = await Game.start(game.http)
    await other.record(MADE_RESULT, {"type": "finish", "reason": "late"})
    shared = await game.http.post(f"{other.path}/links", json={"role": "public"})
    title = await game.http.post("/api/titles", json={"name": "Skyjo"})
    # For an event that never occurs, so that there are no deliveries.
    hook = {"url": "https://table.example", "events": ["head.signed"]}
    hooks = [await game.http.post("/api/webhooks", json=hook) for _ in range(2)]
    return {
        "webhook": hooks[0].json()["id"],
        "evening": other.id,
        "player": str((await other.view())["players"][0]["id"]),
        "other": str((await other.view())["players"][1]["id"]),
        "title": str(title.json()["id"]),
        "token": shared.json()["token"],
        **{kind: await _waiting(game.http, *file) for kind, file in BROUGHT.items()},
    }


async def _waiting(http: httpx.AsyncClient, name: str, content: bytes) -> str:
    sent = await http.post("/import", files={"file": (name, content)})
    return sent.headers["Location"].rpartition("/")[2]


@pytest.mark.parametrize("path", OF_THE_CLUB)
async def test_a_page_of_the_club_waits_three_times_at_most(
    path: str, counted_service: ServiceProcess, finished: dict[str, str], proxy: RoundTrips
) -> None:
    address = PAGES[path].format(**finished)
    async with anonymous_client(counted_service.url) as owner:
        await owner.get("/login", params={"key": KEY})
        assert await _waits(owner, address, proxy) <= (FIRST_PAGE if path == "/" else PAGE)


async def _waits(browser: httpx.AsyncClient, address: str, proxy: RoundTrips) -> int:
    async def ask() -> None:
        answer = await browser.get(address)
        assert answer.status_code in {200, 303, 403}, answer.text

    return await _fewest(proxy, ask, PAGE)


async def _fewest(proxy: RoundTrips, ask: Callable[[], Awaitable[None]], most: int) -> int:
    waits: list[int] = []
    while not _settled(waits, most):
        before = proxy.count
        await ask()
        waits.append(proxy.count - before)
    return min(waits[-COUNTED:])


def _settled(waits: list[int], most: int) -> bool:
    if len(waits) < ROUNDS_MIN:
        return False
    return min(waits[-COUNTED:]) <= most or len(waits) >= ROUNDS_MAX


def test_every_page_is_counted() -> None:
    """New pages are added to `PAGES`; the other routes are files and the stream of a progress."""
    app = build(Settings(data_dir=Path("unused")))
    there = {
        re.sub(r"\{(\w+):\w+\}", r"{\1}", route.path)
        for route in app.routes
        for handler in getattr(route, "route_handlers", ())
        if re.match(r"service\.web|.*\.pages$", handler.fn.__module__)
        and "GET" in handler.http_methods
    }
    assert {path for path in there if not re.search(FILES, path)} == {*PAGES}


async def test_a_screen_of_several_tables_waits_no_longer_than_that_of_one(
    counted_service: ServiceProcess, game: Game, proxy: RoundTrips
) -> None:
    for table in (game, await Game.start(game.http)):
        await table.record({"type": "note", "text": "going on"})
    async with anonymous_client(counted_service.url) as owner:
        await owner.get("/login", params={"key": KEY})
        assert (await owner.get("/screen")).text.count('class="tabled') >= 2
        assert await _waits(owner, "/screen", proxy) <= PAGE


async def test_ten_followers_ask_no_more_than_one(game: Game, proxy: RoundTrips) -> None:
    async with AsyncExitStack() as stack:
        first = await stack.enter_async_context(Follower.of(game))
        await first.event()
        alone = await _rate_while_idle(proxy)
        phones = [await stack.enter_async_context(Follower.of(game)) for _ in range(9)]
        for phone in phones:
            await phone.event()
        assert await _rate_while_idle(proxy) <= alone + BESIDE
        before, began = proxy.count, time.monotonic()
        await game.record({"type": "note", "text": "for all"})
        told = [await phone.event() for phone in (first, *phones)]
        assert {one["entry"]["text"] for one in told if one} == {"for all"}
        beside = (alone + BESIDE) * (time.monotonic() - began)
        assert proxy.count - before <= TAP + BESIDE + beside


async def _rate_while_idle(proxy: RoundTrips) -> float:
    """Return round trips per second."""
    before, began = proxy.count, time.monotonic()
    await asyncio.sleep(2 * POLL_SECONDS)
    return (proxy.count - before) / (time.monotonic() - began)
