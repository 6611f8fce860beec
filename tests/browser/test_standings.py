from datetime import UTC, datetime
from typing import Any

import httpx
import pytest
from playwright.async_api import Page, ViewportSize, expect

from tests.browser.accessibility import LANGUAGES, WINDOWS, faults
from tests.browser.conftest import SMALL, Phone
from tests.http.club import Json, add_player

WIDE: ViewportSize = {"width": 390, "height": 844}
LONG = "Maximiliane-Sophie von und zu Hohenberg-Lichtenstein"


async def play(http: httpx.AsyncClient, players: list[str], maker: int) -> str:
    body = {"ruleset": "euchre", "options": {"target": 2}, "players": players}
    game = (await http.post("/api/games", json=body)).json()
    march: Json = {"type": "result", "maker": maker, "tricks": 5, "dealer": 0}
    headers = {"If-Match": '"1"', "Idempotency-Key": game["id"]}
    answer = await http.post(
        f"/api/games/{game['id']}/entries", json={"entries": [march]}, headers=headers
    )
    assert answer.json()["state"]["status"] == "finished"
    return str(game["id"])


@pytest.fixture
async def club(http: httpx.AsyncClient) -> list[str]:
    ids = [await add_player(http, name) for name in ("Ann", LONG, "Zoé")]
    for first, second, maker in ((0, 1, 0), (0, 2, 0), (1, 2, 0), (0, 1, 1), (0, 2, 0), (1, 2, 1)):
        await play(http, [ids[first], ids[second]], maker)
    return ids


def pages(club: list[str]) -> list[str]:
    return [
        "/players",
        f"/players/{club[0]}",
        f"/players/{club[1]}",
        f"/players/{club[0]}/figures",
        f"/players/{club[1]}/figures?other={club[0]}",
        "/standings",
        f"/years/{datetime.now(UTC).year}",
        f"/years/{datetime.now(UTC).year}?player={club[1]}",
        "/years/1950",
        "/standings?ruleset=euchre&from=2001-01-01",
        "/standings?from=2001-01-01&to=2001-12-31",
        "/standings?from=soon&to=later",
    ]


@pytest.mark.parametrize("language", LANGUAGES)
async def test_every_page_unfolded_is_accessible_and_scrolls_nowhere_sideways(
    phone: Phone, club: list[str], language: str
) -> None:
    page = await (await phone(language=language)).new_page()
    found: dict[str, list[object]] = {}
    for address in pages(club):
        await page.goto(address)
        await unfold(page)
        found[address] = await faults(page, WINDOWS | {"wide": WIDE})
    assert {address: wrong for address, wrong in found.items() if wrong} == {}


@pytest.mark.parametrize("language", ["en", "fr", "de"])
@pytest.mark.parametrize("size", [SMALL, WIDE], ids=["small", "wide"])
async def test_results_and_head_to_head_are_whole_on_a_phone(
    phone: Phone, http: httpx.AsyncClient, language: str, size: ViewportSize
) -> None:
    ids = [await add_player(http, name) for name in ("Ann", "Bob", LONG, "Zoé")]
    await played_in_teams(http, ids)
    page = await phone.page(language=language, viewport=size)
    await page.goto(f"/players/{ids[0]}")
    await unfold(page)
    tables = page.locator(".scroll:has(> table)")
    hidden: list[int] = await tables.evaluate_all(
        "(all) => all.map((one) => one.scrollWidth - one.clientWidth)"
    )
    assert hidden == [0, 0]
    await expect(tables.nth(1).locator("thead th")).to_have_count(5)


async def test_on_paper_the_numbers_of_a_chart_stand_beside_it_and_no_form(
    phone: Phone, club: list[str]
) -> None:
    page = await (await phone()).new_page()
    for address, folded in (("/standings", "Ratings in numbers"), (f"/players/{club[0]}", "Last")):
        await page.goto(address)
        numbers = page.locator("details.sheet", has=page.get_by_text(folded)).locator("table").first
        await expect(numbers).to_be_hidden()
        await page.emulate_media(media="print")
        await expect(numbers).to_be_visible()
        assert await page.locator("main :is(input, select, button):visible").count() == 0
        await page.emulate_media(media="screen")


async def played_in_teams(http: httpx.AsyncClient, players: list[str]) -> None:
    options = {"rules": "fr", "teams": True, "deals": 1}
    body = {"ruleset": "durak", "options": options, "players": players}
    game = (await http.post("/api/games", json=body)).json()
    deal: Json = {"type": "result", "places": [[0], [1], [2], [3]], "durak": 3}
    headers = {"If-Match": '"1"', "Idempotency-Key": game["id"]}
    answer = await http.post(
        f"/api/games/{game['id']}/entries", json={"entries": [deal]}, headers=headers
    )
    assert answer.json()["state"]["status"] == "finished"


async def unfold(page: Page) -> None:
    await page.evaluate(
        "() => document.querySelectorAll('main details').forEach((one) => { one.open = true; })"
    )


