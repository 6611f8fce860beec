from typing import Any

import httpx
import pytest
from playwright.async_api import Page, Response, ViewportSize, expect

from tests.browser.accessibility import LANDSCAPE, LANGUAGES, ZOOMED, violations
from tests.browser.conftest import Phone
from tests.browser.line import lose_line
from tests.browser.table import Table
from tests.browser.test_budget import FIRST_LOAD_BYTES_MAX, weighed
from tests.http.club import Game, add_player

PEOPLE = ("Ann", "Bob", "Chloé", "Jürgen", "Eve", "Finn")
ROYAL = "TC JC QC KC AC"  # a run worth exactly 51
Json = dict[str, Any]


async def start(http: httpx.AsyncClient, seats: int = 2, **options: object) -> Game:
    players = [await add_player(http, name) for name in PEOPLE[:seats]]
    body = {"ruleset": "rami", "options": options, "players": players}
    answer = await http.post("/api/games", json=body)
    assert answer.status_code == 201, answer.text
    return Game(http, answer.json())


def meld(seat: int, *melds: str) -> Json:
    return {"type": "meld", "seat": seat, "melds": [cards.split() for cards in melds]}


def turn(seat: int, thrown: str, *laid: Json) -> list[Json]:
    return [
        {"type": "draw", "seat": seat},
        *laid,
        {"type": "discard", "seat": seat, "card": thrown},
    ]


DEAL: Json = {"type": "deal", "dealer": 0, "up": "2H"}
OPENED = [DEAL, *turn(1, "9H", meld(1, ROYAL, "8S 8H 8?*", "4D 5D 6D*"))]
LAST_HAND = [  # seat 0 had opened and holds two cards; seat 1 goes out
    {"type": "deal", "dealer": 1, "up": "2H"},
    *turn(0, "9H", meld(0, "TS JS QS KS AS", "2D 3D 4D", "6C 7C 8C")),
    {"type": "draw", "seat": 1},
    meld(1, ROYAL, "2S 3S 4S 5S 6S", "7D 8D 9D TD"),
]


class Rami(Table):
    """A table of Rami: a card is one tap."""

    async def pick(self, *cards: str) -> None:
        pad = self.page.locator(".panel:not([hidden]) .keys:visible").last
        for card in cards:
            await pad.locator(f'.key[value="{card}"]').click()

    async def throw(self, card: str) -> None:
        before = await self.version()
        await self.pick(card)
        await self.moved_on(before)

    async def lay(self, *cards: str) -> None:
        pad = self.page.locator(".panel:not(.offline-pad) [data-pad]")
        if await pad.get_attribute("data-owed") is None:
            await pad.locator(".modes label").nth(1).click()
        await self.pick(*cards)
        await self.choose(type="meld")

    async def on(self, number: int, does: str) -> None:
        before = await self.version()
        await self.page.locator(".combos details").nth(number - 1).locator("summary").click()
        await self.page.get_by_role("button", name=does).click()
        await self.moved_on(before)


async def opened(phone: Phone, game: Game, by: str = "", **look: Any) -> Rami:  # noqa: ANN401 as Playwright has it
    table = Rami(await phone.page(**look), game.id)
    await table.open(by)
    return table


async def entries(game: Game) -> list[Json]:
    """Return all entries, without the times of those that arrived late."""
    entries = [line["entry"] for line in await game.log()]
    return [{name: value for name, value in one.items() if name != "at"} for one in entries]


async def test_whole_deal_is_recorded_card_by_card(phone: Phone, http: httpx.AsyncClient) -> None:
    game = await start(http)
    table = await opened(phone, game)
    await table.throw("2H")  # the deal: the card turned up
    await table.choose(type="draw")
    await table.lay(*ROYAL.split(), "8S", "8H", "XX", "4D", "5D", "XX")
    await table.throw("9H")
    await table.choose(type="take")
    await table.lay("TS", "JS", "QS", "KS", "AS", "9H", "TH", "JH")
    await table.throw("3C")
    await table.choose(type="draw")
    await table.on(2, "Swap the joker for the eight of clubs")
    await table.on(1, "Add the joker standing for the nine of clubs")
    await table.throw("2C")
    await table.choose(type="draw")
    await table.throw("2D")
    await table.choose(type="draw")
    await table.throw("KD")
    await table.page.locator("[data-by=result]").click()
    await table.page.get_by_role("radio", name="Bob").check(force=True)
    await table.page.locator("[data-digit='7']:visible").click()
    await table.choose(type="result")
    assert await table.totals() == [7, 0]
    assert meld(1, ROYAL, "8S 8H 8?*", "4D 5D 6D*") in await entries(game)


