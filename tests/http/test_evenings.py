import re
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.http.club import LOST_RESULT, MADE_RESULT, Game, Json, add_player
from tests.service.export.pages import codes, pages


async def three_games(http: httpx.AsyncClient) -> tuple[list[str], list[str]]:
    people = [await add_player(http, name) for name in ("Zoé", "Émile", "Bo", "Max")]
    ids: list[str] = []
    for seats in (people[:2], people[1::-1], people[2:]):
        body: Json = {"ruleset": "euchre", "options": {"target": 1}, "players": seats}
        answer = await http.post("/api/games", json=body)
        game = Game(http, answer.json())
        await game.record(MADE_RESULT)
        ids.append(game.id)
    return ids, people


async def show(http: httpx.AsyncClient, path: str) -> dict[str, Any]:
    answer = await http.get(path)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


async def test_games_of_the_same_people_are_one_evening(http: httpx.AsyncClient) -> None:
    games, people = await three_games(http)
    evening = await show(http, f"/api/evenings/{games[0]}")
    assert [game["id"] for game in evening["games"]] == games[:2]
    tally = {one["player"]["id"]: (one["games"], one["first"]) for one in evening["tally"]}
    assert tally == {people[0]: (2, 1), people[1]: (2, 1)}


async def test_an_evening_is_found_by_any_of_its_games(http: httpx.AsyncClient) -> None:
    games, _ = await three_games(http)
    evening = await show(http, f"/api/evenings/{games[1]}")
    assert evening["id"] == games[0]


async def test_the_list_tells_the_last_evening_first(http: httpx.AsyncClient) -> None:
    games, _ = await three_games(http)
    listed = await show(http, "/api/evenings?limit=1")
    assert listed["evenings"][0]["id"] == games[2]
    assert {games[0], games[2]} <= {one["id"] for one in listed["evenings"]}


async def test_first_page_folds_the_games_of_a_long_evening(http: httpx.AsyncClient) -> None:
    players = [await add_player(http, name) for name in ("Zoé", "Émile")]
    body: Json = {"ruleset": "euchre", "options": {"target": 1}, "players": players}
    games = [Game(http, (await http.post("/api/games", json=body)).json()) for _ in range(8)]
    for game in games:
        await game.record(MADE_RESULT)
    page = await http.get("/", headers={"Accept": "text/html", "Accept-Language": "en"})
    unfolded, found, folded = page.text.partition("<summary>and 2 more</summary>")
    assert found
    links = [f"/games/{game.id}/sheet" for game in games]
    assert [link in unfolded for link in links] == [True] * 6 + [False] * 2
    assert [link in folded for link in links] == [False] * 6 + [True] * 2


async def test_a_game_set_aside_is_of_no_evening(http: httpx.AsyncClient) -> None:
    game = await Game.start(http)
    await game.record(LOST_RESULT | {"dealer": 0}, {"type": "set_aside", "reason": "a test"})
    assert (await http.get(f"/api/evenings/{game.id}")).status_code == 404


async def test_an_evening_says_how_many_of_its_games_are_set_aside(http: httpx.AsyncClient) -> None:
    games, people = await three_games(http)
    assert "set_aside" not in await show(http, f"/api/evenings/{games[0]}")
    body: Json = {"ruleset": "euchre", "options": {"target": 1}, "players": people[:2]}
    third = Game(http, (await http.post("/api/games", json=body)).json())
    await third.record(MADE_RESULT, {"type": "set_aside", "reason": "a test"})
    evening = await show(http, f"/api/evenings/{games[0]}")
    assert ([game["id"] for game in evening["games"]], evening["set_aside"]) == (games[:2], 1)
    page = await http.get(f"/evenings/{games[0]}", headers={"Accept-Language": "de"})
    assert "1 Partie ist beiseitegelegt und zählt nicht." in page.text


