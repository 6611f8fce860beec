import httpx
import pytest
from playwright.async_api import Page, ViewportSize, expect

from tests.browser.accessibility import LANGUAGES, UNFOLD, WINDOWS, faults
from tests.browser.conftest import SMALL, Phone
from tests.http.club import DEAL, LOST_RESULT, Game

TALL: ViewportSize = {"width": 390, "height": 844}
ADDRESS = "https://hooks.example/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX"
# A name that never resolves (RFC 6761, section 6.4): a call fails at once.
NOWHERE = "https://carnet.invalid/hook"


async def submit_webhook(page: Page, game: Game, address: str, button: str) -> None:
    await page.goto("/webhooks")
    await page.evaluate(UNFOLD, "details.sheet")
    await page.locator("input[name=url]").fill(address)
    await page.locator("select[name=game]").select_option(game.id)
    await page.locator("input[name='head.signed']").check()
    await page.get_by_role("button", name=button).click()
    await expect(page.locator("code")).to_contain_text("whsec_")


@pytest.mark.parametrize("size", [SMALL, TALL], ids=["small", "tall"])
@pytest.mark.parametrize("language", LANGUAGES)
async def test_both_pages_are_accessible_and_scroll_nowhere_sideways(
    phone: Phone,
    game: Game,
    http: httpx.AsyncClient,
    language: str,
    size: ViewportSize,
) -> None:
    page = await (await phone(language=language, viewport=size)).new_page()
    hook = {"url": ADDRESS, "events": ["deal.ended", "game.corrected", "head.signed"]}
    made = (await http.post("/api/webhooks", json={**hook, "game": game.id})).json()
    broken = (await http.post("/api/webhooks", json={**hook, "url": NOWHERE})).json()
    await http.post(f"/api/webhooks/{broken['id']}/deliveries")
    found: dict[str, list[object]] = {}
    for address in ("/webhooks?wrong=game", f"/webhooks/{made['id']}", f"/webhooks/{broken['id']}"):
        await page.goto(address)
        await page.evaluate(UNFOLD, "main details")
        found[address] = await faults(page, WINDOWS)
    for one in (made, broken):
        await http.delete(f"/api/webhooks/{one['id']}")
    assert {where: wrong for where, wrong in found.items() if wrong} == {}


async def test_a_webhook_of_one_game_is_made_tried_and_its_call_sent_again_by_taps(
    phone: Phone, game: Game, http: httpx.AsyncClient
) -> None:
    page = await phone.page()
    await submit_webhook(page, game, NOWHERE, "Add the webhook")
    hook = page.locator("section.sheet")
    await expect(hook.get_by_role("link", name="one game only")).to_be_visible()
    await hook.get_by_role("button", name="Try it").click()
    failed = "to try it: failed (nobody there)"
    await expect(hook.locator("li")).to_contain_text([failed])
    await hook.get_by_role("link", name="All calls").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Calls")
    await page.get_by_role("button", name="Send again").click()
    await expect(page.locator("li")).to_contain_text([failed])
    (kept,) = (await http.get("/api/webhooks")).json()["webhooks"]
    (call,) = (await http.get(f"/api/webhooks/{kept['id']}/deliveries")).json()["deliveries"]
    assert call["attempts"] == 2
    await game.record(*DEAL, LOST_RESULT)
    await page.get_by_role("link", name="Webhooks").click()
    await page.get_by_text("Secret and removal").click()
    await page.get_by_role("button", name="Remove this webhook").click()
    await expect(page.get_by_text("No webhook yet.")).to_be_visible()
