"""One player after the other: a turn is entered when it is played."""

from asyncio import Event
from uuid import uuid4

import httpx
import pytest
from playwright.async_api import Locator, Page, Route, expect

from tests.browser.conftest import SMALL, Phone
from tests.browser.line import lose_line
from tests.browser.table import Table
from tests.http.club import Game, add_player

PAD = ".panel .numbers"
SEND = f"{PAD} .sends [name=entry]"
WAITING = "[data-pending] li"


class Turns:
    """A pad that is tapped by finger."""

    def __init__(self, page: Page, game: Game, names: list[str]) -> None:
        self.page, self.game, self.names = page, game, names

    @property
    def send(self) -> Locator:
        return self.page.locator(SEND)

    async def type(self, signs: str) -> None:
        for sign in signs:
            await self.page.locator(f"{PAD} [data-digit='{sign}']").tap()

    async def turn(self, seat: int, signs: str) -> None:
        """Type a number and enter it as a turn, which is not the last one of the round."""
        await self.type(signs)
        await expect(self.send).to_contain_text(f"Enter the turn{self.names[seat]} {signs}")
        await self.send.tap()

    async def choose(self, seat: int) -> None:
        await self.page.locator(f"{PAD} .field").nth(seat).tap()

    async def values(self) -> list[str]:
        fields = self.page.locator(f"{PAD} [data-number]")
        values: list[str] = await fields.evaluate_all("(all) => all.map((one) => one.value)")
        return values

    async def chosen(self) -> str:
        return str(await self.page.locator(f"{PAD} .typing").get_attribute("data-name"))

    async def totals(self) -> list[str]:
        return await self.page.locator(f"{PAD} .total").all_inner_texts()

    async def rounds(self) -> list[list[int | None]]:
        """Return the rounds of the log, once nothing waits on the phone."""
        await expect(self.page.locator(WAITING)).to_have_count(0)
        lines = await self.game.log()
        return [line["entry"]["points"] for line in lines if line["type"] == "result"]


async def start(
    phone: Phone,
    http: httpx.AsyncClient,
    title: str,
    *,
    seats: int = 3,
    language: str = "en",
    **options: object,
) -> Turns:
    mark = uuid4().hex[:4]
    names = [f"{name}{mark}" for name in ("Léa", "Günter", "Zoë", "Ida")[:seats]]
    players = [await add_player(http, name) for name in names]
    answer = await http.post("/api/titles", json={"name": title})
    found = answer.json()["id"]
    body = {"ruleset": "scores", "title": found, "players": players, "options": options}
    game = Game(http, (await http.post("/api/games", json=body)).json())
    page = await (await phone(language=language, viewport=SMALL)).new_page()
    await Table(page, game.id).open()
    await expect(page.locator("[data-turns].tool")).to_be_visible()
    return Turns(page, game, names)


async def test_the_round_is_recorded_with_the_last_turn(
    phone: Phone, http: httpx.AsyncClient
) -> None:
    pad = await start(phone, http, "Scrabble")
    await expect(pad.page.locator(".tool[data-turns]")).to_have_attribute("aria-pressed", "true")
    await pad.turn(0, "24")
    assert (await pad.totals())[0] == "24"
    assert await pad.chosen() == pad.names[1]
    await pad.page.reload()
    await Table(pad.page, pad.game.id).ready()
    await expect(pad.page.locator(f"{PAD} [data-number]").first).to_have_value("24")
    assert await pad.chosen() == pad.names[1]
    await pad.type("→→")  # the arrow never sends
    assert await pad.values() == ["24", "", ""]
    await pad.page.goto(f"/games/{pad.game.id}/more")
    await expect(pad.page.locator("[data-half]")).to_contain_text(f"{pad.names[0]} 24. To count it")
    await Table(pad.page, pad.game.id).open()
    await pad.choose(0)
    await pad.turn(0, "26")  # a turn typed wrongly
    await pad.turn(1, "7")
    await pad.type("31")
    await expect(pad.send).to_contain_text(
        f"Enter the round{pad.names[0]} 26, {pad.names[1]} 7, {pad.names[2]} 31"
    )
    assert await pad.rounds() == []
    await pad.send.tap()
    await expect(pad.page.locator(".bar .title")).to_contain_text("Round 2")
    assert await pad.rounds() == [[26, 7, 31]]
    assert (await pad.values(), await pad.chosen()) == (["", "", ""], pad.names[0])


