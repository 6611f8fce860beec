"""Remarks are written to any moment of a game, and stand there."""

import httpx

from tests.http.club import LOST, MADE, Game


async def written(game: Game, version: int, text: str) -> None:
    answer = await game.http.post(f"/games/{game.id}/at/{version}/remark", data={"text": text})
    assert answer.status_code == 303
    assert answer.headers["location"] == f"/games/{game.id}/at/{version}"


async def test_a_remark_stands_at_its_moment_and_nowhere_else(http: httpx.AsyncClient) -> None:
    game = await Game.started(http)
    await game.record(MADE)
    await game.record(LOST)
    await written(game, 2, "What a deal!")
    await written(game, 2, "Indeed.")
    at_its_moment = (await http.get(f"/games/{game.id}/at/2")).text
    assert at_its_moment.index("What a deal!") < at_its_moment.index("Indeed.")
    later = (await http.get(f"/games/{game.id}/at/4", headers={"X-Part": "moments"})).text
    assert "What a deal!" not in later.partition('data-version="5"')[0]


async def test_points_stay_as_they_were(http: httpx.AsyncClient) -> None:
    game = await Game.started(http)
    await game.record(MADE)
    await game.record(LOST)
    before = (await game.view())["totals"]
    await written(game, 2, "Look here.")
    assert (await game.view())["totals"] == before
    types = [entry["type"] for entry in await game.log()]
    assert types[-1] != "note"
    assert "splice" in types


async def test_nothing_said_is_nothing_written(http: httpx.AsyncClient) -> None:
    game = await Game.started(http)
    await game.record(MADE)
    await written(game, 2, "  ")
    assert (await game.view())["version"] == 3
