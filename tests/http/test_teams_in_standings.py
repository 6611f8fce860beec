"""A club that plays a game of teams has standings and a list of people like any other."""

import pytest

from tests.http.club import Game, add_player


@pytest.mark.parametrize("page", ["/standings", "/players"])
async def test_a_game_with_options_that_tell_teams_is_read(game: Game, page: str) -> None:
    people = [await add_player(game.http, name) for name in ("Ann", "Bob")]
    body = {"ruleset": "durak", "options": {"rules": "fr"}, "players": people}
    started = await game.http.post("/api/games", json=body)
    assert started.status_code == 201, started.text
    assert (await game.http.get(page)).status_code == 200
