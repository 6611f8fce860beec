import asyncio
from uuid import uuid4

import httpx

from tests.http.club import DEAL, MADE_RESULT, Game, Json, add_player


async def test_a_game_is_started_with_every_option_written_out(http: httpx.AsyncClient) -> None:
    players = [await add_player(http, name) for name in ("Ann", "Bob")]
    body = {"ruleset": "euchre", "options": {"deck": 32}, "players": players}
    answer = await http.post("/api/games", json=body)

    game = answer.json()
    assert answer.status_code == 201
    assert answer.headers["Location"] == f"/api/games/{game['id']}"
    assert answer.headers["ETag"] == '"1"'
    assert game["options"]["deck"] == 32
    assert game["options"]["target"] == 10
    assert [player["name"] for player in game["players"]] == ["Ann", "Bob"]
    assert (game["version"], game["status"], game["deal"], game["stock"]) == (1, "open", 1, 32)
    assert (await http.get(answer.headers["Location"])).json() == game


async def test_a_game_that_is_started_twice_under_one_key_is_one_game(
    http: httpx.AsyncClient,
) -> None:
    players = [await add_player(http, name) for name in ("Ann", "Bob")]
    body: Json = {"ruleset": "euchre", "players": players}
    headers = {"Idempotency-Key": str(uuid4())}
    answers = await asyncio.gather(
        *(http.post("/api/games", json=body, headers=headers) for _ in range(8))
    )
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.content for answer in answers}) == 1

    for other in ({**body, "options": {"deck": 32}}, {**body, "players": players[::-1]}):
        answer = await http.post("/api/games", json=other, headers=headers)
        assert answer.json()["type"] == "key-reused"


async def test_the_list_is_read_page_by_page_newest_first_while_games_are_played(
    http: httpx.AsyncClient,
) -> None:
    ann, bob = [await add_player(http, name) for name in ("Ann", "Bob")]
    body = {"ruleset": "euchre", "players": [ann, bob]}
    started = [(await http.post("/api/games", json=body)).json() for _ in range(5)]
    seen: list[str] = []
    query = {"player": ann, "limit": "2"}
    while True:
        page = (await http.get("/api/games", params=query)).json()
        seen += [game["id"] for game in page["games"]]
        await Game(http, started[0]).send(MADE_RESULT)
        if page["next"] is None:
            break
        query["cursor"] = page["next"]

    assert seen == [game["id"] for game in reversed(started)]


async def test_the_list_is_filtered(http: httpx.AsyncClient) -> None:
    game = await Game.start(http)
    answered = await game.record({"type": "finish", "reason": "late"})
    at = answered["entries"][0]["recorded_at"]
    ann = answered["state"]["players"][0]["id"]

    async def listed(**query: str) -> list[str]:
        page = (await http.get("/api/games", params={"player": ann, **query})).json()
        return [one["id"] for one in page["games"]]

    for fits in ({}, {"ruleset": "euchre"}, {"status": "finished"}, {"from": at[:10]}, {"to": at}):
        assert await listed(**fits) == [game.id]
    fails = ({"ruleset": "rami"}, {"status": "open"}, {"from": at}, {"to": "2020-01-01"})
    for query in fails:
        assert await listed(**query) == []


async def test_the_list_shows_what_stands(http: httpx.AsyncClient) -> None:
    game = await Game.start(http)
    await game.record(MADE_RESULT)
    view = await game.view()
    page = (await http.get("/api/games", params={"player": view["players"][0]["id"]})).json()

    (line,) = page["games"]
    shared = ("id", "ruleset", "options", "players", "version", "status", "totals")
    assert [line[name] for name in shared] == [view[name] for name in shared]
    assert line["deals"] == 1


async def test_a_game_nobody_started_is_not_found(http: httpx.AsyncClient) -> None:
    path = f"/api/games/{uuid4()}"
    headers = {"If-Match": '"1"', "Idempotency-Key": str(uuid4())}
    assert (await http.get(path)).status_code == 404
    for part in ("/entries", "/at/1", "/live", "/sheet", "/sheet.csv"):
        assert (await http.get(path + part)).status_code == 404
    answer = await http.post(f"{path}/entries", json={"entries": [MADE_RESULT]}, headers=headers)
    assert answer.status_code == 404


async def test_a_game_that_was_started_is_answered_again_after_a_player_was_forgotten(
    http: httpx.AsyncClient,
) -> None:
    players = [await add_player(http, name) for name in ("Ann", "Bob")]
    body: Json = {"ruleset": "euchre", "players": players}
    headers = {"Idempotency-Key": str(uuid4())}
    first = await http.post("/api/games", json=body, headers=headers)
    await http.delete(f"/api/players/{players[0]}")
    again = await http.post("/api/games", json=body, headers=headers)
    assert again.status_code == 201
    assert again.json()["id"] == first.json()["id"]
    assert (await http.post("/api/games", json=body)).status_code == 400


async def test_a_game_that_has_not_gone_on_is_not_sent_again(game: Game) -> None:
    seen = (await game.http.get(game.path)).headers["ETag"]
    same = await game.http.get(game.path, headers={"If-None-Match": seen})
    assert (same.status_code, same.content, same.headers["ETag"]) == (304, b"", seen)
    await game.record(DEAL[0])
    newer = await game.http.get(game.path, headers={"If-None-Match": seen})
    assert newer.json()["version"] == 2
