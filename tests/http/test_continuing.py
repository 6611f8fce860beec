"""One game goes on as another: somebody arrives or leaves, or an option is put right."""

import asyncio
from typing import Any
from uuid import uuid4

import httpx

from tests.http.club import Game, Json, add_player
from tests.http.scores import ScoresGame


async def _problem(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["type"]


async def _running(http: httpx.AsyncClient, **options: object) -> ScoresGame:
    game = await ScoresGame.begin(http, ("Marc", "Jeanne"), **options)
    await game.rounds([35, 0])
    return game


async def test_totals_go_on_and_who_arrives_starts_as_agreed(http: httpx.AsyncClient) -> None:
    game = await _running(http, target=500, wins="lowest")
    chloe = await add_player(http, "Chloé")
    after = await game.go_on([*game.people, chloe], starts={chloe: 20})
    view = await after.view()
    assert (view["totals"], view["deal"], view["continues"]) == ([35, 0, 20], 2, game.id)
    assert (view["options"]["target"], view["options"]["wins"]) == (500, "lowest")
    assert (await game.view())["continued_by"] == after.id


async def test_the_log_carries_totals_with_reasons_of_their_own(http: httpx.AsyncClient) -> None:
    game = await _running(http)
    chloe = await add_player(http, "Chloé")
    after = await game.go_on([chloe, *reversed(game.people)], starts={chloe: -4})
    assert [one["entry"] for one in await after.log()][1:] == [
        {"type": "adjust", "seat": 0, "points": -4, "reason": "carnet:arrived"},
        {"type": "adjust", "seat": 1, "points": 0, "reason": "carnet:carried"},
        {"type": "adjust", "seat": 2, "points": 35, "reason": "carnet:carried"},
    ]
    assert len(await game.log()) == 3


async def test_the_reason_cannot_be_erased(http: httpx.AsyncClient) -> None:
    game = await _running(http)
    after = await game.go_on(game.people)
    assert (await http.delete(f"{after.path}/entries/2/text")).status_code == 404


async def test_the_game_before_gets_no_more_entries_and_says_where_it_goes_on(
    http: httpx.AsyncClient,
) -> None:
    game = await _running(http)
    after = await game.go_on(game.people)
    for entry in ({"type": "result", "points": [1, 2]}, {"type": "note", "text": "tea"}):
        answer = await game.send(entry)
        assert await _problem(answer) == (409, "game-continued")
        assert answer.json()["game"] == after.id
    assert (await game.view())["choices"] == []


async def test_a_repeated_entry_of_the_game_before_is_answered_as_before(
    http: httpx.AsyncClient,
) -> None:
    game = await ScoresGame.begin(http, ("Marc", "Jeanne"))
    key, entry = str(uuid4()), {"type": "result", "points": [1, 2]}
    assert (await game.send(entry, key=key)).status_code == 201
    await game.go_on(game.people)
    again = await game.send(entry, key=key)
    assert (again.status_code, again.headers["Idempotency-Replayed"]) == (201, "true")


async def test_a_retried_start_is_the_same_game_and_another_body_is_refused(
    http: httpx.AsyncClient,
) -> None:
    game, key = await _running(http), str(uuid4())
    first = await game.go_on(game.people, key=key)
    await first.rounds([1, 2])
    assert (await game.go_on(game.people, key=key)).id == first.id
    other = await game.ask_to_go_on(game.people, key=key, options={"wins": "lowest"})
    assert await _problem(other) == (409, "key-reused")


async def test_of_two_phones_one_continues_it(http: httpx.AsyncClient) -> None:
    game = await _running(http)
    answers = await asyncio.gather(*(game.ask_to_go_on(game.people) for _ in range(6)))
    started = [one for one in answers if one.status_code == 201]
    assert len(started) == 1
    for answer in answers:
        if answer not in started:
            assert await _problem(answer) == (409, "game-continued")
            assert answer.json()["game"] == started[0].json()["id"]


async def test_a_round_and_a_continuation_at_once_lose_nothing(http: httpx.AsyncClient) -> None:
    for _ in range(8):
        game = await _running(http)
        entered, continued = await asyncio.gather(
            game.send({"type": "result", "points": [3, 4]}), game.ask_to_go_on(game.people)
        )
        if entered.status_code == 201 and continued.status_code == 201:
            assert continued.json()["totals"] == [38, 4]
        else:
            assert {entered.status_code, continued.status_code} == {201, 409}


async def test_what_cannot_be_continued_is_said(http: httpx.AsyncClient) -> None:
    game = await _running(http)
    body: Json = {"ruleset": "scores", "players": game.people}
    unknown = await http.post("/api/games", json={**body, "continues": str(uuid4())})
    assert (unknown.status_code, unknown.json()["path"]) == (400, "$.continues")
    other = await http.post("/api/games", json={**body, "ruleset": "rami", "continues": game.id})
    assert (other.status_code, other.json()["path"]) == (400, "$.ruleset")
    strangers = [await add_player(http, name) for name in ("Ada", "Bo")]
    nobody_stays = await game.ask_to_go_on(strangers)
    assert (nobody_stays.status_code, nobody_stays.json()["path"]) == (400, "$.players")
    stays = await game.ask_to_go_on(game.people, starts={game.people[0]: 3})
    assert stays.json()["path"] == f"$.starts.{game.people[0]}"
    await game.record({"type": "finish", "reason": ""})
    finished = await game.ask_to_go_on(game.people)
    assert await _problem(finished) == (409, "cannot-continue")
    assert finished.json()["why"] == "finished"


async def test_a_deal_in_progress_cannot_be_left(game: Game) -> None:
    await game.record({"type": "deal", "dealer": 0, "turn_up": "QH"})
    people = [player["id"] for player in (await game.view())["players"]]
    body = {"ruleset": "euchre", "players": people, "continues": game.id}
    answer = await game.http.post("/api/games", json=body)
    assert (answer.status_code, answer.json()["why"]) == (409, "deal")


async def test_the_rules_say_how_many_can_play(game: Game) -> None:
    people = [player["id"] for player in (await game.view())["players"]]
    for players in (people[:1], [*people, await add_player(game.http, "Chloé")]):
        body = {"ruleset": "euchre", "players": players, "continues": game.id}
        answer = await game.http.post("/api/games", json=body)
        assert (answer.status_code, answer.json()["path"]) == (400, "$.players")


async def test_put_right_so_that_the_target_is_reached_ends_it(http: httpx.AsyncClient) -> None:
    game = await _running(http, target=500)
    view = await (await game.go_on(game.people, options={"target": 30})).view()
    assert (view["status"], view["totals"]) == ("finished", [35, 0])


async def test_rounds_to_come_are_what_is_left(http: httpx.AsyncClient) -> None:
    game = await _running(http, rounds=3)
    after = await game.go_on(game.people)
    await after.rounds([1, 1])
    assert (await after.view())["status"] == "open"
    await after.rounds([1, 1])
    assert (await after.view())["status"] == "finished"


async def _games(http: httpx.AsyncClient, player: str, **query: str) -> list[Any]:
    answer = await http.get("/api/games", params={"player": player, **query})
    found: list[Any] = answer.json()["games"]
    return found


async def test_lists_count_one_game_with_all_rounds(http: httpx.AsyncClient) -> None:
    game = await _running(http)
    (before,) = await _games(http, game.people[0])
    chloe = await add_player(http, "Chloé")
    after = await game.go_on([*game.people, chloe])
    last = await after.go_on([game.people[0], chloe])
    await last.rounds([1, 2], [3, 4])
    (line,) = await _games(http, game.people[0], set_aside="include")
    assert (line["id"], line["deals"], line["totals"]) == (last.id, 3, [39, 6])
    assert line["started_at"] == before["started_at"]
    assert await _games(http, game.people[1]) == []
    assert await _games(http, chloe, status="open") == [line]


async def test_undone_from_either_side_the_game_before_goes_on(http: httpx.AsyncClient) -> None:
    game = await _running(http)
    after = await game.go_on(game.people, options={"wins": "lowest"})
    await after.undo()
    assert "continued_by" not in await game.view()
    (line,) = await _games(http, game.people[0])
    assert (line["id"], line["deals"]) == (game.id, 1)
    await game.rounds([1, 1])
    again = await game.go_on(game.people)
    assert (await again.view())["totals"] == [36, 1]


async def test_an_undone_one_goes_on_again_unless_the_game_before_has(
    http: httpx.AsyncClient,
) -> None:
    game = await _running(http)
    after = await game.go_on(game.people)
    await after.rounds([2, 2])
    await after.undo()
    redone = await after.ask_to_redo()
    after.version = redone.json()["version"]
    assert (await game.view())["continued_by"] == after.id
    assert (await _games(http, game.people[0]))[0]["deals"] == 2
    await after.undo()
    await game.rounds([1, 1])
    back = await after.ask_to_redo()
    assert await _problem(back) == (409, "game-before-moved")


async def test_an_undone_one_does_not_go_on_beside_another(http: httpx.AsyncClient) -> None:
    game = await _running(http)
    after = await game.go_on(game.people)
    await after.undo()
    other = await game.go_on(game.people)
    back = await after.ask_to_redo()
    assert await _problem(back) == (409, "game-continued")
    assert back.json()["game"] == other.id


async def test_set_aside_as_a_whole_nothing_of_it_counts(http: httpx.AsyncClient) -> None:
    game = await _running(http)
    after = await game.go_on(game.people)
    await after.record({"type": "set_aside", "reason": "a trial"})
    assert await _games(http, game.people[0]) == []
    assert (await game.view())["continued_by"] == after.id


async def test_history_standings_and_sheets_count_one_game(http: httpx.AsyncClient) -> None:
    title = (await http.post("/api/titles", json={"name": f"T {uuid4()}"})).json()["id"]
    ann, bob, zoe = [await add_player(http, name) for name in ("Ann", "Bob", "Zoe")]
    body = {"ruleset": "scores", "title": title, "players": [ann, bob]}
    game = ScoresGame.of(http, (await http.post("/api/games", json=body)).json())
    await game.rounds([1, 2], [3, 4])
    after = await game.go_on([zoe, ann], starts={zoe: 5})
    await after.rounds([6, 7])
    await after.record({"type": "finish", "reason": ""})
    history = (await http.get("/api/history", params={"title": title})).json()["games"]
    assert [one["id"] for one in history] == [after.id]
    deals = [(deal["deal"], deal["points"]) for deal in history[0]["deals"]]
    assert deals == [(1, [None, 1]), (2, [None, 3]), (3, [6, 7])]
    assert history[0]["totals"] == [11, 11]
    (table,) = (await http.get("/api/standings", params={"title": title})).json()["rulesets"]
    assert (table["games"], table["finished"]) == (1, 1)
    figures = {one["player"]["id"]: one["figures"] for one in table["standings"]}
    assert (figures[ann]["games"], figures[ann]["deals"]) == (1, 3)
    assert bob not in figures
    sheet = (await http.get(f"{after.path}/sheet.json")).json()
    assert [row["number"] for row in sheet["sheet"]["rows"] if row["row"] == "deal"] == [1, 2, 3]
    page = " ".join((await http.get(f"/games/{after.id}/sheet")).text.split())
    assert "Zoe joins, Bob leaves" in page
    csv = (await http.get(f"/games/{after.id}/sheet.csv")).text
    assert ("Zoe joins, Bob leaves" in csv, "carnet:" in csv) == (True, False)
