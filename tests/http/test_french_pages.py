import json
import re
from pathlib import Path

import httpx
import pytest

from schemas.catalogue import SHAPES
from tests.http.club import Game, add_player
from tests.web.tags import TagReader

FRENCH = {"Accept-Language": "fr"}
SPOKEN = ("aria-label", "title", "placeholder", "data-heading", "data-help", "data-last")
NOT_FRENCH = ("script", "style", "pre", "code", "svg")
NARROW = "\u202f"
# A sign directly after a letter or a common space; a colon only before a space or the end.
WRONG = re.compile(
    rf"[ \u00a0][;:?!](?:\s|$)|[^\s{NARROW}\d;:?!.…][;?!](?:\s|$)|[^\s{NARROW}\d:]:(?:\s|$)"
    rf"|«[^{NARROW}]|[^{NARROW}]»"
)
CLUB = (
    *("/", "/games/new", "/players", "/standings", "/history", "/settings", "/import"),
    *("/notation", "/login"),
)
OWN = ("?by=result", "/log", "/log?q=é", "/log?q=rien", "/sheet", "/at/3", "/more", "/share")
RECORDS = Path(__file__).parents[1] / "games"


class Spoken(TagReader):
    """Collects the texts of a page, with attributes that are shown or read out."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self._mute: list[str] = []

    def handle_starttag(self, tag: str, given: dict[str, str]) -> None:
        if self._mute or tag in NOT_FRENCH or given.get("lang") == "en":
            if tag not in {"input", "use", "br", "path", "link", "meta", "img"}:
                self._mute.append(tag)
            return
        self.said += [given[name] for name in SPOKEN if name in given]
        words = given.get("data-words") or given.get("data-builder")
        if words:
            self.said += [one for one in json.loads(words).values() if isinstance(one, str)]

    def handle_endtag(self, tag: str) -> None:
        if self._mute and self._mute[-1] == tag:
            self._mute.pop()

    def handle_data(self, data: str) -> None:
        if not self._mute:
            self.said.append(" ".join(data.split(" ")).strip("\n "))


async def find_misprints(http: httpx.AsyncClient, path: str) -> list[str]:
    answer = await http.get(path, headers=FRENCH, follow_redirects=True)
    assert answer.status_code == 200, (path, answer.text)
    page = Spoken()
    page.feed(answer.text)
    assert page.said
    return [f"{path}: {said}" for said in page.said if WRONG.search(said)]


@pytest.mark.parametrize("ruleset", SHAPES)
async def test_pages_of_a_game_are_printed_as_french_is(
    http: httpx.AsyncClient, ruleset: str
) -> None:
    lines = (RECORDS / ruleset / "true.jsonl").read_text("utf-8").splitlines()
    record = min((json.loads(line) for line in lines), key=lambda one: abs(len(one["log"]) - 30))
    people = [await add_player(http, f"É{seat}") for seat in range(record["seats"])]
    body = {"ruleset": ruleset, "options": record["options"], "players": people}
    started = await http.post("/api/games", json=body)
    assert started.status_code == 201, started.text
    game = Game(http, started.json())
    found: list[str] = []
    for entry in record["log"]:
        await game.record(entry)
        found += await find_misprints(http, f"/games/{game.id}")
    last = (await game.get("/entries", effective="true"))["entries"][-1]["version"]
    own = (
        "?by=result",
        "/log",
        "/log?q=é",
        "/log?q=rien",
        "/sheet",
        f"/at/{last}",
        "/more",
        "/share",
    )
    for path in own:
        found += await find_misprints(http, f"/games/{game.id}{path}")
    found += await find_misprints(http, f"/rules/{ruleset}")
    found += await find_misprints(http, f"/games/new?ruleset={ruleset}")
    assert sorted({*found}) == []


@pytest.mark.parametrize("path", CLUB)
async def test_pages_of_the_club_are_printed_as_french_is(game: Game, path: str) -> None:
    assert await find_misprints(game.http, path) == []
