"""Somebody arrives or leaves between deals, or how a game is played is put right."""

import re
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.http.club import Game, Json, add_player


def held(points: int) -> Json:
    return {"opened": True, "points": points}


# A deal by its result: three players, then four.
RESULTS: dict[str, tuple[Json, Json]] = {
    "scores": ({"points": [5, 10, 20]}, {"points": [5, 10, 20, 40]}),
    "rami": (
        {"winner": 0, "hands": [None, held(12), held(30)]},
        {"winner": 1, "hands": [held(12), None, held(30), held(2)]},
    ),
    "dutch": (
        {"caller": 0, "counter": None, "totals": [4, 17, 20]},
        {"caller": 3, "counter": None, "totals": [14, 17, 20, 3]},
    ),
    "durak": (
        {"places": [[1], [2], [0]], "durak": 0},
        {"places": [[3], [1], [2], [0]], "durak": 0},
    ),
}
OPTIONS = {"durak": {"rules": "fr"}}


async def start_game(http: httpx.AsyncClient, ruleset: str, seats: int, **more: object) -> Game:
    people = [await add_player(http, f"P{seat} {uuid4()}") for seat in range(seats)]
    if ruleset == "scores" and "title" not in more:
        more["title"] = (await http.post("/api/titles", json={"name": f"S {uuid4()}"})).json()["id"]
    more.setdefault("options", OPTIONS.get(ruleset, {}))
    body = {"ruleset": ruleset, "players": people, **more}
    answer = await http.post("/api/games", json=body)
    assert answer.status_code == 201, answer.text
    return Game(http, answer.json())


async def change(game: Game, step: str = "do", **fields: str | list[str]) -> httpx.Response:
    form = {"version": str(game.version), "step": step, **fields}
    return await game.http.post(f"/games/{game.id}/go-on", data=form)


async def view(http: httpx.AsyncClient, answer: httpx.Response) -> Json:
    path = answer.headers["Location"].partition("?")[0]
    found: Json = (await http.get(f"/api{path}")).json()
    return found


def people(game: Json) -> list[str]:
    return [one["id"] for one in game["players"]]


async def test_without_somebody_the_totals_go_on_and_the_next_one_deals(
    http: httpx.AsyncClient,
) -> None:
    game = await start_game(http, "scores", 3, options={"wins": "lowest", "target": 100})
    await game.record({"type": "result", "points": [5, 10, 20], "dealer": 0})
    before = await game.view()
    leaver = before["players"][1]["id"]
    assert f'href="/games/{game.id}/go-on"' in (await http.get(f"/games/{game.id}")).text
    page = (await http.get(f"/games/{game.id}/go-on")).text
    assert f'name="leaves" value="{leaver}"' in page
    preview = await change(game, "preview", leaves=leaver)
    assert "continued_by" not in await game.view(), "a preview stores nothing"
    assert f"{before['players'][0]['name']} is in front" in " ".join(preview.text.split())
    answer = await change(game, leaves=leaver)
    after = await view(http, answer)
    assert people(after) == [people(before)[0], people(before)[2]]
    assert (after["options"], after["title"]) == (before["options"], before["title"])
    assert (after["totals"], after["deal"]) == ([5, 20], 2)
    # Seat 1 would deal next; whoever sits after it does.
    table = (await http.get(answer.headers["Location"])).text
    assert re.search(r'<option value="1"[^>]* selected', table)
    evening = (await http.get(f"/api/evenings/{after['id']}")).json()
    assert [one["id"] for one in evening["games"]] == [after["id"]]


@pytest.mark.parametrize("ruleset", RESULTS)
async def test_somebody_arrives_in_the_last_seat(http: httpx.AsyncClient, ruleset: str) -> None:
    game = await start_game(http, ruleset, 3)
    three, four = RESULTS[ruleset]
    await game.record({"type": "result", **three})
    totals = (await game.view())["totals"]
    arrives, name = await add_player(http, f"Known {uuid4()}"), f"Newcomer {uuid4()}"
    after = await view(http, await change(game, joins=arrives, start="number", points="7"))
    assert people(after) == [*people(await game.view()), arrives]
    assert after["totals"] == [*totals, 7]
    larger = Game(http, after)
    await larger.record({"type": "result", **four})
    now = await view(http, await change(larger, name=name, start="average"))
    assert now["players"][-1]["name"] == name
    assert now["totals"][-1] == round(sum(now["totals"][:-1]) / 4 + 0.001)


@pytest.mark.parametrize(
    ("wins", "start", "points"),
    [
        ("lowest", "zero", 0),
        ("lowest", "last", 20),
        ("highest", "last", 5),
        ("highest", "average", 12),
    ],
)
async def test_who_arrives_starts_as_the_table_says(
    http: httpx.AsyncClient, wins: str, start: str, points: int
) -> None:
    game = await start_game(http, "scores", 3, options={"wins": wins})
    await game.record({"type": "result", "points": [5, 10, 20]})
    after = await view(http, await change(game, name=f"N {uuid4()}", start=start))
    assert after["totals"] == [5, 10, 20, points]


async def test_who_wins_was_wrong_and_is_put_right(http: httpx.AsyncClient) -> None:
    game = await start_game(http, "scores", 2)
    await game.record({"type": "result", "points": [54, 20]})
    second = (await game.view())["players"][1]["name"]
    given = {"option.wins": "lowest", "option.target": "100", "option.zero_sum": ""}
    preview = " ".join((await change(game, "preview", **given)).text.split())
    assert f"{second} is in front" in preview
    assert "The game is over then" not in preview
    after = await view(http, await change(game, **given))
    assert (after["options"]["wins"], after["options"]["target"]) == ("lowest", 100)
    assert (after["status"], after["totals"]) == ("open", [54, 20])