async def test_card_drawn_and_seen_is_recorded(phone: Phone, http: httpx.AsyncClient) -> None:
    game = await start(http)
    await game.record(DEAL)
    table = await opened(phone, game)
    await table.page.get_by_text("Card seen").click()
    await table.throw("5S")
    assert (await entries(game))[-1] == {"type": "draw", "seat": 1, "card": "5S"}


async def test_opening_tells_its_worth_and_what_is_missing(
    phone: Phone, http: httpx.AsyncClient
) -> None:
    game = await start(http)
    await game.record(DEAL, {"type": "draw", "seat": 1})
    table = await opened(phone, game)
    await table.page.locator(".modes label").nth(1).click()
    worth = table.page.locator(".panel:not(.offline-pad) [data-worth]")
    await table.pick("8S", "8H", "XX")
    await expect(worth).to_have_text("24 of 51 points, a run without joker is missing")
    await table.pick(*ROYAL.split())
    await expect(worth).to_have_text("75 points")


async def test_joker_is_told_what_it_stands_for(phone: Phone, http: httpx.AsyncClient) -> None:
    game = await start(http, opening=0)
    await game.record(DEAL, {"type": "draw", "seat": 1})
    table = await opened(phone, game)
    await table.page.locator(".modes label").nth(1).click()
    await table.pick("3H", "4H", "5H", "8S", "8H", "XX")
    await table.page.get_by_role("button", name="Joker: the eight of clubs").click()
    await table.choose(type="meld")
    assert (await entries(game))[-1] == meld(1, "3H 4H 5H", "8S 8H 8C*")


async def test_what_is_built_survives_a_refusal(phone: Phone, http: httpx.AsyncClient) -> None:
    game = await start(http)
    await game.record(DEAL, {"type": "draw", "seat": 1})
    table = await opened(phone, game)
    await table.page.locator(".modes label").nth(1).click()
    await table.pick("3H", "4H", "5H")
    await table.button(type="meld").click()
    await expect(table.page.locator("dialog .refusal")).to_contain_text("51")
    await table.page.get_by_role("link", name="I tapped wrong").click()
    await expect(table.page.locator(".panel:not(.offline-pad) .groups li")).to_have_count(1)


async def test_loser_is_counted_by_points(phone: Phone, http: httpx.AsyncClient) -> None:
    game = await start(http)
    await game.record(*LAST_HAND)
    table = await opened(phone, game)
    for digit in "15":
        await table.page.locator(f"[data-digit='{digit}']:visible").click()
    await table.choose(type="count")
    assert await table.totals() == [15, 0]


async def test_loser_is_counted_by_cards(phone: Phone, http: httpx.AsyncClient) -> None:
    game = await start(http)
    await game.record(*LAST_HAND)
    table = await opened(phone, game)
    await table.page.locator(".modes label").nth(1).click()
    await table.pick("5H", "XX")
    await expect(table.page.locator("[data-worth]:visible")).to_contain_text("25 points")
    await table.page.locator(".by-cards .builder [name=entry]").click()
    await expect(table.page.locator(".seat .total").first).to_have_text("25")


async def test_result_tells_the_closer_then_each_loser(
    phone: Phone, http: httpx.AsyncClient
) -> None:
    game = await start(http, seats=4)
    table = await opened(phone, game, "?by=result")
    await table.page.get_by_role("radio", name="Chloé").check(force=True)
    await table.page.get_by_label("Jürgen").locator("visible=true").last.click()
    for digit in "30":
        await table.page.locator(f"[data-digit='{digit}']:visible").click()
    for _ in range(2):
        await table.page.locator("[data-digit='→']:visible").click()
        await table.page.get_by_role("button", name="Not opened").click()
    await table.choose(type="result")
    assert await table.totals() == [100, 100, 0, 30]


async def test_nobody_else_opened_is_a_rami_sec(phone: Phone, http: httpx.AsyncClient) -> None:
    game = await start(http, seats=3)
    table = await opened(phone, game, "?by=result")
    await table.page.get_by_role("radio", name="Ann").check(force=True)
    await table.page.get_by_role("button", name="Rami sec").click()
    await table.choose(type="result")
    await table.page.goto(f"{table.path}/sheet")
    await expect(table.page.locator("tbody .words").first).to_contain_text("Rami sec")


