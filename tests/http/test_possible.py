from math import comb
from typing import Any

import httpx
import pytest

from tests.http.club import DEAL, Game, Json, client_with_key
from tests.service_process import ServiceProcess

# Two hands of five out of 23 cards, the turned card beside them.
HANDS = comb(23, 5) * comb(18, 5)
OWN = ["AS", "KS", "QS", "JS", "TS"]
WITH_A_HAND: Json = {**DEAL[0], "hands": [None, OWN]}


async def ask(game: Game, path: str = "/possible") -> dict[str, Any]:
    answer = await game.http.get(game.path + path)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


async def test_deals_that_fit_are_counted_and_shared_out(http: httpx.AsyncClient) -> None:
    game = await Game.start(http)
    await game.record(DEAL[0])
    found = await ask(game)
    assert found["deals"] == str(HANDS)
    assert found["exact"] is True
    hand = found["locations"][0]
    assert (hand["kind"], hand["seat"], hand["size"], hand["known"]) == ("hand", 0, 5, [])
    assert [(one["count"], len(one["cards"])) for one in hand["unseen"]] == [(5, 23)]
    shares = {share["location"]: share["share"] for share in found["cards"][0]["at"]}
    assert shares == {0: "5/23", 1: "5/23", 2: "13/23"}


async def test_between_deals_nothing_is_hidden(http: httpx.AsyncClient) -> None:
    game = await Game.start(http)
    assert await ask(game) == {"version": 1, "exact": True, "locations": [], "deals": "1"}


@pytest.mark.parametrize(
    ("eyes", "known"), [("recorder", OWN), ("everybody", []), ("1", OWN), ("0", [])]
)
async def test_a_hand_is_shown_to_whoever_held_it(
    http: httpx.AsyncClient, eyes: str, known: list[str]
) -> None:
    game = await Game.start(http)
    await game.record(WITH_A_HAND)
    found = await ask(game, f"/possible?eyes={eyes}")
    assert sorted(found["locations"][1]["known"]) == sorted(known)


async def test_eyes_of_nobody_at_the_table_are_refused(http: httpx.AsyncClient) -> None:
    game = await Game.start(http)
    answer = await http.get(f"{game.path}/possible?eyes=2")
    assert answer.status_code == 404


async def test_a_viewer_learns_of_a_deal_when_it_is_over(
    http: httpx.AsyncClient, service: ServiceProcess
) -> None:
    game = await Game.start(http)
    await game.record(DEAL[0])
    link = await http.post(f"{game.path}/links", json={"role": "viewer"})
    token = str(link.json()["token"])
    async with client_with_key(service.url, token) as viewer:
        assert (await viewer.get(f"{game.path}/possible")).status_code == 403
        assert (await viewer.get(f"{game.path}/at/2/possible")).status_code == 403
        await game.record({"type": "void", "reason": "misdeal"})
        assert (await viewer.get(f"{game.path}/at/2/possible")).status_code == 200


async def test_moves_are_supposed_from_a_moment_and_thrown_away(http: httpx.AsyncClient) -> None:
    game = await Game.start(http)
    await game.record(DEAL[0], {"type": "pass", "seat": 1})
    supposed = {"entries": [{"type": "order", "seat": 1}]}
    answer = await http.post(f"{game.path}/at/2/preview", json=supposed)
    assert answer.status_code == 200, answer.text
    assert answer.json()["state"]["phase"] == "exchange"
    assert (await http.get(game.path)).json()["version"] == 3


async def test_supposed_moves_are_judged_like_real_ones(http: httpx.AsyncClient) -> None:
    game = await Game.start(http)
    await game.record(DEAL[0])
    supposed = {"entries": [{"type": "pass", "seat": 1}, {"type": "pass", "seat": 1}]}
    answer = await http.post(f"{game.path}/at/2/preview", json=supposed)
    assert answer.status_code == 422
    assert (answer.json()["index"], answer.json()["rule"]) == (1, "table.turn")
