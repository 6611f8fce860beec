from playwright.async_api import Page, expect

from service.access.cookies import SESSION
from tests.browser.conftest import Phone
from tests.browser.table import DEAL, Table, plays
from tests.http.club import Game


async def _page(phone: Phone) -> Page:
    return await phone.page(java_script_enabled=False)


async def _tap(table: Table, card: str) -> None:
    await table.key(card).click()
    await table.page.wait_for_load_state()


async def test_whole_deal_is_recorded_by_forms(phone: Phone, game: Game) -> None:
    table = Table(await _page(phone), game.id)
    await table.page.goto(table.path)
    await _tap(table, "QH")
    await table.button(type="order").click()
    await table.button(type="exchange", take=True).click()
    for card in DEAL:
        await _tap(table, card)
    await expect(table.page.locator(".seat .total")).to_have_text(["0", "2"])
    assert plays(await game.log()) == list(DEAL)


async def test_refusal_is_a_page_with_the_ways_out(phone: Phone, game: Game) -> None:
    table = Table(await _page(phone), game.id)
    await table.page.goto(table.path)
    await _tap(table, "QH")
    await table.button(type="order").click()
    await table.button(type="exchange", take=True).click()
    for card in ("AS", "9C", "KS", "QS"):
        await _tap(table, card)
    await expect(table.page.locator(".refusal .pair li")).to_have_count(2)
    await table.page.get_by_role("button", name="It happened").click()
    revoke, played = [one["entry"] for one in await game.log()][-2:]
    assert (revoke["version"], revoke["move"]["waive"]) == (6, ["euchre.follow-suit"])
    assert played == {"type": "play", "seat": 0, "card": "QS"}


async def test_form_sent_twice_is_stored_once(phone: Phone, game: Game) -> None:
    page = await _page(phone)
    await page.goto(f"/games/{game.id}?by=result")
    fields = {
        name: await page.locator(f".board [name={name}]").input_value()
        for name in ("version", "command")
    }
    sent: dict[str, str | float | bool] = {
        **fields,
        "entry": '{"type":"result","maker":0,"tricks":3,"dealer":0}',
    }
    for _ in range(2):
        await page.request.post(f"/games/{game.id}/entries", form=sent)
    assert (await game.view())["totals"] == [1, 0]


async def test_undo_is_a_form(phone: Phone, game: Game) -> None:
    table = Table(await _page(phone), game.id)
    await table.page.goto(table.path)
    await _tap(table, "QH")
    await table.page.locator("[data-undo]").click()
    assert (await game.view())["phase"] == "deal"


async def test_game_is_started_with_typed_names_and_options(phone: Phone) -> None:
    page = await _page(phone)
    await page.goto("/games/new?ruleset=euchre")
    await page.get_by_label("Name 1").fill("Chloé")
    await page.get_by_label("Name 2").fill("Jürgen")
    await page.get_by_text("Rules of this table").click()
    await page.get_by_label("32 cards").check()
    await page.get_by_role("button", name="Start").click()
    await expect(page.locator(".seat .name")).to_have_text(["Chloé", "Jürgen"])
    await expect(page.locator(".panel:not(.offline-pad) .keys .key")).to_have_count(32)


async def test_replay_goes_step_by_step(phone: Phone, game: Game) -> None:
    await game.record({"type": "deal", "dealer": 0, "turn_up": "QH"}, {"type": "order", "seat": 1})
    page = await _page(phone)
    await page.goto(f"/games/{game.id}/replay")
    assert page.url.endswith("/at/3")
    await page.get_by_role("link", name="Back", exact=True).click()
    await expect(page.locator(".said")).to_have_text("Ann deals and turns up the queen of hearts")
    assert page.url.endswith("/at/2")
    await page.get_by_text("What the table could know", exact=True).click()
    await page.get_by_role("link", name="Show what the record proves here").click()
    await expect(page.locator("[data-knowledge]")).to_contain_text("deals are possible")


async def test_key_in_a_link_becomes_a_cookie_and_leaves_the_address(phone: Phone) -> None:
    page = await phone.page(key=None, java_script_enabled=False)
    await page.goto("/?key=the-owners-key-of-these-tests")
    assert "key" not in page.url
    await expect(page.get_by_role("link", name="New game")).to_be_visible()
    cookies = {cookie.get("name"): dict(cookie) for cookie in await page.context.cookies()}
    assert cookies[SESSION]["httpOnly"]
    assert cookies[SESSION]["sameSite"] == "Lax"


async def test_wrong_key_is_told_so(phone: Phone) -> None:
    page = await phone.page(key=None, java_script_enabled=False)
    await page.goto("/")
    await page.get_by_label("Key").fill("nothing")
    await page.get_by_role("button", name="Sign in").click()
    await expect(page.get_by_role("alert")).to_be_visible()
