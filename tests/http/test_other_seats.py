"""Seats changed before the first card: a game in the place of the empty one, which is set aside."""

import re
from html import unescape

import httpx

from tests.http.club import DEAL, Game, add_player

_HIDDEN = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)">')


async def _form(http: httpx.AsyncClient, query: str) -> tuple[str, dict[str, str]]:
    page = await http.get(f"/games/new?{query}")
    assert page.status_code == 200
    hidden = {name: unescape(value) for name, value in _HIDDEN.findall(page.text)}
    return page.text, hidden


def _seated(form: dict[str, str], *players: str) -> dict[str, str | list[str]]:
    numbers = {f"number.{player}": str(seat) for seat, player in enumerate(players, 1)}
    return {**form, "player": list(players), **numbers}


async def _players(game: Game) -> list[str]:
    return [player["id"] for player in (await game.view())["players"]]


async def test_empty_game_is_set_aside_and_another_starts_once(game: Game) -> None:
    ann, bob = await _players(game)
    page, form = await _form(game.http, f"instead={game.id}")
    assert f'value="{ann}" checked' in page
    sent = [await game.http.post("/games/new", data=_seated(form, bob, ann)) for _ in range(2)]
    assert [answer.status_code for answer in sent] == [303, 303]
    assert sent[0].headers["Location"] == sent[1].headers["Location"]
    seats = (await game.http.get(f"/api{sent[0].headers['Location']}")).json()["players"]
    assert [one["id"] for one in seats] == [bob, ann]
    assert (await game.view())["set_aside"] is True


async def test_seats_stay_once_a_card_is_recorded(game: Game) -> None:
    ann, bob = await _players(game)
    _, form = await _form(game.http, f"instead={game.id}")
    await game.record(DEAL[0])
    answer = await game.http.post("/games/new", data=_seated(form, bob, ann))
    page = await game.http.get(answer.headers["Location"])
    assert "in that game the seats stay as they are" in page.text
    assert "set_aside" not in await game.view()


async def test_other_seats_after_a_game_begin_with_its_people_and_rules(game: Game) -> None:
    ann, _ = await _players(game)
    page, form = await _form(game.http, f"after={game.id}")
    assert f'value="{ann}" checked' in page
    assert "instead" not in form


async def test_who_deals_first_is_chosen_where_the_first_deal_is_entered(game: Game) -> None:
    zoe = await add_player(game.http, "Zoé")
    ann, _ = await _players(game)
    _, form = await _form(game.http, "ruleset=euchre")
    answer = await game.http.post(
        "/games/new", data=_seated(form, ann, zoe) | {"dealer": "2", "ruleset": "euchre"}
    )
    page = await game.http.get(answer.headers["Location"])
    assert re.search(r'name="with.dealer" value="1"\s+required checked', page.text)
