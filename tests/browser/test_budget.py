"""What the recorder weighs, and what its pages promise a browser."""

import gzip

import httpx
from playwright.async_api import Response

from service.web.format.static_files import static_files
from tests.browser.conftest import Phone
from tests.http.club import DEAL, Game

FIRST_LOAD_BYTES_MAX = 50_000
SCRIPT_BYTES_MAX = 15_000


async def test_first_load_of_the_recorder_is_light(phone: Phone, game: Game) -> None:
    await game.record(*DEAL)
    page = await (await phone()).new_page()
    seen: list[Response] = []

    def remember(response: Response) -> None:
        seen.append(response)

    page.on("response", remember)
    await page.goto(f"/games/{game.id}")
    await page.wait_for_selector("html[data-ready]", state="attached")
    weights: dict[str, int] = {}
    for response in seen:
        if "/live" not in response.url:
            sizes = await response.request.sizes()
            weights[response.url] = sizes["responseBodySize"] + sizes["responseHeadersSize"]
    assert sum(weights.values()) <= FIRST_LOAD_BYTES_MAX, weights


def test_all_scripts_together_are_small() -> None:
    scripts = b"".join(
        content for name, content in static_files().content.items() if name.endswith(".js")
    )
    assert len(gzip.compress(scripts)) <= SCRIPT_BYTES_MAX


async def test_static_files_are_asked_for_once(http: httpx.AsyncClient, phone: Phone) -> None:
    page = await (await phone()).new_page()
    await page.goto("/")
    address = await page.locator("link[rel=stylesheet]").first.get_attribute("href")
    answer = await http.get(str(address))
    assert "immutable" in answer.headers["cache-control"]
    assert answer.headers["content-encoding"] == "gzip"


async def test_pages_allow_nothing_but_their_own(http: httpx.AsyncClient) -> None:
    answer = await http.get("/settings")
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"


async def test_form_of_another_site_is_refused(phone: Phone, game: Game) -> None:
    context = await phone()
    answer = await context.request.post(
        f"/games/{game.id}/entries",
        headers={"Origin": "https://elsewhere.example", "Sec-Fetch-Site": "cross-site"},
        form={"entry": '{"type":"note","text":"x"}'},
    )
    assert answer.status == 403
