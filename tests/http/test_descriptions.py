import csv
from io import BytesIO, StringIO
from uuid import uuid4

import httpx
import pytest
from python_calamine import CalamineWorkbook

from tests.http.club import DEAL, Game, add_player, client_with_key
from tests.service.export.pages import pages
from tests.service_process import ServiceProcess


@pytest.fixture
def word() -> str:
    return f"w{uuid4().hex}"


async def describe(game: Game, place: str, *tags: str) -> httpx.Response:
    body = {"place": place, "tags": list(tags)}
    return await game.http.put(f"{game.path}/description", json=body)


async def find(http: httpx.AsyncClient, **asked: str | list[str]) -> set[str]:
    listed = await http.get("/api/games", params=asked)
    told = await http.get("/api/history.json", params=asked)
    assert listed.status_code == told.status_code == 200, listed.text
    ids = {str(one["id"]) for one in listed.json()["games"]}
    assert {str(one["id"]) for one in told.json()["games"]} == ids
    return ids


async def test_what_is_said_of_a_game_is_shown_told_and_no_move(game: Game, word: str) -> None:
    before = await game.log()
    answer = await describe(game, f" At  the lake {word}", "Christmas", "christmas", "with Grandpa")
    said = {"place": f"At the lake {word}", "tags": ["Christmas", "with Grandpa"]}
    assert (answer.status_code, answer.json()) == (200, said)
    assert await game.get("/description") == said
    assert await game.log() == before
    told = (await game.http.get("/api/history", params={"place": said["place"]})).json()
    (one,) = told["games"]
    assert (one["place"], one["tags"]) == (said["place"], said["tags"])
    await describe(game, "")
    assert await game.get("/description") == {"place": "", "tags": []}
    assert await find(game.http, place=f"At the lake {word}") == set()


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"place": 61 * "x"}, "$.place"),
        ({"place": "line\nbreak"}, "$.place"),
        ({"tags": ["a,b"]}, "$.tags[0]"),
        ({"tags": ["ok", ""]}, "$.tags[1]"),
        ({"tags": [f"tag {n}" for n in range(11)]}, "$.tags"),
        ({"where": "here"}, "$.where"),
    ],
)
async def test_what_cannot_be_said_is_refused_by_its_field(
    game: Game, body: dict[str, object], path: str
) -> None:
    answer = await game.http.put(f"{game.path}/description", json=body)
    assert (answer.status_code, answer.json()["path"]) == (400, path)


@pytest.mark.parametrize(
    ("lang", "headings"),
    [("en", ["Location", "Tags"]), ("fr", ["Lieu", "Mots-clés"]), ("de", ["Ort", "Stichwörter"])],
)
async def test_files_of_many_games_tell_places_and_tags_in_columns_of_their_own(
    game: Game, word: str, lang: str, headings: list[str]
) -> None:
    """They are called `location` there: the place is that of who came first."""
    other = await Game.start(game.http)
    place = f"=1+1 {word}"
    await describe(game, place, "Noël", 'with "Grandpa"')
    await describe(other, "", word)
    language, asked = {"Accept-Language": lang}, {"text": word}

    async def file(suffix: str) -> httpx.Response:
        answer = await game.http.get(f"/api/history{suffix}", params=asked, headers=language)
        assert answer.status_code == 200, answer.text
        return answer

    header, *rows = csv.reader(StringIO((await file(".csv")).text, newline=""))
    assert header[-4:-2] == headings
    told = {row[0]: row[-4:-2] for row in rows}
    assert told == {game.id: [f"'{place}", 'Noël, with "Grandpa"'], other.id: ["", word]}
    book = CalamineWorkbook.from_filelike(BytesIO((await file(".xlsx")).content))
    first, *lines = book.get_sheet_by_index(0).to_python()
    at = slice(first.index(headings[0]), first.index(headings[1]) + 1)
    cells = {row[-1]: row[at] for row in lines}
    assert cells == {game.id: [place, 'Noël, with "Grandpa"'], other.id: ["", word]}
    (page,) = pages((await file(".pdf")).content)
    # Between the signs of a long word a line may break.
    printed = " ".join(page.text.replace("\u200b", "").split())
    assert f'{place} · Noël · with "Grandpa"' in printed


