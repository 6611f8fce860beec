import re
from pathlib import Path

import pytest
from playwright.async_api import FilePayload, Page, expect

from tests.browser.accessibility import LANGUAGES, Violation, violations
from tests.browser.conftest import SMALL, Phone
from tests.http.club import DEAL, LOST_RESULT, Game

HEAD = '[Ruleset euchre]\n[Options deck 32]\n[Seats 2]\n[Players "Ann" "Wilhelmina Alexandra"]\n\n'
GOOD = f"{HEAD}result maker 0 tricks 3 dealer 0\nresult maker 1 tricks 2\n"
STATES = {
    "look": GOOD,
    "unreadable": f"{HEAD}2. 1 pas\n3. 1 play AX waive euchre.{'long-' * 30}\n4. note\n",
    "refused": f"{HEAD}deal dealer 0 turn_up QH\n0 order\n",
    "json": '{"ruleset": "euchre", "seats": 2, "log": [{"type": "pass"}, 7]}',
    "empty": "",
    "table": "Date,Ana,Wilhelmina Alexandra\n2025-03-01,3,5\n2025-03-02,4,?\n",
}


async def _look(page: Page, text: str) -> None:
    await page.goto("/import")
    await page.locator("textarea").fill(text)
    await page.get_by_role("button", name=re.compile("^(Preview|Aperçu|Vorschau)$")).click()
    await page.wait_for_load_state()


async def test_game_is_taken_from_one_carnet_to_another_without_script(
    phone: Phone, game: Game, tmp_path: Path
) -> None:
    await game.record(*DEAL, LOST_RESULT)
    page = await phone.page(java_script_enabled=False)
    await page.goto(f"/games/{game.id}/log")
    async with page.expect_download() as download:
        await page.get_by_role("link", name="Record as text").click()
    saved = tmp_path / (await download.value).suggested_filename
    await (await download.value).save_as(saved)
    assert saved.suffix == ".carnet"

    await page.goto("/games/new")
    await page.get_by_role("link", name="Import a game").click()
    await page.get_by_label("A file").set_input_files(saved)
    await page.get_by_role("button", name="Preview").click()
    await expect(page.get_by_text("1 game is here")).to_be_visible()
    await expect(page.get_by_role("heading", name="Ann – Bob")).to_be_visible()
    await expect(page.locator("tfoot .points")).to_have_text(["2", "0"])
    await page.get_by_label("Player 2").fill("Théodora")
    await page.get_by_label("Import it again").check()
    await page.get_by_role("button", name="Import what is ticked").click()
    await page.wait_for_url("**/sheet")
    await expect(page.get_by_role("heading", name="Ann – Théodora")).to_be_visible()
    assert game.id not in page.url


async def test_problem_is_mended_in_the_text_beside_it(phone: Phone) -> None:
    page = await phone.page(java_script_enabled=False)
    await _look(page, f"{HEAD}2. note rain\n")
    await expect(page.locator("mark")).to_have_text("rain")
    await page.locator("textarea").fill(f'{HEAD}2. note "rain"\n')
    await page.get_by_role("button", name="Preview").click()
    await expect(page.get_by_text("2 entries")).to_be_visible()


async def test_file_of_another_kind_is_told_from_a_record(phone: Phone) -> None:
    page = await phone.page()
    await page.goto("/import")
    sheet = FilePayload(name="scores.xlsx", mimeType="application/zip", buffer=b"PK\x03\x04...")
    await page.get_by_label("A file").set_input_files(sheet)
    await page.get_by_role("button", name="Preview").click()
    await expect(page.get_by_role("alert")).to_contain_text("cannot be read as a table")


async def test_a_table_is_reviewed_and_imported_without_script(phone: Phone) -> None:
    page = await phone.page(java_script_enabled=False)
    await _look(page, "Date,Ana,Ben\n2025-03-01,3,5\n2025-03-02,4,?\n2025-03-03,7,6\n")
    await expect(page.get_by_text("“?” is not a whole number.")).to_be_visible()
    await page.locator("select[name=ruleset]").select_option("Rami")
    await page.get_by_role("button", name="Read the table so").last.click()
    await expect(page.get_by_text("2 games can be imported as they are")).to_be_visible()
    await page.get_by_role("button", name="Import what is ticked").click()
    await expect(page.get_by_text("2 games were imported.")).to_be_visible()


@pytest.mark.parametrize("language", LANGUAGES)
async def test_every_state_is_accessible_and_no_wider_than_the_screen(
    phone: Phone, language: str
) -> None:
    page = await (await phone(language=language)).new_page()
    found: dict[str, list[Violation]] = {}
    wide: dict[str, int] = {}
    for state, text in STATES.items():
        await _look(page, text)
        found[state] = await violations(page)
        wide[state] = await page.evaluate("() => document.scrollingElement.scrollWidth")
    await _look(page, GOOD.replace('"Wilhelmina Alexandra"', "-"))
    await page.locator("form[action*='/import/games/'] button").first.click()
    await page.wait_for_url("**ask=**")
    await expect(page.get_by_role("alert")).to_have_count(1)
    found["nameless"] = await violations(page)
    assert {state: wrong for state, wrong in found.items() if wrong} == {}
    assert {state: width for state, width in wide.items() if width > SMALL["width"]} == {}
