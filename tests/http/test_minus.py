import re

import httpx
import pytest
from msgspec import json

from tests.http.club import SHORT_KEEPALIVE, Game, Json, add_player
from tests.service_process import PLAIN_TLS
from tests.web.tags import TagReader

HYPHEN = re.compile(r"(?<![\w–-])-\d")
BELOW: list[Json] = [
    {"type": "adjust", "seat": 0, "points": -25, "reason": "a card fell"},
    {"type": "adjust", "seat": 1, "points": -7, "reason": ""},
]
DEALS: dict[str, Json] = {
    "euchre": {"type": "result", "maker": 1, "tricks": 2, "dealer": 0},
    "durak": {"type": "result", "places": [[0], [1]], "durak": 1, "dealer": 0},
    "dutch": {"type": "result", "caller": 0, "counter": None, "totals": [3, 9], "dealer": 0},
    "rami": {"type": "result", "winner": 0, "hands": [None, {"opened": True, "points": 30}]},
}


class Seen(TagReader):
    """Collects the texts of a page, as shown and as read out."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self._inside = ""

    def handle_starttag(self, tag: str, given: dict[str, str]) -> None:
        self._inside = tag
        said = ("aria-label", "title", "alt", "data-last", "aria-description")
        self.told += [value for name, value in given.items() if name in said and value]

    def handle_endtag(self, tag: str) -> None:
        if tag in {"script", "style"}:
            self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside not in {"script", "style"}:
            self.told.append(data)


def hyphens(page: str) -> list[str]:
    seen = Seen()
    seen.feed(page)
    return [text.strip() for text in seen.told if HYPHEN.search(text)]


async def below_zero(http: httpx.AsyncClient, ruleset: str) -> tuple[Game, list[str]]:
    players = [await add_player(http, name) for name in ("Ann", "Bob")]
    options = {"rules": "fr"} if ruleset == "durak" else {}
    body = {"ruleset": ruleset, "options": options, "players": players}
    answer = await http.post("/api/games", json=body)
    assert answer.status_code == 201, answer.text
    game = Game(http, answer.json())
    await game.record(DEALS[ruleset], *BELOW)
    return game, players


@pytest.mark.parametrize("ruleset", DEALS)
async def test_pages_write_points_below_zero_with_a_minus(
    http: httpx.AsyncClient, ruleset: str
) -> None:
    game, players = await below_zero(http, ruleset)
    one = f"/games/{game.id}"
    addresses = [
        *(f"{one}{page}" for page in ("", "?by=result", "/sheet", "/log", "/replay", "/screen")),
        *(f"{one}/at/{version}" for version in range(1, game.version + 1)),
        *(f"{one}/correct/{version}" for version in (2, 4, 5)),
        f"{one}/more",
        *(f"/players/{player}" for player in players),
        *("/", "/history", "/players", "/standings", "/screen"),
    ]
    found: dict[str, list[str]] = {}
    minus = 0
    for at_end in (False, True):
        if at_end:
            await game.record({"type": "finish", "reason": "late"})
        for address in addresses:
            answer = await http.get(address, follow_redirects=True)
            assert answer.status_code == 200, (address, answer.status_code)
            found[f"{address} {at_end}"] = hyphens(answer.text)
            minus += "−" in answer.text
    assert {address: texts for address, texts in found.items() if texts} == {}
    assert minus


async def test_what_a_correction_would_change_is_told_with_a_minus(http: httpx.AsyncClient) -> None:
    game, _ = await below_zero(http, "dutch")
    entry = json.encode({**DEALS["dutch"], "totals": [3, 12]}).decode()
    fields = {"target": "2", "version": str(game.version), "by": "result", "entry": entry}
    async with httpx.AsyncClient(
        base_url=http.base_url,
        headers=http.headers,
        timeout=120,
        limits=SHORT_KEEPALIVE,
        verify=PLAIN_TLS,
    ) as browser:
        answer = await browser.post(f"/games/{game.id}/preview", data=fields, follow_redirects=True)
    assert answer.status_code == 200, answer.text
    assert hyphens(answer.text) == []
    assert "−" in answer.text


async def test_files_for_machines_write_a_hyphen(http: httpx.AsyncClient) -> None:
    game, _ = await below_zero(http, "dutch")
    for file in ("sheet.csv", "record.json"):
        text = (await http.get(f"/games/{game.id}/{file}")).text
        assert "−" not in text, file
        assert "-25" in text, file
