import asyncio
import re
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import psycopg
import pytest

from service.access.cookies import SESSION
from tests.http.club import DEAL, Game, anonymous_client
from tests.service_process import KEY, ServiceProcess

PATIENCE_SECONDS = 20


@pytest.fixture
async def browser(service: ServiceProcess) -> AsyncGenerator[httpx.AsyncClient]:
    async with anonymous_client(service.url) as client:
        yield client


async def make(game: Game, role: str) -> dict[str, Any]:
    answer = await game.http.post(f"{game.path}/links", json={"role": role})
    link: dict[str, Any] = answer.json()
    return link


async def follow(browser: httpx.AsyncClient, game: Game, role: str) -> httpx.Response:
    return await open_session(browser, (await make(game, role))["token"])


async def open_session(browser: httpx.AsyncClient, key: str) -> httpx.Response:
    answer = await browser.get("/login", params={"key": key})
    assert answer.status_code == 303
    return answer


async def test_a_viewers_link_takes_nothing_from_the_owner(
    browser: httpx.AsyncClient, game: Game
) -> None:
    await open_session(browser, KEY)
    await follow(browser, game, "viewer")
    assert (await browser.get("/history")).status_code == 200
    assert (
        await browser.post("/api/players", json={"name": "Ann", "same_name": True})
    ).status_code == 201
    assert (await Game(browser, await game.view()).send(*DEAL)).status_code == 201


async def test_the_owners_key_adds_to_a_link(browser: httpx.AsyncClient, game: Game) -> None:
    await follow(browser, game, "viewer")
    assert (await browser.get("/history")).status_code == 403
    await open_session(browser, KEY)
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
    scorer = await make(game, "scorer")
    await open_session(browser, scorer["token"])
    await game.http.delete(f"{game.path}/links/{scorer['id']}")
    assert (await browser.get(f"/games/{game.id}")).status_code == 200
    assert (await Game(browser, await game.view()).send(*DEAL)).status_code == 403


async def test_links_to_several_games_add_up(browser: httpx.AsyncClient, game: Game) -> None:
    other = await Game.start(game.http)
    third = await Game.start(game.http)
    await follow(browser, game, "scorer")
    await follow(browser, other, "viewer")
    assert (await Game(browser, await game.view()).send(*DEAL)).status_code == 201
    assert (await browser.get(other.path)).status_code == 200
    assert (await Game(browser, await other.view()).send(*DEAL)).status_code == 403
    assert (await browser.get(third.path)).status_code == 404


async def test_the_first_page_of_a_guest_is_the_only_game_or_a_list_of_them(
    browser: httpx.AsyncClient, game: Game
) -> None:
    other = await Game.start(game.http)
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
        answer = await (
            open_session(browser, KEY) if role == "owner" else follow(browser, game, role)
        )
    page = await browser.get(answer.headers["Location"])
    assert page.status_code == 200
    assert "in this browser already" not in page.text if told is None else told in page.text


async def test_a_session_that_is_none_is_no_guess(service: ServiceProcess) -> None:
    async with httpx.AsyncClient(base_url=service.url, cookies={SESSION: "ended"}) as browser:
        answers = [await browser.get("/api/players") for _ in range(70)]
    assert {answer.status_code for answer in answers} == {401}


async def test_a_browser_keeps_a_session_and_nothing_that_was_opened_in_it(
    browser: httpx.AsyncClient, game: Game
) -> None:
    token = (await make(game, "viewer"))["token"]
    first = (await open_session(browser, KEY)).headers["Set-Cookie"]
    assert re.search(r"HttpOnly.*SameSite=lax", first, re.IGNORECASE)
    assert "Secure" not in first
    assert "Set-Cookie" not in (await open_session(browser, token)).headers
    assert list(browser.cookies) == [SESSION]
    assert KEY not in browser.cookies[SESSION]
    assert token not in browser.cookies[SESSION]


# Headers of a proxy.
HTTPS = {"X-Forwarded-For": "192.0.2.1", "X-Forwarded-Proto": "https"}


