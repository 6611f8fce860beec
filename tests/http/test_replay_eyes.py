import re

import httpx
import pytest

from tests.generation.makers import FOLLOWED, MAKERS
from tests.generic.test_viewpoint import stripped
from tests.http.club import DEAL, Game, Json, add_player

ENTRIES = 24
PARTS = ("moments", "chapters", "")
# Differences between two copies of a game: ids, commands, times.
OWN = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|<time.*?</time>")


async def play(http: httpx.AsyncClient, ruleset: str, whole: Json, entries: list[Json]) -> Game:
    seats = [await add_player(http, f"Player {seat}") for seat in range(whole["seats"])]
    body = {"ruleset": ruleset, "options": whole["options"], "players": seats}
    answer = await http.post("/api/games", json=body)
    assert answer.status_code == 201, answer.text
    game = Game(http, answer.json())
    await game.record(*entries)
    return game


async def describe(game: Game, version: int, eyes: str, part: str) -> str:
    headers = {"X-Part": part} if part else {}
    query = {"eyes": eyes} if eyes else {}
    answer = await game.http.get(f"/games/{game.id}/at/{version}", headers=headers, params=query)
    assert answer.status_code == 200
    return OWN.sub("", answer.text)


@pytest.mark.parametrize("ruleset", FOLLOWED)
async def test_a_seat_watches_what_a_record_without_the_rest_would_show(
    http: httpx.AsyncClient, ruleset: str
) -> None:
    module = MAKERS[ruleset]
    whole = module.true_game(3, module.PROFILES[module.OPEN])
    entries = whole["log"][:ENTRIES]
    game = await play(http, ruleset, whole, entries)
    hidden = 0
    for eyes in (None, 0, whole["seats"] - 1):
        seen = "everybody" if eyes is None else str(eyes)
        kept = [stripped(ruleset, one, eyes) for one in entries]
        other = await play(http, ruleset, whole, kept)
        hidden += kept != entries
        for version in range(1, game.version + 1, 12):
            for part in PARTS:
                as_seen = await describe(game, version, seen, part)
                assert as_seen == await describe(other, version, seen, part), (version, seen, part)
    assert hidden > 0


async def test_what_a_correction_puts_in_place_is_told_to_nobody_else_either(
    http: httpx.AsyncClient,
) -> None:
    game = await Game.start(http)
    away: Json = {"type": "exchange", "seat": 0, "take": True, "discard": "9D"}
    await game.record(*DEAL[:2], away)
    await game.record({"type": "amend", "version": 4, "move": {**away, "discard": "TD"}})
    for part in ("moments", "chapters"):
        for version in (4, 5):
            assert "of diamonds" not in await describe(game, version, "1", part)
    assert "nine of diamonds" in await describe(game, 5, "0", "moments")
    assert "ten of diamonds" in await describe(game, 5, "0", "moments")
