"""What if: moves from any moment, judged on a page like real ones and thrown away."""

from urllib.parse import parse_qs, urlsplit

import httpx
from msgspec import json

from tests.http.club import DEAL, Game, Json, as_somebody
from tests.service_process import ServiceProcess

PASS: Json = {"type": "pass", "seat": 1}


async def tried(game: Game, *moves: Json, entry: Json) -> httpx.Response:
    form = {"moves": json.encode(moves).decode(), "entry": json.encode(entry).decode()}
    return await game.http.post(f"/games/{game.id}/at/2/what-if", data=form)


async def test_a_move_leads_to_the_game_after_it_and_is_not_recorded(
    http: httpx.AsyncClient,
) -> None:
    game = await Game.started(http)
    await game.record(*DEAL)
    answer = await tried(game, entry=PASS)
    assert answer.status_code == 303
    said = parse_qs(urlsplit(answer.headers["location"]).query)
    assert json.decode(said["moves"][0]) == [PASS]
    page = await http.get(answer.headers["location"])
    assert page.status_code == 200
    assert "Bob passes" in page.text
    assert (await http.get(game.path)).json()["version"] == 1 + len(DEAL)


async def test_a_move_that_cannot_be_says_why_and_keeps_the_others(http: httpx.AsyncClient) -> None:
    game = await Game.started(http)
    await game.record(*DEAL)
    answer = await tried(game, PASS, entry=PASS)
    assert answer.status_code == 303
    page = await http.get(answer.headers["location"])
    assert page.status_code == 422
    assert "/rules/euchre#table.turn" in page.text
    assert "Bob passes" in page.text


async def test_an_address_changed_by_hand_shows_the_moment(http: httpx.AsyncClient) -> None:
    game = await Game.started(http)
    await game.record(*DEAL)
    for query in ("moves=nonsense", 'moves=[{"type":"fly"}]', "moves=[1]"):
        page = await http.get(f"/games/{game.id}/at/2/what-if?{query}")
        assert page.status_code in {200, 422}, query


async def test_of_the_deal_in_progress_it_is_for_those_who_record(
    http: httpx.AsyncClient, service: ServiceProcess
) -> None:
    game = await Game.started(http)
    await game.record(DEAL[0])
    link = await http.post(f"{game.path}/links", json={"role": "viewer"})
    async with as_somebody(service.url, link.json()["token"]) as viewer:
        assert (await viewer.get(f"/games/{game.id}/at/2/what-if")).status_code == 403
        supposed = {"entries": [PASS]}
        answer = await viewer.post(f"{game.path}/at/2/preview", json=supposed)
        assert answer.status_code == 403
