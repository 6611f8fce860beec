import re
import shutil
from collections import defaultdict
from collections.abc import AsyncGenerator, Generator, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Literal, NamedTuple

import httpx
import pytest
from playwright.async_api import (
    Browser,
    BrowserContext,
    CDPSession,
    Error,
    Page,
    ViewportSize,
    WebError,
    async_playwright,
    expect,
)

from deploy.development.programs import CHROMIUM, find
from service.web.format.preferences import COOKIE as LOOK
from tests.browser.table import BID, Table
from tests.http.club import Game, anonymous_client, client_with_key
from tests.http.conftest import game
from tests.postgres import Cluster, truncate_all
from tests.service_process import KEY, ServiceProcess

__all__ = ["game"]


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
SEE_OTHER = 303
expect.set_options(timeout=PATIENCE_MS)
SMALL: ViewportSize = {"width": 320, "height": 568}

ServiceWorkers = Literal["allow", "block"]
FAILED = pytest.StashKey[bool]()
# Screenshots and traces of failed tests, kept until the same test fails again.
FAILURES = Path(__file__).parents[2] / ".test-failures"
SCREENSHOT_MS_MAX = 10_000


class Kind(NamedTuple):
    """What a browser context cannot change later."""

    language: str
    java_script_enabled: bool
    zone: str | None
    service_workers: ServiceWorkers


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


class IdlePages:
    """Pages that a later test may use, each alone in its context, by what a context is made with.

    To open a page in a renderer that runs already takes half of the processor time. Cookies and
    stored data are removed; the cache and the history stay.
    """

    def __init__(self, chromium: Browser, service: ServiceProcess) -> None:
        self._chromium = chromium
        self._service = service
        self._idle: dict[Kind, list[tuple[Page, CDPSession]]] = defaultdict(list)

    async def take(self, kind: Kind) -> tuple[Page, CDPSession]:
        if self._idle[kind]:
            page, devtools = self._idle[kind].pop()
            await page.context.tracing.start_chunk()
            return page, devtools
        context = await new_context(self._chromium, self._service, kind)
        page = await context.new_page()
        return page, await context.new_cdp_session(page)

    async def give_back(self, page: Page, devtools: CDPSession, kind: Kind) -> None:
        context = page.context
        away = page.is_closed() or not page.url.startswith(self._service.url)
        if away or len(context.pages) > 1:
            await context.close()
            return
        await context.tracing.stop_chunk()
        await context.set_offline(offline=False)
        await page.unroute_all()
        # A small page of the same origin keeps the renderer. Who still goes elsewhere is not idle.
        try:
            await page.goto(f"{self._service.url}/healthz")
        except Error:
            await context.close()
            return
        origin = self._service.url
        of_page = {"securityOrigin": origin, "isLocalStorage": False}
        await devtools.send("DOMStorage.clear", {"storageId": of_page})
        stored = {"origin": origin, "storageTypes": "all"}
        await devtools.send("Storage.clearDataForOrigin", stored)
        await context.clear_cookies()
        self._idle[kind].append((page, devtools))


