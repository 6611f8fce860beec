import re
from collections.abc import AsyncGenerator

import pytest
from playwright.async_api import expect

from tests.browser.bad_line import WAITING
from tests.browser.conftest import Phone
from tests.browser.table import Table, plays
from tests.http.club import DEAL, Game
from tests.http.test_other_club import Club, club_added
from tests.service_process import KEY, ServiceProcess

OTHER_CLUBS_PAGE = {
    "en": ("Another club’s page", "Show that club again"),
    "fr": ("La page d’un autre club", "Revenir à l’autre club"),
    "de": ("Seite eines anderen Clubs", "Zum anderen Club wechseln"),
}
SIGN_IN_QUESTION = {
    "en": "Sign in with this link?",
    "fr": "Se connecter avec ce lien ?",
    "de": "Mit diesem Link anmelden?",
}

UNSENT = {
    "en": "not sent yet stays on this phone",
    "fr": "pas encore envoyé reste sur ce téléphone",
    "de": "noch nicht gesendet wurde, bleibt auf diesem Telefon",
}


@pytest.fixture
async def elsewhere(service: ServiceProcess, database: str) -> AsyncGenerator[Club]:
    club = await club_added(database, service.url, "Elsewhere")
    yield club
    await club.owner.aclose()


@pytest.mark.parametrize("language", OTHER_CLUBS_PAGE)
async def test_who_sends_a_form_of_the_club_before_is_led_back_to_it(
    phone: Phone, elsewhere: Club, language: str
) -> None:
    title, back = OTHER_CLUBS_PAGE[language]
    name = f"Zoe {elsewhere.club_id.hex[:8]}"  # a name that no other test uses
    browser = await phone(key=None, language=language)
    page, other = await browser.new_page(), await browser.new_page()
    await page.goto(f"/login?key={KEY}")
    await page.goto("/players")
    await other.goto(f"/login?key={elsewhere.key}")
    await expect(other.locator("h1")).to_have_text(SIGN_IN_QUESTION[language])
    await other.locator("main form button").click()
    await other.wait_for_url(lambda url: "/login" not in url)
    await page.locator("form[action='/players'] input[name=name]").fill(name)
    await page.locator("form[action='/players'] button:not([hidden])").click()
    await expect(page.locator("h1")).to_have_text(title)
    await page.get_by_role("button", name=back).click()
    await page.wait_for_url(lambda url: not url.endswith("/players"))
    await page.goto("/players")
    assert name not in await page.locator("main").inner_text()
    # The form names its club now, and writes there.
    await page.locator("form[action^='/players'] input[name=name]").fill(name)
    await page.locator("form[action^='/players'] button:not([hidden])").click()
    await expect(page.locator("main")).to_contain_text(name)
    assert name not in (await elsewhere.owner.get("/players")).text


async def test_a_screen_turns_to_the_other_club_whole(phone: Phone, elsewhere: Club) -> None:
    browser = await phone(key=None)
    page, other = await browser.new_page(), await browser.new_page()
    await page.goto(f"/login?key={KEY}")
    await page.goto("/screen")
    assert await page.locator("[data-club]").get_attribute("data-club") != str(elsewhere.club_id)
    await other.goto(f"/login?key={elsewhere.key}")
    await other.locator("main form button").click()
    await other.wait_for_url(lambda url: "/login" not in url)
    shown = page.locator(f"[data-club='{elsewhere.club_id}']")
    await expect(shown).to_be_attached()


@pytest.mark.parametrize("language", UNSENT)
async def test_taps_for_a_game_of_the_club_before_wait_and_go_to_no_other_club(
    phone: Phone, elsewhere: Club, game: Game, language: str
) -> None:
    await game.record(*DEAL)
    browser = await phone(language=language)
    table = Table(await browser.new_page(), game.id)
    await table.open()
    offline = re.compile(r"/(outbox|board)\?|/live$")
    await table.page.route(offline, lambda route: route.abort())
    await table.key("AS").click()
    await table.offline_key("9S").click()
    await browser.clear_cookies(name="carnet-session")
    other = await browser.new_page()
    await other.goto(f"/login?key={elsewhere.key}")
    await table.page.unroute(offline)
    await table.page.evaluate("dispatchEvent(new Event('online'))")
    await expect(table.page.locator("main")).to_contain_text(UNSENT[language])
    waiting = await table.page.evaluate(WAITING, game.id)
    assert [(one["seat"], one["card"]) for [one] in waiting] == [(1, "AS"), (0, "9S")]
    games = (await elsewhere.owner.get("/api/games")).json()["games"]
    assert game.id not in {one["id"] for one in games}
    assert plays(await game.log()) == []
    await other.goto(f"/login?key={KEY}")
    await other.locator("main form button").first.click()
    await other.wait_for_url(lambda url: "/login" not in url)
    await table.open()
    await expect(table.page.locator("[data-pending] li")).to_have_count(0)
    await table.page.wait_for_selector('.board[data-version="6"]')
    assert plays(await game.log()) == ["AS", "9S"]