async def test_games_set_aside_are_counted_and_told_where_they_are_asked_for(
    http: httpx.AsyncClient,
) -> None:
    before = (await show(http, "/api/evenings?limit=1")).get("set_aside", 0)
    game = await Game.start(http)
    await game.record(LOST_RESULT | {"dealer": 0}, {"type": "set_aside", "reason": "a test"})
    without = await show(http, "/api/evenings?limit=50")
    assert without["set_aside"] == before + 1
    assert game.id not in [one["id"] for evening in without["evenings"] for one in evening["games"]]
    for asked in ("include", "only"):
        found = await show(http, f"/api/evenings?limit=1&set_aside={asked}")
        last = found["evenings"][0]["games"][0]
        assert (last["id"], last["set_aside"]) == (game.id, True)
    assert " set aside and do" in (await http.get("/history")).text


async def test_the_pages_show_an_evening_and_its_tally(http: httpx.AsyncClient) -> None:
    games, _ = await three_games(http)
    listed = await http.get("/history", headers={"Accept-Language": "fr"})
    assert f"/evenings/{games[0]}" in listed.text
    assert "année" in listed.text
    page = await http.get(f"/evenings/{games[0]}", headers={"Accept-Language": "de"})
    assert page.status_code == 200
    assert "Bilanz" in page.text
    assert page.text.count(f"/games/{games[1]}/sheet") == 1


async def test_an_evening_goes_on_as_its_last_game_was_played(http: httpx.AsyncClient) -> None:
    people = [await add_player(http, name) for name in ("Zoé", "Émile")]
    titles = [
        (await http.post("/api/titles", json={"name": f"Belote {uuid4()}"})).json()["id"]
        for _ in range(2)
    ]
    games: list[Game] = []
    for title, seats in zip(titles, (people, people[::-1]), strict=True):
        body = {"ruleset": "scores", "title": title, "options": {"rounds": 1}, "players": seats}
        games.append(Game(http, (await http.post("/api/games", json=body)).json()))
        await games[-1].record({"type": "result", "points": [3, 4]})
    page = (await http.get(f"/evenings/{games[0].id}", headers={"Accept-Language": "en"})).text
    ((again, words),) = re.findall(
        r'<form[^>]* action="(/games/new/again/[^"]*)">(.*?)</form>', page, re.DOTALL
    )
    assert "Same players again" in words
    assert "<small>Émile – Zoé</small>" in words
    started = await http.post(again)
    game = await show(http, f"/api{started.headers['Location'].partition('?')[0]}")
    assert [one["id"] for one in game["players"]] == people[::-1]
    assert (game["title"], game["options"]["rounds"]) == (titles[1], 1)


async def test_an_unreadable_place_in_the_list_is_told(http: httpx.AsyncClient) -> None:
    answer = await http.get("/api/evenings?cursor=nonsense")
    assert (answer.status_code, answer.json()["type"]) == (400, "malformed")


@pytest.mark.parametrize("size", ["a4", "a5"])
async def test_an_evening_on_paper_has_its_games_and_no_other(
    http: httpx.AsyncClient, size: str
) -> None:
    games, _ = await three_games(http)  # the third is played at another table meanwhile
    address = f"/evenings/{games[0]}/sheet.pdf?paper={size}"
    answer = await http.get(address, headers={"Accept-Language": "fr"})
    assert answer.headers["Content-Type"] == "application/pdf"
    (page,) = pages(answer.content)
    text = " ".join(page.text.split())
    assert "2 parties" in text
    assert "Zoé" in text
    assert "Max" not in text
    assert "/evenings/" not in text  # phones do not reach this address


async def test_the_code_on_paper_leads_to_the_evening(http: httpx.AsyncClient) -> None:
    games, _ = await three_games(http)
    reached = {"Host": "club.example:8000"}
    answer = await http.get(f"/evenings/{games[1]}/sheet.pdf", headers=reached)
    (page,) = pages(answer.content)
    address = f"http://club.example:8000/evenings/{games[0]}"
    assert codes(answer.content) == [address]
    assert address in "".join(page.text.split())


async def test_the_chart_of_this_year_ends_with_this_month(http: httpx.AsyncClient) -> None:
    await three_games(http)
    before = datetime.now(UTC)
    page = await http.get(f"/years/{before.year}", headers={"Accept-Language": "en"})
    after = datetime.now(UTC)
    chart = page.text.partition("<svg viewBox")[2].partition("</svg>")[0]
    months = re.findall(r"[A-Z][a-z]{2}", chart)
    assert months[-1] in {f"{before:%b}", f"{after:%b}"}
