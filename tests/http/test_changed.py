"""What the end of a game shows about the standings of the year."""

import httpx

from tests.http.club import Game, Json, add_player, anonymous_client

MARCH: Json = {"type": "result", "maker": 0, "tricks": 5, "dealer": 0}
HTML = {"Accept": "text/html", "Accept-Language": "en"}


async def test_the_end_of_a_game_says_who_leads_and_who_wins_again(http: httpx.AsyncClient) -> None:
    players = [await add_player(http, name) for name in ("Amelie", "Benoît")]
    body = {"ruleset": "euchre", "options": {"target": 2}, "players": players}
    games = [Game(http, (await http.post("/api/games", json=body)).json()) for _ in range(2)]
    pages: list[str] = []
    for game in games:
        await game.record(MARCH)
        page = (await http.get(f"/games/{game.id}", headers=HTML)).text
        pages.append(" ".join(page.split()))
    last = games[-1]
    assert "Amelie: 2 wins in a row" not in pages[0]
    assert "What it changes" in pages[0]
    assert "Amelie: 2 wins in a row" in pages[1]
    assert "Benoît: " not in pages[1]
    link = (await http.post(f"{last.path}/links", json={"role": "viewer"})).json()
    async with anonymous_client(str(http.base_url)) as guest:
        await guest.get("/login", params={"key": link["token"]})
        shown = (await guest.get(f"/games/{last.id}", headers=HTML)).text
    assert "Amelie" in shown
    assert "What it changes" not in shown
