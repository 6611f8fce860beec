import time
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import psycopg
import pytest

from tests.http.club import Game, Json, add_player
from tests.http.crowd import insert_games
from tests.postgres import Cluster
from tests.service_process import ServiceProcess

# The maker takes 5 tricks: 2 points, and with a target of 2 the game.
MARCH: list[Json] = [{"type": "result", "maker": 0, "tricks": 5, "dealer": 0}]
FIGURES: Json = {
    "games": 2,
    "finished": 1,
    "wins": 1,
    "shared_wins": 0,
    "win_share": 1.0,
    "deals": 1,
    "points": 2,
    "points_per_game": 2.0,
    "points_per_deal": 2.0,
    "place": 1.0,
    "best_place": 1,
    "worst_place": 1,
    "lowest": 2,
    "highest": 2,
    "streak": 1,
    "longest_streak": 1,
    "counted": {},
}


async def won_and_open(http: httpx.AsyncClient) -> tuple[Game, list[str]]:
    won = await Game.start(http, target=2)
    await won.record(*MARCH)
    ids = [player["id"] for player in (await won.view())["players"]]
    answer = await http.post("/api/games", json={"ruleset": "euchre", "players": ids})
    assert answer.status_code == 201
    return won, ids


async def standing_of(http: httpx.AsyncClient, player: str, **query: str) -> list[dict[str, Any]]:
    answer = await http.get("/api/standings", params=query)
    assert answer.status_code == 200, answer.text
    tables = answer.json()["rulesets"]
    return [one for table in tables for one in table["standings"] if one["player"]["id"] == player]


async def test_a_game_ended_before_anything_came_of_it_is_nobodys_win(
    http: httpx.AsyncClient,
) -> None:
    game = await Game.start(http)
    await game.record({"type": "finish", "reason": "another game"})
    (ann, _) = [player["id"] for player in (await game.view())["players"]]
    told = (await http.get(f"/api/players/{ann}")).json()
    figures = told["rulesets"][0]["figures"]
    assert (figures["games"], figures["finished"], figures["wins"]) == (1, 0, 0)
    assert (told["rulesets"][0]["rating"], told["head_to_head"], told["results"]) == (None, [], [])


async def test_a_person_is_told_by_figures_head_to_head_and_results(
    http: httpx.AsyncClient,
) -> None:
    won, (ann, bob) = await won_and_open(http)
    told = (await http.get(f"/api/players/{ann}")).json()
    assert (told["id"], told["name"]) == (ann, "Ann")
    (euchre,) = told["rulesets"]
    assert (euchre["ruleset"], euchre["figures"]) == ("euchre", FIGURES)
    assert euchre["rating"] == {"value": 3.4, "mu": 27.64, "sigma": 8.07, "provisional": True}
    assert told["head_to_head"] == [
        {
            "ruleset": "euchre",
            "title": "euchre",
            "player": {"id": bob, "name": "Bob"},
            "games": 1,
            "ahead": 1,
            "level": 0,
            "behind": 0,
            "together": 0,
        }
    ]
    (result,) = told["results"]
    assert (result["game"], result["place"], result["total"]) == (won.id, 1, 2)
    assert result["rating"] == 3.4


async def test_who_never_played_is_told_by_name_alone(http: httpx.AsyncClient) -> None:
    answer = await http.post("/api/players", json={"name": f"Zoé {uuid4().hex}"})
    told = (await http.get(answer.headers["Location"])).json()
    assert told == {**answer.json(), "rulesets": [], "head_to_head": [], "results": []}


async def test_nobody_is_not_found(http: httpx.AsyncClient) -> None:
    answer = await http.get(f"/api/players/{uuid4()}")
    assert (answer.status_code, answer.json()["type"]) == (404, "not-found")


