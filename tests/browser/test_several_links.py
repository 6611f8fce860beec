import re

import pytest
from playwright.async_api import Page, expect

from tests.browser.conftest import Phone
from tests.http.club import Game
from tests.service_process import KEY

OWNER_ALREADY = {
    "en": "You are the owner in this browser already",
    "fr": "Ce navigateur est déjà celui du propriétaire",
    "de": "Dieser Browser ist schon der des Besitzers",
}


async def link(game: Game, role: str) -> str:
    answer = await game.http.post(f"{game.path}/links", json={"role": role})
    return f"/login?key={answer.json()['token']}"


async def records(page: Page) -> bool:
    return await page.locator("main[data-writes]").count() == 1


@pytest.mark.parametrize("language", OWNER_ALREADY)
async def test_the_owner_who_opens_a_viewers_link_is_told_and_stays_the_owner(
    phone: Phone, game: Game, language: str
) -> None:
    page = await (await phone(key=None, language=language)).new_page()
    await page.goto(f"/login?key={KEY}")
    await page.goto(await link(game, "viewer"))
    await expect(page.locator(".notice.already")).to_contain_text(OWNER_ALREADY[language])
    assert await records(page)
    await page.goto("/history")
    await expect(page.locator(".notice.already")).to_have_count(0)
    await expect(page.locator("a[href='/players']").first).to_be_attached()


async def test_a_guests_links_add_up_and_none_takes_another_away(phone: Phone, game: Game) -> None:
    other = await Game.start(game.http)
    page = await (await phone(key=None)).new_page()
    for one, role in ((game, "scorer"), (other, "viewer"), (game, "viewer")):
        await page.goto(await link(one, role))
    await page.goto(f"/games/{game.id}")
    assert await records(page)
    await page.goto(f"/games/{other.id}")
    assert not await records(page)
    await page.goto("/")
    await page.locator(f"a[href='/games/{game.id}']").click()
    await expect(page.locator("main[data-writes]")).to_have_count(1)


@pytest.mark.parametrize("path", ["/games/{id}", "/games/{id}/log"])
async def test_a_page_in_another_tab_stays_where_the_browser_gains_a_right(
    phone: Phone, game: Game, path: str
) -> None:
    context = await phone(key=None)
    page, other = await context.new_page(), await context.new_page()
    await page.goto(await link(game, "viewer"))
    streams = re.compile("/live|/signed-in")
    async with page.expect_response(streams):
        await page.goto(path.format(id=game.id))
    # It is notified that its session has ended, and follows with the new one.
    async with page.expect_response(streams), page.expect_response(streams):
        await other.goto(await link(game, "scorer"))
    assert page.url.endswith(path.format(id=game.id))


async def test_a_link_on_the_page_of_another_site_asks(phone: Phone, game: Game) -> None:
    page = await (await phone(key=None)).new_page()
    await page.goto(await link(game, "viewer"))
    host = page.url.removesuffix(f"/games/{game.id}")
    await page.goto(f"data:text/html,<a href='{host}/login?key={KEY}'>Win</a>")
    await page.get_by_role("link").click()
    await expect(page.locator("h1")).to_have_text("Sign in with this link?")
    await page.goto(f"{host}/games/{game.id}")
    assert not await records(page)


async def test_a_page_of_another_site_logs_nobody_out(phone: Phone, game: Game) -> None:
    context = await phone(key=None)
    page = await context.new_page()
    await page.goto(f"/login?key={KEY}")
    away = page.url.rstrip("/") + "/logout"
    await page.goto("data:text/html,<form method=post><button>Win</button></form>")
    await page.evaluate("away => { document.forms[0].action = away }", away)
    await page.get_by_role("button").click()
    await page.wait_for_url("**/logout")
    await page.goto(f"/games/{game.id}")
    assert await records(page)
