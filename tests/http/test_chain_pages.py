"""A chain of games is one game on every page and in every file."""

import csv
import io
import re
from typing import Any

import httpx
import pytest

from tests.http.club import add_player, anonymous_client, client_with_key
from tests.http.scores import ScoresGame
from tests.service.export.pages import pages

NAMES = ("Ann", "Bob", "Zoe", "Kim")
# Columns: Zoe, Kim, Ann, as they sit in the last game, then Bob, who left.
COURSE: list[tuple[Any, ...]] = [
    ("deal", 1, [None, None, 7, 0], [None, None, 7, 0]),
    ("deal", 2, [None, None, None, 2], [None, None, 7, 2]),
    ("change", [0], [], False, [8, None, 7, 2]),
    ("deal", 3, [0, None, 1, None], [8, None, 8, 2]),
    ("change", [1], [3], True, [8, -3, 8, None]),
    ("deal", 4, [4, 5, 6, None], [12, 2, 14, None]),
    ("deal", 5, [1, 0, 1, None], [13, 2, 15, None]),
]


@pytest.fixture
async def chain(http: httpx.AsyncClient) -> list[ScoresGame]:
    """Return three games that go on from one another: Zoe arrives, then Kim, and Bob leaves."""
    ann, bob, zoe, kim = [await add_player(http, name) for name in NAMES]
    options = {"wins": "lowest", "rounds": 9}
    body = {"ruleset": "scores", "options": options, "players": [ann, bob]}
    first = ScoresGame.of(http, (await http.post("/api/games", json=body)).json())
    await first.rounds([7, 0], [None, 2])
    second = await first.go_on([ann, bob, zoe], starts={zoe: 8})
    await second.rounds([1, None, 0])
    third = await second.go_on([zoe, kim, ann], starts={kim: -3}, options={"wins": "highest"})
    await third.rounds([4, 5, 6], [1, 0, 1])
    return [first, second, third]


async def read(game: ScoresGame, path: str) -> str:
    answer = await game.http.get(path)
    assert answer.status_code == 200, answer.text
    return " ".join(answer.text.split())


def row_of(row: dict[str, Any]) -> tuple[Any, ...]:
    if row["row"] == "change":
        return ("change", row["arrived"], row["left"], row["rules"], row["totals"])
    return ("deal", row["number"], row["points"], row["totals"])


async def test_the_sheet_has_the_rounds_of_all_games_and_who_came_and_went(
    chain: list[ScoresGame],
) -> None:
    last = chain[-1]
    found = (await last.http.get(f"{last.path}/sheet.json")).json()
    assert [player["name"] for player in found["players"]] == ["Zoe", "Kim", "Ann", "Bob"]
    assert [row_of(row) for row in found["sheet"]["rows"]] == COURSE
    assert (found["sheet"]["totals"], found["sheet"]["deals"]) == ([13, 2, 15, 2], 5)
    assert (found["sheet"]["leader"], found["sheet"]["took_part"]) == (2, [False] * 4)
    part = (await last.http.get(f"{last.path}/sheet", params={"skip": 2, "limit": 3})).json()
    assert [row_of(row) for row in part["sheet"]["rows"]] == COURSE[2:5]


async def test_csv_and_paper_have_the_whole_course(chain: list[ScoresGame]) -> None:
    last = chain[-1]
    text = (await last.http.get(f"{last.path}/sheet.csv")).text
    header, *lines = csv.reader(io.StringIO(text, newline=""))
    begin = header.index("Zoe")
    said = [[line[0], *line[begin:]] for line in lines]
    assert said == [
        ["1", "", "", "7", "0", "", "", "7", "0", ""],
        ["2", "", "", "", "2", "", "", "7", "2", ""],
        ["", "", "", "", "", "8", "", "7", "2", "Zoe joins"],
        ["3", "0", "", "1", "", "8", "", "8", "2", ""],
        ["", "", "", "", "", "8", "-3", "8", "", "Kim joins, Bob leaves, the rules change"],
        ["4", "4", "5", "6", "", "12", "2", "14", "", ""],
        ["5", "1", "0", "1", "", "13", "2", "15", "", ""],
    ]
    await last.record({"type": "finish", "reason": ""})
    paper = " ".join(
        page.text for page in pages((await last.http.get(f"{last.path}/sheet.pdf")).content)
    )
    for words in ("Zoe joins", "Kim joins, Bob leaves", "Ann wins", "Rounds to play: 9"):
        assert words in " ".join(paper.split())
    book = await last.http.get(f"{last.path}/sheet.xlsx")
    assert (book.status_code, book.content[:2]) == (200, b"PK")
    assert (await last.http.get(f"/games/{last.id}/picture.png")).status_code == 200


