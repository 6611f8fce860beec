"""Who won a game by points is told at its end, on a page without a script."""

import re
from html import unescape
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.http.club import Game, add_player
from tests.http.test_other_players import start_game
from tests.http.test_plays import HTML

Json = dict[str, Any]


async def form_of(http: httpx.AsyncClient, path: str, words: str) -> Json:
    """Return the fields that a form sends when its button with these words is pressed."""
    page = (await http.get(path, headers=HTML)).text
    form = next(one for one in page.split("<form")[1:] if words in unescape(one))
    hidden = re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form)
    buttons = re.findall(r'<button[^>]*\bname="entry"\s+value="([^"]*)"[^>]*>([^<]*)<', form)
    entry = next(value for value, said in buttons if unescape(said).strip() == words)
    return {name: unescape(value) for name, value in [*hidden, ("entry", entry)]}


async def end(http: httpx.AsyncClient, game: Game, words: str, **ticked: object) -> Json:
    fields = await form_of(http, f"/games/{game.id}/more", words)
    sent = await http.post(f"/games/{game.id}/entries", data=fields | ticked, headers=HTML)
    assert sent.status_code in {200, 303}, sent.text
    entry: Json
    (entry,) = [
        one["entry"]
        for one in (await game.get("/entries"))["entries"]
        if one["type"] == "game_ended"
    ]
    return entry


def named(game: Json, seat: int) -> str:
    return str(game["players"][seat]["name"])


async def test_of_a_game_only_the_winner_is_told(http: httpx.AsyncClient) -> None:
    game = await start_game(http, "scores", 3)
    view = await game.view()
    ended = await end(http, game, f"{named(view, 1)} wins")
    assert ended["ranking"] == [[1]]
    page = (await http.get(f"/games/{game.id}", headers=HTML)).text
    assert f"{named(view, 1)} wins" in unescape(page)


async def test_the_table_breaks_a_tie(http: httpx.AsyncClient) -> None:
    game = await start_game(http, "scores", 3)
    await game.record({"type": "result", "points": [70, 70, None]})
    ended = await end(http, game, f"{named(await game.view(), 1)} wins")
    assert ended["ranking"] == [[1], [0]]


@pytest.mark.parametrize(
    ("words", "ticked", "ranking"),
    [
        ("All win together", {}, [[0, 1, 2]]),
        ("Nobody wins", {}, []),
        ("Those ticked win", {"open.winners": ["2", "0"]}, [[0, 2]]),
    ],
)
async def test_a_game_is_won_or_lost_together(
    http: httpx.AsyncClient, words: str, ticked: Json, ranking: list[list[int]]
) -> None:
    game = await start_game(http, "scores", 3)
    assert (await end(http, game, words, **ticked))["ranking"] == ranking


@pytest.mark.parametrize(
    ("language", "heading"),
    [("en", "Lost together"), ("fr", "Perdu ensemble"), ("de", "Gemeinsam verloren")],
)
async def test_a_lost_game_that_is_played_together_says_so(
    http: httpx.AsyncClient, language: str, heading: str
) -> None:
    mark = uuid4().hex[:8]
    players = [await add_player(http, f"{mark}{seat}") for seat in range(2)]
    titled = await http.post("/api/titles", json={"name": "Pandemic"})
    title = titled.json()["id"]  # the other one's, if there is one
    body = {"ruleset": "scores", "title": title, "players": players}
    game = Game(http, (await http.post("/api/games", json=body)).json())
    await game.record({"type": "finish", "reason": "", "winners": []})
    asked = HTML | {"Accept-Language": language}
    for path in ("", "/log"):
        page = unescape((await http.get(f"/games/{game.id}{path}", headers=asked)).text)
        assert heading in page, path
    listed = await http.get("/history", headers=asked, params={"player": players[0]})
    assert heading.lower() in unescape(listed.text).lower()


async def test_a_team_wins_together(http: httpx.AsyncClient) -> None:
    game = await start_game(http, "scores", 4, options={"teams": [[0, 2], [1, 3]]})
    view = await game.view()
    ended = await end(http, game, f"{named(view, 1)} and {named(view, 3)} win together")
    assert ended["ranking"] == [[1, 3]]


async def test_card_games_ask_nobody_who_won(http: httpx.AsyncClient) -> None:
    game = await start_game(http, "euchre", 2)
    page = await http.get(f"/games/{game.id}/more", headers=HTML)
    assert "End the game" in page.text
    assert "Who won?" not in page.text


async def test_who_won_is_corrected(http: httpx.AsyncClient) -> None:
    game = await start_game(http, "scores", 2)
    view = await game.view()
    await game.record({"type": "result", "points": [5, 9]}, {"type": "finish", "reason": "late"})
    path = f"/games/{game.id}/correct/4"
    fields = await form_of(http, path, f"{named(view, 0)} wins")
    sent = await http.post(f"/games/{game.id}/preview", data=fields, headers=HTML)
    assert sent.status_code == 303, sent.text
    shown = await http.get(sent.headers["location"], headers=HTML)
    assert f"Corrected: The game is ended ({named(view, 0)} wins)" in " ".join(
        unescape(re.sub(r"<[^>]+>", " ", shown.text)).split()
    )


@pytest.mark.parametrize(
    ("language", "won", "lost"),
    [
        ("en", "Won together", "Lost"),
        ("fr", "Gagné ensemble", "Perdu"),
        ("de", "Gemeinsam gewonnen", "Verloren"),
    ],
)
async def test_a_game_that_is_played_together_asks_first_whether_it_was_won(
    http: httpx.AsyncClient, language: str, won: str, lost: str
) -> None:
    made = await http.post("/api/titles", json={"name": "Pandemic"})
    game = await start_game(http, "scores", 2, title=made.json()["id"])
    headers = HTML | {"Accept-Language": language}
    board = await http.get(f"/games/{game.id}", headers=headers)
    assert f'href="/games/{game.id}/more?won=1"' in board.text
    page = (await http.get(f"/games/{game.id}/more?won=1", headers=headers)).text
    first, second = page.index(won), page.index(f">{lost}<")
    assert first < second < page.index((await game.view())["players"][0]["name"])
