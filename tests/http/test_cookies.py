"""What one browser may do that followed several links, and who may send its forms."""

from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import httpx
import pytest

from service.access.cookies import LINKS_MAX
from tests.http.club import DEAL, Game, as_somebody
from tests.service_process import KEY, ServiceProcess


@pytest.fixture
async def browser(service: ServiceProcess) -> AsyncGenerator[httpx.AsyncClient]:
    """Keep cookies as a browser does, and nothing else."""
    async with httpx.AsyncClient(base_url=service.url, timeout=60) as client:
        yield client


async def made(game: Game, role: str) -> dict[str, Any]:
    """Make a link to a game."""
    answer = await game.http.post(f"{game.path}/links", json={"role": role})
    link: dict[str, Any] = answer.json()
    return link


async def follow(browser: httpx.AsyncClient, game: Game, role: str) -> httpx.Response:
    """Make a link to a game and open it."""
    return await opened(browser, (await made(game, role))["token"])


async def opened(browser: httpx.AsyncClient, key: str) -> httpx.Response:
    """Open a link."""
    answer = await browser.get("/login", params={"key": key})
    assert answer.status_code == 303
    return answer


async def test_a_viewers_link_takes_nothing_from_the_owner(
    browser: httpx.AsyncClient, game: Game
) -> None:
    await opened(browser, KEY)
    await follow(browser, game, "viewer")
    assert (await browser.get("/history")).status_code == 200
    assert (await browser.post("/api/players", json={"name": "Ann"})).status_code == 201
    assert (await Game(browser, await game.view()).send(*DEAL)).status_code == 201


async def test_the_owners_key_adds_to_a_link(browser: httpx.AsyncClient, game: Game) -> None:
    await follow(browser, game, "viewer")
    assert (await browser.get("/history")).status_code == 403
    await opened(browser, KEY)
    assert (await browser.get("/history")).status_code == 200


@pytest.mark.parametrize("roles", [("scorer", "viewer"), ("viewer", "scorer")], ids=str)
async def test_of_two_links_to_a_game_the_stronger_counts(
    browser: httpx.AsyncClient, game: Game, roles: tuple[str, str]
) -> None:
    for role in roles:
        await follow(browser, game, role)
    assert (await Game(browser, await game.view()).send(*DEAL)).status_code == 201


async def test_a_stronger_link_that_is_revoked_leaves_the_weaker_one(
    browser: httpx.AsyncClient, game: Game
) -> None:
    await follow(browser, game, "viewer")
    scorer = await made(game, "scorer")
    await opened(browser, scorer["token"])
    await game.http.delete(f"{game.path}/links/{scorer['id']}")
    assert (await browser.get(f"/games/{game.id}")).status_code == 200
    assert (await Game(browser, await game.view()).send(*DEAL)).status_code == 403


async def test_links_to_several_games_add_up(browser: httpx.AsyncClient, game: Game) -> None:
    other = await Game.started(game.http)
    third = await Game.started(game.http)
    await follow(browser, game, "scorer")
    await follow(browser, other, "viewer")
    assert (await Game(browser, await game.view()).send(*DEAL)).status_code == 201
    assert (await browser.get(other.path)).status_code == 200
    assert (await Game(browser, await other.view()).send(*DEAL)).status_code == 403
    assert (await browser.get(third.path)).status_code == 404


async def test_the_first_page_of_a_guest_is_the_only_game_or_a_list_of_them(
    browser: httpx.AsyncClient, game: Game
) -> None:
    other = await Game.started(game.http)
    await follow(browser, game, "scorer")
    assert (await browser.get("/")).headers["Location"] == f"/games/{game.id}"
    await follow(browser, other, "viewer")
    page = await browser.get("/")
    assert page.status_code == 200
    assert all(f'href="/games/{one.id}"' in page.text for one in (game, other))


@pytest.mark.parametrize(
    ("first", "second", "told"),
    [
        ("owner", "viewer", "the owner in this browser already"),
        ("owner", "owner", "the owner in this browser already"),
        ("scorer", "viewer", "record this game in this browser already"),
        ("viewer", "viewer", "watch this game in this browser already"),
        ("viewer", "scorer", None),
        ("scorer", "owner", None),
    ],
)
async def test_who_follows_a_link_that_adds_nothing_is_told_so(
    browser: httpx.AsyncClient, game: Game, first: str, second: str, told: str | None
) -> None:
    for role in (first, second):
        answer = await (opened(browser, KEY) if role == "owner" else follow(browser, game, role))
    page = await browser.get(answer.headers["Location"])
    assert page.status_code == 200
    assert "in this browser already" not in page.text if told is None else told in page.text


async def test_a_link_kept_in_the_owners_place_before_still_opens_its_game(
    browser: httpx.AsyncClient, game: Game
) -> None:
    other = await Game.started(game.http)
    browser.cookies.set("carnet", (await made(game, "viewer"))["token"])
    await follow(browser, other, "viewer")
    for one in (game, other):
        assert (await browser.get(one.path)).status_code == 200


async def test_a_key_that_counts_no_more_shuts_nobody_out_of_a_linked_game(
    service_database: str, tmp_path: Path
) -> None:
    # A service of its own: wrong keys are counted by the address they come from.
    with ServiceProcess.running(tmp_path / "log", CARNET_DATABASE_URL=service_database) as alone:
        async with (
            as_somebody(alone.url, KEY) as owner,
            httpx.AsyncClient(base_url=alone.url) as browser,
        ):
            game = await Game.started(owner)
            browser.cookies.set("carnet", "replaced")
            await follow(browser, game, "viewer")
            answers = [await browser.get(game.path) for _ in range(70)]
    assert {answer.status_code for answer in answers} == {200}


async def test_logging_out_forgets_the_key_and_every_link(
    browser: httpx.AsyncClient, game: Game
) -> None:
    await follow(browser, game, "viewer")
    await follow(browser, await Game.started(game.http), "scorer")
    await opened(browser, KEY)
    assert (await browser.post("/logout")).headers["Location"] == "/login"
    assert not browser.cookies
    assert (await browser.get(game.path)).status_code == 401


async def test_of_more_links_than_a_browser_keeps_the_last_ones_stay(
    browser: httpx.AsyncClient, game: Game
) -> None:
    games = [game, *[await Game.started(game.http) for _ in range(LINKS_MAX)]]
    for one in games:
        await follow(browser, one, "viewer")
    assert len(browser.cookies) == LINKS_MAX
    assert (await browser.get(games[0].path)).status_code == 404
    for one in (games[1], games[-1]):
        assert (await browser.get(one.path)).status_code == 200


FOREIGN = [
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Origin": "https://elsewhere.example"},
    {"Origin": "null"},
]


@pytest.mark.parametrize("headers", FOREIGN, ids=str)
@pytest.mark.parametrize("path", ["/logout", "/login", "/settings", "/games/new", "/players"])
async def test_the_page_of_another_site_sends_none_of_our_forms(
    browser: httpx.AsyncClient, path: str, headers: dict[str, str]
) -> None:
    await opened(browser, KEY)
    before = dict(browser.cookies)
    answer = await browser.post(path, headers=headers, data={"key": KEY, "language": "fr"})
    assert answer.status_code == 403
    assert dict(browser.cookies) == before


@pytest.mark.parametrize("headers", FOREIGN, ids=str)
async def test_nobody_is_logged_in_by_the_page_of_another_site(
    browser: httpx.AsyncClient, headers: dict[str, str]
) -> None:
    answer = await browser.post("/login", headers=headers, data={"key": KEY})
    assert (answer.status_code, dict(browser.cookies)) == (403, {})
