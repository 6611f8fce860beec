from typing import Any
from uuid import uuid4

import httpx

from tests.http.club import MADE_RESULT, Game
from tests.http.test_people import standing_of

MARCH = {"type": "result", "maker": 0, "tricks": 5, "dealer": 0}
ASIDE = {"type": "set_aside", "reason": "a trial"}


async def game_set_aside(http: httpx.AsyncClient) -> tuple[Game, str]:
    game = await Game.start(http, target=2)
    await game.record(MARCH)
    await game.record(ASIDE)
    return game, (await game.view())["players"][0]["id"]


async def get_json(http: httpx.AsyncClient, path: str, **query: str) -> dict[str, Any]:
    answer = await http.get(path, params=query)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


async def test_it_leaves_the_state_as_it_is_and_says_so(http: httpx.AsyncClient) -> None:
    game, _ = await game_set_aside(http)
    view = await game.view()
    assert (view["status"], view["totals"], view["set_aside"]) == ("finished", [2, 0], True)
    assert [choice["type"] for choice in view["choices"]] == ["note", "take_back"]


async def test_lists_leave_it_out_and_say_how_many_there_are(http: httpx.AsyncClient) -> None:
    game, ann = await game_set_aside(http)
    for path in ("/api/games", "/api/history"):
        left_out = await get_json(http, path, player=ann)
        assert (left_out["games"], left_out["set_aside"]) == ([], 1)
        for asked in ("include", "only"):
            (told,) = (await get_json(http, path, player=ann, set_aside=asked))["games"]
            assert (told["id"], told["set_aside"]) == (game.id, True)


async def test_only_those_set_aside_are_told_where_only_they_are_asked_for(
    http: httpx.AsyncClient,
) -> None:
    game = await Game.start(http)
    ann = (await game.view())["players"][0]["id"]
    assert (await get_json(http, "/api/games", player=ann, set_aside="only"))["games"] == []
    (told,) = (await get_json(http, "/api/games", player=ann, set_aside="include"))["games"]
    assert (told["id"], "set_aside" in told) == (game.id, False)


async def test_standings_and_figures_leave_it_out(http: httpx.AsyncClient) -> None:
    _, ann = await game_set_aside(http)
    assert await standing_of(http, ann) == []
    (standing,) = await standing_of(http, ann, set_aside="include")
    assert standing["figures"]["wins"] == 1
    assert (await get_json(http, "/api/standings"))["set_aside"] >= 1


async def test_a_players_page_leaves_it_out_head_to_head_and_all(http: httpx.AsyncClient) -> None:
    _, ann = await game_set_aside(http)
    told = await get_json(http, f"/api/players/{ann}")
    assert (told["rulesets"], told["head_to_head"], told["results"]) == ([], [], [])
    assert told["set_aside"] == 1
    with_it = await get_json(http, f"/api/players/{ann}", set_aside="only")
    assert len(with_it["head_to_head"]) == len(with_it["results"]) == 1


async def test_exports_leave_it_out(http: httpx.AsyncClient) -> None:
    game, ann = await game_set_aside(http)
    for path in ("/api/history.json", "/api/history.csv"):
        assert game.id not in (await http.get(path, params={"player": ann})).text
        asked = {"player": ann, "set_aside": "include"}
        assert game.id in (await http.get(path, params=asked)).text


async def test_taken_back_it_counts_again(http: httpx.AsyncClient) -> None:
    game, ann = await game_set_aside(http)
    await game.record({"type": "take_back", "to": 4 - 2})
    assert [one["id"] for one in (await get_json(http, "/api/games", player=ann))["games"]] == [
        game.id
    ]
    (standing,) = await standing_of(http, ann)
    assert standing["figures"]["wins"] == 1


async def test_another_word_than_the_three_is_told(http: httpx.AsyncClient) -> None:
    for path in ("/api/games", "/api/history", "/api/standings"):
        answer = await http.get(path, params={"set_aside": "maybe"})
        assert (answer.status_code, answer.json()["path"]) == (400, "$.query.set_aside")


async def test_pages_say_how_many_are_set_aside(http: httpx.AsyncClient) -> None:
    game, ann = await game_set_aside(http)
    for path in (f"/history?player={ann}", "/standings", f"/players/{ann}", "/"):
        page = await http.get(path, headers={"Accept-Language": "en"})
        assert page.status_code == 200
        assert "set aside and do" in page.text, path
        assert game.id not in page.text or path == "/"
    shown = await http.get(f"/history?player={ann}&set_aside=only")
    assert game.id in shown.text


async def test_the_score_sheet_says_that_it_does_not_count(http: httpx.AsyncClient) -> None:
    game, _ = await game_set_aside(http)
    sheet = await game.get("/sheet")
    assert sheet["sheet"]["rows"][-1] == {
        "row": "set_aside",
        "version": 5,
        "totals": [2, 0],
        "reason": "a trial",
    }
    page = await http.get(f"/games/{game.id}/sheet", headers={"Accept-Language": "en"})
    assert "a trial" in page.text


async def test_a_page_sets_it_aside_and_lets_it_count_again(http: httpx.AsyncClient) -> None:
    game = await Game.start(http)
    entry = '{"type":"set_aside"}'
    await _post(http, game, entry, version=1)
    assert (await game.view())["set_aside"]
    board = (await http.get(f"/games/{game.id}", headers={"Accept-Language": "en"})).text
    assert "it does not count" in board
    await _post(http, game, '{"type":"splice","version":2,"drop":1,"moves":[]}', version=2)
    assert "set_aside" not in await game.view()


async def _post(http: httpx.AsyncClient, game: Game, entry: str, *, version: int) -> None:
    fields = {"entry": entry, "version": str(version), "command": str(uuid4()), "text.reason": ""}
    answer = await http.post(
        f"/games/{game.id}/entries",
        data=fields,
        headers={"Accept": "text/html", "Sec-Fetch-Site": "same-origin"},
    )
    assert answer.status_code in {200, 303}, answer.text


HTML = {"Accept": "text/html", "Accept-Language": "en", "Sec-Fetch-Site": "same-origin"}


async def shelf(http: httpx.AsyncClient) -> str:
    return (await http.get("/history?set_aside=only", headers=HTML)).text


async def test_games_are_set_aside_from_the_list_and_brought_back(game: Game) -> None:
    await game.record(MADE_RESULT)
    form = {"game": game.id, "reason": "a trial"}
    for _ in range(2):  # a game that is set aside already is unchanged
        answer = await game.http.post("/shelf", data=form, headers=HTML)
        assert answer.headers["Location"] == "/history?set_aside=only"
    assert f'value="{game.id}"' in await shelf(game.http)
    assert [entry["type"] for entry in await game.log()].count("set_aside") == 1
    await game.http.post("/shelf/back", data={"game": game.id}, headers=HTML)
    assert f'value="{game.id}"' not in await shelf(game.http)
    assert "set_aside" not in await game.view()


async def test_a_game_that_is_not_there_is_counted_as_failed(http: httpx.AsyncClient) -> None:
    form = {"game": "4b0ce5a5-5f1c-4f0b-9d2b-0d5b7a1f6d11"}
    answer = await http.post("/shelf", data=form, headers=HTML)
    page = await http.get(answer.headers["Location"], headers=HTML)
    assert "1 game was changed meanwhile" in page.text


async def test_the_history_offers_it_for_every_game(game: Game) -> None:
    page = await game.http.get("/history", headers=HTML)
    assert f'<input type="checkbox" name="game" value="{game.id}">' in page.text
