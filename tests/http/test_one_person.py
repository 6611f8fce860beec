from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.http.club import Game, Json, add_player

MARCH: Json = {"type": "result", "maker": 0, "tricks": 5, "dealer": 0}


async def _won(http: httpx.AsyncClient, *players: str) -> Game:
    body = {"ruleset": "euchre", "options": {"target": 2}, "players": players}
    answer = await http.post("/api/games", json=body)
    assert answer.status_code == 201, answer.text
    game = Game(http, answer.json())
    await game.record(MARCH)
    return game


async def _twins(http: httpx.AsyncClient) -> tuple[list[str], list[str], list[Game]]:
    names = [f"{name} {uuid4()}" for name in ("Lea", "Léa", "Bob", "Cy")]
    ids = [await add_player(http, name) for name in names]
    lea, other, bob, cy = ids
    return names, ids, [await _won(http, lea, bob), await _won(http, other, cy)]


async def _get(http: httpx.AsyncClient, path: str, **query: str) -> Any:  # noqa: ANN401 JSON
    answer = await http.get(path, params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_a_name_that_exists_is_told_with_whose_it_is(http: httpx.AsyncClient) -> None:
    name = f"Chloé {uuid4()}"
    chloe = await add_player(http, name)
    body = {"name": name.replace("é", "e\u0301").upper()}
    for answer in (
        await http.post("/api/players", json=body),
        await http.patch(f"/api/players/{await add_player(http, str(uuid4()))}", json=body),
    ):
        told = answer.json()
        assert (answer.status_code, told["type"], told["id"]) == (409, "name-taken", chloe)
    allowed = await http.post("/api/players", json={**body, "same_name": True})
    assert allowed.status_code == 201


async def test_a_name_like_a_known_one_is_added_and_told(http: httpx.AsyncClient) -> None:
    mark = uuid4().hex
    chloe = await add_player(http, f"Chloé {mark}")
    added = (await http.post("/api/players", json={"name": f"chloe{mark}"})).json()
    assert added["alike"] == [{"id": chloe, "name": f"Chloé {mark}"}]
    renamed = await http.patch(f"/api/players/{added['id']}", json={"name": f"Chlo-e {mark}"})
    assert [one["id"] for one in renamed.json()["alike"]] == [chloe]


async def test_a_record_with_a_name_like_a_known_one_is_asked_about(
    http: httpx.AsyncClient,
) -> None:
    mark = uuid4().hex
    chloe, bob = f"Chloé {mark}", f"Bob {mark}"
    there = [await add_player(http, one) for one in (chloe, bob)]
    record = (
        f'[Ruleset euchre]\n[Seats 2]\n[Players "chloe{mark}" "{bob}"]\n'
        "result maker 0 tricks 3 dealer 0"
    )
    headers = {"Content-Type": "text/vnd.carnet"}

    async def send(**query: str) -> httpx.Response:
        return await http.post("/api/imports", content=record, params=query, headers=headers)

    alike = [{"seat": 0, "name": f"chloe{mark}", "players": [{"id": there[0], "name": chloe}]}]
    seen = (await send(preview="true")).json()
    assert (seen["ok"], seen["alike"]) == (False, alike)
    refused = await send()
    assert (refused.status_code, refused.json()["type"]) == (409, "names-alike")
    assert {name: refused.json()[name] for name in alike[0]} == alike[0]
    as_known = await send(players=",".join(there))
    assert [one["id"] for one in as_known.json()["players"]] == there
    as_new = await send(new_names="true")
    assert as_new.status_code == 201
    assert as_new.json()["players"][0]["id"] not in there


async def test_a_new_game_asks_about_a_name_like_a_known_one(http: httpx.AsyncClient) -> None:
    mark = uuid4().hex
    await add_player(http, f"Léa {mark}")
    form = {"ruleset": "scores", "title": mark, "name.0": f"lea{mark}", "name.1": mark}
    asked = await http.post("/games/new", data=form)
    page = await http.get(asked.headers["Location"]) if asked.is_redirect else asked
    assert f"Léa {mark} is in the list already" in page.text
    one = await http.post("/games/new", data={**form, "same": "one"})
    game = await _get(http, f"/api{one.headers['Location']}")
    assert [player["name"] for player in game["players"]] == [f"Léa {mark}", mark]
    started = await http.post("/games/new", data={**form, "same": "two"})
    assert started.headers["Location"].startswith("/games/")
    people = [one["name"] for one in (await _get(http, "/api/players"))["players"]]
    assert f"lea{mark}" in people


async def test_two_entries_are_one_person_in_every_list_figure_and_file(
    http: httpx.AsyncClient,
) -> None:
    names, (lea, other, bob, cy), games = await _twins(http)
    log = (await http.get(f"{games[0].path}/entries")).content
    merged = await http.post(f"/api/players/{lea}/merge", json={"into": other})
    assert (merged.status_code, merged.json()["id"]) == (200, other)
    assert merged.json()["merged"] == [{"id": lea, "name": names[0], "into": other}]

    everybody = {one["id"]: one for one in (await _get(http, "/api/players"))["players"]}
    assert lea not in everybody
    assert everybody[other]["merged"][0]["id"] == lea
    for one in (lea, other):
        person = await _get(http, f"/api/players/{one}")
        assert (person["id"], person["rulesets"][0]["figures"]["wins"]) == (other, 2)
        assert {head["player"]["id"] for head in person["head_to_head"]} == {bob, cy}
        listed = (await _get(http, "/api/games", player=one))["games"]
        assert {game["id"] for game in listed} == {game.id for game in games}
    assert {"id": other, "name": names[1]} in (await games[0].view())["players"]
    tables = (await _get(http, "/api/standings", ruleset="euchre"))["rulesets"]
    standings = {one["player"]["id"]: one["figures"] for one in tables[0]["standings"]}
    assert lea not in standings
    assert standings[other]["games"] == 2
    history = await _get(http, "/api/history", player=lea)
    seated = [player["id"] for game in history["games"] for player in game["players"]]
    assert (seated.count(other), seated.count(lea)) == (2, 0)
    for path in (f"{games[0].path}/sheet.csv", f"/api/history.csv?player={other}"):
        text = (await http.get(path)).text
        assert names[1] in text
        assert names[0] not in text
    assert names[0] not in (await http.get(f"{games[0].path}/record.carnet")).text
    evening = await _get(http, f"/api/evenings/{games[1].id}")
    assert {one["player"]["id"] for one in evening["tally"]} >= {other}
    assert lea not in str(evening)
    assert (await http.get(f"{games[0].path}/entries")).content == log


async def test_a_merge_is_undone(http: httpx.AsyncClient) -> None:
    names, (lea, other, bob, _), games = await _twins(http)
    before = [await _get(http, f"/api/players/{one}") for one in (lea, other, bob)]
    await http.post(f"/api/players/{lea}/merge", json={"into": other})
    assert (await http.delete(f"/api/players/{lea}/merge")).status_code == 204
    assert [await _get(http, f"/api/players/{one}") for one in (lea, other, bob)] == before
    assert (await games[0].view())["players"][0] == {"id": lea, "name": names[0]}
    assert (await http.delete(f"/api/players/{lea}/merge")).status_code == 404


async def test_a_game_goes_on_as_the_persons(http: httpx.AsyncClient) -> None:
    lea, other, bob = [await add_player(http, str(uuid4())) for _ in range(3)]
    body = {"ruleset": "euchre", "players": [lea, bob]}
    game = Game(http, (await http.post("/api/games", json=body)).json())
    await game.record({"type": "note", "text": "one"})
    await http.post(f"/api/players/{lea}/merge", json={"into": other})
    state = (await game.record({"type": "note", "text": "two"}))["state"]
    assert [player["id"] for player in state["players"]] == [other, bob]
    again = await http.post("/api/games", json=body)
    assert [player["id"] for player in again.json()["players"]] == [other, bob]
    refused = await http.post("/api/games", json={**body, "players": [lea, other]})
    assert refused.json()["path"] == "$.players[1]"


async def test_people_who_sat_in_one_game_are_two(http: httpx.AsyncClient) -> None:
    ann, bob = [await add_player(http, str(uuid4())) for _ in range(2)]
    game = await _won(http, ann, bob)
    answer = await http.post(f"/api/players/{ann}/merge", json={"into": bob})
    assert answer.status_code == 409
    assert (answer.json()["type"], answer.json()["game"]) == ("same-game", game.id)


async def test_what_cannot_be_merged_is_refused(http: httpx.AsyncClient) -> None:
    ann, bob, cy = [await add_player(http, str(uuid4())) for _ in range(3)]
    path = f"/api/players/{ann}/merge"
    assert (await http.post(path, json={"into": str(uuid4())})).status_code == 404
    assert (await http.post(path, json={"into": ann})).json()["path"] == "$.into"
    await http.post(path, json={"into": bob})
    answer = await http.post(path, json={"into": cy})
    assert (answer.status_code, answer.json()["type"]) == (409, "already-merged")
    assert answer.json()["id"] == bob


@pytest.mark.parametrize("typed", ["LÉA {}", "lea{}"])
async def test_adding_a_name_that_exists_or_is_alike_asks_on_the_page(
    http: httpx.AsyncClient, typed: str
) -> None:
    mark = uuid4().hex
    name, other = f"Léa {mark}", typed.format(mark)
    known = await add_player(http, name)
    asked = await http.post("/players", data={"name": other})
    text = (await http.get(asked.headers["Location"])).text
    assert f'href="/players/{known}"' in text
    assert "They are two people" in text
    await http.post("/players", data={"name": other, "do": "two"})
    people = (await _get(http, "/api/players"))["players"]
    assert [one["name"] for one in people if mark in (one["name"] or "")] == [name, other]


async def test_renaming_to_a_name_that_exists_asks_on_the_page(http: httpx.AsyncClient) -> None:
    _, (lea, other, *_), games = await _twins(http)
    name = (await _get(http, f"/api/players/{other}"))["name"]
    asked = await http.post(f"/players/{lea}", data={"name": name, "do": "rename"})
    text = (await http.get(asked.headers["Location"])).text
    assert "One person: merge" in text
    assert f'value="{other}"' in text
    merged = await http.post(f"/players/{lea}", data={"name": name, "do": "merge", "other": other})
    assert merged.headers["Location"] == f"/players/{other}"
    page = (await http.get(f"/players/{lea}")).headers["Location"]
    assert page == f"/players/{other}"
    assert "is counted here, too" in (await http.get(page)).text
    await http.post(page, data={"do": "part", "other": lea})
    assert (await games[0].view())["players"][0]["id"] == lea


async def test_two_of_one_game_are_not_merged_on_the_page(http: httpx.AsyncClient) -> None:
    ann, bob = [await add_player(http, str(uuid4())) for _ in range(2)]
    await _won(http, ann, bob)
    answer = await http.post(f"/players/{ann}", data={"do": "merge", "other": bob})
    assert "They sat in one game together" in (await http.get(answer.headers["Location"])).text


async def test_whoever_is_like_somebody_comes_first_where_they_are_merged(
    http: httpx.AsyncClient,
) -> None:
    mark = uuid4().hex
    lea, other = [await add_player(http, f"{name}{mark}") for name in ("Zoë", "zoe ")]
    text = (await http.get(f"/players/{lea}")).text
    options = text[text.index('<option value="">') :]
    assert options.index(other) < options.index("<option value=", 20) + len(other) + 20


async def test_a_merge_is_told_and_undone_in_three_languages(http: httpx.AsyncClient) -> None:
    _, (lea, other, *_), _ = await _twins(http)
    await http.post(f"/api/players/{lea}/merge", json={"into": other})
    for language, words in (
        ("fr", ("La même personne en double", "comptent ici aussi", "Annuler", "Réunir")),
        ("de", ("Dieselbe Person doppelt", "zählen hier mit", "Rückgängig", "Zusammenlegen")),
        ("en", ("The same person twice", "is counted here, too", "Undo", "Merge")),
    ):
        page = await http.get(f"/players/{other}", headers={"Accept-Language": language})
        assert [word for word in words if word not in page.text] == []
