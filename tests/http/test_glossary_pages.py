import json
import re
from io import BytesIO
from pathlib import Path
from typing import NamedTuple
from zipfile import ZipFile

import httpx
import pytest

from schemas.catalogue import SHAPES
from service.language.glossary import glossary
from service.language.sentence import LANGUAGES
from tests.http.club import Game, add_player
from tests.http.test_french_pages import Spoken
from tests.http.test_round_trips import PAGES, PLAYED
from tests.service.export.pages import pages as pages_of

RECORDS = Path(__file__).parents[1] / "games"
# Pages that need an uploaded file, and public pages.
ELSEWHERE = ("/import/", "/shared/", "/preview", "/erase/")
OF_A_GAME = [
    address
    for path, address in PAGES.items()
    if address.startswith(PLAYED) and not any(one in path for one in ELSEWHERE)
]
OF_THE_CLUB = [
    address
    for path, address in PAGES.items()
    if "{" not in address and "rules" not in path and not any(one in path for one in ELSEWHERE)
]
# Texts that introduce other names of a game.
OTHER_NAMES = ("Aussi appelé", "se joue aussi sous", "Auch ", "heißt auch", "Also ", "also called")
FILES = ("sheet.csv", "sheet.xlsx", "sheet.pdf")


class Said(Spoken):
    def __init__(self, lang: str) -> None:
        super().__init__()
        self._lang = lang

    def handle_starttag(self, tag: str, given: dict[str, str]) -> None:
        other = {name: said for name, said in given.items() if (name, said) != ("lang", self._lang)}
        super().handle_starttag(tag, other)


class Played(NamedTuple):
    game: Game
    ruleset: str
    player: str
    first: int
    last: int


@pytest.fixture(scope="module", params=list(SHAPES))
async def played(request: pytest.FixtureRequest, http: httpx.AsyncClient) -> Played:
    ruleset: str = request.param
    lines = (RECORDS / ruleset / "true.jsonl").read_text("utf-8").splitlines()
    record = min((json.loads(line) for line in lines), key=lambda one: abs(len(one["log"]) - 60))
    people = [await add_player(http, f"É{seat}") for seat in range(record["seats"])]
    body = {"ruleset": ruleset, "options": record["options"], "players": people}
    game = Game(http, (await http.post("/api/games", json=body)).json())
    await game.record(*record["log"])
    other = Game(http, (await http.post("/api/games", json=body)).json())
    await other.record({"type": "set_aside", "reason": "x"})
    standing = (await game.get("/entries", effective="true"))["entries"]
    return Played(game, ruleset, people[0], standing[1]["version"], standing[-1]["version"])


def reject(lang: str, said: list[str], game: str = "") -> list[str]:
    """Return the words of a page that the glossary rejects, in general or for a game.

    French pages use `donne` and `mène` in other senses, so a game's own words are checked in its
    clauses only (`tests/service/test_glossary.py`).
    """
    found: list[str] = []
    game = "" if lang == "fr" else game
    named = [one for one in said if not any(told in one for told in OTHER_NAMES)]
    for whose, _, term in glossary().of(lang):
        for word in term.never if not term.own or whose == game else ():
            whole = re.compile(rf"(?<![\w./-]){re.escape(word)}(?![\w/]|\.\w)", re.IGNORECASE)
            found += [f"{word}: {one}" for one in named if whole.search(one)]
    return found


async def page(http: httpx.AsyncClient, path: str, lang: str) -> list[str]:
    answer = await http.get(path, headers={"Accept-Language": lang}, follow_redirects=True)
    assert answer.status_code == 200, (path, answer.text)
    spoken = Said(lang)
    # The blank pages for games without a network come as JSON.
    pages = answer.json().values() if "json" in answer.headers["content-type"] else [answer.text]
    for html in pages:
        spoken.feed(html)
    said = [one for one in spoken.said if one.strip()]
    assert said, path
    return said


def write(name: str, content: bytes) -> list[str]:
    if name.endswith("csv"):
        return content.decode().splitlines()
    if name.endswith("pdf"):
        return [one.text for one in pages_of(content)]
    with ZipFile(BytesIO(content)) as book:
        parts = [book.read(part).decode() for part in book.namelist() if part.endswith(".xml")]
    # Entries are shown as recorded, too.
    return [said for part in parts for said in re.findall(r">([^<>{]+)<", part)]


@pytest.mark.parametrize("lang", LANGUAGES)
async def test_pages_and_files_of_a_game_use_no_word_that_the_glossary_rejects(
    played: Played, lang: str
) -> None:
    http, found = played.game.http, list[str]()
    paths = [
        address.format(game=played.game.id)
        .replace("/at/2", f"/at/{played.last}")
        .replace("/correct/3", f"/correct/{played.first}")
        for address in OF_A_GAME
    ]
    paths += [f"/games/{played.game.id}?by=result", f"/rules/{played.ruleset}"]
    paths += [f"/games/new?ruleset={played.ruleset}", f"/players/{played.player}"]
    for path in paths:
        said = await page(http, path, lang)
        found += [f"{path}: {one}" for one in reject(lang, said, played.ruleset)]
    for name in FILES:
        answer = await http.get(f"{played.game.path}/{name}", headers={"Accept-Language": lang})
        assert answer.status_code == 200, (name, answer.text)
        types = {entry["type"] for entry in await played.game.log()}
        said = [one for one in write(name, answer.content) if one not in types]
        assert said
        found += [f"{name}: {one}" for one in reject(lang, said, played.ruleset)]
    assert found == []


@pytest.mark.parametrize("lang", LANGUAGES)
async def test_pages_of_the_club_use_no_word_that_the_glossary_rejects(
    game: Game, lang: str
) -> None:
    found: list[str] = []
    for path in OF_THE_CLUB:
        found += [f"{path}: {one}" for one in reject(lang, await page(game.http, path, lang))]
    assert found == []
