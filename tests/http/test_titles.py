import csv
import re
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.http.club import Game, Json, add_player


async def title(http: httpx.AsyncClient, **options: object) -> Json:
    body = {"name": f"Game {uuid4().hex[:8]}", "options": options}
    answer = await http.post("/api/titles", json=body)
    assert answer.status_code == 201, answer.text
    found: Json = answer.json()
    return found


async def play(http: httpx.AsyncClient, of: Json, people: list[str], *points: int) -> Game:
    body = {"ruleset": "scores", "title": of["id"], "options": {"rounds": 1}, "players": people}
    answer = await http.post("/api/games", json=body)
    assert answer.status_code == 201, answer.text
    game = Game(http, answer.json())
    await game.record({"type": "result", "points": list(points)})
    return game


async def got(http: httpx.AsyncClient, path: str, **query: str) -> Any:  # noqa: ANN401 JSON
    answer = await http.get(path, params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def people(http: httpx.AsyncClient) -> list[str]:
    return [await add_player(http, f"P{uuid4().hex[:8]}") for _ in range(2)]


async def test_a_title_is_added_listed_renamed_and_forgotten(http: httpx.AsyncClient) -> None:
    made = await title(http, wins="lowest", target=100)
    assert made["options"] == {"wins": "lowest", "target": 100}
    assert made in (await got(http, "/api/titles"))["titles"]
    path = f"/api/titles/{made['id']}"
    name = f"Other {uuid4().hex[:8]}"
    renamed = (await http.patch(path, json={"name": name})).json()
    assert renamed == made | {"name": name}
    assert (await http.delete(path)).status_code == 204
    assert made["id"] not in [one["id"] for one in (await got(http, "/api/titles"))["titles"]]


async def test_a_name_that_exists_is_refused_with_the_other_title(http: httpx.AsyncClient) -> None:
    made = await title(http)
    answer = await http.post("/api/titles", json={"name": made["name"].upper()})
    assert answer.status_code == 409
    assert (answer.json()["type"], answer.json()["id"]) == ("name-taken", made["id"])


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"name": ""}, "$.name"),
        ({"name": "x", "options": {"wins": "most"}}, "$.options.wins"),
        ({"name": "x", "options": {"deck": 32}}, "$.options.deck"),
        ({"name": "x", "more": 1}, "$.more"),
    ],
)
async def test_a_malformed_title_is_refused(http: httpx.AsyncClient, body: Json, path: str) -> None:
    answer = await http.post("/api/titles", json=body)
    assert (answer.status_code, answer.json()["path"]) == (400, path)


async def test_a_new_game_takes_the_defaults_of_its_title(http: httpx.AsyncClient) -> None:
    made = await title(http, wins="lowest", target=100)
    body = {"ruleset": "scores", "title": made["id"], "options": {"target": 50}}
    answer = await http.post("/api/games", json=body | {"players": await people(http)})
    game = answer.json()
    assert game["title"] == made["id"]
    assert (game["options"]["wins"], game["options"]["target"]) == ("lowest", 50)
    assert (game["phase"], game["to_act"], game["stock"]) == ("round", [0, 1], 0)


async def test_a_title_that_is_not_there_or_not_wanted_is_refused(http: httpx.AsyncClient) -> None:
    seats = await people(http)
    for ruleset, of in (("scores", str(uuid4())), ("euchre", (await title(http))["id"])):
        body = {"ruleset": ruleset, "title": of, "players": seats}
        answer = await http.post("/api/games", json=body)
        assert (answer.status_code, answer.json()["path"]) == (400, "$.title")


async def test_lists_and_standings_tell_titles_apart(http: httpx.AsyncClient) -> None:
    one, other, seats = await title(http), await title(http, wins="lowest"), await people(http)
    first = await play(http, one, seats, 10, 3)
    second = await play(http, other, seats, 10, 3)
    assert [game["id"] for game in (await got(http, "/api/games", title=one["id"]))["games"]] == [
        first.id
    ]
    (past,) = (await got(http, "/api/history", title=other["id"]))["games"]
    assert (past["id"], past["title"], past["title_name"]) == (
        second.id,
        other["id"],
        other["name"],
    )
    for of, winner in ((one, seats[0]), (other, seats[1])):
        (table,) = (await got(http, "/api/standings", title=of["id"]))["rulesets"]
        assert (table["title"], table["title_name"], table["games"]) == (of["id"], of["name"], 1)
        wins = {each["player"]["id"]: each["figures"]["wins"] for each in table["standings"]}
        assert wins == {winner: 1, next(seat for seat in seats if seat != winner): 0}
    person = await got(http, f"/api/players/{seats[0]}")
    assert {each["title"] for each in person["rulesets"]} == {one["id"], other["id"]}
    evening = await got(http, f"/api/evenings/{first.id}")
    assert [game["title"] for game in evening["games"]] == [one["id"], other["id"]]


