from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Literal

import httpx
import pytest
from playwright.async_api import (
    Browser,
    BrowserContext,
    ViewportSize,
    WebError,
    async_playwright,
    expect,
)

from deploy.development.programs import CHROMIUM, find
from service.web.format.preferences import COOKIE as LOOK
from tests.browser.table import Table
from tests.http.club import Game, anonymous_client, client_with_key
from tests.http.conftest import game
from tests.postgres import Cluster, truncate_all
from tests.service_process import KEY, ServiceProcess

__all__ = ["game"]

HERE = Path(__file__).parent

# Features that Playwright disables, which our list replaces; then those that take half the time of
# a new phone in a Chromium that has windows: a page for suggestions of addresses, a spare process.
OFF = (
    "AimEnabled",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "TcpPortRandomizationWin",
    "ThirdPartyStoragePartitioning",
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "SpareRendererForSitePerProcess",
)
# Nothing may leave the machine; root has no sandbox.
ARGUMENTS = [
    f"--disable-features={','.join(OFF)}",
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-sync",
    "--no-first-run",
    # Run the GPU code inside the browser process.
    "--in-process-gpu",
    # Compile scripts and collect garbage on the main thread: no wait for another processor.
    "--js-flags=--single-threaded",
    # Reach the service by a host name, as phones in a network do.
    "--host-resolver-rules=MAP club.example 127.0.0.1",
]
# The features that Playwright turns on, and the network service inside the browser's process:
# messages between processes are slow on a virtual machine. A phone that is switched off must first
# write to disk, so its browser has a network process.
ON = ("CDPScreenshotNewSurface", "SkipListAccountsWithoutGaiaCookies", "NetworkServiceInProcess2")
NEVER_OFF = [*ARGUMENTS, f"--enable-features={','.join(ON)}"]
# On a machine that others use too; a guard, as all of pytest's times are.
PATIENCE_MS = 60_000
# `evaluate` has no timeout; Playwright's timeouts only end actions that it retries.
TEST_SECONDS_MAX = 300
SEE_OTHER = 303
expect.set_options(timeout=PATIENCE_MS)
SMALL: ViewportSize = {"width": 320, "height": 568}

Phone = Callable[..., Awaitable[BrowserContext]]
ServiceWorkers = Literal["allow", "block"]


def in_network(url: str) -> str:
    return url.replace("127.0.0.1", "club.example")


@pytest.fixture(scope="session")
async def chromium() -> AsyncGenerator[Browser]:
    path = find(CHROMIUM)
    assert path, "there is no Chromium; `deploy/dev.py test` finds or installs one"
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=NEVER_OFF)
        yield browser
        await browser.close()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(HERE) and item.get_closest_marker("timeout") is None:
            item.add_marker(pytest.mark.timeout(TEST_SECONDS_MAX))


@pytest.fixture(scope="session")
def database(embedded_cluster: Cluster) -> Iterator[str]:
    with embedded_cluster.database() as url:
        yield url


@pytest.fixture(scope="session")
def service(database: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServiceProcess]:
    log = tmp_path_factory.mktemp("service") / "log"
    with ServiceProcess.running(log, CARNET_DATABASE_URL=database) as running:
        yield running


@pytest.fixture(scope="module", autouse=True)
def nobody_else(database: str, service: ServiceProcess) -> None:
    assert service.pid, "the service makes the tables"
    truncate_all(database)


@pytest.fixture(scope="session")
async def http(service: ServiceProcess) -> AsyncGenerator[httpx.AsyncClient]:
    async with client_with_key(service.url, KEY) as client:
        yield client


@pytest.fixture
def service_workers() -> ServiceWorkers:
    """Return whether phones may use service workers; some modules allow it.

    Otherwise each phone would fetch all cached pages again, which takes a quarter of the load time.
    """
    return "block"


@pytest.fixture
async def phone(
    chromium: Browser,
    service: ServiceProcess,
    service_workers: ServiceWorkers,
) -> AsyncGenerator[Phone]:
    broken: list[WebError] = []

    def note(error: WebError) -> None:
        broken.append(error)

    async with AsyncExitStack() as stack:

        async def make(
            *,
            key: str | None = KEY,
            language: str = "en",
            theme: str = "light",
            viewport: ViewportSize = SMALL,
            java_script_enabled: bool = True,
            zone: str | None = None,
        ) -> BrowserContext:
            made = await chromium.new_context(
                base_url=service.url,
                locale=language,
                viewport=viewport,
                java_script_enabled=java_script_enabled,
                timezone_id=zone,
                service_workers=service_workers,
                has_touch=True,
            )
            stack.push_async_callback(made.close)
            made.set_default_timeout(PATIENCE_MS)
            made.on("weberror", note)
            await _come_in(made, service, f"{language}.{theme}.two", key)
            return made

        yield make
    assert [str(one.error) for one in broken] == []


async def _come_in(
    made: BrowserContext, service: ServiceProcess, look: str, key: str | None
) -> None:
    session = await _session(service, key) if key is not None else {}
    for url in (service.url, in_network(service.url)):
        kept = {LOOK: look, **session}
        await made.add_cookies(
            [{"name": name, "value": value, "url": url} for name, value in kept.items()]
        )


async def _session(service: ServiceProcess, key: str) -> dict[str, str]:
    async with anonymous_client(service.url) as client:
        assert (await client.get("/login", params={"key": key})).status_code == SEE_OTHER
        return dict(client.cookies)


@pytest.fixture
async def table(phone: Phone, game: Game) -> Table:
    page = await (await phone()).new_page()
    opened = Table(page, game.id)
    await opened.open()
    return opened
