"""Long work of the pages: with events of its progress, or in one answer."""

import asyncio
import re
from uuid import uuid4

import httpx
import pytest

from service.transfer.game_imports import GAMES_AT_ONCE
from service.transfer.import_filters import GAMES_MIN
from tests.http.club import MADE_RESULT, Game
from tests.http.test_exporting import events
from tests.http.test_import_several import HTML, Files, games_of, record, send

_EVENTS = {"Accept": "text/event-stream"}


@pytest.fixture
def ann() -> str:
    return f"Ann {uuid4()}"


def table(ann: str, games: int) -> bytes:
    rows = (f"2019-05-{1 + at % 28:02};{at};{games - at}" for at in range(games))
    return "\n".join([f"Day;{ann};Bob {ann}", *rows]).encode()


async def told(http: httpx.AsyncClient, path: str, **form: object) -> list[str]:
    """Return the events of a form that was sent: the games done, then the address."""
    answer = await http.post(path, data=form, headers=_EVENTS)
    assert answer.headers["Content-Type"].startswith("text/event-stream"), answer.text
    return re.findall(r'"(?:done":\d+,"of":\d+|address":".+)(?=})', answer.text)


async def test_an_import_of_several_games_tells_how_far_it_is(
    http: httpx.AsyncClient, ann: str
) -> None:
    files: Files = [(f"{at}.carnet", record(ann, f"Bob {ann}", at)) for at in (3, 4)]
    page = await send(http, files)
    *steps, ready = await told(http, page.url.path, keep=["0", "1"])
    assert steps == ['"done":1,"of":2', '"done":2,"of":2']
    after = await http.get(ready.split('"')[3], headers=HTML)
    assert "2 games were imported." in after.text


async def test_a_table_of_scores_tells_how_far_it_is(http: httpx.AsyncClient, ann: str) -> None:
    sent = {"file": ("book.csv", table(ann, 3))}
    answer = await http.post("/import/scores", files=sent, headers=HTML)
    *steps, ready = await told(http, answer.headers["Location"], ruleset="rami")
    assert steps[-1] == '"done":3,"of":3'
    after = await http.get(ready.split('"')[3], headers=HTML)
    assert "3 games were imported." in after.text


async def test_an_import_whose_reader_leaves_ends_early_and_is_completed_later(
    http: httpx.AsyncClient, ann: str
) -> None:
    games = 8 * GAMES_AT_ONCE
    sent = {"file": ("book.csv", table(ann, games))}
    answer = await http.post("/import/scores", files=sent, headers=HTML)
    path = answer.headers["Location"]
    form = {"ruleset": "rami"}
    async with http.stream("POST", path, data=form, headers=_EVENTS) as stream:
        async for line in stream.aiter_lines():
            if line.startswith("data:"):
                break
    before, now = -1, await count(http, ann)
    while before != now:
        await asyncio.sleep(1)
        before, now = now, await count(http, ann)
    assert GAMES_AT_ONCE <= now < games
    await told(http, path, ruleset="rami")
    assert await count(http, ann) == games


async def count(http: httpx.AsyncClient, name: str) -> int:
    people = (await http.get("/api/players")).json()["players"]
    (player,) = [one["id"] for one in people if one["name"] == name]
    page = await http.get("/history", params={"player": player}, headers=HTML)
    found = re.search(r"(\d+) games", page.text)
    assert found
    return int(found[1])


async def test_a_backup_tells_how_far_it_is_and_is_the_same_file(game: Game) -> None:
    await game.record(MADE_RESULT)
    found = await events(game.http, "/backup/carnet-export.jsonl")
    assert found[-2][1]["done"] == found[-2][1]["of"]
    kept = await game.http.get(found[-1][1]["address"])
    plain = await game.http.get("/backup/carnet-export.jsonl")
    assert kept.content == plain.content
    assert int(kept.headers["Content-Length"]) == len(kept.content)


async def test_a_backup_that_is_restored_tells_how_far_it_is(game: Game) -> None:
    await game.record(MADE_RESULT)
    export = (await game.http.get("/backup/carnet-export.jsonl")).content
    page = await send(game.http, [("everything.jsonl", export)])
    assert re.search(r"<dt>Euchre</dt><dd class=\"number\">\d+</dd>", page.text)
    assert "Played between" in page.text
    assert all(one["name"] in page.text for one in (await game.view())["players"])
    *steps, ready = await told(game.http, page.url.path)
    done, of = re.findall(r"\d+", steps[-1])
    assert done == of
    after = await game.http.get(ready.split('"')[3], headers=HTML)
    assert re.search(rf"{done} (?:was|were) here already", after.text)


async def test_games_of_an_upload_are_chosen_by_player_and_day(
    http: httpx.AsyncClient, ann: str
) -> None:
    def dated(other: str, day: int) -> bytes:
        return f"[Date 2020-01-{day:02}]\n".encode() + record(ann, other)

    files: Files = [(f"{at}.carnet", dated(f"Bob {ann}", at + 1)) for at in range(GAMES_MIN)]
    files.append(("zoe.carnet", dated(f"Zoé {ann}", 3)))
    page = await send(http, files)
    assert page.text.count('name="keep"') == GAMES_MIN + 1

    asked = {"player": f"Zoé {ann}"}
    by_player = await http.get(page.url.path, params=asked, headers=HTML)
    assert by_player.text.count('name="keep"') == 1
    asked = {"from": "2020-01-02", "to": "2020-01-03"}
    by_day = await http.get(page.url.path, params=asked, headers=HTML)
    ticked = re.findall(r'name="keep" value="(\d+)" checked', by_day.text)
    assert ticked == ["1", "2", str(GAMES_MIN)]
    none = await http.get(page.url.path, params={**asked, "ticked": "none"}, headers=HTML)
    assert none.text.count('name="keep"') == len(ticked)
    assert " checked" not in none.text.replace("checked=", "")

    await http.post(page.url.path, data={"keep": ticked}, headers=HTML)
    assert len(await games_of(http, ann)) == len(ticked)


async def test_games_of_a_table_are_chosen_by_day(http: httpx.AsyncClient, ann: str) -> None:
    sent = {"file": ("book.csv", table(ann, GAMES_MIN))}
    path = (await http.post("/import/scores", files=sent, headers=HTML)).headers["Location"]
    asked = {"ruleset": "rami", "look": "", "from": "2019-05-02", "to": "2019-05-04"}
    page = await http.get(path, params=asked, headers=HTML)
    assert "Import 3 games" in page.text
    form = page.text[page.text.rindex("<form") :]
    kept = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form))
    await http.post(path, data=kept, headers=HTML)
    assert len(await games_of(http, ann)) == 3
