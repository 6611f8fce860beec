import io
import re
import zipfile
from pathlib import Path
from uuid import uuid4

import httpx
import pytest

from service.transfer.uploads import BYTES_MAX
from tests.http.club import DEAL, LOST_RESULT, MADE_RESULT, Game, add_player
from tests.postgres import Cluster
from tests.service_process import PLAIN_TLS, ServiceProcess

HTML = {"Accept": "text/html", "Accept-Language": "en"}
Files = list[tuple[str, bytes]]


def record(ann: str, bob: str, tricks: int = 3) -> bytes:
    tags = f'[Ruleset euchre]\n[Seats 2]\n[Players "{ann}" "{bob}"]\n\n'
    return f"{tags}result maker 0 tricks {tricks} dealer 0\nresult maker 1 tricks 2\n".encode()


def archive(**members: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in members.items():
            packed.writestr(name.replace("_", "."), content)
    return out.getvalue()


async def send(http: httpx.AsyncClient, files: Files) -> httpx.Response:
    parts = [("file", file) for file in files]
    answer = await http.post("/import", files=parts, data={"do": "look"}, headers=HTML)
    assert answer.status_code == 303, answer.text
    return await http.get(answer.headers["Location"], headers=HTML)


async def keep(http: httpx.AsyncClient, page: httpx.Response, *again: str) -> httpx.Response:
    ticked = re.findall(r'name="keep" value="(\d+)" checked', page.text)
    form = {"keep": ticked, "again": [*again]}
    answer = await http.post(page.url.path, data=form, headers=HTML)
    assert answer.status_code == 303, answer.text
    return await http.get(answer.headers["Location"], headers=HTML)


async def games_of(http: httpx.AsyncClient, name: str) -> list[str]:
    people = (await http.get("/api/players")).json()["players"]
    ids = [one["id"] for one in people if one["name"] == name]
    if not ids:
        return []
    found = (await http.get("/api/games", params={"player": ids[0]})).json()["games"]
    return [one["id"] for one in found]


@pytest.fixture
def ann() -> str:
    return f"Ann {uuid4()}"


async def test_files_chosen_together_become_a_game_each(http: httpx.AsyncClient, ann: str) -> None:
    files = [(f"{n}.carnet", record(ann, f"Bob {ann}", n)) for n in (3, 4)]
    page = await send(http, files)
    assert "2 games to import" in page.text
    assert await games_of(http, ann) == []
    none = (await http.get(page.url.path, params={"ticked": "none"}, headers=HTML)).text
    assert (page.text.count('" checked'), none.count('" checked')) == (2, 0)
    assert f'href="{page.url.path}"' in none
    assert "2 games were imported." in (await keep(http, page)).text
    assert len(await games_of(http, ann)) == 2


async def test_an_archive_is_opened_and_what_is_no_record_is_told(
    http: httpx.AsyncClient, ann: str
) -> None:
    packed = archive(
        a_carnet=record(ann, f"Bob {ann}"), photo_jpg=b"\xff\xd8", b_carnet=b"[Ruleset x]\n"
    )
    page = await send(http, [("games.zip", packed)])
    assert "1 game to import" in page.text
    assert "2 files cannot be imported" in page.text
    assert "games.zip: photo.jpg" in page.text


async def test_a_record_of_nothing_is_told_and_not_kept(http: httpx.AsyncClient, ann: str) -> None:
    nothing = f'[Ruleset euchre]\n[Seats 2]\n[Players "{ann}" "Bob"]\n'.encode()
    page = await send(http, [("a.zip", archive(a_carnet=nothing))])
    assert "1 file cannot be imported" in page.text
    assert "Nothing is recorded in it." in page.text


async def test_a_game_that_is_here_is_linked_to_and_kept_once(game: Game) -> None:
    await game.record(*DEAL, LOST_RESULT)
    given = (await game.http.get(f"/games/{game.id}/record.carnet")).content
    page = await send(game.http, [("a.zip", archive(a_carnet=given))])
    assert f'href="/games/{game.id}/sheet"' in page.text
    assert "1 game is here" in page.text
    assert 'name="keep"' not in page.text


async def test_the_same_game_twice_in_one_go_is_kept_once(
    http: httpx.AsyncClient, ann: str
) -> None:
    same = record(ann, f"Bob {ann}")
    page = await send(http, [("a.carnet", same), ("b.carnet", same)])
    assert "The same as “a.carnet”" in page.text
    await keep(http, page)
    assert len(await games_of(http, ann)) == 1


async def test_what_was_imported_before_is_kept_once_more_only_if_asked(
    http: httpx.AsyncClient, ann: str
) -> None:
    files = [("a.zip", archive(a_carnet=record(ann, f"Bob {ann}")))]
    await keep(http, await send(http, files))
    page = await send(http, files)
    await keep(http, page)
    assert len(await games_of(http, ann)) == 1
    for _ in range(2):  # a form that is sent twice keeps nothing twice
        await keep(http, page, "0")
    assert len(await games_of(http, ann)) == 2


async def test_a_history_comes_back_as_games_with_their_days_and_points(
    http: httpx.AsyncClient, ann: str
) -> None:
    past: dict[str, object] = {
        "id": str(uuid4()),
        "ruleset": "euchre",
        "options": {},
        "status": "finished",
        "started_at": "2019-05-04T12:15:00Z",
        "last_at": "2019-05-04T13:15:00Z",
        "version": 5,
        "players": [{"id": str(uuid4()), "name": ann}, {"id": str(uuid4()), "name": f"Bob {ann}"}],
        "deals": [{"deal": 1, "version": 3, "points": [2, 0], "at": "2019-05-04T12:30:00Z"}],
        "totals": [5, 1],
        "places": [1, 2],
        "place": "Chalet",
        "tags": ["Christmas", "Lake"],
    }
    body: dict[str, object] = {"$schema": "x", "format": "carnet-history-1", "games": [past]}
    content = httpx.Request("POST", "http://x", json=body).content
    page = await send(http, [("history.json", content)])
    assert "Christmas, Lake" in page.text
    await keep(http, page)
    await keep(http, await send(http, [("history.json", content)]))
    (game_id,) = await games_of(http, ann)
    said = (await http.get(f"/api/games/{game_id}/description")).json()
    assert said == {"place": "Chalet", "tags": ["Christmas", "Lake"]}
    # As if the service had stopped between storing the game and tagging it.
    await http.put(f"/api/games/{game_id}/description", json={"place": "Chalet", "tags": []})
    await keep(http, page)
    assert (await http.get(f"/api/games/{game_id}/description")).json() == said
    view = (await http.get(f"/api/games/{game_id}")).json()
    assert (view["totals"], view["status"]) == ([5, 1], "finished")
    which = {"to": "2019-12-31", "player": view["players"][0]["id"]}
    (told,) = (await http.get("/api/history", params=which)).json()["games"]
    assert (told["id"], told["started_at"]) == (game_id, "2019-05-04T12:15:00Z")


async def test_an_exported_history_is_known_by_its_games(game: Game) -> None:
    await game.record(MADE_RESULT)
    history = (await game.http.get("/history.json", headers={"Accept-Language": "en"})).content
    page = await send(game.http, [("carnet-history.json", history)])
    assert f'href="/games/{game.id}/sheet"' in page.text


async def test_files_that_are_no_games_name_the_file_that_comes_back(game: Game) -> None:
    await game.record(MADE_RESULT)
    sheet = (await game.http.get(f"{game.path}/sheet.json")).content
    page = await send(game.http, [("sheet.json", sheet)])
    assert "a score sheet for programs" in page.text
    german = {"Accept-Language": "de"}
    view = {"view": "entries", "for": "excel-de"}
    entries = (await game.http.get("/api/history.csv", params=view, headers=german)).content
    page = await send(game.http, [("entries.csv", entries)])
    assert "a list of entries as a table" in page.text
    assert "its .carnet or .json file" in page.text


async def test_more_than_is_looked_at_in_one_go_is_refused(http: httpx.AsyncClient) -> None:
    page = await send(http, [(f"{n}.txt", b"x" * BYTES_MAX) for n in range(17)])
    assert page.status_code == 413
    assert "too much at once" in page.text


async def test_an_archive_that_unpacks_to_too_much_is_refused(http: httpx.AsyncClient) -> None:
    bomb = archive(a_carnet=b"\0" * (65 * BYTES_MAX))
    page = await send(http, [("bomb.zip", bomb)])
    assert "1 file cannot be imported" in page.text
    assert "larger than a game can be" in page.text


async def test_one_record_that_is_here_is_linked_to_before_it_is_kept(game: Game) -> None:
    await game.record(*DEAL, LOST_RESULT)
    given = (await game.http.get(f"/games/{game.id}/record.json")).content
    page = await send(game.http, [("a.json", given)])
    assert "1 game is here" in page.text
    assert f'href="/games/{game.id}/sheet"' in page.text


async def test_everything_is_taken_in_by_the_owner_on_the_page(
    game: Game, embedded_cluster: Cluster, tmp_path: Path
) -> None:
    await game.record(MADE_RESULT)
    export = (await game.http.get("/backup/carnet-backup.jsonl")).content
    with (
        embedded_cluster.database() as url,
        ServiceProcess.running(tmp_path / "log", CARNET_DATABASE_URL=url) as other,
    ):
        async with httpx.AsyncClient(
            base_url=other.url, headers=dict(game.http.headers), timeout=120, verify=PLAIN_TLS
        ) as elsewhere:
            first, second = [one["name"] for one in (await game.view())["players"]]
            await add_player(elsewhere, first)
            await add_player(elsewhere, f"{second[0]}-{second[1:]}")
            page = await send(elsewhere, [("everything.jsonl", export)])
            assert "This is everything of a Carnet" in page.text
            told = await elsewhere.post(page.url.path, headers=HTML)
            after = await elsewhere.get(told.headers["Location"], headers=HTML)
            assert (after.status_code, "0 were here already" in after.text) == (200, True)
            assert "Several people have the same name now: " in after.text
            assert re.search(r"Is .+ the same person as .+\?", after.text)
            assert (await elsewhere.get(game.path)).json() == await game.view()
            cut = await send(elsewhere, [("cut.jsonl", export[: len(export) // 2])])
            assert "its end is missing" in cut.text


async def test_a_name_like_another_is_asked_about_and_new_people_are_marked(
    http: httpx.AsyncClient,
) -> None:
    mark = uuid4().hex
    lea = await add_player(http, f"Léa {mark}")
    page = await send(http, [("a.zip", archive(a_carnet=record(f"lea-{mark}", f"Bob {mark}")))])
    field = f"who:lea-{mark}"
    assert re.search(rf"Bob {mark} <span[^>]*>new<", page.text)
    asked = page.text[page.text.index(f'name="{field}"') :]
    assert f'value="{lea}">Léa {mark}<' in asked
    path, ticked = page.url.path, {"keep": "0"}

    unanswered = await http.post(path, data=ticked, headers=HTML)
    again = await http.get(unanswered.headers["Location"], headers=HTML)
    assert "Nothing was imported" in again.text
    assert await games_of(http, f"Bob {mark}") == []

    await http.post(path, data={**ticked, field: lea}, headers=HTML)
    people = (await http.get("/api/players")).json()["players"]
    assert sorted(one["name"] for one in people if mark in (one["name"] or "")) == [
        f"Bob {mark}",
        f"Léa {mark}",
    ]
    assert len(await games_of(http, f"Léa {mark}")) == 1


@pytest.mark.parametrize(("answer", "people"), [("as:Zoe {}", 1), ("new", 2)])
async def test_two_new_names_alike_in_different_files_are_asked_about(
    http: httpx.AsyncClient, answer: str, people: int
) -> None:
    mark = uuid4().hex
    zoe, accented, bob = f"Zoe {mark}", f"ZOÉ{mark}", f"Bob {mark}"
    page = await send(
        http, [("a.carnet", record(zoe, bob)), ("b.carnet", record(accented, bob, 4))]
    )
    assert f'<option value="as:{zoe}">{zoe}</option>' in page.text
    form = {"keep": ["0", "1"]}
    asked = await http.post(page.url.path, data=form, headers=HTML)
    assert asked.headers["Location"].endswith("?ask=")
    assert await games_of(http, zoe) == []
    await http.post(
        page.url.path, data={**form, f"who:{accented}": answer.format(mark)}, headers=HTML
    )
    there = [one["name"] for one in (await http.get("/api/players")).json()["players"]]
    assert sum(mark in (name or "") for name in there) == people + 1
    assert len(await games_of(http, zoe)) == 3 - people


async def test_two_people_at_one_table_are_not_asked_about(http: httpx.AsyncClient) -> None:
    mark = uuid4().hex
    packed = archive(a_carnet=record(f"Zoe {mark}", f"Zoé {mark}"))
    page = await send(http, [("a.zip", packed)])
    assert "another spelling" not in page.text
    await keep(http, page)
    assert len(await games_of(http, f"Zoe {mark}")) == 1


async def test_of_several_people_of_a_name_one_is_chosen(http: httpx.AsyncClient) -> None:
    mark = uuid4().hex
    twins = [await add_player(http, f"Ben {mark}") for _ in range(2)]
    page = await send(http, [("a.zip", archive(a_carnet=record(f"ben {mark}", f"Bob {mark}")))])
    form = {"keep": "0", f"who:ben {mark}": twins[1]}
    await http.post(page.url.path, data=form, headers=HTML)
    played = (await http.get("/api/games", params={"player": twins[1]})).json()["games"]
    assert len(played) == 1


async def test_names_composed_and_decomposed_are_one_person(http: httpx.AsyncClient) -> None:
    mark = uuid4().hex
    bob = f"Bob {mark}"
    files = [
        (f"{n}.carnet", record(f"{name}{mark}", bob, n))
        for n, name in ((3, "Chlo\u00e9"), (4, "CHLOE\u0301"))
    ]
    await keep(http, await send(http, files))
    people = (await http.get("/api/players")).json()["players"]
    assert sum(mark in (one["name"] or "") for one in people) == 2
