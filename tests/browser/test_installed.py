import json

import pytest
from playwright.async_api import Page, expect

from service.web.format.static_files import static_files
from tests.browser.conftest import Phone, ServiceWorkers, in_network
from tests.browser.line import lose_line
from tests.browser.table import Table
from tests.http.club import Game
from tests.service_process import KEY, ServiceProcess

KEEPS = """async ([game, number]) => {
    const db = await new Promise((done, fail) => {
        const asked = indexedDB.open('carnet', 1);
        asked.onsuccess = () => done(asked.result);
        asked.onerror = () => fail(asked.error);
    });
    const taps = db.transaction('taps', 'readwrite').objectStore('taps');
    for (let n = 1; n <= number; n++) {
        const entries = [{type: 'note', text: `note ${n}`}];
        const command = `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
        taps.add({game, command, entries, label: `note ${n}`});
    }
    await new Promise((done) => { taps.transaction.oncomplete = done; });
    db.close();
}"""
_IS_KEPT = """async (path) => {
    for (;;) {
        const page = await (await caches.open('carnet-pages')).match(path);
        if (page && navigator.serviceWorker.controller) return;
        await new Promise((again) => setTimeout(again, 100));
    }
}"""
ENTRIES = 500


@pytest.fixture
def service_workers() -> ServiceWorkers:
    return "allow"


def dialogs_accepted(page: Page) -> None:
    page.on("dialog", lambda dialog: dialog.accept())


async def test_the_manifest_has_what_an_installed_app_takes(phone: Phone) -> None:
    page = await (await phone()).new_page()
    for language in ("en", "fr", "de"):
        manifest = json.loads(static_files().content[f"carnet-{language}.webmanifest"])
        sizes = {(one["sizes"], one.get("purpose", "any")) for one in manifest["icons"]}
        assert sizes >= {("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")}
        assert [one["url"] for one in manifest["shortcuts"]] == ["/games/new", "/go-on"]
        assert {one["form_factor"] for one in manifest["screenshots"]} == {"narrow", "wide"}
    await page.goto("/")
    address = await page.locator('link[rel="manifest"]').get_attribute("href")
    images = [one for part in ("icons", "screenshots") for one in manifest[part]]
    for image in images:
        answer = await page.request.get(f"{address}/../{image['src']}")
        assert answer.ok
        if image["sizes"] != "any":
            head = await answer.body()
            width, height = (int.from_bytes(head[at : at + 4], "big") for at in (16, 20))
            assert f"{width}x{height}" == image["sizes"]


async def test_without_a_network_the_app_opens_to_its_games_and_keeps_500_entries(
    phone: Phone, game: Game
) -> None:
    page = await (await phone()).new_page()
    dialogs_accepted(page)
    table = Table(page, game.id)
    await table.open()
    await page.evaluate(_IS_KEPT, f"/games/{game.id}")
    await page.goto("/")
    await page.evaluate(_IS_KEPT, "/")
    await lose_line(page.context)
    await page.evaluate(KEEPS, [game.id, ENTRIES])
    await page.goto("/")
    await expect(page.locator(f'a[href="/games/{game.id}"]').first).to_be_visible()
    await page.goto("/go-on")
    await page.wait_for_url(f"**/games/{game.id}")
    await expect(page.locator("[data-waiting]")).to_have_text(f"Waiting: {ENTRIES}")
    await expect(page.locator("[data-pending] li").last).to_contain_text(f"note {ENTRIES}")


async def test_the_first_page_is_fetched_once_more_only_before_a_worker_keeps_it(
    phone: Phone,
) -> None:
    page = await (await phone()).new_page()
    asked: list[str] = []
    page.on("request", lambda one: asked.append(one.resource_type) if one.url[-1] == "/" else None)
    await page.goto("/")
    await expect(page.locator("html")).to_have_attribute("data-kept", "")
    await page.evaluate(_IS_KEPT, "/")
    assert asked == ["document", "fetch"]
    asked.clear()
    await page.reload()
    await expect(page.locator("html")).to_have_attribute("data-kept", "")
    assert asked == ["document"]


async def test_over_plain_http_by_a_name_in_the_network_it_is_said_once_what_https_adds(
    phone: Phone, service: ServiceProcess
) -> None:
    page = await (await phone(key=None)).new_page()
    await page.goto(in_network(f"{service.url}/login?key={KEY}"))
    await page.wait_for_url(in_network(f"{service.url}/"))
    assert await page.evaluate("isSecureContext") is False
    await expect(page.get_by_role("link", name="New game").first).to_be_visible()
    await expect(page.locator("[data-https]")).to_be_visible()
    await page.reload()
    await expect(page.locator("html")).not_to_have_attribute("data-kept", "")
    await expect(page.locator("[data-https]")).to_be_hidden()
    assert await page.evaluate("document.documentElement.dataset.kept") is None