async def test_on_https_a_browser_takes_the_session_from_this_host_alone(
    service: ServiceProcess, browser: httpx.AsyncClient, game: Game
) -> None:
    planted = (await follow(browser, game, "viewer")).cookies[SESSION]
    async with anonymous_client(service.url) as secure:
        answer = await secure.get("/login", params={"key": KEY}, headers=HTTPS)
        told = answer.headers["Set-Cookie"]
        assert re.match(rf"__Host-{SESSION}=[^;]+;.*Path=/;.*Secure", told, re.IGNORECASE)
        assert "domain" not in told.lower()
        for name, status in ((f"__Host-{SESSION}", 200), (SESSION, 401)):
            cookie = {"Cookie": f"{name}={answer.cookies[f'__Host-{SESSION}']}"}
            assert (await secure.get("/api/players", headers=HTTPS | cookie)).status_code == status
        cookie = {"Cookie": f"{SESSION}={planted}"}
        assert (await secure.get(game.path, headers=HTTPS | cookie)).status_code == 401
        left = (await secure.post("/logout", headers=HTTPS)).headers["Set-Cookie"]
        assert re.match(rf"__Host-{SESSION}=.*Max-Age=0;.*Path=/;.*Secure", left, re.IGNORECASE)


async def join(browser: httpx.AsyncClient, game: Game, role: str) -> httpx.Response:
    await game.http.post("/people", data={"name": f"The {role}", "role": role})
    (key,) = re.findall(r'login\?key=([^"]+)"', (await game.http.get("/people")).text)[:1]
    answer = await browser.post("/join", data={"key": key})
    assert answer.headers["Location"] == "/"
    return answer


async def gains(browser: httpx.AsyncClient, game: Game, how: str) -> None:
    match how:
        case "the owner's link":
            await open_session(browser, KEY)
        case "the owner's key, typed":
            await browser.post("/login", data={"key": KEY})
        case "an invitation":
            await join(browser, game, "scorer")
        case "a scorer's link":
            await follow(browser, game, "scorer")
        case _:
            await follow(browser, await Game.start(game.http), "viewer")


GAINS = ["the owner's link", "the owner's key, typed", "an invitation", "a scorer's link", "more"]


@pytest.mark.parametrize("how", GAINS)
async def test_whoever_planted_a_session_gains_nothing_by_what_is_opened_on_it(
    service: ServiceProcess, browser: httpx.AsyncClient, game: Game, how: str
) -> None:
    async with anonymous_client(service.url) as other:
        await follow(other, game, "viewer")
        browser.cookies.update(other.cookies)
        await gains(browser, game, how)
        assert browser.cookies[SESSION] != other.cookies[SESSION]
        assert (await other.get(game.path)).status_code == 401
        assert (await browser.get(game.path)).status_code == 200


async def test_a_browser_that_becomes_the_owners_is_nobody_elses_device(
    service: ServiceProcess, browser: httpx.AsyncClient, game: Game
) -> None:
    async with anonymous_client(service.url) as other:
        await join(other, game, "reader")
        browser.cookies.update(other.cookies)
        await open_session(browser, KEY)
        page = (await browser.get("/people")).text
        (mine,) = [part for part in page.split("<section") if "this device" in part]
        assert "The reader" not in mine


async def test_a_member_who_opens_a_link_stays_a_member(
    browser: httpx.AsyncClient, game: Game
) -> None:
    await join(browser, game, "reader")
    await follow(browser, game, "scorer")
    assert (await browser.get("/history")).status_code == 200
    assert (await Game(browser, await game.view()).send(*DEAL)).status_code == 201


async def test_a_device_keeps_its_name_when_it_gains_a_right(
    browser: httpx.AsyncClient, game: Game
) -> None:
    await join(browser, game, "reader")
    page = (await browser.get("/people")).text
    (device,) = set(re.findall(r'"/people/devices/([0-9a-f-]{36})"', page))
    await browser.post(f"/people/devices/{device}", data={"name": "The tablet of the kitchen"})
    await follow(browser, game, "scorer")
    page = (await browser.get("/people")).text
    assert "The tablet of the kitchen" in page
    assert device not in page


ASK = "Sign in with this link?"
LED = [
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Referer": "http://elsewhere.example/"},
]
ONE_STEP = [{"Sec-Fetch-Site": "none"}, {"Sec-Fetch-Site": "same-origin"}, {}]


