import gzip
import re
from collections.abc import Iterable, Mapping

import httpx
import pytest
from playwright.async_api import Response

from schemas.catalogue import SHAPES
from service.web.format.static_files import static_files
from tests.browser.conftest import Phone
from tests.http.club import DEAL, Game

FIRST_LOAD_BYTES_MAX = 50_000
# The aim is 15,000: the number pad, the memory for taps, and loading what failed to load took more.
SCRIPT_BYTES_MAX = 16_300
# Combinations are built by tapping; rounds of numbers are typed at once.
SCRIPT_BYTES_MAX_OF = {"rami": 18_400, "scores": 18_700}
# Playwright's names of resource types.
LOADED = {"document", "script", "stylesheet", "image", "font", "manifest"}
# Scripts of every page (`base.html`).
EVERYWHERE = {"menu.js", "zone.js"}


async def test_first_load_of_the_recorder_is_light(phone: Phone, game: Game) -> None:
    await game.record(*DEAL)
    page = await (await phone()).new_page()
    seen: list[Response] = []

    def remember(response: Response) -> None:
        seen.append(response)

    page.on("response", remember)
    await page.goto(f"/games/{game.id}")
    await page.wait_for_selector("html[data-ready]", state="attached")
    weights = await weighed(seen)
    assert sum(weights.values()) <= FIRST_LOAD_BYTES_MAX, weights


async def weighed(seen: Iterable[Response]) -> dict[str, int]:
    """Return the transferred bytes of each file of a page.

    Files that scripts fetch later do not count.
    """
    made_of = {one.url: one.request for one in seen if one.request.resource_type in LOADED}
    weights: dict[str, int] = {}
    for url, request in made_of.items():
        sizes = await request.sizes()
        weights[url] = sizes["responseBodySize"] + sizes["responseHeadersSize"]
    return weights


@pytest.mark.parametrize("ruleset", SHAPES)
def test_scripts_of_a_recorder_are_small(ruleset: str) -> None:
    content = static_files().content
    wanted = [name for name in EVERYWHERE | {"recorder.js", f"{ruleset}.js"} if name in content]
    scripts = _with_imports(content, wanted)
    weight = sum(len(gzip.compress(content[name])) for name in scripts)
    assert weight <= SCRIPT_BYTES_MAX_OF.get(ruleset, SCRIPT_BYTES_MAX), sorted(scripts)


def _with_imports(content: Mapping[str, bytes], names: Iterable[str]) -> set[str]:
    found: set[str] = set()
    open_ends = list(names)
    while open_ends:
        name = open_ends.pop()
        if name not in found:
            found.add(name)
            open_ends += re.findall(
                r"^import [^;]*?'\./([\w.-]+)'", content[name].decode(), re.MULTILINE
            )
    return found


async def test_static_files_are_asked_for_once(http: httpx.AsyncClient, phone: Phone) -> None:
    page = await (await phone()).new_page()
    await page.goto("/")
    address = await page.locator("link[rel=stylesheet]").first.get_attribute("href")
    answer = await http.get(str(address))
    assert "immutable" in answer.headers["cache-control"]
    assert answer.headers["content-encoding"] == "gzip"
    assert answer.headers["content-type"] == "text/css; charset=utf-8"


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
