import json
from uuid import uuid4

import httpx
import msgspec
import pytest

from tests.http.club import Game
from tests.http.test_import_games import HTML
from tests.http.unserved import app_without_server

MOMENTS = [
    "0001-01-01",
    "0001-01-01T00:00:00Z",
    "0001-01-01T00:00:00+14:00",
    "0001-01-01T00:00:00+23:59",
    "0872-06-16T14:25:57Z",
    "1899-12-31T23:59:59.999999-12:00",
    "2020-01-01T00:00:00+23:59",
    "2020-01-01T00:00:00-23:59",
    "9999-12-31",
    "9999-12-31T23:59:59-23:59",
    "9999-12-31T23:59:59.999999-12:00",
]
ZONES = ["Pacific/Kiritimati", "Etc/GMT+12", "Asia/Kolkata"]
PAGES = ["/history", "/standings", "/history.csv", "/history.xlsx"]


def filtered_routes() -> list[str]:
    paths = msgspec.json.decode(app_without_server().state["reference"].json)["paths"]
    return [
        path
        for path, operations in paths.items()
        if {"from", "to"}
        <= {one["name"] for one in operations.get("get", {}).get("parameters", [])}
    ]


async def addresses(http: httpx.AsyncClient) -> list[str]:
    player = (await http.post("/api/players", json={"name": f"Ann {uuid4()}"})).json()["id"]
    return [path.replace("{player_id}", player) for path in filtered_routes()]


@pytest.mark.parametrize("moment", MOMENTS)
async def test_lists_take_any_moment_as_a_bound(http: httpx.AsyncClient, moment: str) -> None:
    routes = await addresses(http)
    assert len(routes) >= 4
    for path in routes:
        for bound in ("from", "to"):
            query = {bound: moment, "ruleset": "rami"}
            answer = await http.get(path, params=query)
            assert answer.status_code == 200, (path, query, answer.text)


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("moment", MOMENTS)
async def test_pages_take_any_moment_as_a_bound(
    http: httpx.AsyncClient, moment: str, zone: str
) -> None:
    headers = {**HTML, "Cookie": f"carnet-zone={zone}"}
    for path in PAGES:
        for bound in ("from", "to"):
            query = {bound: moment, "ruleset": "rami"}
            answer = await http.get(path, params=query, headers=headers)
            assert answer.status_code == 200, (path, query)


@pytest.mark.parametrize("moment", MOMENTS)
async def test_a_record_of_any_moment_is_taken_or_refused(
    http: httpx.AsyncClient, moment: str
) -> None:
    record = {
        "ruleset": "euchre",
        "seats": 2,
        "players": [f"Ann {uuid4()}", f"Bob {uuid4()}"],
        "date": moment,
        "log": [{"type": "result", "maker": 0, "tricks": 5, "dealer": 0}],
    }
    taken = moment.startswith("2020")
    for query in ({"preview": "true"}, {}, {}):
        answer = await http.post("/api/imports", content=json.dumps(record), params=query)
        assert answer.status_code in ({200, 201} if taken or query else {400}), answer.text


async def test_a_link_may_end_with_the_calendar(game: Game) -> None:
    for end in ("9999-12-31T23:59:59-23:59", "9999-12-31T23:59:59.999999Z"):
        terms = {"role": "viewer", "expires_at": end}
        answer = await game.http.post(f"{game.path}/links", json=terms)
        assert answer.status_code == 201, answer.text
    assert (await game.http.get(f"{game.path}/links")).status_code == 200
    for zone in ZONES:
        headers = {**HTML, "Cookie": f"carnet-zone={zone}"}
        page = await game.http.get(f"/games/{game.id}/share", headers=headers)
        assert page.status_code == 200


async def test_a_season_may_be_all_of_the_calendar(http: httpx.AsyncClient) -> None:
    season = {"name": "Ever", "first_day": "0001-01-01", "last_day": "9999-12-31"}
    made = (await http.post("/api/seasons", json=season)).json()
    for path in await addresses(http):
        answer = await http.get(path, params={"season": made["id"]})
        assert answer.status_code == 200, (path, answer.text)
    for zone in ZONES:
        headers = {**HTML, "Cookie": f"carnet-zone={zone}"}
        days = {"from": season["first_day"], "to": season["last_day"]}
        for path in PAGES:
            answer = await http.get(path, params=days, headers=headers)
            assert answer.status_code == 200, (path, zone)
    await http.delete(f"/api/seasons/{made['id']}")