async def test_turn_without_connection_is_sent_later(phone: Phone, http: httpx.AsyncClient) -> None:
    game = await start(http)
    await game.record(DEAL)
    table = await opened(phone, game)
    await lose_line(table.page.context)
    await table.button(type="draw").click()
    await expect(table.page.locator(".offline-note")).to_be_visible()
    await table.page.locator(".offline-pad .modes label").nth(1).click()
    pad = table.page.locator(".offline-pad [data-pad] .keys")
    for card in ROYAL.split():
        await pad.locator(f'[value="{card}"]').click()
    await table.page.locator(".offline-pad [data-does=meld]").click()
    await table.page.locator(".offline-pad .modes label").first.click()
    await pad.locator('[value="9H"]').click()
    await expect(table.page.locator("[data-pending] li")).to_have_count(3)
    await table.page.context.set_offline(offline=False)
    await expect(table.page.locator("[data-pending] li")).to_have_count(0)
    assert (await entries(game))[2:] == turn(1, "9H", meld(1, ROYAL))


async def test_first_load_is_light(phone: Phone, http: httpx.AsyncClient) -> None:
    game = await start(http, seats=6)
    await game.record(*OPENED)
    page = await (await phone()).new_page()
    seen: list[Response] = []
    page.on("response", lambda one: seen.append(one))  # noqa: PLW0108 only a function is taken
    await page.goto(f"/games/{game.id}")
    await page.wait_for_selector("html[data-ready]", state="attached")
    weights = await weighed(seen)
    # The aim is FIRST_LOAD_BYTES_MAX: the pad, the count of waiting results, the end of a game
    # offline and the layout came on top.
    assert sum(weights.values()) <= FIRST_LOAD_BYTES_MAX + 9_000, weights


async def test_forms_record_a_turn_without_script(phone: Phone, http: httpx.AsyncClient) -> None:
    game = await start(http)
    page = await phone.page(java_script_enabled=False)
    table = Rami(page, game.id)
    await page.goto(table.path)
    await table.pick("2H")
    await table.button(type="draw").click()
    await page.locator(".panel:not(.offline-pad) .modes label").nth(1).click()
    await page.locator(".panel:not(.offline-pad) [name='cards.melds']").first.fill(ROYAL.lower())
    await page.locator(".panel:not(.offline-pad) .by-form [name=entry]").click()
    await table.pick("9H")
    assert (await entries(game))[2:] == turn(1, "9H", meld(1, ROYAL))


async def test_forms_record_a_result_without_script(phone: Phone, http: httpx.AsyncClient) -> None:
    game = await start(http, seats=3)
    page = await phone.page(java_script_enabled=False)
    await page.goto(f"/games/{game.id}?by=result")
    await page.get_by_role("radio", name="Bob").check(force=True)
    await page.locator("[name='open.hands.2.points']").fill("5")
    await page.get_by_label("Ann, without a number").select_option(label="not opened")
    await page.get_by_role("button", name="Enter it").click()
    await expect(page.locator(".seat .total")).to_have_text(["100", "0", "5"])


async def _wide(page: Page) -> int:
    return int(
        await page.evaluate("document.documentElement.scrollWidth - innerWidth"),
    )


@pytest.mark.parametrize("size", [ZOOMED, LANDSCAPE], ids=["zoomed", "landscape"])
async def test_recorder_never_scrolls_sideways(
    phone: Phone, http: httpx.AsyncClient, size: ViewportSize
) -> None:
    game = await start(http, seats=6)
    await game.record(*OPENED)
    page = await phone.page(language="de", viewport=size)
    for address in ("", "?by=result", "/sheet", "/replay"):
        await page.goto(f"/games/{game.id}{address}")
        assert await _wide(page) <= 0, address


@pytest.mark.parametrize("language", LANGUAGES)
async def test_pages_are_accessible_and_fit(
    phone: Phone, http: httpx.AsyncClient, language: str
) -> None:
    fresh, crowded, counting = await start(http), await start(http, seats=6), await start(http)
    await crowded.record(*OPENED)
    await counting.record({"type": "result", "winner": 0, "hands": [None, {"opened": False}]})
    await counting.record(*LAST_HAND)
    page = await (await phone(language=language)).new_page()
    last = (await crowded.view())["version"]
    own = ("", "?by=result", "/log", "/sheet", f"/at/{last}", f"/correct/{last}")
    addresses = ["/rules/rami", "/games/new?ruleset=rami"]
    addresses += [f"/games/{game.id}{at}" for game in (fresh, crowded, counting) for at in own[:2]]
    addresses += [f"/games/{crowded.id}{at}" for at in own[2:]] + [f"/games/{counting.id}/sheet"]
    found: Json = {}
    for address in addresses:
        await page.goto(address)
        found[address] = (await violations(page), max(0, await _wide(page)))
    assert {address: what for address, what in found.items() if what != ([], 0)} == {}


