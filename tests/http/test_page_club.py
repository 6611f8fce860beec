import re
from collections.abc import AsyncGenerator
from contextlib import aclosing

import httpx
import pytest

from tests.http.club import anonymous_client
from tests.http.test_other_club import Club, club_added
from tests.service_process import KEY, ServiceProcess

CONFLICT = 409
FORM = re.compile(r'<form[^>]*method="post"[^>]*action="([^"]+)"')
GAME = re.compile(r"/games/[0-9a-f-]{36}")
PAGES = ("/players", "/people", "/programs", "/webhooks", "/standings", "/import")


@pytest.fixture
async def elsewhere(service: ServiceProcess, service_database: str) -> AsyncGenerator[Club]:
    club = await club_added(service_database, service.url, "Elsewhere")
    yield club
    await club.owner.aclose()


@pytest.fixture
async def browser(service: ServiceProcess) -> AsyncGenerator[httpx.AsyncClient]:
    async with aclosing(anonymous_client(service.url)) as client:
        await comes_in(client, KEY)
        yield client


async def comes_in(client: httpx.AsyncClient, key: str) -> None:
    answer = await client.post("/login", data={"key": key})
    assert answer.status_code == 303, answer.text


async def forms_of(client: httpx.AsyncClient, page: str) -> list[str]:
    return FORM.findall((await client.get(page, headers={"Accept": "text/html"})).text)


def name_in(club: Club) -> str:
    return f"Zoe {club.club_id.hex}"


async def send(client: httpx.AsyncClient, form: str, name: str) -> httpx.Response:
    return await client.post(form, data={"name": name}, headers={"Accept": "text/html"})


async def names_in(client: httpx.AsyncClient) -> str:
    return (await client.get("/players")).text


async def test_a_form_of_the_first_club_is_refused_once_the_browser_shows_another(
    browser: httpx.AsyncClient, elsewhere: Club
) -> None:
    assert "/players" in await forms_of(browser, "/players")
    await comes_in(browser, elsewhere.key)
    answer = await send(browser, "/players", name_in(elsewhere))
    assert answer.status_code == CONFLICT
    assert "Nothing was stored" in answer.text
    assert name_in(elsewhere) not in await names_in(browser)
    assert name_in(elsewhere) not in await names_in(elsewhere.owner)
    # The link on the page leads to the club of the form.
    (club,) = re.findall(r'name="club" value="([^"]+)"', answer.text)
    await browser.post("/settings/club", data={"club": club})
    (form,) = [one for one in await forms_of(browser, "/players") if one.startswith("/players?")]
    assert form == f"/players?club={club}"
    assert (await send(browser, form, name_in(elsewhere))).status_code == 303
    assert name_in(elsewhere) in await names_in(browser)
    assert name_in(elsewhere) not in await names_in(elsewhere.owner)


async def test_a_form_of_another_club_is_refused_once_the_browser_shows_the_first(
    browser: httpx.AsyncClient, elsewhere: Club
) -> None:
    await comes_in(browser, elsewhere.key)
    (form,) = [one for one in await forms_of(browser, "/players") if one.startswith("/players?")]
    await comes_in(browser, KEY)
    answer = await send(browser, form, name_in(elsewhere))
    assert answer.status_code == CONFLICT
    assert str(elsewhere.club_id) in answer.text
    assert name_in(elsewhere) not in await names_in(elsewhere.owner)
    await comes_in(browser, elsewhere.key)
    assert (await send(browser, form, name_in(elsewhere))).status_code == 303
    assert name_in(elsewhere) in await names_in(elsewhere.owner)


async def test_a_form_of_a_club_that_was_left_is_refused_and_says_so(
    browser: httpx.AsyncClient, elsewhere: Club
) -> None:
    (form, *_) = [one for one in await forms_of(browser, "/players") if one == "/players"]
    await browser.post("/logout")
    await comes_in(browser, elsewhere.key)
    answer = await send(browser, form, name_in(elsewhere))
    assert answer.status_code == CONFLICT
    assert "signed out" in answer.text
    assert 'action="/settings/club"' not in answer.text
    assert name_in(elsewhere) not in await names_in(elsewhere.owner)


async def test_who_may_only_look_there_is_told_of_the_club_and_not_of_rights(
    browser: httpx.AsyncClient, elsewhere: Club
) -> None:
    await elsewhere.add(browser, "reader")
    answer = await send(browser, "/players", name_in(elsewhere))
    assert answer.status_code == CONFLICT
    assert "another club" in answer.text


@pytest.mark.parametrize("page", PAGES)
async def test_every_form_names_its_club_where_there_are_several(
    browser: httpx.AsyncClient, elsewhere: Club, page: str
) -> None:
    alone = await forms_of(browser, page)
    assert alone
    assert not [form for form in alone if "club=" in form]
    await comes_in(browser, elsewhere.key)
    for form in await forms_of(browser, page):
        path, _, query = form.partition("?")
        if not GAME.match(path):
            assert query == f"club={elsewhere.club_id}", form


async def test_a_screen_is_told_of_no_other_clubs_tables(
    browser: httpx.AsyncClient, elsewhere: Club
) -> None:
    (club,) = re.findall(r'data-club="([^"]+)"', (await browser.get("/screen")).text)
    part = {"X-Part": "tables", "X-Club": club}
    assert (await browser.get("/screen", headers=part)).status_code == 200
    await comes_in(browser, elsewhere.key)
    assert (await browser.get("/screen", headers=part)).status_code == CONFLICT
    (club,) = re.findall(r'data-club="([^"]+)"', (await browser.get("/screen")).text)
    assert club == str(elsewhere.club_id)
    part = {"X-Part": "tables", "X-Club": club}
    assert (await browser.get("/screen", headers=part)).status_code == 200


async def test_a_game_is_played_again_in_its_own_club(
    browser: httpx.AsyncClient, elsewhere: Club
) -> None:
    await elsewhere.furnish()
    await comes_in(browser, elsewhere.key)
    await comes_in(browser, KEY)
    answer = await browser.post(f"/games/new/again/{elsewhere.game.id}")
    assert answer.status_code == 303, answer.text
    assert "/games/" in answer.headers["location"]
    again = answer.headers["location"].partition("?")[0]
    assert (await elsewhere.owner.get(again)).status_code == 200


@pytest.mark.parametrize("site", ["none", "cross-site", None])
async def test_a_key_of_another_club_asks_before_the_browser_shows_that(
    browser: httpx.AsyncClient, elsewhere: Club, site: str | None
) -> None:
    headers = {"Sec-Fetch-Site": site} if site else {}
    for _ in range(2):  # that it is open beside the first one already changes nothing
        before = dict(browser.cookies)
        asked = await browser.get("/login", params={"key": elsewhere.key}, headers=headers)
        assert (asked.status_code, dict(browser.cookies)) == (200, before)
        assert "shows another club now" in asked.text
        await comes_in(browser, elsewhere.key)
        await comes_in(browser, KEY)
