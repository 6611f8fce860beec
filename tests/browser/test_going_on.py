"""Somebody arrives in the middle of an evening, somebody goes home, a rule is put right."""

from uuid import uuid4

import httpx
import pytest
from playwright.async_api import Page, ViewportSize, expect

from tests.browser.conftest import Phone
from tests.browser.line import lose_line
from tests.browser.table import Table
from tests.browser.test_scores import SEND, press
from tests.http.scores import ScoresGame

CHANGE = "Players or rules change"
TALL: ViewportSize = {"width": 390, "height": 664}


async def _began(http: httpx.AsyncClient) -> tuple[ScoresGame, list[str]]:
    mark = uuid4().hex[:4]
    names = [f"Ann {mark}", f"Bob {mark}", f"Chloé {mark}"]
    game = await ScoresGame.begin(http, names[:2], wins="lowest", target=500)
    await game.rounds([30, 5], [0, None], [5, 10])
    return game, names


async def _change(page: Page) -> None:
    link = page.get_by_role("link", name=CHANGE).first
    if not await link.is_visible():  # a small screen has it in the menu
        await page.goto(f"{page.url.partition('?')[0]}/more")
    await link.click()
    await page.wait_for_url("**/go-on")


async def _go_on(page: Page, words: str = "Go on like this") -> str:
    await page.get_by_role("button", name="Preview").click()
    await expect(page.locator("#preview")).to_be_visible()
    return await _confirm(page, words)


async def _confirm(page: Page, words: str) -> str:
    await page.get_by_role("button", name=words).click()
    await page.wait_for_url(lambda url: not url.endswith("/go-on"))
    await Table(page, "").ready()
    return page.url.rpartition("/")[2].partition("?")[0]


@pytest.mark.parametrize("size", [(320, 568), (390, 664)])
async def test_somebody_arrives_and_another_goes_home(
    phone: Phone, http: httpx.AsyncClient, size: tuple[int, int]
) -> None:
    game, (ann, bob, chloe) = await _began(http)
    page = await (await phone(viewport={"width": size[0], "height": size[1]})).new_page()
    await Table(page, game.id).open()
    await _change(page)
    await page.get_by_label("Somebody new").fill(chloe)
    await page.get_by_label("this number:").check()
    await page.get_by_label("Points at the start").fill("20")
    await page.get_by_role("button", name="Preview").click()
    shown = page.locator("#preview tbody tr")
    await expect(shown).to_have_text([f"{bob} 15", f"{ann} 35", f"{chloe} arrives 20"])
    after = await _confirm(page, "Go on like this")
    await expect(page.locator(".bar .title")).to_contain_text("Round 4")
    await press(page, "1→2→0")
    table = Table(page, after)
    before = await table.version()
    await page.locator(SEND).click()
    await expect(page.locator(".bar .title")).to_contain_text("Round 5")
    await table.moved_on(before)  # the title counts what waits; the change asks for what is stored
    await _change(page)
    await page.get_by_label(bob).check()
    last = await _go_on(page)
    assert (await http.get(f"/api/games/{last}")).json()["totals"] == [36, 20]
    await page.locator(".undo", has_text="Undo the change").click()
    await page.wait_for_url(f"**/games/{after}*")
    await Table(page, "").ready()
    view = (await http.get(f"/api/games/{after}")).json()
    assert ("continued_by" in view, view["totals"]) == (False, [36, 17, 20])


async def test_a_change_needs_the_network(phone: Phone, http: httpx.AsyncClient) -> None:
    game, _ = await _began(http)
    after = await game.go_on(game.people, options={"wins": "highest"})
    page = await (await phone(viewport=TALL)).new_page()
    await Table(page, after.id).open()
    await lose_line(page.context)
    said = page.locator("[data-mention]")
    await page.get_by_role("link", name=CHANGE).first.click()
    await expect(said).to_have_text("This needs the network.")
    await page.locator(".undo", has_text="Undo the change").click()
    await expect(said).to_have_text("This needs the network.")
    assert page.url.endswith(after.id)
    await page.context.set_offline(offline=False)
    assert "continued_by" in await game.view()


async def test_who_wins_and_the_target_are_put_right(phone: Phone, http: httpx.AsyncClient) -> None:
    game, (ann, _bob, _) = await _began(http)
    page = await (await phone()).new_page()
    await Table(page, game.id).open()
    await _change(page)
    await page.get_by_label("the highest total").check()
    await page.get_by_label("Points that end the game").fill("35")
    await page.get_by_role("button", name="Preview").click()
    await expect(page.locator("#preview")).to_contain_text("The game is over then.")
    await expect(page.locator("#preview")).to_contain_text(f"{ann} wins.")
    await page.get_by_label("Points that end the game").last.fill("400")
    await page.get_by_label("Rounds to play").last.fill("5")
    await page.get_by_role("button", name="Preview").click()
    await expect(page.locator("#preview")).to_contain_text(f"{ann} is in front.")
    last = await _confirm(page, "Go on like this")
    await expect(page.locator(".ask").first).to_contain_text("Round 4 of 5")
    view = (await http.get(f"/api/games/{last}")).json()
    assert (view["options"]["wins"], view["options"]["rounds"]) == ("highest", 2)


async def test_the_replay_plays_from_the_first_round_to_the_last(
    phone: Phone, http: httpx.AsyncClient
) -> None:
    game, (_ann, _bob, chloe) = await _began(http)
    person = (await http.post("/api/players", json={"name": chloe})).json()["id"]
    after = await game.go_on([*game.people, person], starts={person: 20})
    await after.rounds([1, 2, 3])
    page = await (await phone()).new_page()
    await page.goto(f"/games/{after.id}/replay")
    await page.wait_for_selector("html[data-ready]", state="attached")
    first = await page.locator("[data-replay]").get_attribute("data-first")
    moment = page.locator("[data-moment]")
    await page.keyboard.press("ArrowLeft")
    await expect(moment).to_contain_text(f"{chloe} joins")
    await page.keyboard.press("ArrowLeft")
    await expect(moment).to_contain_text("Round 3")
    await expect(moment).not_to_contain_text(chloe)
    slider = page.locator("[type=range]")
    await slider.fill(str(first))
    await expect(moment).to_contain_text("The game is started")
    await page.get_by_label("Speed").select_option("150")
    await page.locator("[data-play]").click()
    await expect(slider).to_have_value(str(await slider.get_attribute("max")))
    await expect(moment).to_contain_text("Round 4")