async def test_games_are_found_by_place_tag_and_words(game: Game, word: str) -> None:
    other = await Game.start(game.http)
    await describe(game, f"Lake {word}", "Christmas")
    await describe(other, f"Lake {word}", "Easter 100%")
    assert await find(game.http, place=f"lake {word.upper()}") == {game.id, other.id}
    assert await find(game.http, place=f"lake {word}", tag="CHRISTMAS") == {game.id}
    assert await find(game.http, place="Lake", tag="Christmas", text=word) == set()
    assert await find(game.http, text=word.upper()) == {game.id, other.id}
    assert await find(game.http, text="100%", place=f"Lake {word}") == {other.id}
    assert await find(game.http, text="1%0", place=f"Lake {word}") == set()


async def test_games_are_found_by_a_note_until_it_is_erased(game: Game, word: str) -> None:
    await game.record({"type": "note", "text": f"Ämtliche {word} “Runde”"})
    await game.record({"type": "note", "text": f"a zero \x00 {word}0"})
    version = 2
    assert await find(game.http, text=f"ämtliche {word}") == {game.id}
    assert await find(game.http, text=f"{word}0") == set()
    erased = await game.http.delete(f"{game.path}/entries/{version}/text")
    assert erased.is_success, erased.text
    assert await find(game.http, text=f"ämtliche {word}") == set()


async def test_games_are_found_by_several_who_played_and_by_names(
    http: httpx.AsyncClient, word: str
) -> None:
    ann, bob, cid = [await add_player(http, f"{name} {word}") for name in ("Ann", "Bob", "Cid")]
    games: list[str] = []
    for players in ((ann, bob), (bob, cid), (cid, ann)):
        body = {"ruleset": "euchre", "players": players}
        games.append((await http.post("/api/games", json=body)).json()["id"])
    assert await find(http, player=[ann, bob]) == {games[0]}
    assert await find(http, player=f"{cid},{ann}") == {games[2]}
    assert await find(http, player=[ann, bob, cid]) == set()
    assert await find(http, text=f"ANN {word}") == {games[0], games[2]}
    answer = await http.get("/api/games", params={"player": f"{ann},nobody"})
    assert (answer.status_code, answer.json()["path"]) == (400, "$.query.player")


async def test_a_link_describes_its_own_game_if_it_writes_it(
    game: Game, service: ServiceProcess, word: str
) -> None:
    other = await Game.start(game.http)
    await describe(other, f"Elsewhere {word}")
    for role, status in (("scorer", 200), ("viewer", 403)):
        token = (await game.http.post(f"{game.path}/links", json={"role": role})).json()["token"]
        async with client_with_key(service.url, token) as guest:
            body = {"place": "Here"}
            put = await guest.put(f"{game.path}/description", json=body)
            assert put.status_code == status
            assert (await guest.get(f"{game.path}/description")).json()["place"] == "Here"
            assert (await guest.put(f"{other.path}/description", json=body)).status_code == 404
            assert word not in (await guest.get(f"/games/{game.id}/sheet")).text


async def test_seasons_are_kept_changed_and_removed(http: httpx.AsyncClient, word: str) -> None:
    body = {"name": f"Winter {word}", "first_day": "2018-10-01", "last_day": "2019-03-31"}
    made = await http.post("/api/seasons", json=body)
    assert (made.status_code, made.json()["name"]) == (201, body["name"])
    path = made.headers["Location"]
    changed = await http.patch(path, json={"last_day": "2019-04-30"})
    assert changed.json() == {**made.json(), "last_day": "2019-04-30"}
    wrong = await http.patch(path, json={"last_day": "2017-01-01"})
    assert (wrong.status_code, wrong.json()["path"]) == (400, "$.last_day")
    assert changed.json() in (await http.get("/api/seasons")).json()["seasons"]
    assert (await http.delete(path)).status_code == 204
    assert (await http.delete(path)).status_code == 404