class Phone:
    """Opens what a test uses as a phone.

    `await phone.page(…)` returns a page that an earlier test may have used. `await phone(…)`
    returns a new context, for tests of several pages or of an empty cache or history, and for those
    that add listeners or scripts, set the clock, or set anything by a DevTools session, which the
    next test would inherit. With service workers, all pages are new.
    """

    def __init__(
        self,
        chromium: Browser,
        service: ServiceProcess,
        idle: IdlePages,
        service_workers: ServiceWorkers,
    ) -> None:
        self._chromium = chromium
        self._service = service
        self._idle = idle
        self._service_workers: ServiceWorkers = service_workers
        self._opened: list[tuple[Page, CDPSession, Kind]] = []
        self._contexts: list[BrowserContext] = []
        self._broken: list[WebError] = []

    async def __call__(
        self,
        *,
        key: str | None = KEY,
        language: str = "en",
        theme: str = "light",
        viewport: ViewportSize = SMALL,
        java_script_enabled: bool = True,
        zone: str | None = None,
    ) -> BrowserContext:
        kind = Kind(language, java_script_enabled, zone, self._service_workers)
        made = await new_context(self._chromium, self._service, kind, viewport)
        self._contexts.append(made)
        await self._come_in(made, f"{language}.{theme}.two", key)
        return made

    async def page(
        self,
        *,
        key: str | None = KEY,
        language: str = "en",
        theme: str = "light",
        viewport: ViewportSize = SMALL,
        java_script_enabled: bool = True,
        zone: str | None = None,
    ) -> Page:
        kind = Kind(language, java_script_enabled, zone, self._service_workers)
        if self._service_workers == "allow":
            new = await self(
                key=key,
                language=language,
                theme=theme,
                viewport=viewport,
                java_script_enabled=java_script_enabled,
                zone=zone,
            )
            return await new.new_page()
        page, devtools = await self._idle.take(kind)
        self._opened.append((page, devtools, kind))
        if page.viewport_size != viewport:
            await page.set_viewport_size(viewport)
        await self._come_in(page.context, f"{language}.{theme}.two", key)
        return page

    async def _come_in(self, context: BrowserContext, look: str, key: str | None) -> None:
        context.on("weberror", self._note)
        session = await _session(self._service, key) if key is not None else {}
        for url in (self._service.url, in_network(self._service.url)):
            kept = {LOOK: look, **session}
            await context.add_cookies(
                [{"name": name, "value": value, "url": url} for name, value in kept.items()]
            )

    def _note(self, error: WebError) -> None:
        self._broken.append(error)

    def open_contexts(self) -> list[BrowserContext]:
        return [*self._contexts, *(page.context for page, _, _ in self._opened)]

    async def close(self, *, reuse: bool) -> None:
        """End what the test opened; its pages may be used again after a test that passed."""
        for context in self._contexts:
            await context.close()
        for page, devtools, kind in self._opened:
            page.context.remove_listener("weberror", self._note)
            if reuse:
                await self._idle.give_back(page, devtools, kind)
            else:
                await page.context.close()
        assert [str(one.error) for one in self._broken] == []


@pytest.fixture(scope="session")
def idle_pages(chromium: Browser, service: ServiceProcess) -> IdlePages:
    return IdlePages(chromium, service)


@pytest.fixture
async def phone(
    request: pytest.FixtureRequest,
    chromium: Browser,
    service: ServiceProcess,
    idle_pages: IdlePages,
    service_workers: ServiceWorkers,
) -> AsyncGenerator[Phone]:
    made = Phone(chromium, service, idle_pages, service_workers)
    yield made
    failed = request.node.stash.get(FAILED, False)
    if failed:
        await leave_traces(made.open_contexts(), request.node)
    await made.close(reuse=not failed)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.when == "call":
        item.stash[FAILED] = report.failed
    return report


async def leave_traces(contexts: Sequence[BrowserContext], item: pytest.Item) -> None:
    """Write the trace of each phone of a failed test and a screenshot of its pages; print where."""
    folder = FAILURES / re.sub(r"[^\w.-]+", "_", item.nodeid.removeprefix("tests/browser/"))
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for number, context in enumerate(contexts):
        for tab, page in enumerate(context.pages):
            file = folder / f"phone-{number}-page-{tab}.png"
            with suppress(Error):
                await page.screenshot(path=file, timeout=SCREENSHOT_MS_MAX)
                print(f"{page.url} looked like this: {file}")  # noqa: T201 shown
        trace = folder / f"phone-{number}-trace.zip"
        with suppress(Error):
            await context.tracing.stop_chunk(path=trace)
            print(f"playwright show-trace {trace}")  # noqa: T201 with the failure


async def new_context(
    chromium: Browser, service: ServiceProcess, kind: Kind, viewport: ViewportSize = SMALL
) -> BrowserContext:
    made = await chromium.new_context(
        base_url=service.url,
        locale=kind.language,
        viewport=viewport,
        java_script_enabled=kind.java_script_enabled,
        timezone_id=kind.zone,
        service_workers=kind.service_workers,
        has_touch=True,
    )
    made.set_default_timeout(PATIENCE_MS)
    # Without snapshots of the page, which take a sixth more time, it costs nothing measurable.
    await made.tracing.start()
    return made


async def _session(service: ServiceProcess, key: str) -> dict[str, str]:
    async with anonymous_client(service.url) as client:
        assert (await client.get("/login", params={"key": key})).status_code == SEE_OTHER
        return dict(client.cookies)


@pytest.fixture
async def table(phone: Phone, game: Game) -> Table:
    opened = Table(await phone.page(), game.id)
    await opened.open()
    return opened


@pytest.fixture
async def bid(game: Game) -> int:
    """Record what `Table.bid` taps; return the version."""
    await game.record(*BID)
    return game.version


@pytest.fixture
async def dealt(bid: int, table: Table) -> Table:
    """Return an open table at which seat 1 leads; `bid` is there before the table opens."""
    assert await table.version() == bid
    return table
