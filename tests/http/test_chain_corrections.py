"""A wrong number in an earlier game of a chain is put right, and later totals follow."""

import re
from html import unescape
from uuid import uuid4

import httpx
import pytest

from tests.http.club import Game, Json, add_player
from tests.http.scores import ScoresGame


async def _three(http: httpx.AsyncClient, **options: object) -> list[ScoresGame]:
    """Return a chain of Ann and Bob, then Zoe (20), then without Bob."""
    game = await ScoresGame.begin(http, ("Ann", "Bob"), wins="lowest", **options)
    await game.rounds([35, 0], [1, None])
    zoe = await add_player(http, "Zoe")
    second = await game.go_on([*game.people, zoe], starts={zoe: 20})
    await second.rounds([1, 2, 3])
    third = await second.go_on([zoe, game.people[0]])
    await third.rounds([4, 5])
    return [game, second, third]


def _amend(version: int, points: list[int | None]) -> Json:
    return {"type": "amend", "version": version, "move": {"type": "result", "points": points}}


async def _totals(games: list[ScoresGame]) -> list[list[int]]:
    return [(await game.view())["totals"] for game in games]


async def test_totals_follow_through_all_games(http: httpx.AsyncClient) -> None:
    games = await _three(http)
    assert await _totals(games) == [[36, 0], [37, 2, 23], [27, 42]]
    await games[0].record(_amend(2, [5, 40]))
    assert await _totals(games) == [[6, 40], [7, 42, 23], [27, 12]]
    games[1].version = (await games[1].view())["version"]
    await games[1].record(_amend(5, [1, 2, 9]))
    assert await _totals(games) == [[6, 40], [7, 42, 29], [33, 12]]
    query = {"player": games[0].people[0]}
    (line,) = (await http.get("/api/games", params=query)).json()["games"]
    assert (line["totals"], line["deals"]) == ([33, 12], 4)
    sheet = (await http.get(f"{games[2].path}/sheet.json")).json()["sheet"]
    assert sheet["totals"] == [33, 12, 42]
    for row in sheet["rows"][1:]:
        assert row["row"] in {"deal", "change"}


async def test_a_forgotten_round_is_counted_in_later_games(http: httpx.AsyncClient) -> None:
    games = await _three(http)
    move = {"type": "result", "points": [10, 20]}
    await games[0].record({"type": "splice", "version": 4, "drop": 0, "moves": [move]})
    assert await _totals(games) == [[46, 20], [47, 22, 23], [27, 52]]
    assert [(await game.view())["deal"] for game in games] == [4, 5, 6]


async def test_who_had_no_number_before_is_counted_after(http: httpx.AsyncClient) -> None:
    game = await ScoresGame.begin(http, ("Ann", "Bob"))
    await game.rounds([3, None])
    second = await game.go_on(game.people)
    await second.rounds([1, None])
    await second.record({"type": "finish", "reason": ""})
    assert (await http.get(f"{second.path}/sheet")).json()["sheet"]["ranking"] == [[0]]
    await game.record(_amend(2, [3, 7]))
    sheet = (await http.get(f"{second.path}/sheet")).json()["sheet"]
    assert (sheet["totals"], sheet["ranking"]) == ([4, 7], [[1], [0]])


async def test_what_would_have_ended_the_game_is_refused_and_stores_nothing(
    http: httpx.AsyncClient,
) -> None:
    games = await _three(http, target=100)
    before = await _totals(games)
    answer = await games[0].send(_amend(2, [100, 0]))
    assert (answer.status_code, answer.json()["type"]) == (409, "game-continued")
    # With 99 the second round is the last of the third game's rounds to fit.
    answer = await games[0].send(_amend(2, [98, 0]))
    assert (answer.status_code, answer.json()["type"]) == (409, "game-continued")
    assert await _totals(games) == before
    assert [(await game.view())["version"] for game in games] == [5, 6, 5]


async def test_a_repeated_correction_is_stored_once(http: httpx.AsyncClient) -> None:
    games = await _three(http)
    key = str(uuid4())
    first = await games[0].send(_amend(2, [5, 40]), key=key)
    again = await games[0].send(_amend(2, [5, 40]), key=key)
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.headers["Idempotency-Replayed"] == "true"
    assert await _totals(games) == [[6, 40], [7, 42, 23], [27, 12]]


async def test_undone_later_the_corrected_game_goes_on(http: httpx.AsyncClient) -> None:
    games = await _three(http)
    await games[0].record(_amend(2, [5, 40]))
    for game in reversed(games[1:]):
        game.version = (await game.view())["version"]
        await game.undo()
    await games[0].rounds([1, 1])
    assert (await games[0].view())["totals"] == [7, 41]


