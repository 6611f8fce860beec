import re
from html import unescape
from uuid import uuid4

import httpx
import pytest

from tests.http.club import Game, Json

_FIELD = re.compile(r'<input (?:type="hidden" )?name="(\w+)"\s+value="([^"]*)"')
_NEW = "/games/new"


@pytest.fixture
def word() -> str:
    return f"w{uuid4().hex}"


def fields(page: httpx.Response) -> dict[str, str]:
    assert page.status_code == 200, page.text
    return {name: unescape(value) for name, value in _FIELD.findall(page.text)}


async def begin(http: httpx.AsyncClient, word: str, **said: str) -> dict[str, str]:
    form = fields(await http.get(_NEW, params={"ruleset": "euchre"}))
    return {**form, "name.0": f"Ann {word}", "name.1": f"Bob {word}", **said}


async def description(http: httpx.AsyncClient, started: httpx.Response) -> object:
    assert started.status_code == 303, started.text
    address = started.headers["Location"].partition("?")[0]
    return (await http.get(f"/api{address}/description")).json()


async def people(http: httpx.AsyncClient, word: str) -> int:
    known = (await http.get("/api/players")).json()["players"]
    return sum(word in (one["name"] or "") for one in known)


async def test_a_game_is_described_where_it_is_started(http: httpx.AsyncClient, word: str) -> None:
    form = await begin(http, word, place=f" At the lake  {word}", tags=f"Noël, , {word},noël")
    said = {"place": f"At the lake {word}", "tags": ["Noël", word]}
    assert await description(http, await http.post(_NEW, data=form)) == said
    page = unescape((await http.get(_NEW)).text)
    assert f'<option value="At the lake {word}">' in page


async def test_a_game_of_which_nothing_is_said_starts_all_the_same(
    http: httpx.AsyncClient, word: str
) -> None:
    form = await begin(http, word, place="", tags=" , ")
    nothing: Json = {"place": "", "tags": []}
    assert await description(http, await http.post(_NEW, data=form)) == nothing
    without = await begin(http, f"{word}x")
    del without["place"], without["tags"]
    assert await description(http, await http.post(_NEW, data=without)) == nothing


@pytest.mark.parametrize(
    ("lang", "place", "tags", "told"),
    [
        ("en", 61 * "x", "Noël", "A location has 60 characters at most."),
        ("fr", "Ici", 41 * "x", "Une partie a dix mots-clés au plus, de 40 caractères chacun."),
        ("de", "Hier", ",".join(map(str, range(11))), "Eine Partie hat höchstens zehn Stichwörter"),
    ],
)
async def test_what_cannot_be_said_is_asked_again_and_nothing_is_started(
    http: httpx.AsyncClient, word: str, lang: str, place: str, tags: str, told: str
) -> None:
    form = await begin(http, word, place=place, tags=tags)
    sent = await http.post(_NEW, data=form)
    assert sent.headers["Location"].startswith(f"{_NEW}?")
    page = await http.get(sent.headers["Location"], headers={"Accept-Language": lang})
    assert told in unescape(page.text)
    wrong = "place" if "x" in place else "tags"
    assert re.findall(r'name="(\w+)"[^>]* aria-invalid="true"', page.text) == [wrong]
    shown = fields(page)
    assert (shown["place"], shown["tags"]) == (place, tags)
    assert await people(http, word) == 0


async def test_it_outlives_another_refusal_and_another_choice_of_game(
    http: httpx.AsyncClient, word: str
) -> None:
    form = await begin(http, word, place=f"Lake {word}", tags="a, b")
    for change in ({"name.1": ""}, {"choose": "rami"}):
        sent = await http.post(_NEW, data=form | change)
        shown = fields(await http.get(sent.headers["Location"]))
        assert (shown["place"], shown["tags"]) == (f"Lake {word}", "a, b")


async def test_a_form_sent_twice_leaves_what_was_said_meanwhile(
    http: httpx.AsyncClient, word: str
) -> None:
    form = await begin(http, word, place=f"Lake {word}")
    started = await http.post(_NEW, data=form)
    address = started.headers["Location"].partition("?")[0]
    put = await http.put(f"/api{address}/description", json={"place": f"Home {word}"})
    assert put.status_code == 200
    # Whoever was new the first time is known now, and the game is the same.
    again = await http.post(_NEW, data=form)
    assert again.headers["Location"] == started.headers["Location"]
    said: Json = {"place": f"Home {word}", "tags": []}
    assert await description(http, again) == said


@pytest.mark.parametrize("asked", ["instead", "after"])
async def test_a_game_like_another_begins_with_what_is_said_of_it(
    game: Game, word: str, asked: str
) -> None:
    body = {"place": f"Lake {word}", "tags": ["Noël", "by night"]}
    await game.http.put(f"{game.path}/description", json=body)
    page = await game.http.get(_NEW, params={asked: game.id})
    shown = fields(page)
    assert (shown["place"], shown["tags"]) == (body["place"], "Noël, by night")
    players = [player["id"] for player in (await game.view())["players"]]
    seats = {f"number.{player}": str(seat) for seat, player in enumerate(players, 1)}
    started = await game.http.post(_NEW, data={**shown, "player": players, **seats})
    assert await description(game.http, started) == body
