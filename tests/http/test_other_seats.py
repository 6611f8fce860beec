import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from html import unescape

import httpx
import pytest

from tests.http.club import DEAL, Game, add_player, anonymous_client

_HIDDEN = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)">')


async def _form(http: httpx.AsyncClient, query: str) -> tuple[str, dict[str, str]]:
    page = await http.get(f"/games/new?{query}")
    assert page.status_code == 200
    hidden = {name: unescape(value) for name, value in _HIDDEN.findall(page.text)}
    return page.text, hidden


def _seat(form: dict[str, str], *players: str) -> dict[str, str | list[str]]:
    numbers = {f"number.{player}": str(seat) for seat, player in enumerate(players, 1)}
    return {**form, "player": list(players), **numbers}


async def _players(game: Game) -> list[str]:
    return [player["id"] for player in (await game.view())["players"]]


async def test_empty_game_is_set_aside_and_another_starts_once(game: Game) -> None:
    ann, bob = await _players(game)
    page, form = await _form(game.http, f"instead={game.id}")
    assert f'value="{ann}" checked' in page
    sent = [await game.http.post("/games/new", data=_seat(form, bob, ann)) for _ in range(2)]
    assert [answer.status_code for answer in sent] == [303, 303]
    assert sent[0].headers["Location"] == sent[1].headers["Location"]
    seats = (await game.http.get(f"/api{sent[0].headers['Location']}")).json()["players"]
    assert [one["id"] for one in seats] == [bob, ann]
    assert (await game.view())["set_aside"] is True


async def test_seats_stay_once_a_card_is_recorded(game: Game) -> None:
    ann, bob = await _players(game)
    _, form = await _form(game.http, f"instead={game.id}")
    await game.record(DEAL[0])
    answer = await game.http.post("/games/new", data=_seat(form, bob, ann))
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
        "/games/new", data=_seat(form, ann, zoe) | {"dealer": "2", "ruleset": "euchre"}
    )
    page = await game.http.get(answer.headers["Location"])
    assert re.search(r'name="open.dealer"\s+value="1" checked', page.text)


@asynccontextmanager
async def _invited(game: Game, role: str) -> AsyncGenerator[httpx.AsyncClient]:
    made = (await game.http.post(f"{game.path}/links", json={"role": role})).json()
    async with anonymous_client(str(game.http.base_url)) as guest:
        await guest.post("/login", data={"key": made["token"]})
        yield guest


async def _reseat(game: Game) -> str:
    ann, bob = await _players(game)
    _, form = await _form(game.http, f"instead={game.id}")
    answer = await game.http.post("/games/new", data=_seat(form, bob, ann))
    return str(answer.headers["Location"])


@pytest.mark.parametrize("role", ["scorer", "viewer"])
async def test_whoever_was_invited_goes_on_in_the_other_game(game: Game, role: str) -> None:
    async with _invited(game, role) as guest:
        there = await _reseat(game)
        assert (
            f'formaction="/games/{game.id}/instead"' in (await guest.get(f"/games/{game.id}")).text
        )
        led = [await guest.post(f"/games/{game.id}/instead") for _ in range(2)]
        assert {answer.headers["Location"] for answer in led} == {there}
        assert (await guest.get(there)).status_code == 200
    links = (await game.http.get(f"/api{there}/links")).json()["links"]
    assert [link["role"] for link in links] == [role]


async def test_link_revoked_before_leads_nowhere(game: Game) -> None:
    async with _invited(game, "scorer") as guest:
        await _reseat(game)
        (link,) = (await game.get("/links"))["links"]
        await game.http.delete(f"{game.path}/links/{link['id']}")
        answer = await guest.post(f"/games/{game.id}/instead")
        assert answer.headers["Location"] == "/login"


async def test_game_that_was_only_set_aside_leads_nowhere(game: Game) -> None:
    await game.record({"type": "set_aside", "reason": "late"})
    assert "/instead" not in (await game.http.get(f"/games/{game.id}")).text
    assert (await game.http.post(f"/games/{game.id}/instead")).status_code == 404
