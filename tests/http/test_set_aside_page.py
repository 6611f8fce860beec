"""The shelf: games are set aside from lists, looked at, and brought back."""

import httpx

from tests.http.club import MADE, Game

HTML = {"Accept": "text/html", "Accept-Language": "en", "Sec-Fetch-Site": "same-origin"}


async def shelf(http: httpx.AsyncClient) -> str:
    return (await http.get("/shelf", headers=HTML)).text


async def test_games_are_set_aside_from_the_list_and_brought_back(game: Game) -> None:
    await game.record(MADE)
    form = {"game": game.id, "reason": "a trial"}
    for _ in range(2):  # one that is set aside already stays as it is
        answer = await game.http.post("/shelf", data=form, headers=HTML)
        assert answer.headers["Location"] == "/shelf"
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