@pytest.mark.parametrize("headers", LED, ids=str)
@pytest.mark.parametrize("before", ["nobody", "a guest"])
async def test_a_link_on_another_site_asks_before_it_changes_who_is_signed_in(
    browser: httpx.AsyncClient, game: Game, headers: dict[str, str], before: str
) -> None:
    if before == "a guest":
        await follow(browser, game, "viewer")
    cookies = dict(browser.cookies)
    asked = await browser.get("/login", params={"key": KEY}, headers=headers)
    assert (asked.status_code, dict(browser.cookies)) == (200, cookies)
    assert ASK in asked.text
    assert (await browser.get("/history")).status_code in {303, 403}
    (key,) = re.findall(r'name="key" value="([^"]+)"', asked.text)
    assert (await browser.post("/login", data={"key": key})).status_code == 303
    assert (await browser.get("/history")).status_code == 200


@pytest.mark.parametrize("headers", ONE_STEP, ids=str)
async def test_a_code_that_is_scanned_signs_in_at_once(
    browser: httpx.AsyncClient, game: Game, headers: dict[str, str]
) -> None:
    for role in ("viewer", "scorer"):
        key = (await make(game, role))["token"]
        answer = await browser.get("/login", params={"key": key}, headers=headers)
        assert answer.headers["Location"] == f"/games/{game.id}"


async def test_a_link_on_another_site_that_changes_nothing_does_not_ask(
    browser: httpx.AsyncClient, game: Game
) -> None:
    await open_session(browser, KEY)
    key = (await make(game, "viewer"))["token"]
    answer = await browser.get("/login", params={"key": key}, headers=LED[0])
    assert answer.headers["Location"] == f"/games/{game.id}?already=yes"


async def test_logging_out_ends_the_session_wherever_its_cookie_is(
    browser: httpx.AsyncClient, game: Game
) -> None:
    await follow(browser, game, "viewer")
    await open_session(browser, KEY)
    copied = dict(browser.cookies)
    assert (await browser.post("/logout")).headers["Location"] == "/login"
    assert not browser.cookies
    browser.cookies.update(copied)
    assert (await browser.get(game.path)).status_code == 401


async def test_who_comes_in_with_an_ended_session_gets_another(
    browser: httpx.AsyncClient, game: Game
) -> None:
    await open_session(browser, KEY)
    ended = dict(browser.cookies)
    await browser.post("/logout")
    browser.cookies.update(ended)
    answer = await follow(browser, game, "viewer")
    assert answer.cookies[SESSION] != ended[SESSION]
    browser.cookies.clear()
    browser.cookies.update(answer.cookies)
    assert (await browser.get(game.path)).status_code == 200
    assert (await browser.get("/history")).status_code == 403


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
    await open_session(browser, KEY)
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


@pytest.mark.parametrize(
    "key", ["100%25-of-the-household", "key=of-the-household=%41", "/?key=%2B+"]
)
async def test_a_key_of_any_signs_is_typed_pasted_and_kept(
    service_database: str, tmp_path: Path, key: str
) -> None:
    key = key.ljust(22, "+")
    with ServiceProcess.running(
        tmp_path / "log", CARNET_DATABASE_URL=service_database, CARNET_OWNER_KEY=key
    ) as own:
        link = f"{own.url}/login?key={quote(key, safe='')}"
        for typed in (key, f" {link} ", link.partition("//")[2], link.rpartition("/")[2]):
            async with anonymous_client(own.url) as browser:
                answer = await browser.post("/login", data={"key": typed})
                assert answer.headers["Location"] == "/", typed
                assert (await browser.get("/history")).status_code == 200
        async with anonymous_client(own.url) as browser:
            await browser.get(link)
            assert (await browser.get("/history")).status_code == 200


async def test_a_browser_that_returns_keeps_its_session_for_another_year(
    browser: httpx.AsyncClient, game: Game, service_database: str
) -> None:
    await open_session(browser, KEY)
    at_once = await browser.get(f"/games/{game.id}")
    assert SESSION not in at_once.cookies
    with psycopg.connect(service_database) as conn:
        conn.execute("UPDATE carnet.access_grant SET seen_at = now() - interval '1 day'")
    # Identities are cached for a second.
    async with asyncio.timeout(PATIENCE_SECONDS):
        while SESSION not in (page := await browser.get(f"/games/{game.id}")).cookies:
            pass
    told = next(one for one in page.headers.get_list("set-cookie") if one.startswith(SESSION))
    assert "Max-Age=31536000" in told
    assert "HttpOnly" in told
    assert page.cookies[SESSION] == browser.cookies[SESSION]
