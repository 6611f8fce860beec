"""A card thrown wrongly on the pile reads as wrong wherever it is listed."""

import httpx

from tests.http.club import Game, add_player


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
    wrong, right = "Ann throws slot 2 wrongly and takes it back", "Bob throws slot 1: the nine"
    for path in ("", "/log"):
        shown = await http.get(f"/games/{game.id}{path}", headers={"Accept-Language": "en"})
        assert wrong in shown.text, path
        assert right in shown.text, path
    moment = await http.get(f"/games/{game.id}/at/5", headers={"Accept-Language": "en"})
    assert wrong in moment.text
