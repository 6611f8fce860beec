import asyncio

import httpx
import pytest
from playwright.async_api import BrowserContext, Route, expect

from tests.browser.conftest import Phone
from tests.http.club import Game
from tests.service_process import ServiceProcess

# The time until a page opens its stream (`signed_in.js`).
PASSED_MS = 500
# Store the timer callbacks for the test to call, and count streams.
LATER = """
    window.streams = 0;
    const ask = window.fetch;
    window.fetch = (...given) => {
        window.streams += 1;
        return ask(...given);
    };
    const soon = window.setTimeout;
    window.setTimeout = (call, ms, ...given) =>
        ms === passedMs ? ((window.stayed = call), 0) : soon(call, ms, ...given);
"""


async def sign_out(context: BrowserContext, service: ServiceProcess) -> None:
    kept = {
        str(one.get("name")): str(one.get("value")) for one in await context.cookies(service.url)
    }
    async with httpx.AsyncClient(base_url=service.url, cookies=kept) as elsewhere:
        await elsewhere.post("/logout")


@pytest.mark.parametrize("path", ["/history", "/games/{id}", "/games/{id}/log"])
async def test_an_open_page_is_told_that_its_session_was_ended(
    phone: Phone, service: ServiceProcess, game: Game, path: str
) -> None:
    context = await phone()
    page = await context.new_page()
    async with page.expect_response(
        lambda answer: answer.url.split("?")[0].endswith(("/live", "/signed-in"))
    ):
        await page.goto(path.format(id=game.id))
    await sign_out(context, service)
    await expect(page.get_by_role("alert")).to_contain_text("Signed out")


async def test_a_page_listens_once_somebody_stays_on_it(phone: Phone) -> None:
    page = await (await phone()).new_page()
    await page.add_init_script(f"const passedMs = {PASSED_MS};{LATER}")
    await page.goto("/history")
    await page.wait_for_function("() => window.stayed")
    assert await page.evaluate("() => streams") == 0
    async with page.expect_response("**/api/signed-in"):
        await page.evaluate("() => stayed()")
    # Returning to the page opens a new stream.
    come_back = "() => { document.dispatchEvent(new Event('visibilitychange')); return streams; }"
    assert await page.evaluate(come_back) == 2


async def test_whoever_leaves_a_table_asks_for_nothing_more(
    phone: Phone, service: ServiceProcess, game: Game
) -> None:
    page = await (await phone()).new_page()
    tables = 3
    for _ in range(tables):
        async with page.expect_response("**/live"):
            await page.goto(f"/games/{game.id}")
        await page.goto("/history")
    asked = [line for line in service.log.read_text().splitlines() if game.id in line]
    assert sum("/live" in line for line in asked) == tables


async def test_a_page_whose_session_ended_before_it_could_listen_is_told(
    phone: Phone, service: ServiceProcess
) -> None:
    context = await phone()
    page = await context.new_page()
    ended = asyncio.Event()

    async def late(route: Route) -> None:
        await ended.wait()
        await route.continue_()

    await page.route("**/api/signed-in*", late)
    await page.goto("/history")
    await sign_out(context, service)
    ended.set()
    await expect(page.get_by_role("alert")).to_contain_text("Signed out")


async def test_an_open_table_is_told_that_its_link_was_revoked(phone: Phone, game: Game) -> None:
    made = (await game.http.post(f"{game.path}/links", json={"role": "scorer"})).json()
    page = await (await phone(key=made["token"])).new_page()
    async with page.expect_response("**/live"):
        await page.goto(f"/games/{game.id}")
    await game.http.delete(f"{game.path}/links/{made['id']}")
    await expect(page.get_by_role("alert")).to_contain_text("Signed out")


async def test_a_table_whose_link_was_revoked_before_it_could_listen_is_told(
    phone: Phone, game: Game
) -> None:
    made = (await game.http.post(f"{game.path}/links", json={"role": "scorer"})).json()
    page = await (await phone(key=made["token"])).new_page()
    revoked = asyncio.Event()

    async def late(route: Route) -> None:
        await revoked.wait()
        await route.continue_()

    await page.route("**/live*", late)
    async with page.expect_request("**/live*"):
        await page.goto(f"/games/{game.id}")
    await game.http.delete(f"{game.path}/links/{made['id']}")
    revoked.set()
    await expect(page.get_by_role("alert")).to_contain_text("Signed out")
