"""A phone that is used again has nothing of the test before, and pages as a new one has them."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from playwright.async_api import Browser, BrowserContext

from tests.browser import kept_phones
from tests.browser.conftest import SMALL, Phone
from tests.browser.kept_phones import KeptPhone, KeptPhones
from tests.service_process import ServiceProcess

LEAVES = """async () => {
    localStorage.a = sessionStorage.a = document.cookie = 'a=b';
    window.name = 'a';
    await (await caches.open('a')).put('/a', new Response('a'));
    await new Promise((done, fail) => {
        const asked = indexedDB.open('carnet', 1);
        asked.onerror = fail;
        asked.onsuccess = done;
    });
}"""
FINDS = """async () => [
    localStorage.length, sessionStorage.length, document.cookie.includes('a=b'),
    window.name, window.opener,
    (await caches.keys()).length, (await indexedDB.databases()).length,
]"""
LOOKS = """() => [
    innerWidth, innerHeight, 'ontouchstart' in window, navigator.language, navigator.onLine,
    document.visibilityState, document.hasFocus(),
]"""


Take = Callable[[], Awaitable[KeptPhone]]


@pytest.fixture
def phones() -> KeptPhones:
    return KeptPhones()


@pytest.fixture
def take(phones: KeptPhones, chromium: Browser, service: ServiceProcess) -> Take:
    async def make() -> BrowserContext:
        return await chromium.new_context(base_url=service.url)

    return lambda: phones.take("small", make, (service.url,))


async def test_what_a_test_left_is_gone(phones: KeptPhones, take: Take) -> None:
    first = await take()
    for _ in range(2):
        page = await first.context.new_page()
        await page.goto("/login")
        assert await page.evaluate(FINDS) == [0, 0, False, "", None, 0, 0]
        await page.evaluate(LEAVES)
        assert await page.evaluate(FINDS) == [1, 1, True, "a", None, 1, 1]
        await phones.put_back("small", first)
        assert await take() is first
        assert len(first.context.pages) == 1
    await first.context.close()


async def test_one_that_does_not_answer_is_used_no_more(
    phones: KeptPhones, take: Take, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await take()
    monkeypatch.setattr(first, "emptied", asyncio.Event().wait)
    monkeypatch.setattr(kept_phones, "PUT_BACK_SECONDS", 0.1)
    with pytest.raises(TimeoutError):
        await phones.put_back("small", first)
    other = await take()
    assert other is not first
    await other.context.close()
    await first.context.close()


async def test_one_that_does_not_say_what_is_left_is_thrown_away(
    phones: KeptPhones, take: Take, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await take()
    (anchor,) = first.context.pages
    await anchor.evaluate("() => { indexedDB.databases = () => new Promise(() => {}); }")
    monkeypatch.setattr(kept_phones, "ANSWER_SECONDS", 0.1)
    await phones.put_back("small", first)
    other = await take()
    assert other is not first
    assert first.context.pages == []
    await other.context.close()


async def test_one_that_opens_no_page_opens_it_elsewhere_and_is_thrown_away(
    phones: KeptPhones, take: Take, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await take()
    (anchor,) = first.context.pages
    await anchor.evaluate("() => { window.open = () => { for (;;); }; }")
    monkeypatch.setattr(kept_phones, "ANSWER_SECONDS", 0.3)
    page = await first.context.new_page()
    assert await page.evaluate("1 + 1") == 2
    await phones.put_back("small", first)
    other = await take()
    assert other is not first
    await other.context.close()


async def test_two_phones_of_a_test_are_two(phone: Phone) -> None:
    assert await phone() is not await phone()


async def test_its_pages_are_those_of_a_new_one(
    phone: Phone, chromium: Browser, service: ServiceProcess
) -> None:
    kept = await (await phone()).new_page()
    fresh = await chromium.new_context(locale="en", viewport=SMALL, has_touch=True)
    seen: list[list[object]] = []
    for page in (kept, await fresh.new_page()):
        await page.goto(f"{service.url}/login")
        seen.append(await page.evaluate(LOOKS))
    await fresh.close()
    assert seen[0] == seen[1]
    assert seen[0][:5] == [320, 568, True, "en", True]
