import httpx
import pytest
from playwright.async_api import expect

from tests.browser.conftest import Phone
from tests.browser.table import Table
from tests.http.club import DEAL, Game, Json, add_player

END = {"type": "result", "maker": 1, "tricks": 3}


async def test_unsure_card_is_settled_at_the_end_of_the_deal_by_one_tap(
    phone: Phone, game: Game
) -> None:
    await game.record(*DEAL, {"type": "play", "seat": 1, "card": "AS", "unsure": True}, END)
    page = await phone.page()
    await Table(page, game.id).open()
    await page.get_by_role("button", name="That is right").tap()
    await expect(page.locator(".doubts")).to_have_count(0)
    (amend,) = [line["entry"] for line in await game.log() if line["type"] == "amend"]
    assert amend["move"] == {"type": "play", "seat": 1, "card": "AS"}


async def test_unsure_card_is_put_right_at_the_end_of_the_deal_by_two_taps(
    phone: Phone, game: Game
) -> None:
    await game.record(*DEAL, {"type": "play", "seat": 1, "card": "AS", "unsure": True}, END)
    page = await phone.page()
    await Table(page, game.id).open()
    await page.locator(".doubts").get_by_role("link").tap()
    await page.wait_for_url("**/correct/*")
    await page.locator('.key[value="KS"]').tap()
    await page.wait_for_url(f"**/games/{game.id}")
    await expect(page.locator(".doubts")).to_have_count(0)
    (amend,) = [line["entry"] for line in await game.log() if line["type"] == "amend"]
    assert amend["move"] == {"type": "play", "seat": 1, "card": "KS"}


async def test_missing_move_takes_the_place_that_was_kept_for_it(phone: Phone, game: Game) -> None:
    await game.record(*DEAL, {"type": "note", "text": "", "unsure": True}, END)
    page = await phone.page()
    await Table(page, game.id).open()
    await page.locator(".doubts").get_by_role("link").tap()
    await page.wait_for_url("**/correct/*")
    await page.locator('.key[value="KS"]').tap()
    await page.wait_for_url(f"**/games/{game.id}")
    await expect(page.locator(".doubts")).to_have_count(0)
    standing = await game.get("/entries", effective="true")
    kinds = [line["type"] for line in standing["entries"]]
    assert ("note" in kinds, kinds.count("play")) == (False, 1)


async def test_result_that_changes_only_its_own_deal_is_corrected_at_once(
    phone: Phone, game: Game
) -> None:
    await game.record(*DEAL, {**END, "unsure": True})
    page = await phone.page()
    await Table(page, game.id).open()
    await page.locator(".doubts").get_by_role("link").tap()
    await page.wait_for_url("**/correct/*")
    await page.locator(".key[value*='\"tricks\":5']").first.tap()
    await page.wait_for_url(f"**/games/{game.id}")
    await expect(page.get_by_text("Bob makes all five tricks: 2 points")).to_be_visible()
    assert [line["type"] for line in await game.log()].count("amend") == 1


async def test_what_was_missed_is_said_by_two_taps(phone: Phone, game: Game) -> None:
    await game.record(*DEAL)
    page = await phone.page()
    table = Table(page, game.id)
    await table.open()
    before = await table.version()
    await page.locator('[name="with.unsure"]').tap()
    await page.get_by_role("button", name="Something is missing here").tap()
    await table.moved_on(before)
    assert (await game.typed())[-1] == {"type": "note", "text": "", "unsure": True}


async def test_place_where_something_was_missed_may_stay_open(phone: Phone, game: Game) -> None:
    await game.record(*DEAL, {"type": "note", "text": "", "unsure": True}, END)
    page = await phone.page()
    table = Table(page, game.id)
    await table.open()
    before = await table.version()
    # A gap cannot be confirmed.
    await expect(page.get_by_role("button", name="That is right")).to_have_count(0)
    await page.locator(".doubts").get_by_role("button", name="Leave it open").tap()
    await table.moved_on(before)
    await expect(page.locator(".doubts")).to_have_count(0)


