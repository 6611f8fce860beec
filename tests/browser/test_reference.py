import pytest
from playwright.async_api import expect

from tests.browser.accessibility import violations
from tests.browser.conftest import Phone

HEADINGS = {
    "en": "The interface for programs",
    "fr": "L’interface pour les programmes",
    "de": "Die Schnittstelle für Programme",
}


@pytest.mark.parametrize("language", HEADINGS)
async def test_the_page_fits_a_small_phone_and_a_call_unfolds(phone: Phone, language: str) -> None:
    page = await (await phone(key=None, language=language)).new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    await page.goto("/schema")
    await expect(page.locator("h1")).to_have_text(HEADINGS[language])
    await page.locator("#appendEntries > summary").click()
    await expect(page.locator("#appendEntries")).to_contain_text("Idempotency-Key")
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert await page.evaluate(wide) == 0
    origin = page.url.removesuffix("/schema")
    assert all(url.startswith((origin, "data:")) for url in asked)


async def test_the_page_is_readable_by_everybody(phone: Phone) -> None:
    page = await (await phone(key=None)).new_page()
    await page.goto("/schema")
    await page.locator("#startGame > summary").click()
    assert await violations(page) == []
