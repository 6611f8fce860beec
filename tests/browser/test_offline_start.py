import re
from datetime import UTC, datetime, timedelta

import httpx
import pytest
from playwright.async_api import Page, expect

from tests.browser.conftest import Phone, ServiceWorkers
from tests.browser.line import lose_line
from tests.browser.table import Table
from tests.browser.test_an_hour_away import CONTROLLED
from tests.http.club import Game

GAMES = "/api/games"
LATE_MS = 6000
# Measured when the game is started, the server's clock is two seconds ahead of what it is later.
HASTY_CLOCK = """
const load = window.fetch;
window.fetch = async (...asked) => {
  const answer = await load(...asked);
  const starts = document.querySelector('main[data-start]');
  if (!starts || !String(asked[0]).endsWith('/healthz')) return answer;
  const headers = new Headers(answer.headers);
  headers.set('Date', new Date(Date.now() + 2000).toUTCString());
  return new Response(null, { status: answer.status, headers });
};
"""


@pytest.fixture
def service_workers() -> ServiceWorkers:
    return "allow"


async def open_page(phone: Phone, language: str = "en") -> Page:
    page = await (await phone(language=language)).new_page()
    page.on("dialog", lambda dialog: dialog.accept())
    await page.goto("/")
    await expect(page.locator("html")).to_have_attribute("data-kept", "")
    await page.evaluate(CONTROLLED)
    return page


async def started_offline(page: Page, ruleset: str, *names: str) -> str:
    await lose_line(page.context)
    await page.goto("/games/new")
    await page.locator(f'button[name="choose"][value="{ruleset}"]').click()
    await page.wait_for_url(f"**/games/new?ruleset={ruleset}")
    for at, name in enumerate(names):
        await page.locator(f'[name="name.{at}"]').fill(name)
    await page.locator("button.first.big").click()
    await page.wait_for_url(re.compile(r"/games/[0-9a-f-]{36}$"))
    return page.url.rpartition("/")[2]


async def test_game_started_without_a_network_arrives_once_with_its_first_deal(
    phone: Phone, http: httpx.AsyncClient
) -> None:
    page = await open_page(phone)
    await page.add_init_script(HASTY_CLOCK)
    before = len((await http.get(GAMES)).json()["games"])
    # The phone corrects its clock by a header that is cut to the second, and by half of the time
    # that the answer took, which is seconds on a busy machine.
    before_start = datetime.now(UTC) - timedelta(seconds=10)
    table = Table(page, await started_offline(page, "euchre", "Off & On", 'Li "Line"'))
    await expect(page.locator(".offline-note")).to_be_visible()
    await table.offline_key("QH").click()
    await page.locator("dialog button").first.click()  # the dealer
    await page.locator(".offline-pad button[value*='\"order\"']:visible").first.click()
    await expect(page.locator("[data-pending] li")).to_have_count(2)
    await page.goto("/")
    await page.locator("[data-unsent] a").click()
    await expect(page.locator("[data-pending] li")).to_have_count(2)
    # Entries that arrive within three seconds have the time of their arrival, by that clock too.
    await page.wait_for_timeout(LATE_MS)
    await page.context.set_offline(offline=False)
    await expect(page.locator("main")).not_to_have_attribute("data-start", "")
    await expect(page.locator('.board[data-version="3"]')).to_be_attached()
    await expect(page.locator("[data-pending] li")).to_have_count(0)
    games = (await http.get(GAMES)).json()["games"]
    assert len(games) == before + 1
    assert [one["name"] for one in games[0]["players"]] == ["Off & On", 'Li "Line"']
    log = await Game(http, games[0]).log()
    assert [line["type"] for line in log] == ["started", "deal", "order"]
    began, *taps = [datetime.fromisoformat(line["entry"]["at"]) for line in log]
    assert before_start <= began <= min(taps)
    assert taps == sorted(taps)
    assert games[0]["times"] == "recorded"
    await page.goto("/")
    await expect(page.locator("[data-unsent]")).to_be_hidden()


@pytest.mark.parametrize(
    ("language", "title", "unsent"),
    [
        ("en", "No connection", "New game"),
        ("fr", "Pas de connexion", "Nouvelle partie"),
        ("de", "Keine Verbindung", "Neue Partie"),
    ],
)
async def test_pages_answer_without_a_network(
    phone: Phone, game: Game, language: str, title: str, unsent: str
) -> None:
    page = await open_page(phone, language)
    await page.goto(f"/games/{game.id}/sheet")
    heading = await page.locator("h1").inner_text()
    await lose_line(page.context)
    await page.reload()
    await expect(page.locator("h1")).to_have_text(heading)
    await expect(page.locator("[data-as-seen]")).to_be_visible()
    await page.goto("/settings")
    await expect(page.locator("h1")).to_have_text(title)
    await expect(page.get_by_role("link", name=unsent).last).to_be_visible()
    await expect(page.locator(f'[data-seen] a[href="/games/{game.id}/sheet"]')).to_be_visible()


async def test_refused_start_is_put_right_without_losing_what_was_recorded(
    phone: Phone, http: httpx.AsyncClient
) -> None:
    page = await open_page(phone)
    table = Table(page, await started_offline(page, "euchre", "Twin", "Twin"))
    await table.offline_key("QH").click()
    await page.locator("dialog button").first.click()  # the dealer
    await page.context.set_offline(offline=False)
    await page.wait_for_url("**/games/new?**")
    await page.locator('[name="name.1"]').fill("Other twin")
    await page.locator("button.first.big").click()
    await expect(page.locator('.board[data-version="2"]')).to_be_attached()
    assert page.url.rpartition("/")[2].startswith(table.game_id)
    log = (await http.get(f"{GAMES}/{table.game_id}/entries")).json()
    assert log["entries"][-1]["type"] == "deal"
