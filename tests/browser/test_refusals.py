import re

import pytest
from playwright.async_api import expect

from tests.browser.conftest import Phone
from tests.browser.table import BID, Table, played, plays
from tests.http.club import Game


@pytest.fixture
async def revoked(phone: Phone, game: Game) -> Table:
    await game.record(*BID, *played("AS", "9C", "KC", "TC", "KS"))
    table = Table(await phone.page(), game.id)
    await table.open()
    await table.key("QS").click()
    await expect(table.page.locator("dialog")).to_be_visible()
    return table


async def test_late_revoke_is_refused_showing_both_entries(revoked: Table) -> None:
    await expect(revoked.page.locator("dialog .pair li")).to_have_text(
        [
            "Not recorded: Ann plays the queen of spades",
            "Trick 1: Ann plays the nine of clubs",
        ]
    )


async def test_card_that_the_taken_trump_excludes_leads_to_the_deal(
    dealt: Table, game: Game
) -> None:
    await game.record(*played("AS", "9S", "AC", "9C", "AD", "9D", "KD", "TD", "QD"))
    await dealt.open()
    await dealt.key("JC").click()
    await dealt.page.get_by_role("link", name="Correct: Ann deals").click()
    await expect(dealt.page).to_have_url(re.compile(r"/correct/2\?"))


async def test_refusal_leads_to_its_clause(revoked: Table) -> None:
    await revoked.page.get_by_role("link", name="The rule:").click()
    await expect(revoked.page.locator(":target")).to_have_id("euchre.follow-suit")


async def test_slough_is_corrected_and_the_refused_card_goes_in(revoked: Table, game: Game) -> None:
    page = revoked.page
    await page.get_by_role("link", name="Correct: Ann plays the nine of clubs").click()
    await page.locator('main .key[value="9S"]').click()
    await page.wait_for_url(f"**{revoked.path}")
    await revoked.ready()
    await expect(page.locator(".board")).to_have_attribute("data-version", "11")
    standing = (await game.get("/entries", effective="true"))["entries"]
    assert plays(standing) == ["AS", "9S", "KC", "TC", "KS", "QS"]


async def test_what_happened_all_the_same_marks_the_card_of_the_revoke(
    revoked: Table, game: Game
) -> None:
    before = await revoked.version()
    await revoked.page.get_by_role("button", name="It happened").click()
    await revoked.moved_on(before)
    standing = (await game.get("/entries", effective="true"))["entries"]
    waived = {one["entry"]["card"]: one["entry"].get("waive") for one in standing[4:]}
    assert waived == dict.fromkeys(("AS", "KC", "TC", "KS", "QS")) | {"9C": ["euchre.follow-suit"]}


async def test_slip_of_the_finger_is_dropped(revoked: Table, game: Game) -> None:
    await revoked.page.get_by_role("link", name="I tapped wrong").click()
    await revoked.tap("9D")
    assert plays(await game.log())[-2:] == ["KS", "9D"]


async def test_dimmed_card_held_is_recorded_as_waived(dealt: Table, game: Game) -> None:
    await game.record(*played("AS", "9C", "KC", "TC", "KS"))
    await dealt.open()
    box = await dealt.key("QS").bounding_box()
    assert box is not None
    before = await dealt.version()
    await dealt.page.mouse.move(box["x"] + 20, box["y"] + 20)
    await dealt.page.mouse.down()
    await dealt.moved_on(before)
    await dealt.page.mouse.up()
    corrected, last = (await game.typed())[-2:]
    assert (corrected["type"], corrected["move"]["waive"]) == ("amend", ["euchre.follow-suit"])
    assert "waive" not in last
    await expect(dealt.page.locator("dialog")).to_be_hidden()


async def test_correction_that_others_rest_on_names_what_falls_and_drops_it(
    dealt: Table, game: Game
) -> None:
    await game.record(*played("AS", "9S", "KS", "TS"))
    page = dealt.page
    await page.goto(f"{dealt.path}/correct/6")
    await page.locator('main .key[value="9C"]').click()
    await expect(page.locator("main .entry")).to_contain_text("Ann plays the ten of spades")
    await page.get_by_role("button", name="drop what no longer fits (1 entry)").click()
    await dealt.ready()
    standing = (await game.get("/entries", effective="true"))["entries"]
    assert plays(standing) == ["AS", "9C", "KS"]


async def test_going_back_shows_what_is_lost_before_it_is(dealt: Table, game: Game) -> None:
    await game.record(*played("AS", "9S"))
    page = dealt.page
    await page.goto(f"{dealt.path}/log")
    await page.locator("#v4 summary").click()
    await page.get_by_role("button", name="Back to here").locator("visible=true").click()
    await expect(page.locator("main .entry")).to_have_count(2)
    assert (await game.view())["version"] == 6
    await page.get_by_role("button", name="Take back").click()
    await dealt.ready()
    assert (await game.view())["hand_counts"] == [5, 5]


async def test_lead_out_of_turn_is_recorded_once_said_to_have_happened(
    dealt: Table, game: Game
) -> None:
    page = dealt.page
    await page.goto(f"{dealt.path}/more")
    await page.get_by_role("link", name="Ann", exact=True).click()
    await dealt.ready()
    await dealt.key("9C").click()
    await expect(page.locator("dialog")).to_contain_text("Ann led the nine of clubs")
    before = await dealt.version()
    await page.get_by_role("button", name="It happened").click()
    await dealt.moved_on(before)
    last = (await game.typed())[-1]
    assert (last["seat"], last["waive"]) == (0, ["euchre.lead"])