async def import_game_of_day(http: httpx.AsyncClient, day: str, *names: str) -> None:
    book = f"Day;{';'.join(names)}\n{day};7;3\n".encode()
    files = {"file": ("book.csv", book)}
    sent = await http.post("/import", files=files, headers={"Accept": "text/html"})
    read = await http.post(f"{sent.headers['Location']}/table", data={"ruleset": "euchre"})
    answer = await http.post(read.headers["Location"], data={"all": "1"})
    assert answer.status_code == 303, answer.text


async def test_lists_standings_and_exports_are_asked_for_by_season(
    http: httpx.AsyncClient, word: str
) -> None:
    ann, bob = f"Ann {word}", f"Bob {word}"
    for day in ("2011-05-01", "2011-05-31", "2011-06-01"):
        await import_game_of_day(http, day, ann, bob)
    people = (await http.get("/api/players")).json()["players"]
    (her,) = [one["id"] for one in people if one["name"] == ann]
    body = {"name": f"May {word}", "first_day": "2011-05-01", "last_day": "2011-05-31"}
    season = (await http.post("/api/seasons", json=body)).json()["id"]
    assert len(await find(http, season=season, player=her)) == 2
    standings = (await http.get("/api/standings", params={"season": season})).json()
    (table,) = standings["rulesets"]
    assert table["finished"] == 2
    asked = {"season": season, "view": "standings"}
    assert f"Ann {word}" in (await http.get("/api/history.csv", params=asked)).text
    later = {"season": season, "player": her, "from": "2011-05-02", "to": "2011-12-31"}
    assert len(await find(http, **later)) == 1
    unknown = await http.get("/api/history", params={"season": str(uuid4())})
    assert unknown.status_code == 404


async def test_pages_describe_a_game_and_find_it(game: Game, word: str) -> None:
    await game.record(*DEAL)
    form = {"place": f"Lake {word}", "tags": f"Christmas, , {word}x"}
    sent = await game.http.post(f"/games/{game.id}/description", data=form)
    assert sent.headers["Location"] == f"/games/{game.id}/sheet#about"
    sheet = (await game.http.get(f"/games/{game.id}/sheet")).text
    assert f"Lake {word} · Christmas · {word}x" in " ".join(sheet.split())
    page = (await game.http.get("/history", params={"tag": f"{word}x"})).text
    assert f'href="/games/{game.id}"' in page
    assert f'<input type="hidden" name="tag" value="{word}x">' in page
    none = (await game.http.get("/history", params={"tag": f"{word}y"})).text
    assert "No game fits." in none
    wrong = {"place": "", "tags": ",".join(f"{word} {n}" for n in range(11))}
    refused = await game.http.post(f"/games/{game.id}/description", data=wrong)
    shown = (await game.http.get(refused.headers["Location"])).text
    assert "ten tags at most" in shown
    assert f"{word} 10" in shown


async def test_pages_keep_seasons_and_name_them(http: httpx.AsyncClient, word: str) -> None:
    form = {"name": f"Advent {word}", "first": "2012-12-01", "last": "2012-12-24"}
    assert (await http.post("/seasons", data=form)).status_code == 303
    for page in ("/history", "/standings"):
        shown = " ".join((await http.get(page)).text.split())
        assert f"Advent {word}" in shown, page
        assert "from=2012-12-01&amp;to=2012-12-24" in shown, page
    asked = {"from": "2012-12-01", "to": "2012-12-24"}
    printed = " ".join((await http.get("/standings", params=asked)).text.split())
    assert f'<p class="hint">Advent {word}.</p>' in printed
    wrong = await http.post("/seasons", data={**form, "last": "2012-11-01"})
    shown = (await http.get(wrong.headers["Location"])).text
    assert "The last day comes before the first one." in shown
    assert 'value="2012-11-01"' in shown
    seasons = (await http.get("/api/seasons")).json()["seasons"]
    (mine,) = [one["id"] for one in seasons if one["name"] == form["name"]]
    await http.post(f"/seasons/{mine}", data={**form, "name": f"Noel {word}"})
    assert f"Noel {word}" in (await http.get("/standings")).text
    await http.post(f"/seasons/{mine}", data={"do": "remove"})
    assert word not in (await http.get("/standings")).text