UNSURE = {"unsure": True}
# By game: entries with an unsure one, and the label of its card or combination.
DOUBTED: dict[str, tuple[list[Json], str]] = {
    "euchre": ([*DEAL, {"type": "play", "seat": 1, "card": "AS", **UNSURE}], "the ace of spades"),
    "durak": (
        [
            {"type": "deal", "dealer": 0, "trump": "6H"},
            {"type": "lowest", "seat": 1, "card": "7H"},
            {"type": "attack", "seat": 1, "cards": ["7S"], **UNSURE},
        ],
        "the seven of spades",
    ),
    "dutch": (
        [
            {"type": "deal", "dealer": 0, "up": "5C"},
            {"type": "draw", "seat": 1},
            {"type": "swap", "seat": 1, "slot": 2, "card": "QS", **UNSURE},
        ],
        "the queen of spades",
    ),
    "rami": (
        [
            {"type": "deal", "dealer": 0, "up": "AH"},
            {"type": "draw", "seat": 1},
            {"type": "discard", "seat": 1, "card": "6D", **UNSURE},
        ],
        "the six of diamonds",
    ),
}


@pytest.mark.parametrize("ruleset", DOUBTED)
async def test_card_nobody_is_sure_of_is_marked_on_the_table(
    phone: Phone, http: httpx.AsyncClient, ruleset: str
) -> None:
    entries, card = DOUBTED[ruleset]
    game = await start(http, ruleset)
    await game.record(*entries)
    page = await phone.page()
    await Table(page, game.id).open()
    await expect(page.get_by_role("link", name=f"Correct: {card}, unsure")).to_be_visible()
    await expect(page.locator(".trick .doubt")).to_have_text("?")
    await page.goto(f"/games/{game.id}/replay")
    await expect(page.locator(".trick .doubt")).to_have_text("?")


async def test_combination_nobody_is_sure_of_is_marked_and_the_one_beside_it_is_not(
    phone: Phone, http: httpx.AsyncClient
) -> None:
    game = await start(http, "rami")
    await game.record(
        {"type": "deal", "dealer": 0, "up": "AH"},
        {"type": "draw", "seat": 1},
        {"type": "meld", "seat": 1, "melds": [["TC", "JC", "QC", "KC", "AC"], ["2S", "3S", "4S"]]},
        {"type": "add", "seat": 1, "meld": 2, "cards": ["5S"], **UNSURE},
    )
    page = await phone.page()
    await Table(page, game.id).open()
    combinations = page.locator(".combo")
    await expect(combinations).to_have_count(2)
    await expect(combinations.nth(0).locator(".doubt")).to_have_count(0)
    await expect(combinations.nth(1).locator(".doubt")).to_have_text("?")
    await expect(combinations.nth(1)).to_contain_text("unsure")


async def test_card_put_right_is_certain_again(phone: Phone, game: Game) -> None:
    unsure = {"type": "play", "seat": 1, "card": "AS", "unsure": True}
    await game.record(*DEAL, unsure)
    move = {"type": "play", "seat": 1, "card": "AS"}
    await game.record({"type": "amend", "version": game.version, "move": move})
    page = await phone.page()
    await Table(page, game.id).open()
    await expect(
        page.get_by_role("link", name="Correct: the ace of spades", exact=True)
    ).to_be_visible()
    await expect(page.locator(".doubt")).to_have_count(0)


async def start(http: httpx.AsyncClient, ruleset: str) -> Game:
    players = [await add_player(http, name) for name in ("Ann", "Bob")]
    options = {"rules": "fr"} if ruleset == "durak" else {}
    body = {"ruleset": ruleset, "options": options, "players": players}
    return Game(http, (await http.post("/api/games", json=body)).json())
