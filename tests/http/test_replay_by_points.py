"""The replay of games whose deals are recorded by their results: round by round."""

import re
from uuid import uuid4

import httpx
import pytest

from tests.http.club import LOST_RESULT, MADE_RESULT, Game, Json, add_player

SCORES: list[Json] = [
    {"type": "result", "points": [12, 7, 9]},
    {"type": "result", "points": [3, -2, None]},
]


async def start(http: httpx.AsyncClient, ruleset: str, *entries: Json) -> Game:
    names = ("Ann", "Bo", "Cy") if ruleset == "scores" else ("Ann", "Bo")
    people = [await add_player(http, f"{name} {uuid4().hex[:4]}") for name in names]
    answer = await http.post("/api/games", json={"ruleset": ruleset, "players": people})
    assert answer.status_code == 201, answer.text
    game = Game(http, answer.json())
    for entry in entries:
        await game.record(entry)
    return game


def ways(page: str) -> dict[str, int]:
    found = re.findall(r'data-go="([a-z-]+)" href="[^"]*/at/(\d+)"', page)
    return {key: int(version) for key, version in found}


@pytest.mark.parametrize(
    ("ruleset", "entries"), [("scores", SCORES), ("euchre", [MADE_RESULT, LOST_RESULT])]
)
async def test_it_stops_where_the_points_of_a_round_are_counted(
    http: httpx.AsyncClient, ruleset: str, entries: list[Json]
) -> None:
    game = await start(http, ruleset, *entries)
    opened = await http.get(f"/games/{game.id}/replay", follow_redirects=True)
    assert opened.url.path.endswith("/at/5")
    assert 'data-passed="[2,4]"' in opened.text
    assert ways(opened.text) == {"deal-before": 3, "back": 3, "forward": 5, "deal-after": 5}
    first = (await http.get(f"/games/{game.id}/at/1")).text
    assert ways(first) == {"deal-before": 1, "back": 1, "forward": 3, "deal-after": 3}


async def test_the_end_of_a_round_is_headed_by_that_round(http: httpx.AsyncClient) -> None:
    game = await start(http, "scores", *SCORES)
    page = (await http.get(f"/games/{game.id}/at/3")).text
    head = page[page.index('class="moment') : page.index('class="seats"')]
    assert "Round 1" in head
    assert "Round 2" not in head


async def test_who_sat_out_has_no_number_in_the_words_of_a_round(http: httpx.AsyncClient) -> None:
    game = await start(http, "scores", *SCORES)
    page = (await http.get(f"/games/{game.id}/at/5")).text
    said = page[page.index('class="said"') :].partition("</div>")[0]
    assert re.search(r"Round 2: Ann \w+ 3, Bo \w+ −2, Cy \w+ –", said), said


async def test_a_round_is_one_line_of_the_course_until_it_is_corrected(
    http: httpx.AsyncClient,
) -> None:
    game = await start(http, "scores", *SCORES)
    page = (await http.get(f"/games/{game.id}/at/5")).text
    assert "Points of the round" not in page
    await game.record({"type": "amend", "version": 4, "move": SCORES[0]})
    page = (await http.get(f"/games/{game.id}/at/5")).text
    assert page.count("Points of the round") >= 1


@pytest.mark.parametrize("shared", [False, True])
async def test_a_game_without_a_round_opens(http: httpx.AsyncClient, *, shared: bool) -> None:
    game = await start(http, "scores")
    root = f"/games/{game.id}"
    if shared:
        answer = await http.post(f"/api{root}/links", json={"role": "public"})
        root = httpx.URL(answer.json()["url"]).path
    page = await http.get(root if shared else f"{root}/replay", follow_redirects=True)
    assert page.status_code == 200, page.text
    assert ways(page.text) == {"deal-before": 1, "back": 1, "forward": 1, "deal-after": 1}
