"""Somebody leaves or joins between deals."""

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


async def change_players(game: Game, **fields: str) -> httpx.Response:
    form = {"version": str(game.version), **fields}
    return await game.http.post(f"/games/{game.id}/seats", data=form)


async def view(http: httpx.AsyncClient, answer: httpx.Response) -> Json:
    path = answer.headers["Location"].partition("?")[0]
    found: Json = (await http.get(f"/api{path}")).json()
    return found


def people(game: Json) -> list[str]:
    return [one["id"] for one in game["players"]]


async def test_the_evening_goes_on_without_somebody_and_adds_up_both_games(
    http: httpx.AsyncClient,
) -> None:
    game = await start_game(http, "scores", 3, options={"wins": "lowest", "target": 100})
    await game.record({"type": "result", "points": [5, 10, 20], "dealer": 0})
    before = await game.view()
    page = (await http.get(f"/games/{game.id}/more")).text
    leaver = before["players"][1]
    assert f'name="leaves" value="{leaver["id"]}"' in page
    answer = await change_players(game, leaves=leaver["id"])
    after = await view(http, answer)
    # Seat 1 would deal next; whoever sits after it does.
    assert answer.headers["Location"].endswith("?dealer=1")
    assert people(after) == [people(before)[0], people(before)[2]]
    assert (after["options"], after["title"]) == (before["options"], before["title"])
    assert (await game.view())["status"] == "finished"
    again = await change_players(game, leaves=leaver["id"])
    assert (await view(http, again))["id"] == after["id"], "a second tap starts nothing"
    await Game(http, after).record({"type": "result", "points": [7, 1]})
    evening = " ".join((await http.get(f"/evenings/{after['id']}")).text.split())
    assert "2 games together" in evening
    names = [one["name"] for one in before["players"]]
    for name, total in zip(names, (12, 10, 21), strict=True):
        assert f'<span>{name} <span class="number">{total}</span></span>' in evening
    over = (await http.get(f"/games/{game.id}")).text
    assert f'formaction="/games/{game.id}/instead"' in over
    led = await http.post(f"/games/{game.id}/instead")
    assert led.headers["Location"] == f"/games/{after['id']}"


@pytest.mark.parametrize("ruleset", RESULTS)
async def test_somebody_joins_in_the_last_seat(http: httpx.AsyncClient, ruleset: str) -> None:
    game = await start_game(http, ruleset, 3)
    three, four = RESULTS[ruleset]
    await game.record({"type": "result", **three})
    known, name = await add_player(http, f"Known {uuid4()}"), f"Newcomer {uuid4()}"
    after = await view(http, await change_players(game, joins=known))
    assert people(after) == [*people(await game.view()), known]
    larger = Game(http, after)
    await larger.record({"type": "result", **four})
    assert (await view(http, await change_players(larger, name=name)))["players"][-1][
        "name"
    ] == name


async def test_the_game_starts_elsewhere_once_the_first_change_was_undone(
    http: httpx.AsyncClient,
) -> None:
    game = await start_game(http, "scores", 3)
    await game.record({"type": "result", **RESULTS["scores"][0]})
    first, second, _ = people(await game.view())
    one = await view(http, await change_players(game, leaves=first))
    game.version = (await game.view())["version"]
    await game.record({"type": "take_back", "to": 2})
    other = await view(http, await change_players(game, leaves=second))
    assert (first in people(one), second in people(other)) == (False, False)
    assert (await game.view())["status"] == "finished"


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
    assert "Somebody leaves or joins" not in (await http.get(f"/games/{game.id}/more")).text
    answer = await change_players(game, leaves=people(await game.view())[0])
    assert answer.headers["Location"].endswith("?wrong=size#seats")
    assert (await game.view())["status"] == "open"


async def test_nobody_leaves_in_the_middle_of_a_deal(http: httpx.AsyncClient) -> None:
    game = await start_game(http, "rami", 3)
    await game.record({"type": "deal", "dealer": 0, "up": "QC"})
    answer = await change_players(game, leaves=people(await game.view())[0])
    assert answer.headers["Location"].endswith("?wrong=moved#seats")
    assert (await game.view())["status"] == "open"


async def test_a_name_like_another_one_is_not_added(http: httpx.AsyncClient) -> None:
    mark = uuid4()
    await add_player(http, f"Léa {mark}")
    game = await start_game(http, "scores", 3)
    await game.record({"type": "result", **RESULTS["scores"][0]})
    answer = await change_players(game, name=f"Lea {mark}")
    assert answer.headers["Location"].endswith("?wrong=alike#seats")
