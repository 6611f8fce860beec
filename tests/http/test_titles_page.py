"""The pages of games by points: what is played, rename, rules, hide, merge and undo, forget."""

from uuid import uuid4

import httpx
import pytest

from tests.http.club import Game, Json, add_player


def unique(name: str) -> str:
    return f"{name} {uuid4().hex[:6]}"


async def title(http: httpx.AsyncClient, name: str = "", **options: object) -> Json:
    body = {"name": name or unique("Game"), "options": options}
    answer = await http.post("/api/titles", json=body)
    assert answer.status_code == 201, answer.text
    found: Json = answer.json()
    return found


async def played(http: httpx.AsyncClient, of: Json) -> Game:
    people = [await add_player(http, unique("P")) for _ in range(2)]
    body = {"ruleset": "scores", "title": of["id"], "options": {"rounds": 1}, "players": people}
    game = Game(http, (await http.post("/api/games", json=body)).json())
    await game.record({"type": "result", "points": [3, 4]})
    return game


async def change(http: httpx.AsyncClient, of: Json, **fields: str) -> str:
    answer = await http.post(f"/titles/{of['id']}", data=fields, follow_redirects=True)
    assert answer.status_code == 200, answer.text
    return answer.text


async def listed(http: httpx.AsyncClient, of: Json) -> Json | None:
    titles = (await http.get("/api/titles")).json()["titles"]
    return next((one for one in titles if one["id"] == of["id"]), None)


async def test_titles_are_listed_with_their_games_and_the_last_time(
    http: httpx.AsyncClient,
) -> None:
    made, other = await title(http), await title(http, wins="lowest", target=66)
    for _ in range(2):
        await played(http, made)
    page = (await http.get("/titles")).text
    line = page[page.index(f"/titles/{made['id']}") :].partition("</li>")[0]
    assert made["name"] in line
    assert "2 games" in line
    assert "last played" in line
    line = page[page.index(f"/titles/{other['id']}") :].partition("</li>")[0]
    assert "The lowest total wins" in line
    own = (await http.get(f"/titles/{made['id']}")).text
    assert "2 games" in own
    assert f"/history?ruleset={made['id']}" in own


async def test_a_name_in_use_is_refused_as_that_of_a_game(http: httpx.AsyncClient) -> None:
    made, other = await title(http), await title(http)
    page = await change(http, other, do="rename", name=made["name"].upper())
    assert f"A game is called {made['name']} already." in page
    assert "the same game: merge" in page.lower()
    answer = await http.post("/titles", data={"name": made["name"]}, follow_redirects=True)
    assert f"A game is called {made['name']} already." in answer.text
    renamed = unique("Renamed")
    assert renamed in await change(http, other, do="rename", name=renamed)
    assert (await listed(http, other) or {})["name"] == renamed


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("en", "A game has this name already"),
        ("fr", "Un jeu porte déjà ce nom"),
        ("de", "Ein Spiel heißt schon so"),
    ],
)
async def test_the_api_speaks_of_a_game_too(http: httpx.AsyncClient, lang: str, words: str) -> None:
    made = await title(http)
    headers = {"Accept-Language": lang}
    answer = await http.post("/api/titles", json={"name": made["name"]}, headers=headers)
    problem = answer.json()
    assert (answer.status_code, problem["type"], problem["id"]) == (409, "name-taken", made["id"])
    assert problem["title"] == words
    assert "same_name" not in problem["detail"]


async def test_the_rules_of_new_games_are_changed(http: httpx.AsyncClient) -> None:
    made = await title(http)
    fields = {"text.wins": "lowest", "with.target": "66", "with.rounds": "", "with.teams": ""}
    page = await change(http, made, do="options", **fields)
    assert "The lowest total wins" in page
    assert (await listed(http, made) or {})["options"] == {"wins": "lowest", "target": 66}
    wrong = await change(http, made, do="options", **{**fields, "with.target": "-3"})
    assert "whole numbers above 0" in wrong
    assert (await listed(http, made) or {})["options"]["target"] == 66


async def test_a_hidden_title_is_not_offered_and_stays_in_the_history(
    http: httpx.AsyncClient,
) -> None:
    made = await title(http)
    await played(http, made)
    assert made["name"] in (await http.get("/games/new")).text
    assert "Hidden" in await change(http, made, do="hide")
    assert (await listed(http, made) or {})["hidden"] is True
    assert made["name"] not in (await http.get("/games/new")).text
    assert made["name"] in (await http.get("/history")).text
    assert made["name"] in (await http.get(f"/standings?ruleset={made['id']}")).text
    await change(http, made, do="show")
    assert made["name"] in (await http.get("/games/new")).text


async def test_titles_are_merged_and_parted_again(http: httpx.AsyncClient) -> None:
    made, into = await title(http), await title(http)
    game = await played(http, made)
    page = await change(http, made, do="merge", other=into["id"])
    assert f"{made['name']} is counted here, too." in page
    assert (await game.view())["title"] == into["id"]
    moved = await http.get(f"/titles/{made['id']}")
    assert moved.headers["Location"] == f"/titles/{into['id']}"
    page = await change(http, into, do="part", other=made["id"])
    assert "is counted here, too" not in page
    assert (await game.view())["title"] == made["id"]


async def test_a_merge_is_undone_by_the_api(http: httpx.AsyncClient) -> None:
    made, into = await title(http), await title(http)
    path = f"/api/titles/{made['id']}/merge"
    merged = (await http.post(path, json={"into": into["id"]})).json()
    assert merged["merged"] == [{"id": made["id"], "name": made["name"]}]
    assert (await http.delete(path)).status_code == 204
    assert (await listed(http, made) or {})["name"] == made["name"]
    assert (await http.delete(path)).status_code == 404


async def test_a_forgotten_title_leaves_the_list(http: httpx.AsyncClient) -> None:
    made = await title(http)
    await played(http, made)
    page = await change(http, made, do="forget")
    assert made["name"] not in page
    assert (await http.get(f"/titles/{made['id']}")).status_code == 200


async def test_a_known_game_that_is_added_has_its_rules(http: httpx.AsyncClient) -> None:
    answer = await http.post("/titles", data={"name": "Papayoo"}, follow_redirects=True)
    assert "The lowest total wins" in answer.text