async def test_every_game_of_it_leads_to_the_one_sheet(chain: list[ScoresGame]) -> None:
    last = chain[-1]
    page = await read(last, f"/games/{last.id}/sheet")
    assert len(re.findall(r"<table", page)) >= 1
    assert "Kim joins, Bob leaves, the rules change" in page
    for game in chain[:-1]:
        answer = await last.http.get(f"/games/{game.id}/sheet")
        assert answer.headers["Location"] == f"/games/{last.id}/sheet"


async def test_the_replay_plays_all_rounds(chain: list[ScoresGame]) -> None:
    last = chain[-1]
    page = await read(last, f"/games/{last.id}/at/{last.version}")
    first = int(re.findall(r'data-first="(-?\d+)"', page)[0])
    assert f'min="{first}"' in page
    said: list[str] = []
    at = first
    while True:
        moment = await read(last, f"/games/{last.id}/at/{at}")
        (shown,) = re.findall(r"<div data-moment>(.*?)<p class=.sr. role", moment)
        said.append(" ".join(re.sub(r"<[^>]+>", " ", shown).split()))
        (address,) = re.findall(r'data-go="forward" href="[^"]*/at/(-?\d+)"', moment)
        if int(address) == at:
            break
        at = int(address)
    numbers = [re.findall(r"Round (\d+):", one) for one in said]
    assert [one[0] for one in numbers if one] == ["1", "2", "3", "4", "5"]
    changes = [one for one in said if "joins" in one]
    assert ["Zoe joins" in one for one in changes] == [True, False]
    assert "Kim joins, Bob leaves, the rules change" in changes[1]
    # Backwards, the same moments.
    back = [at]
    while True:
        moment = await read(last, f"/games/{last.id}/at/{back[-1]}")
        (address,) = re.findall(r'data-go="back" href="[^"]*/at/(-?\d+)"', moment)
        if int(address) == back[-1]:
            break
        back.append(int(address))
    assert (back[-1], len(back)) == (first, len(said))
    chapters = await last.http.get(f"/games/{last.id}/at/{first}", headers={"X-Part": "chapters"})
    assert "Zoe, Kim, and Ann" in chapters.text
    beyond = await last.http.get(f"/games/{last.id}/at/{first - 1}")
    assert beyond.status_code == 404
    moved = await last.http.get(f"/games/{chain[0].id}/at/3")
    assert moved.headers["Location"].startswith(f"/games/{last.id}/at/-")


async def test_what_if_reads_the_moment_of_an_earlier_game(chain: list[ScoresGame]) -> None:
    last = chain[-1]
    assert "Ann" in await read(last, f"/games/{last.id}/at/-3/what-if")


async def test_a_public_link_follows_the_game(chain: list[ScoresGame]) -> None:
    last = chain[-1]
    made = (await last.http.post(f"{chain[0].path}/links", json={"role": "public"})).json()
    until = await last.http.post(f"{chain[0].path}/links", json={"role": "public", "until": 3})
    async with anonymous_client(str(last.http.base_url)) as nobody:
        scores = await nobody.get(f"/shared/{made['token']}/scores")
        assert "Kim joins, Bob leaves" in " ".join(scores.text.split())
        replay = await nobody.get(f"/shared/{made['token']}")
        assert f'data-last="{last.version}"' in replay.text
        assert (await nobody.get(f"/shared/{made['token']}/at/-4")).status_code == 200
        assert (await nobody.get(f"/shared/{made['token']}/picture.png")).status_code == 200
        ended = (await nobody.get(f"/shared/{until.json()['token']}/scores")).text
        assert ("Zoe" in ended, "Bob" in ended) == (False, True)
        assert (await nobody.get(f"/games/{last.id}")).status_code in {303, 401}
    listed = (await last.http.get(f"{last.path}/links")).json()["links"]
    assert made["id"] in [link["id"] for link in listed]
    await last.http.delete(f"{last.path}/links/{made['id']}")
    async with anonymous_client(str(last.http.base_url)) as nobody:
        assert (await nobody.get(f"/shared/{made['token']}")).status_code == 404