async def test_games_whose_titles_were_forgotten_have_a_number_each(
    http: httpx.AsyncClient,
) -> None:
    for _ in range(2):
        made = await title(http)
        await play(http, made, await people(http), 10, 3)
        await http.delete(f"/api/titles/{made['id']}")
    page = await http.get("/standings", headers={"Accept": "text/html", "Accept-Language": "de"})
    names = re.findall(r'aria-label="Rangliste: (Anderes Spiel[^"]*)"', page.text)
    assert names == [
        "Anderes Spiel",
        *(f"Anderes Spiel ({2 + at})" for at in range(len(names) - 1)),
    ]
    assert len(names) >= 2


async def test_a_ruleset_is_its_own_title(http: httpx.AsyncClient) -> None:
    game = await Game.start(http)
    listed = (await got(http, "/api/games", title="euchre"))["games"]
    assert {each["title"] for each in listed} == {"euchre"}
    assert (await got(http, f"/api/games/{game.id}"))["title"] == "euchre"
    answer = await http.get("/api/games", params={"title": "Skyjo"})
    assert (answer.status_code, answer.json()["path"]) == (400, "$.query.title")


async def test_exports_tell_titles_apart(http: httpx.AsyncClient) -> None:
    made, seats = await title(http), await people(http)
    await play(http, made, seats, 1, 2)
    for view in ("games", "deals", "standings"):
        query = {"title": made["id"], "view": view}
        answer = await http.get("/api/history.csv", params=query, headers={"Accept-Language": "en"})
        rows = list(csv.DictReader(answer.text.lstrip("\ufeff").splitlines()))
        assert {(row["Title"], row["Name of the game"]) for row in rows} == {
            (made["id"], made["name"])
        }, view


async def test_merged_titles_are_one_everywhere(http: httpx.AsyncClient) -> None:
    one, other, seats = await title(http), await title(http), await people(http)
    game, second = await play(http, one, seats, 5, 1), await play(http, other, seats, 5, 1)
    answer = await http.post(f"/api/titles/{one['id']}/merge", json={"into": other["id"]})
    assert (answer.status_code, answer.json()["id"]) == (200, other["id"])
    assert (await game.view())["title"] == other["id"]
    (table,) = (await got(http, "/api/standings", title=other["id"]))["rulesets"]
    assert table["games"] == 2
    listed = (await got(http, "/api/games", title=other["id"]))["games"]
    assert {each["id"] for each in listed} == {game.id, second.id}
    again = await http.post(f"/api/titles/{one['id']}/merge", json={"into": other["id"]})
    assert (again.status_code, again.json()["id"]) == (200, other["id"])
    for path in ("/api/games", "/api/history"):
        of_first = (await got(http, path, title=one["id"]))["games"]
        assert {each["id"] for each in of_first} == {game.id, second.id}
    (table,) = (await got(http, "/api/standings", title=one["id"]))["rulesets"]
    assert table["games"] == 2
    third = await play(http, one, seats, 4, 2)
    assert (await third.view())["title"] == other["id"]
    back = await http.post(f"/api/titles/{other['id']}/merge", json={"into": one["id"]})
    assert (back.status_code, back.json()["type"], back.json()["id"]) == (
        409,
        "already-merged",
        other["id"],
    )
    itself = await http.post(f"/api/titles/{other['id']}/merge", json={"into": other["id"]})
    assert (itself.status_code, itself.json()["path"]) == (400, "$.into")


@pytest.mark.parametrize("suffix", ["json", "carnet"])
async def test_a_record_keeps_its_title_and_place(http: httpx.AsyncClient, suffix: str) -> None:
    made, place = await title(http, wins="lowest"), f"Lake {uuid4().hex[:8]}"
    game = await play(http, made, await people(http), 3, 5)
    await http.put(f"{game.path}/description", json={"place": place, "tags": []})
    record = (await http.get(f"{game.path}/record.{suffix}")).content
    seen = (await http.post("/api/imports?preview=true", content=record)).json()
    assert (seen["title"], seen["place"], seen["here"]) == (made["name"], place, [game.id])
    other = f"Other {uuid4().hex[:8]}"
    record = record.replace(made["name"].encode(), other.encode())
    answer = await http.post("/api/imports", content=record)
    again = await http.post("/api/imports", content=record)  # it is recognized
    assert (answer.status_code, again.status_code) == (201, 200), answer.text
    (copy,) = (await got(http, "/api/games", place=place, title=answer.json()["title"]))["games"]
    assert copy["title_name"] == other
    titles = (await got(http, "/api/titles"))["titles"]
    assert [one["options"] for one in titles if one["name"] == other] == [
        {"wins": "lowest", "rounds": 1}
    ]


async def test_a_record_of_a_card_game_has_no_title(http: httpx.AsyncClient) -> None:
    body = {"ruleset": "euchre", "seats": 2, "log": [], "title": "Skyjo", "players": ["A", "B"]}
    answer = await http.post("/api/imports", json=body)
    assert (answer.status_code, answer.json()["path"]) == (400, "$.title")
    text = '[Ruleset euchre]\n[Seats 2]\n[Title "Skyjo"]\n'
    answer = await http.post("/api/imports", content=text)
    assert (answer.status_code, answer.json()["line"]) == (400, 3)