async def test_combination_is_corrected_by_tapping(phone: Phone, http: httpx.AsyncClient) -> None:
    game = await start(http, opening=0)
    await game.record(DEAL, *turn(1, "9H", meld(1, "3H 4H 5H")))
    page = await phone.page()
    await page.goto(f"/games/{game.id}/correct/4")
    await page.locator(".modes label").nth(1).click()
    for card in ("4S", "5S", "6S"):
        await page.locator(f'.keys [value="{card}"]').click()
    await page.locator(".builder [name=entry]").click()
    await page.get_by_role("button", name="Correct it").click()
    await page.wait_for_url(f"**/games/{game.id}*")
    assert (await game.view())["table"]["melds"][0]["cards"] == ["4S", "5S", "6S"]


async def test_turn_is_recorded_with_the_keyboard_alone(
    phone: Phone, http: httpx.AsyncClient
) -> None:
    game = await start(http)
    await game.record(DEAL)
    table = await opened(phone, game)
    await table.button(type="draw").focus()
    await table.page.keyboard.press("Enter")
    await table.moved_on(2)
    await table.key("8S").focus()
    for press in ("ArrowDown", "ArrowRight", "ArrowLeft", "ArrowUp", "Enter"):
        await table.page.keyboard.press(press)
    await table.moved_on(3)
    assert (await entries(game))[2:] == turn(1, "8S")


async def test_card_thrown_implies_the_draw_and_undo_takes_both_back(
    phone: Phone, http: httpx.AsyncClient
) -> None:
    game = await start(http)
    await game.record(DEAL)
    table = await opened(phone, game)
    await table.throw("9H")
    assert (await entries(game))[2:] == turn(1, "9H")
    undo = table.page.locator("[data-undo]")
    await expect(undo).to_have_accessible_name("Undo: Bob draws; Bob throws the nine of hearts")
    await undo.click()
    await table.moved_on(4)
    assert (await entries(game))[-1] == {"type": "take_back", "to": 2}


async def test_ends_of_a_run_lay_the_whole_of_it(phone: Phone, http: httpx.AsyncClient) -> None:
    game = await start(http, opening=0)
    await game.record(DEAL, {"type": "draw", "seat": 1})
    table = await opened(phone, game)
    await table.lay("5H", "8H", "QS", "AS", "9D", "9C", "9S")
    assert (await entries(game))[-1] == meld(1, "5H 6H 7H 8H", "QS KS AS", "9D 9C 9S")


async def test_run_tapped_whole_is_not_joined_to_the_next_one(
    phone: Phone, http: httpx.AsyncClient
) -> None:
    game = await start(http, opening=0)
    await game.record(DEAL, {"type": "draw", "seat": 1})
    table = await opened(phone, game)
    await table.lay("2H", "3H", "4H", "7H", "9H")
    assert (await entries(game))[-1] == meld(1, "2H 3H 4H", "7H 8H 9H")


async def test_taking_leads_to_laying_the_card_taken(phone: Phone, http: httpx.AsyncClient) -> None:
    game = await start(http, opening=0)
    await game.record(DEAL, {"type": "take", "seat": 1})
    table = await opened(phone, game)
    await expect(table.page.locator(".panel:not(.offline-pad) [value=lay]")).to_be_checked()
    await expect(table.key("2H")).to_have_class("key marked")


async def test_undo_takes_a_laying_back_and_names_it(phone: Phone, http: httpx.AsyncClient) -> None:
    game = await start(http, opening=0)
    await game.record(DEAL, {"type": "draw", "seat": 1}, meld(1, "3H 4H 5H"))
    table = await opened(phone, game)
    undo = table.page.locator("[data-undo]")
    await expect(undo).to_have_accessible_name(
        "Undo: Bob lays the three of hearts, the four of hearts, the five of hearts"
    )
    await undo.click()
    await table.moved_on(4)
    assert (await game.view())["table"]["melds"] == []


async def test_same_card_twice_at_once_is_built_once_but_after_another_key(
    phone: Phone, http: httpx.AsyncClient
) -> None:
    game = await start(http)
    await game.record(DEAL, {"type": "draw", "seat": 1})
    table = await opened(phone, game)
    await table.page.locator(".modes label").nth(1).click()
    await table.page.locator(".panel:not(.offline-pad) [value=XX]").dblclick()
    built = table.page.locator(".panel:not(.offline-pad) .groups li > .card")
    await expect(built).to_have_count(1)
    panel = table.page.locator(".panel:not(.offline-pad):visible")
    keys = ["[data-back]", "[value=XX]", "[data-back]", "[value=XX]"]
    await panel.evaluate("(it, keys) => keys.forEach((key) => it.querySelector(key).click())", keys)
    await expect(built).to_have_count(1)