async def test_what_follows_is_shown_first(http: httpx.AsyncClient) -> None:
    games = await _three(http)
    page = (await http.get(f"/games/{games[2].id}/sheet")).text
    assert f"/games/{games[0].id}/correct/2" in page
    path = f"/games/{games[0].id}"
    form = (await http.get(f"{path}/correct/2")).text
    assert "name=" in form
    entry = '{"type":"amend","version":2,"move":{"type":"result","points":[5,40]}}'
    asked = await http.post(f"{path}/preview", data={"entry": entry})
    shown = (await http.get(asked.headers["Location"])).text
    text = " ".join(re.sub(r"<[^>]+>", " ", shown).split())
    assert "Then with Ann, Bob, and Zoe Totals Player now then Ann 37 7 Bob 2 42 Zoe 23 23" in text
    assert "Then with Zoe and Ann Totals Player now then Zoe 27 27 Ann 42 12" in text
    (version,) = set(re.findall(r'name="version" value="(\d+)"', shown))
    (command,) = set(re.findall(r'name="command" value="([^"]+)"', shown))
    sent = {"version": version, "command": command, "entries": f"[{entry}]"}
    done = await http.post(f"{path}/entries", data=sent)
    assert done.headers["Location"] == f"{path}/sheet"
    assert await _totals(games) == [[6, 40], [7, 42, 23], [27, 12]]


async def test_what_cannot_follow_is_said_first(http: httpx.AsyncClient) -> None:
    games = await _three(http, target=100)
    path = f"/games/{games[0].id}"
    entry = '{"type":"amend","version":2,"move":{"type":"result","points":[98,40]}}'
    asked = await http.post(f"{path}/preview", data={"entry": entry})
    shown = (await http.get(asked.headers["Location"])).text
    assert "Undo that change first" in " ".join(shown.split())
    assert "Correct it" not in shown


async def test_what_followed_is_undone_where_it_was_corrected(http: httpx.AsyncClient) -> None:
    games = await _three(http)
    await games[0].record(_amend(2, [5, 40]))
    page = (await http.get(f"/games/{games[2].id}")).text
    assert not re.search(r"data-undo(?! hidden)", page)


@pytest.mark.parametrize(
    "entry",
    [
        {"type": "take_back", "to": 1},
        {"type": "take_back", "to": 2},
        _amend(2, [5, 1]),
        {
            "type": "amend",
            "version": 3,
            "move": {"type": "adjust", "seat": 1, "points": 5, "reason": "carnet:carried"},
        },
        {"type": "splice", "version": 2, "drop": 1, "moves": []},
        {
            "type": "splice",
            "version": 4,
            "drop": 0,
            "moves": [{"type": "adjust", "seat": 1, "points": 5, "reason": "carnet:arrived"}],
        },
        {"type": "adjust", "seat": 1, "points": 5, "reason": "carnet:carried"},
    ],
)
async def test_totals_carried_over_are_changed_by_nobody_else(
    http: httpx.AsyncClient, entry: Json
) -> None:
    games = await _three(http)
    before = await _totals(games)
    answer = await games[2].send(entry)
    preview = await http.post(f"{games[2].path}/preview", json={"entry": entry})
    for one in (answer, preview):
        assert (one.status_code, one.json()["type"]) == (409, "total-carried"), one.text
        assert one.json()["game"] == games[1].id
    assert await _totals(games) == before


async def test_what_is_not_carried_over_is_corrected_as_ever(http: httpx.AsyncClient) -> None:
    games = await _three(http)
    await games[0].record(_amend(2, [5, 40]))
    last = games[2]
    view = await last.view()
    last.version = view["version"]
    (back,) = (one["fields"]["to"] for one in view["choices"] if one["type"] == "take_back")
    # To go back before the correction that followed would bring the wrong totals back.
    refused = await last.send({"type": "take_back", "to": 4})
    assert refused.json()["type"] == "total-carried"
    assert back["ranges"] == [[6, 6]]
    await last.record(_amend(4, [1, 1]))
    assert (await last.view())["totals"] == [24, 8]
    corrected = last.version
    await last.rounds([1, 2])
    await last.record({"type": "take_back", "to": corrected - 1})
    assert (await last.view())["totals"] == [24, 8]


async def test_the_entries_page_offers_to_change_no_total_carried_over(
    http: httpx.AsyncClient,
) -> None:
    games = await _three(http)
    page = (await http.get(f"/games/{games[2].id}/log")).text
    assert f"/games/{games[2].id}/correct/4" in page
    for version in (2, 3):
        assert f"/games/{games[2].id}/correct/{version}" not in page
    offered = {int(one) for one in re.findall(r'"take_back","to":(\d+)', unescape(page))}
    assert offered == {3, 4}


async def test_a_reason_of_the_service_is_written_by_nobody_else(http: httpx.AsyncClient) -> None:
    game = await ScoresGame.begin(http, ("Ann", "Bob"))
    entry = {"type": "adjust", "seat": 0, "points": 5, "reason": "carnet:carried"}
    for language, sentence in (("en", "reason of your own"), ("de", "eigenen Grund")):
        headers = {"If-Match": '"1"', "Idempotency-Key": str(uuid4()), "Accept-Language": language}
        body = {"entries": [entry]}
        answer = await http.post(f"{game.path}/entries", json=body, headers=headers)
        assert (answer.status_code, answer.json()["type"]) == (409, "total-carried")
        assert sentence in answer.json()["detail"]


async def test_card_games_follow_too(game: Game) -> None:
    people = [player["id"] for player in (await game.view())["players"]]
    await game.record({"type": "result", "maker": 0, "tricks": 3, "dealer": 0})
    body = {"ruleset": "euchre", "players": people, "continues": game.id, "options": {"target": 5}}
    after = Game(game.http, (await game.http.post("/api/games", json=body)).json())
    move = {"type": "result", "maker": 0, "tricks": 5, "dealer": 0}
    await game.record({"type": "amend", "version": 2, "move": move})
    assert (await after.view())["totals"] == [2, 0]