async def test_a_turn_outlives_a_bad_line_and_a_closed_page(
    phone: Phone, http: httpx.AsyncClient
) -> None:
    pad = await start(phone, http, "Qwirkle", seats=2)
    context = pad.page.context
    await lose_line(context)
    await pad.turn(0, "6")
    await pad.type("9")
    await pad.send.tap()
    await expect(pad.page.locator(WAITING)).to_contain_text(
        f"Round 1: {pad.names[0]} 6, {pad.names[1]} 9"
    )
    await pad.turn(0, "4")
    assert await pad.totals() == ["10", "9"]
    await context.set_offline(offline=False)
    await expect(pad.page.locator(WAITING)).to_have_count(0)
    assert await pad.values() == ["4", ""]
    await pad.page.close()
    # Somebody adds points meanwhile: the draft stays in its round.
    pad.game.version = (await pad.game.view())["version"]
    await pad.game.record({"type": "adjust", "seat": 1, "points": 5, "reason": ""})
    pad.page = await context.new_page()
    await Table(pad.page, pad.game.id).open()
    await expect(pad.page.locator(f"{PAD} [data-number]").first).to_have_value("4")
    await pad.type("8")
    await pad.send.tap()
    await expect(pad.page.locator(".bar .title")).to_contain_text("Round 3")
    assert await pad.rounds() == [[6, 9], [4, 8]]
    assert (await pad.game.view())["totals"] == [10, 22]


async def test_turns_of_a_round_that_another_phone_records_stay_out_of_the_next(
    phone: Phone, http: httpx.AsyncClient
) -> None:
    pad = await start(phone, http, "Mölkky", seats=2)
    await pad.turn(0, "12")
    await pad.game.record({"type": "result", "points": [12, 3]})
    await expect(pad.page.locator(".bar .title")).to_contain_text("Round 2")
    await expect(pad.page.locator(f"{PAD} [data-now]")).to_contain_text(
        f"Round 1 was recorded meanwhile. Not in it: {pad.names[0]} 12."
    )
    assert await pad.values() == ["", ""]


async def test_a_round_that_is_undone_waits_with_its_own_turns(
    phone: Phone, http: httpx.AsyncClient
) -> None:
    pad = await start(phone, http, "Yahtzee", seats=2)
    await pad.game.record({"type": "result", "points": [1, 2]})
    await expect(pad.page.locator(".bar .title")).to_contain_text("Round 2")
    await pad.turn(0, "25")
    await pad.page.locator("[data-undo]").tap()
    await expect(pad.page.locator(".bar .title")).to_contain_text("Round 1")
    await expect(pad.page.locator(f"{PAD} [data-number]").first).to_have_value("")
    await pad.turn(0, "3")
    await pad.type("4")
    await pad.send.tap()
    await expect(pad.page.locator(".bar .title")).to_contain_text("Round 2")
    await expect(pad.page.locator(f"{PAD} [data-number]").first).to_have_value("25")


@pytest.mark.parametrize("late", ["turns", "zero_sum"])
async def test_players_choose_it_for_their_game(
    phone: Phone, http: httpx.AsyncClient, late: str
) -> None:
    pad = await start(phone, http, f"Dés {uuid4().hex[:6]}", seats=2, zero_sum=True)
    tool = pad.page.locator(".tool[data-turns]")
    await expect(tool).to_have_attribute("aria-pressed", "false")
    await pad.type("8")
    await expect(pad.send).to_contain_text(f"Enter the round{pad.names[0]} 8, {pad.names[1]} −8")
    await tool.tap()
    await expect(pad.send).to_contain_text(f"Enter the turn{pad.names[0]} 8")
    coming = Event()

    async def wait(route: Route) -> None:
        await coming.wait()
        await route.continue_()

    await pad.page.route(f"**/{late}.js", wait)
    await pad.page.reload()
    await expect(pad.page.locator(PAD)).to_be_visible()
    coming.set()
    await Table(pad.page, pad.game.id).ready()
    await expect(tool).to_have_attribute("aria-pressed", "true")
    await expect(pad.page.locator(f"{PAD} [data-number]").first).to_have_value("8")
    await pad.choose(1)
    await pad.send.tap()  # an empty turn is asked about
    await expect(pad.page.locator(f"{PAD} .asks")).to_contain_text(pad.names[1])
    await tool.tap()
    await pad.send.tap()
    await expect(pad.page.locator(".bar .title")).to_contain_text("Round 2")
    assert await pad.rounds() == [[8, -8]]


@pytest.mark.parametrize("language", ["en", "fr", "de"])
async def test_both_choices_fit_a_small_phone(
    phone: Phone, http: httpx.AsyncClient, language: str
) -> None:
    pad = await start(phone, http, "Pandemic", seats=4, language=language)
    await expect(pad.page.locator(".tool")).to_have_count(2)
    wide = await pad.page.evaluate("document.documentElement.scrollWidth")
    assert wide <= SMALL["width"]
    box = await pad.send.bounding_box()
    assert box
    assert box["y"] + box["height"] <= SMALL["height"]
