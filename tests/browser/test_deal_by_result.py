import pytest
from playwright.async_api import expect

from service.export.formats.xlsx import MEDIA_TYPE as XLSX
from service.export.game.pdf import MEDIA_TYPE as PDF
from tests.browser.conftest import Phone
from tests.http.club import MADE_RESULT, Game

CSV = "text/csv"
PNG = "image/png"
FORMS = [PDF, PDF, PNG, XLSX, CSV, "application/json"]
EXCEL = [PDF, PDF, PNG, XLSX, CSV, CSV, "application/json"]


@pytest.mark.parametrize(("language", "forms"), [("en", FORMS), ("fr", EXCEL), ("de", EXCEL)])
async def test_every_copy_that_the_sheet_offers_is_given(
    phone: Phone, game: Game, language: str, forms: list[str]
) -> None:
    await game.record(MADE_RESULT)
    page = await phone.page(language=language)
    await page.goto(f"/games/{game.id}/sheet")
    given: list[str] = []
    for link in await page.locator("section[aria-labelledby=keep] a").all():
        answer = await page.request.get(str(await link.get_attribute("href")))
        assert answer.status == 200
        given.append(answer.headers["content-type"].split(";")[0])
    assert given == forms


async def test_a_copy_speaks_the_language_of_the_page(phone: Phone, game: Game) -> None:
    page = await phone.page(language="de")
    await page.goto(f"/games/{game.id}/sheet")
    await page.get_by_text("Für Tabellen und Programme").click()
    async with page.expect_download() as download:
        await page.get_by_role("link", name="CSV für Excel").click()
    path = await (await download.value).path()
    assert path.read_text("utf-8-sig").startswith('"Spiel";')


async def test_copies_are_not_printed_with_the_page(phone: Phone, game: Game) -> None:
    page = await (await phone()).new_page()
    await page.goto(f"/games/{game.id}/sheet")
    await page.get_by_text("For spreadsheets and programs").click()
    for name in ("Picture to share", "Excel"):
        await expect(page.get_by_role("link", name=name)).to_be_visible()
    await page.emulate_media(media="print")
    for name in ("Picture to share", "Excel"):
        await expect(page.get_by_role("link", name=name)).to_be_hidden()
