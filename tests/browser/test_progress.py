"""Imports and backups with a bar of their progress."""

import asyncio
import re
from uuid import uuid4

from playwright.async_api import FilePayload, Route, expect

from tests.browser.conftest import Phone


async def test_an_import_shows_its_progress_and_then_its_result(phone: Phone) -> None:
    page = await (await phone(language="fr")).new_page()
    name = uuid4().hex
    table = f"Jour;Ann {name};Bob {name}\n2019-05-04;7;3\n2019-05-05;2;8"
    await page.goto("/import")
    file = FilePayload(name="rami.csv", mimeType="text/csv", buffer=table.encode())
    await page.locator("input[type=file]").set_input_files(file)
    await page.get_by_role("button", name="Aperçu").click()
    await expect(page.get_by_text("2 parties à importer")).to_be_visible()

    stopped = asyncio.Event()

    async def wait(route: Route) -> None:
        """Keep the browser waiting; the service never gets this request."""
        await stopped.wait()
        await route.abort()

    await page.route("**/import/games/*", wait)
    await page.get_by_role("button", name="Importer ce qui est coché").click()
    await expect(page.get_by_role("progressbar")).to_be_visible()
    await page.get_by_role("button", name="Arrêter").click()
    await expect(page.get_by_role("status").last).to_contain_text("Import arrêté.")
    stopped.set()
    await page.unroute_all(behavior="wait")
    await page.get_by_role("button", name="Réessayer").click()
    await expect(page.get_by_text("2 parties ont été importées.")).to_be_visible()


async def test_a_backup_shows_its_progress(phone: Phone) -> None:
    page = await (await phone()).new_page()
    await page.goto("/backup")
    async with page.expect_download() as download:
        await page.get_by_role("button", name="Download everything").click()
    assert re.fullmatch(r"carnet-[\d-]+\.jsonl", (await download.value).suggested_filename)
    await expect(page.get_by_role("status").last).to_have_text("The file is ready.")
