from urllib.parse import parse_qs, urlsplit

import httpx
from msgspec import json

from tests.http.club import DEAL, LOST_RESULT, MADE_RESULT, Game, Json, add_player, client_with_key
from tests.service_process import ServiceProcess

PASS: Json = {"type": "pass", "seat": 1}


async def what_if_page(game: Game, *moves: Json, entry: Json) -> httpx.Response:
    form = {"moves": json.encode(moves).decode(), "entry": json.encode(entry).decode()}
    return await game.http.post(f"/games/{game.id}/at/2/what-if", data=form)


async def test_a_move_leads_to_the_game_after_it_and_is_not_recorded(
    http: httpx.AsyncClient,
) -> None:
    game = await Game.start(http)
    await game.record(*DEAL)
    answer = await what_if_page(game, entry=PASS)
    assert answer.status_code == 303
    said = parse_qs(urlsplit(answer.headers["location"]).query)
    assert json.decode(said["moves"][0]) == [PASS]
    page = await http.get(answer.headers["location"])
    assert page.status_code == 200
    assert "Bob passes" in page.text
    assert (await http.get(game.path)).json()["version"] == 1 + len(DEAL)


async def test_a_move_that_cannot_be_says_why_and_keeps_the_others(http: httpx.AsyncClient) -> None:
    game = await Game.start(http)
    await game.record(*DEAL)
    answer = await what_if_page(game, PASS, entry=PASS)
    assert answer.status_code == 303
    page = await http.get(answer.headers["location"])
    assert page.status_code == 422
    assert "/rules/euchre#table.turn" in page.text
    assert "Bob passes" in page.text


async def test_an_address_changed_by_hand_shows_the_moment(http: httpx.AsyncClient) -> None:
    game = await Game.start(http)
    await game.record(*DEAL)
    for query in ("moves=nonsense", 'moves=[{"type":"fly"}]', "moves=[1]"):
        page = await http.get(f"/games/{game.id}/at/2/what-if?{query}")
        assert page.status_code in {200, 422}, query


async def test_of_the_deal_in_progress_it_is_for_those_who_record(
    http: httpx.AsyncClient, service: ServiceProcess
) -> None:
    game = await Game.start(http)
    await game.record(DEAL[0])
    link = await http.post(f"{game.path}/links", json={"role": "viewer"})
    async with client_with_key(service.url, link.json()["token"]) as viewer:
        assert (await viewer.get(f"/games/{game.id}/at/2/what-if")).status_code == 403
        supposed = {"entries": [PASS]}
        answer = await viewer.post(f"{game.path}/at/2/preview", json=supposed)
        assert answer.status_code == 403


async def written(game: Game, version: int, text: str) -> None:
    answer = await game.http.post(f"/games/{game.id}/at/{version}/remark", data={"text": text})
    assert answer.status_code == 303
    assert answer.headers["location"] == f"/games/{game.id}/at/{version}"


async def test_a_remark_stands_at_its_moment_and_nowhere_else(http: httpx.AsyncClient) -> None:
    game = await Game.start(http)
    await game.record(MADE_RESULT)
    await game.record(LOST_RESULT)
    await written(game, 2, "What a deal!")
    await written(game, 2, "Indeed.")
    at_its_moment = (await http.get(f"/games/{game.id}/at/2")).text
    assert at_its_moment.index("What a deal!") < at_its_moment.index("Indeed.")
    later = (await http.get(f"/games/{game.id}/at/4", headers={"X-Part": "moments"})).text
    assert "What a deal!" not in later.partition('data-version="5"')[0]


async def test_points_stay_as_they_were(http: httpx.AsyncClient) -> None:
    game = await Game.start(http)
    await game.record(MADE_RESULT)
    await game.record(LOST_RESULT)
    before = (await game.view())["totals"]
    await written(game, 2, "Look here.")
    assert (await game.view())["totals"] == before
    types = [entry["type"] for entry in await game.log()]
    assert types[-1] != "note"
    assert "splice" in types


async def test_nothing_said_is_nothing_written(http: httpx.AsyncClient) -> None:
    game = await Game.start(http)
    await game.record(MADE_RESULT)
    await written(game, 2, "  ")
    assert (await game.view())["version"] == 3


async def test_wrong_snap_reads_as_wrong(http: httpx.AsyncClient) -> None:
    players = [await add_player(http, name) for name in ("Ann", "Bob")]
    started = await http.post("/api/games", json={"ruleset": "dutch", "players": players})
    game = Game(http, started.json())
    await game.record(
        {"type": "deal", "dealer": 0, "up": "2H"},
        {"type": "draw", "seat": 1},
        {"type": "drop", "seat": 1, "card": "9S"},
        {"type": "snap", "seat": 0, "slot": 1, "card": "KD"},
        {"type": "snap", "seat": 1, "slot": 0, "card": "9D"},
    )
    wrong, right = "Ann throws card 2 wrongly and takes it back", "Bob throws card 1: the nine"
    for path in ("?filled=recent", "/log"):
        shown = await http.get(f"/games/{game.id}{path}", headers={"Accept-Language": "en"})
        assert wrong in shown.text, path
        assert right in shown.text, path
    moment = await http.get(f"/games/{game.id}/at/5", headers={"Accept-Language": "en"})
    assert wrong in moment.text
