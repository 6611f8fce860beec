"""Long work of the pages: with events of its progress, or in one answer."""

import asyncio
import re
from pathlib import Path
from uuid import uuid4

import httpx
import pytest

from service.transfer.game_imports import GAMES_AT_ONCE
from service.transfer.import_filters import GAMES_MIN
from tests.extensions.score_books.test_pages import brought
from tests.extensions.witness.test_signed_heads import included
from tests.http.club import MADE_RESULT, Game, client_with_key
from tests.http.test_exporting import events
from tests.http.test_import_games import HTML, Files, games_of, record, send
from tests.postgres import Cluster
from tests.service_process import KEY, ServiceProcess

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
    assert steps[-1] == '"done":2,"of":2'
    after = await http.get(ready.split('"')[3], headers=HTML)
    assert "2 games were imported." in after.text


async def test_a_table_of_scores_tells_how_far_it_is(http: httpx.AsyncClient, ann: str) -> None:
    address = await brought(http, table(ann, 3), ruleset="rami")
    *steps, ready = await told(http, address, all="1")
    assert steps[-1] == '"done":3,"of":3'
    after = await http.get(ready.split('"')[3], headers=HTML)
    assert "3 games were imported." in after.text


async def begin(http: httpx.AsyncClient, path: str) -> None:
    """Send the form of an import, and leave once some of its games are stored."""
    async with http.stream("POST", path, data={"all": "1"}, headers=_EVENTS) as stream:
        async for line in stream.aiter_lines():
            if line.startswith("data:") and '"done":0' not in line:
                return


async def wait_for(http: httpx.AsyncClient, path: str, words: str) -> str:
    """Look at a page until it has these words."""
    while True:
        page = await http.get(path, headers=HTML, follow_redirects=True)
        if words in page.text:
            return page.text
        await asyncio.sleep(0.2)


async def test_an_import_goes_on_when_its_page_is_closed(http: httpx.AsyncClient, ann: str) -> None:
    games = 8 * GAMES_AT_ONCE
    path = await brought(http, table(ann, games), ruleset="rami")
    await begin(http, path)
    for page in ("/", "/import"):
        assert f'href="{path}"' in (await http.get(page, headers=HTML)).text
    await wait_for(http, path, f"{games} games were imported.")
    assert await count(http, ann) == games
    assert f'href="{path}"' not in (await http.get("/", headers=HTML)).text


async def test_an_import_that_is_stopped_goes_on_later(http: httpx.AsyncClient, ann: str) -> None:
    games = 12 * GAMES_AT_ONCE
    path = await brought(http, table(ann, games), ruleset="rami")
    await begin(http, path)
    await http.post(f"{path}/stop", headers=HTML)
    await wait_for(http, path, "The import was stopped.")
    assert await count(http, ann) < games
    assert "Go on importing" in (await http.get("/", headers=HTML)).text
    *_, ready = await told(http, f"{path}/go-on")
    after = await http.get(ready.split('"')[3], headers=HTML)
    assert f"{games} games were imported." in after.text
    assert await count(http, ann) == games


async def test_an_import_that_a_restart_interrupts_goes_on_later(
    embedded_cluster: Cluster, tmp_path: Path, ann: str
) -> None:
    games = 12 * GAMES_AT_ONCE
    with (
        embedded_cluster.database() as url,
        ServiceProcess.running(tmp_path / "log", CARNET_DATABASE_URL=url) as service,
    ):
        async with client_with_key(service.url, KEY) as http:
            path = await brought(http, table(ann, games), ruleset="rami")
            await begin(http, path)
        service.kill()
        service.start()
        async with client_with_key(service.url, KEY) as http:
            await wait_for(http, path, "The import was interrupted.")
            assert await count(http, ann) < games
            await http.post(f"{path}/go-on", headers=HTML)
            await wait_for(http, path, f"{games} games were imported.")
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
    # Each backup has the signed head of what is in the feed: the second one would have another.
    await included(game, game.version)
    found = await events(game.http, "/backup/carnet-backup.jsonl")
    assert found[-2][1]["done"] == found[-2][1]["of"]
    kept = await game.http.get(found[-1][1]["address"])
    plain = await game.http.get("/backup/carnet-backup.jsonl")
    assert same_lines(kept.content) == same_lines(plain.content)
    assert int(kept.headers["Content-Length"]) == len(kept.content)


def same_lines(backup: bytes) -> list[bytes]:
    """Return the lines without rows of the database, which say when a key was used last."""
    lines = backup.splitlines()
    return [line for line in lines if not line.startswith((b'{"line":"row"', b'{"line":"end"'))]


async def test_a_backup_that_is_restored_tells_how_far_it_is(game: Game) -> None:
    await game.record(MADE_RESULT)
    export = (await game.http.get("/backup/carnet-backup.jsonl")).content
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
    path = await brought(http, table(ann, GAMES_MIN), ruleset="rami")
    asked = {"from": "2019-05-02", "to": "2019-05-04"}
    page = await http.get(path, params=asked, headers=HTML)
    assert "3 games to import" in page.text
    await http.post(path, params=asked, data={"all": "1"}, headers=HTML)
    assert len(await games_of(http, ann)) == 3
