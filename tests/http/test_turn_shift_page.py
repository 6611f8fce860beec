import re
from html import unescape
from typing import Any
from uuid import uuid4

import httpx
import msgspec
import pytest

from tests.http.club import Game, add_player
from tests.http.test_correction_pages import SAME, proposed

Json = dict[str, Any]


def turn(seat: int, card: str) -> list[Json]:
    return [{"type": "draw", "seat": seat}, {"type": "discard", "seat": seat, "card": card}]


def button(page: str, words: str) -> list[Json]:
    found = re.search(rf'name="entries" value="([^"]+)">\s*{words}', page)
    assert found, page
    entries: list[Json] = msgspec.json.decode(unescape(found[1]))
    return entries


@pytest.mark.parametrize(
    ("recorded", "correction", "words"),
    [
        (
            [*turn(1, "9S"), *turn(2, "7S"), *turn(0, "6S")],
            {"type": "splice", "version": 5, "drop": 0, "moves": turn(2, "8S")},
            "Insert it, and shift what follows to the next player",
        ),
        (
            [*turn(1, "9S"), *turn(2, "8S"), *turn(0, "8S"), *turn(1, "7S"), *turn(2, "6S")],
            {"type": "splice", "version": 8, "drop": 1, "moves": []},
            "Remove it, and shift what follows back",
        ),
    ],
    ids=["forgotten", "doubled"],
)
async def test_every_discard_goes_to_the_player_whose_turn_it_then_is(
    http: httpx.AsyncClient, recorded: list[Json], correction: Json, words: str
) -> None:
    players = [await add_player(http, name) for name in ("Ann", "Bob", "Eve")]
    started = await http.post("/api/games", json={"ruleset": "rami", "players": players})
    game = Game(http, started.json())
    await game.record({"type": "deal", "dealer": 0, "up": "2H"}, *recorded)
    shown = (await proposed(game, correction)).text
    assert "drop what no longer fits" not in shown
    assert 'class="stack" open' not in shown
    fields = {
        "version": str(game.version),
        "command": str(uuid4()),
        "entries": msgspec.json.encode(button(shown, words)).decode(),
    }
    sent = await http.post(f"/games/{game.id}/entries", data=fields, headers=SAME)
    assert sent.status_code == 303
    stands = await game.get("/entries", effective="true")
    thrown = [
        (line["entry"]["seat"], line["entry"]["card"])
        for line in stands["entries"]
        if line["type"] == "discard"
    ]
    assert thrown == [(1, "9S"), (2, "8S"), (0, "7S"), (1, "6S")]