async def test_somebody_is_found_in_the_list_and_their_figures_behind_it(
    phone: Phone, club: list[str]
) -> None:
    page = await phone.page()
    await page.goto("/players")
    await page.locator(f'a[href="/players/{club[0]}"]').click()
    await expect(page.get_by_role("heading", name="Ann", exact=True)).to_be_visible()
    facts = page.locator("dl.facts")
    await expect(facts).to_contain_text("Won3 (75%)", use_inner_text=False)
    row = page.get_by_role("row", name=LONG)
    await expect(row.get_by_role("cell")).to_have_text(["1", "0", "1"])
    await page.get_by_role("link", name="History").locator("visible=true").last.click()
    await expect(page).to_have_url(f"/history?player={club[0]}")


async def test_a_chart_is_told_in_words_and_by_a_table_beside_it(
    phone: Phone, club: list[str]
) -> None:
    page = await phone.page()
    await page.goto(f"/players/{club[0]}")
    chart = page.get_by_role("img", name="Rating after each game")
    await expect(chart).to_have_accessible_description(
        "From 3.4 to 6.5. The results below have the numbers."
    )
    await page.get_by_text("Last results", exact=True).click()
    results = page.get_by_role("region", name="Last results: Euchre").get_by_role("row")
    await expect(results).to_have_count(5)
    await expect(results.nth(1)).to_contain_text("6.5")


@pytest.mark.usefixtures("club")
async def test_every_line_of_a_chart_has_dashes_and_a_mark_of_its_own(phone: Phone) -> None:
    page = await phone.page()
    await page.goto("/standings?ruleset=euchre")
    lines: list[list[Any]] = await page.evaluate(
        """() => [...document.querySelector('.chart > svg').querySelectorAll('path.course')].map(
            (line) => [getComputedStyle(line).strokeDasharray,
                       line.nextElementSibling.getAttribute('d').replace(/M[-0-9. ]+/g, '')
                           .slice(0, 20)])"""
    )
    assert len(lines) > 1
    assert len({dashes for dashes, _ in lines}) == len(lines)
    assert len({mark for _, mark in lines}) == len(lines)


async def test_standings_are_of_the_period_that_is_chosen(phone: Phone, club: list[str]) -> None:
    page = await phone.page()
    await page.goto("/standings")
    mine = page.locator("table.standings").locator(f'a[href="/players/{club[0]}"]')
    await expect(mine).to_be_visible()
    await page.get_by_role("link", name="Last year").click()
    await expect(mine).to_have_count(0)
    await expect(page.get_by_text("No game fits.")).to_be_visible()
    await page.get_by_role("link", name="This year").click()
    await expect(mine).to_be_visible()
    await page.get_by_text("Choose games").click()
    await page.locator("select[name=ruleset]").select_option("rami")
    await page.get_by_role("button", name="Show").click()
    await expect(mine).to_have_count(0)


async def test_what_cannot_be_read_is_told_and_stays_as_typed(phone: Phone) -> None:
    page = await phone.page()
    answer = await page.goto("/standings?from=soon&ruleset=bridge")
    assert answer is not None
    assert answer.status == 422
    await expect(page.get_by_role("alert")).to_contain_text("“soon” is not a date")
    await expect(page.get_by_role("alert")).to_contain_text("No game here is called “bridge”")
    await expect(page.get_by_label("From")).to_have_value("soon")


async def test_somebody_is_renamed_and_what_is_no_name_is_refused(
    phone: Phone, club: list[str]
) -> None:
    page = await phone.page()
    await page.goto(f"/players/{club[2]}")
    await page.get_by_label("Name").fill("Zoë \u202e")
    await page.get_by_role("button", name="Rename").click()
    await expect(page.get_by_role("alert")).to_contain_text("That is not a name.")
    await page.get_by_label("Name").fill("\U0001f468\u200d\U0001f469\u200d\U0001f467 Quentin")
    await page.get_by_role("button", name="Rename").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text(
        "\U0001f468\u200d\U0001f469\u200d\U0001f467 Quentin"
    )
    await expect(page).to_have_url(f"/players/{club[2]}")


async def test_a_forgotten_player_keeps_figures_and_place(
    phone: Phone, http: httpx.AsyncClient, club: list[str]
) -> None:
    await http.delete(f"/api/players/{club[0]}")
    page = await phone.page()
    await page.goto(f"/players/{club[0]}")
    await expect(page.get_by_role("heading", level=1)).to_have_text("Forgotten player")
    await expect(page.locator("dl.facts")).to_contain_text("Won3 (75%)", use_inner_text=False)
    await expect(page.get_by_role("button", name="Rename")).to_have_count(0)
    await page.goto("/standings")
    mine = page.locator("table.standings").locator(f'a[href="/players/{club[0]}"]')
    await expect(mine).to_have_text("Forgotten player")


async def test_every_file_that_is_offered_is_there(phone: Phone, club: list[str]) -> None:
    context = await phone(language="fr")
    page = await context.new_page()
    for address in (f"/players/{club[0]}", "/standings?ruleset=euchre&from=2001-01-01"):
        await page.goto(address)
        files: list[str] = await page.evaluate(
            """() => [...document.querySelectorAll('main a[href^="/history."]')].map(
                (link) => link.getAttribute('href'))"""
        )
        answers = [await context.request.get(file) for file in files]
        assert [answer.status for answer in answers] == [200] * len(files)
        assert len(files) >= 3
