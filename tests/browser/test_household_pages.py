import re

import pytest

from tests.browser.accessibility import LANGUAGES, UNFOLD, faults
from tests.browser.conftest import Phone
from tests.http.club import Game

TOKEN = re.compile(r"login\?key=([^\"]+)\"")


@pytest.mark.parametrize("language", LANGUAGES)
async def test_every_page_is_accessible_and_scrolls_nowhere_sideways(
    phone: Phone, game: Game, language: str
) -> None:
    page = await (await phone(language=language)).new_page()
    forms: dict[str, dict[str, str | float | bool]] = {
        "/people": {"name": f"Zoé-Friederike {language}", "role": "scorer"},
        "/programs/tokens": {"name": "Scores", "role": "reader", "games": game.id},
        "/seasons": {"name": "2026", "first": "2026-01-01", "last": "2026-12-31"},
        f"/games/{game.id}/share": {"role": "viewer", "name": "Grandma’s tablet"},
    }
    found: dict[str, list[object]] = {}
    token: re.Match[str] | None = None
    for address, fields in forms.items():
        answer = await page.request.post(address, form=fields, max_redirects=0)
        assert (answer.status, "wrong" in answer.headers["location"]) == (303, False)
    for address in ("/people", "/programs", "/standings", f"/games/{game.id}/share"):
        await page.goto(address)
        if address == "/people":
            token = TOKEN.search(await page.content())
        await page.evaluate(UNFOLD, "main details")
        found[address] = await faults(page)
    assert token
    guest = await (await phone(key=None, language=language)).new_page()
    await guest.goto(f"/join?key={token[1]}")
    found["/join"] = await faults(guest)
    assert {where: wrong for where, wrong in found.items() if wrong} == {}