@pytest.mark.parametrize("option", [("target", "50"), ("rounds", "1")])
async def test_put_right_the_game_may_be_over_which_is_said_first(
    http: httpx.AsyncClient, option: tuple[str, str]
) -> None:
    game = await start_game(http, "scores", 2, options={"target": 500})
    await game.record({"type": "result", "points": [54, 20]})
    name, value = option
    given = {"option.wins": "highest", "option.target": "500", f"option.{name}": value}
    preview = await change(game, "preview", **given)
    assert "The game is over then" in preview.text
    assert (await view(http, await change(game, **given)))["status"] == "finished"


async def test_a_second_tap_starts_nothing(http: httpx.AsyncClient) -> None:
    game = await start_game(http, "scores", 3)
    await game.record({"type": "result", **RESULTS["scores"][0]})
    first, *_ = people(await game.view())
    command = str(uuid4())
    answers = [await change(game, leaves=first, command=command) for _ in range(2)]
    assert {answer.headers["Location"] for answer in answers} == {answers[0].headers["Location"]}
    # Another phone is led to the game that goes on.
    other = await change(game, leaves=first)
    assert other.headers["Location"] == f"/games/{game.id}"
    stub = (await http.get(f"/games/{game.id}")).text
    assert f'formaction="/games/{game.id}/instead"' in stub
    assert f'formaction="/games/{game.id}/go-on/undo"' in stub
    led = await http.post(f"/games/{game.id}/instead")
    assert led.headers["Location"] == answers[0].headers["Location"]


@pytest.mark.parametrize("side", ["before", "after"])
async def test_one_tap_undoes_it_from_either_side(http: httpx.AsyncClient, side: str) -> None:
    game = await start_game(http, "scores", 3)
    await game.record({"type": "result", **RESULTS["scores"][0]})
    first, second, _ = people(await game.view())
    after = await view(http, await change(game, leaves=first))
    assert (
        f'formaction="/games/{after["id"]}/go-on/undo"'
        in (await http.get(f"/games/{after['id']}")).text
    )
    chosen = game.id if side == "before" else after["id"]
    undone = await http.post(f"/games/{chosen}/go-on/undo")
    assert undone.headers["Location"] == f"/games/{game.id}"
    assert "continued_by" not in await game.view()
    other = await view(http, await change(game, leaves=second))
    assert (first in people(other), second in people(other)) == (True, False)


async def test_rounds_entered_since_are_named_before_they_are_set_aside(
    http: httpx.AsyncClient,
) -> None:
    game = await start_game(http, "scores", 2)
    await game.record({"type": "result", "points": [5, 10]})
    after = Game(http, await view(http, await change(game, name=f"N {uuid4()}")))
    await after.record({"type": "result", "points": [1, 2, 3]})
    asked = await http.post(f"/games/{game.id}/go-on/undo")
    assert "1 round or deal was played since" in asked.text
    assert "continued_by" in await game.view()
    undone = await http.post(f"/games/{game.id}/go-on/undo", data={"sure": "1"})
    assert undone.headers["Location"] == f"/games/{game.id}"
    assert "continued_by" not in await game.view()


@pytest.mark.parametrize(
    ("ruleset", "seats", "options"),
    [("euchre", 2, {}), ("scores", 4, {"teams": [[0, 2], [1, 3]]})],
)
async def test_nobody_leaves_where_the_game_needs_everybody(
    http: httpx.AsyncClient, ruleset: str, seats: int, options: dict[str, Any]
) -> None:
    game = await start_game(http, ruleset, seats, options=options)
    result: Json = {"type": "result", "points": [1, 2, 1, 2]}
    await game.record(
        {"type": "result", "maker": 0, "tricks": 3, "dealer": 0} if seats == 2 else result
    )
    assert 'name="leaves"' not in (await http.get(f"/games/{game.id}/go-on")).text
    answer = await change(game, leaves=people(await game.view())[0])
    assert answer.status_code == 422
    assert "continued_by" not in await game.view()


async def test_nobody_leaves_in_the_middle_of_a_deal(http: httpx.AsyncClient) -> None:
    game = await start_game(http, "rami", 3)
    await game.record({"type": "deal", "dealer": 0, "up": "QC"})
    answer = await change(game, leaves=people(await game.view())[0])
    assert (answer.status_code, "between two rounds or deals" in answer.text) == (409, True)
    assert "continued_by" not in await game.view()


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, "Nothing would change"),
        ({"name": "Zoe Zed", "start": "number", "points": "a lot"}, "Enter a whole number"),
        ({"option.target": "no"}, "check the numbers"),
    ],
)
async def test_what_cannot_be_done_is_said(
    http: httpx.AsyncClient, fields: dict[str, str], words: str
) -> None:
    game = await start_game(http, "scores", 3)
    await game.record({"type": "result", **RESULTS["scores"][0]})
    answer = await change(game, **fields)
    assert (answer.status_code, words in answer.text) == (422, True)


async def test_a_name_like_another_one_is_not_added(http: httpx.AsyncClient) -> None:
    mark = uuid4()
    await add_player(http, f"Léa {mark}")
    game = await start_game(http, "scores", 3)
    await game.record({"type": "result", **RESULTS["scores"][0]})
    answer = await change(game, name=f"Lea {mark}")
    assert "almost the same" in answer.text
