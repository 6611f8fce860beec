"""The score sheet as a page: a line for a round, marks of players, totals in sight."""

import re
from uuid import uuid4

import httpx
import pytest

from service.web.format.chart import MARKS
from tests.http.club import Game, Json, add_player

DUTCH: Json = {"type": "result", "caller": 1, "counter": None, "totals": [12, 5, 0]}
SCORES: list[Json] = [
    {"type": "result", "points": [12, 7, 9]},
    {"type": "result", "points": [3, None, -2]},
]


async def start(http: httpx.AsyncClient, ruleset: str, *entries: Json, seats: int = 3) -> Game:
    people = [await add_player(http, f"P{seat} {uuid4().hex[:4]}") for seat in range(seats)]
    answer = await http.post("/api/games", json={"ruleset": ruleset, "players": people})
    assert answer.status_code == 201, answer.text
    game = Game(http, answer.json())
    for entry in entries:
        await game.record(entry)
    return game


async def rows(game: Game) -> list[str]:
    page = (await game.http.get(f"/games/{game.id}/sheet")).text
    body = page[page.index("<tbody>") : page.index("</tbody>")]
    return re.findall(r"<tr.*?</tr>", body, re.DOTALL)


async def test_a_round_is_one_line_and_who_sat_out_a_detail(http: httpx.AsyncClient) -> None:
    game = await start(http, "scores", *SCORES)
    first, second, details = await rows(game)
    assert f"/games/{game.id}/correct/2" in first, "without details, the number leads to it"
    assert "data-details" not in first
    assert "data-details" in second
    assert 'class="words"' in details
    assert "1 player sat out" in details
    assert f"/games/{game.id}/correct/4" in details


async def test_a_deal_of_dutch_is_one_line_and_its_words_a_detail(http: httpx.AsyncClient) -> None:
    game = await start(http, "dutch", DUTCH)
    line, details = await rows(game)
    assert "data-details" in line
    assert "Rows:" in details
    assert "Rows:" not in line


@pytest.mark.parametrize("seats", [2, 5, 12])
async def test_a_player_has_the_same_mark_in_sheet_chart_replay_and_screen(
    http: httpx.AsyncClient, seats: int
) -> None:
    points = [[3 + seat for seat in range(seats)], [9 - seat for seat in range(seats)]]
    entries = [{"type": "result", "points": one} for one in points]
    game = await start(http, "scores", *entries, seats=seats)
    sheet = (await http.get(f"/games/{game.id}/sheet")).text
    head = sheet[sheet.index("<thead>") : sheet.index("</thead>")]
    chart = sheet[sheet.index('class="sheet chart"') :]
    replay = (await http.get(f"/games/{game.id}/at/5")).text
    screen = (await http.get(f"/games/{game.id}/screen")).text
    assert len({*MARKS[:seats]}) == seats
    for seat, sign in enumerate(MARKS[:seats]):
        mark = f'class="player-mark course{seat}"'
        for page in (head, replay, screen):
            assert mark in page
            assert f"M6 6{sign}" in page
        assert f'<g class="course{seat}">' in chart
        assert sign in chart


async def test_the_total_has_a_line_that_stays_in_sight(http: httpx.AsyncClient) -> None:
    game = await start(http, "scores", *SCORES)
    page = (await http.get(f"/games/{game.id}/sheet")).text
    total = page[page.index('<tr class="total">') :].partition("</tr>")[0]
    assert re.findall(r">\s*(-?\d+)\s*</td>", total) == ["15", "7", "7"]