@pytest.mark.parametrize(("role", "writes"), [("viewer", 403), ("scorer", 201)])
async def test_a_link_to_one_game_is_a_link_to_all_and_to_no_other(
    http: httpx.AsyncClient, role: str, writes: int
) -> None:
    game = await ScoresGame.begin(http, NAMES[:2])
    other = await ScoresGame.begin(http, NAMES[:2])
    await game.rounds([1, 2])
    link = (await http.post(f"{game.path}/links", json={"role": role})).json()
    async with client_with_key(str(http.base_url), link["token"]) as guest:
        assert (await guest.get(game.path)).status_code == 200
        after = await game.go_on(game.people)
        # At once, although what the link opens was read a moment ago.
        assert (await guest.get(after.path)).status_code == 200
        assert (await guest.get(f"{after.path}/sheet.json")).json()["sheet"]["deals"] == 1
        followed = ScoresGame.of(guest, (await guest.get(after.path)).json())
        answer = await followed.send({"type": "result", "points": [3, 4]})
        assert answer.status_code == writes
        assert (await guest.get(other.path)).status_code == 404
        assert (await guest.get("/api/games")).status_code == 403
        await http.delete(f"{after.path}/links/{link['id']}")
        assert (await guest.get(after.path)).status_code == 401


async def test_an_undone_change_is_in_no_list(http: httpx.AsyncClient) -> None:
    game = await ScoresGame.begin(http, NAMES[:2])
    await game.rounds([1, 2])
    after = await game.go_on(game.people, options={"wins": "lowest"})
    await after.undo()
    for which in ("exclude", "include", "only"):
        query = {"player": game.people[0], "set_aside": which}
        found = (await http.get("/api/games", params=query)).json()
        ids = [one["id"] for one in found["games"]]
        assert ids == ([] if which == "only" else [game.id])
        assert found.get("set_aside", 0) == 0


async def test_a_note_of_an_earlier_game_finds_the_whole(http: httpx.AsyncClient) -> None:
    game = await ScoresGame.begin(http, NAMES[:2])
    await game.rounds([1, 2])
    await game.record({"type": "note", "text": f"badger {game.id}"})
    after = await game.go_on(game.people)
    query = {"text": f"badger {game.id}"}
    found = (await http.get("/api/games", params=query)).json()["games"]
    assert [one["id"] for one in found] == [after.id]


async def test_history_comes_back_with_the_same_totals(
    chain: list[ScoresGame],
) -> None:
    last = chain[-1]
    query = {"player": last.people[1]}
    (game,) = (await last.http.get("/api/history", params=query)).json()["games"]
    assert [deal["points"] for deal in game["deals"]] == [
        points[:3] for kind, _, points, *_ in COURSE if kind == "deal"
    ]
    assert game["options"]["rounds"] == 9


async def test_results_of_a_card_game_go_on_as_one_game(http: httpx.AsyncClient) -> None:
    ann, bob, zoe = [await add_player(http, name) for name in NAMES[:3]]
    body: dict[str, Any] = {"ruleset": "rami", "players": [ann, bob]}
    game = ScoresGame.of(http, (await http.post("/api/games", json=body)).json())
    await game.record({"type": "result", "winner": 0, "hands": [None, {"opened": False}]})
    before = (await game.view())["totals"]
    body |= {"players": [zoe, ann, bob], "continues": game.id, "starts": {zoe: 34}}
    after = ScoresGame.of(http, (await http.post("/api/games", json=body)).json())
    hands = [None, {"opened": False}, {"opened": False}]
    await after.record({"type": "result", "winner": 0, "hands": hands})
    sheet = (await http.get(f"{after.path}/sheet.json")).json()["sheet"]
    first, change, last = sheet["rows"]
    assert (first["totals"], change["totals"]) == ([None, *before], [34, *before])
    assert (first["facts"]["winner"], first["facts"]["opened"]) == (1, [None, 1, 0])
    assert (last["number"], sheet["totals"]) == (2, (await after.view())["totals"])
    for path in (f"/games/{after.id}/sheet", f"/games/{after.id}/at/0", f"/games/{after.id}/log"):
        assert (await http.get(path)).status_code == 200
    assert (await http.get(f"{after.path}/sheet.pdf")).status_code == 200


async def test_the_entries_of_all_games_are_listed(chain: list[ScoresGame]) -> None:
    http, last = chain[-1].http, chain[-1]
    said: list[tuple[str, str, str, str]] = []
    for game in chain:
        names = [player["name"] for player in (await game.view())["players"]]
        for line in await game.log():
            seat = line["entry"].get("seat")
            player = "" if seat is None else names[seat]
            said.append((game.id, str(line["version"]), line["type"], player))
    query = {"view": "entries", "player": last.people[0]}
    text = (await http.get("/api/history.csv", params=query)).text
    rows = [tuple(row) for row in csv.reader(io.StringIO(text, newline=""))][1:]
    assert [(row[0], row[1], row[3], row[4]) for row in rows] == said