async def test_a_forgotten_player_has_no_name_and_keeps_the_figures(
    http: httpx.AsyncClient,
) -> None:
    _, (ann, bob) = await won_and_open(http)
    await http.get(f"/api/players/{bob}")
    await http.delete(f"/api/players/{ann}")
    told = (await http.get(f"/api/players/{ann}")).json()
    assert told["name"] is None
    assert told["rulesets"][0]["figures"] == FIGURES
    other = (await http.get(f"/api/players/{bob}")).json()
    assert other["head_to_head"][0]["player"] == {"id": ann, "name": None}
    assert (await standing_of(http, ann))[0]["player"]["name"] is None


async def test_standings_are_those_of_a_ruleset_and_a_period(http: httpx.AsyncClient) -> None:
    _, (ann, _) = await won_and_open(http)
    (standing,) = await standing_of(http, ann)
    assert standing["figures"] == FIGURES
    assert await standing_of(http, ann, ruleset="rami") == []
    assert await standing_of(http, ann, to="2001-01-01") == []
    assert await standing_of(http, ann, ruleset="euchre", **{"from": "2001-01-01"}) == [standing]


async def test_standings_change_with_the_game_that_ends(http: httpx.AsyncClient) -> None:
    won, (ann, _) = await won_and_open(http)
    assert (await standing_of(http, ann))[0]["figures"]["finished"] == 1
    await won.record({"type": "take_back", "to": 1})
    assert (await standing_of(http, ann))[0]["figures"]["finished"] == 0


async def test_what_cannot_be_read_is_told(http: httpx.AsyncClient) -> None:
    for query, path in (
        ({"from": "soon"}, "from"),
        ({"season": "1"}, "season"),
        ({"ruleset": ""}, "ruleset"),
    ):
        answer = await http.get("/api/standings", params=query)
        assert (answer.status_code, answer.json()["path"]) == (400, f"$.query.{path}")


async def test_the_schema_describes_both(http: httpx.AsyncClient) -> None:
    paths = (await http.get("/schema")).json()["paths"]
    standings = paths["/api/standings"]["get"]
    assert {one["name"] for one in standings["parameters"]} == {
        "ruleset",
        "title",
        "from",
        "to",
        "set_aside",
        "season",
    }
    answer = paths["/api/players/{player_id}"]["get"]["responses"]["200"]["content"]
    assert answer["application/json"]["schema"]["$ref"].endswith("/PersonPage")


async def test_a_family_emoji_is_a_name_and_a_control_character_is_none(
    http: httpx.AsyncClient,
) -> None:
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
    added = await http.post("/api/players", json={"name": family, "same_name": True})
    assert (added.status_code, added.json()["name"]) == (201, family)
    refused = await http.post("/api/players", json={"name": "A\u202enn", "same_name": True})
    assert (refused.status_code, refused.json()["path"]) == (400, "$.name")


@pytest.mark.parametrize("page", ["/standings", "/players"])
async def test_a_game_with_options_that_tell_teams_is_read(game: Game, page: str) -> None:
    people = [await add_player(game.http, name) for name in ("Ann", "Bob")]
    body = {"ruleset": "durak", "options": {"rules": "fr"}, "players": people}
    started = await game.http.post("/api/games", json=body)
    assert started.status_code == 201, started.text
    assert (await game.http.get(page)).status_code == 200


GAMES = 1_500
DEADLINE_SECONDS = 120.0


def test_a_service_that_starts_folds_what_is_not_kept(
    embedded_cluster: Cluster, tmp_path: Path
) -> None:
    with embedded_cluster.database() as url:
        settings = {"CARNET_DATABASE_URL": url, "CARNET_DATA_DIR": str(tmp_path / "data")}
        with ServiceProcess.running(tmp_path / "log", **settings):
            insert_games(url, GAMES)
        with ServiceProcess.running(tmp_path / "log", **settings):
            assert folded(url) >= GAMES - 256


def folded(url: str) -> int:
    deadline = time.monotonic() + DEADLINE_SECONDS
    with psycopg.connect(url, autocommit=True) as conn:
        while time.monotonic() < deadline:
            found = conn.execute("SELECT max(games) FROM carnet.standings_kept").fetchone()
            if found is not None and found[0] is not None:
                return int(found[0])
            time.sleep(0.05)
    raise AssertionError(f"nothing is kept after {DEADLINE_SECONDS:.0f} s")
