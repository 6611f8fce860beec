import re
import ssl
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
import trustme
from playwright.async_api import BrowserContext, async_playwright, expect
from playwright.async_api import Error as WebError

from deploy.development.programs import CHROMIUM, find
from service.access.cookies import SECURE_SESSION, SESSION
from tests.browser.conftest import ARGUMENTS, PATIENCE_MS, SMALL, in_network
from tests.browser.line import lose_line
from tests.browser.table import Table, plays
from tests.browser.test_connection import UNTIL_CACHED
from tests.browser.test_installed import KEEPS
from tests.http.club import Game
from tests.postgres import Cluster
from tests.service_process import KEY, ServiceProcess

ENTRIES = 500
WRITES = re.compile(r"/outbox\?")
BEFORE = "AS"


@pytest.fixture
def secure(embedded_database: str, tmp_path: Path) -> Iterator[ServiceProcess]:
    authority = trustme.CA()
    made = authority.issue_cert("127.0.0.1", "club.example")
    cert, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    cert.write_bytes(b"".join(blob.bytes() for blob in made.cert_chain_pems))
    made.private_key_pem.write_to_path(key)
    service = ServiceProcess(
        tmp_path / "log",
        CARNET_DATABASE_URL=embedded_database,
        CARNET_TLS_CERT=str(cert),
        CARNET_TLS_KEY=str(key),
    )
    service.url = service.url.replace("http:", "https:")
    trusting = ssl.create_default_context(cadata=authority.cert_pem.bytes().decode())
    service.trust(trusting)
    service.start()
    yield service
    service.stop()


@pytest.fixture
def embedded_database(embedded_cluster: Cluster) -> Iterator[str]:
    with embedded_cluster.database() as url:
        yield url


@asynccontextmanager
async def recording(url: str) -> AsyncGenerator[Game]:
    headers = {"Authorization": f"Bearer {KEY}"}
    async with httpx.AsyncClient(base_url=url, headers=headers, verify=False, timeout=120) as http:  # noqa: S501 -- a certificate of this test
        yield await Game.start(http)


@asynccontextmanager
async def phone_of(folder: Path) -> AsyncGenerator[BrowserContext]:
    path = find(CHROMIUM)
    assert path
    async with async_playwright() as playwright:
        phone = await playwright.chromium.launch_persistent_context(
            folder,
            executable_path=path,
            # Chromium installs a service worker only without certificate errors.
            args=[*ARGUMENTS, "--ignore-certificate-errors"],
            locale="en",
            viewport=SMALL,
            has_touch=True,
        )
        phone.set_default_timeout(PATIENCE_MS)
        yield phone
        await phone.close()


async def seat(phone: BrowserContext, url: str, game: Game) -> Table:
    page = await phone.new_page()
    page.on("dialog", lambda dialog: dialog.accept())
    await page.goto(f"{url}/login?key={KEY}")
    table = Table(page, f"{game.id}")
    table.path = f"{url}/games/{game.id}"
    await table.open()
    return table


async def test_over_https_the_app_opens_without_a_network_also_after_it_was_closed(
    secure: ServiceProcess, tmp_path: Path
) -> None:
    url = in_network(secure.url)
    async with recording(secure.url) as game:
        async with phone_of(tmp_path / "phone") as phone:
            table = await seat(phone, url, game)
            assert await table.page.evaluate("isSecureContext") is True
            await table.bid()
            await table.page.evaluate(UNTIL_CACHED, [f"/games/{game.id}", await table.version()])
            secure.stop()
            await table.key(BEFORE).click()
            await expect(table.page.locator(".offline-note")).to_be_visible()
            await table.page.reload()
            await expect(table.page.locator("[data-waiting]")).to_have_text("Waiting: 1")
        async with phone_of(tmp_path / "phone") as phone:
            page = await phone.new_page()
            await page.goto(f"{url}/games/{game.id}")
            await expect(page.locator("[data-waiting]")).to_have_text("Waiting: 1")
            secure.start()
            await expect(page.locator("[data-waiting]")).to_have_text("")
        assert plays(await game.log()) == [BEFORE]


async def test_over_plain_http_500_entries_wait_survive_closing_and_begin_to_arrive_in_order(
    service: ServiceProcess, tmp_path: Path
) -> None:
    url = in_network(service.url)
    async with recording(service.url) as game:
        async with phone_of(tmp_path / "phone") as phone:
            table = await seat(phone, url, game)
            assert await table.page.evaluate("isSecureContext") is False
            await lose_line(phone)
            await table.page.evaluate(KEEPS, [game.id, ENTRIES])
        async with phone_of(tmp_path / "phone") as phone:
            page = await phone.new_page()
            # Reads succeed and writes fail: a bad network.
            await phone.route(WRITES, lambda route: route.abort())
            await page.goto(f"{url}/games/{game.id}")
            await expect(page.locator("[data-waiting]")).to_have_text(f"Waiting: {ENTRIES}")
            await phone.unroute(WRITES)
            some = re.compile(rf"Waiting: {ENTRIES // 100 - 1}\d\d")
            await expect(page.locator("[data-waiting]")).to_have_text(some)
            notes = [one["entry"]["text"] for one in await game.log() if one["type"] == "note"]
            assert notes == [f"note {number}" for number in range(1, len(notes) + 1)]


async def test_over_https_no_sibling_host_plants_a_session(
    secure: ServiceProcess, tmp_path: Path
) -> None:
    url = in_network(secure.url)
    async with recording(secure.url) as game, phone_of(tmp_path / "phone") as phone:
        link = (await game.http.post(f"{game.path}/links", json={"role": "viewer"})).json()
        answer = await game.http.get("/login", params={"key": link["token"]})
        planted = answer.cookies[SECURE_SESSION]
        domain = ".club.example"
        await phone.add_cookies(
            [{"name": SESSION, "value": planted, "domain": domain, "path": "/", "secure": True}]
        )
        with pytest.raises(WebError, match="Invalid cookie fields"):
            await phone.add_cookies(
                [
                    {
                        "name": SECURE_SESSION,
                        "value": planted,
                        "domain": domain,
                        "path": "/",
                        "secure": True,
                    }
                ]
            )
        page = await phone.new_page()
        await page.goto(f"{url}/games/{game.id}")
        await expect(page).to_have_url(f"{url}/login")
        table = await seat(phone, url, game)
        held = {one.get("name"): one for one in await phone.cookies(table.path)}
        assert held[SECURE_SESSION].get("domain") == "club.example"
        assert held[SECURE_SESSION].get("value") != planted
        headers = {"Authorization": "", "Cookie": f"{SECURE_SESSION}={planted}"}
        assert (await game.http.get("/history", headers=headers)).status_code == 403
