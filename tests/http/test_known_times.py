import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.carnet_process import run_carnet
from tests.extensions.score_books.test_pages import brought, imported
from tests.http.club import client_with_key
from tests.http.test_import_games import HTML
from tests.postgres import Cluster
from tests.service.export.pages import pages
from tests.service_process import KEY, ServiceProcess

HOUR = re.compile(r"\d{1,2}:\d\d")
GAME = 'result maker 0 tricks 5 dealer 0\nfinish "over"\n'


def record(names: tuple[str, str], date: str) -> str:
    told = f"[Date {date}]\n" if date else ""
    return f'[Ruleset euchre]\n[Seats 2]\n[Players "{names[0]}" "{names[1]}"]\n{told}\n{GAME}'


def today() -> re.Pattern[str]:
    now = datetime.now(UTC)
    return re.compile(rf"{now:%b}\w* {now.day}, {now.year}")


@pytest.fixture
def names() -> tuple[str, str]:
    mark = uuid4().hex
    return f"Ann {mark}", f"Bob {mark}"


async def import_text(http: httpx.AsyncClient, text: str) -> str:
    headers = {"Content-Type": "text/vnd.carnet", "Idempotency-Key": str(uuid4())}
    answer = await http.post("/api/imports", content=text.encode(), headers=headers)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


async def get_json(http: httpx.AsyncClient, path: str, **query: str) -> Any:  # noqa: ANN401 JSON
    answer = await http.get(path, params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def page(http: httpx.AsyncClient, path: str) -> str:
    answer = await http.get(path, headers=HTML)
    assert answer.status_code == 200, answer.text
    text = answer.text
    return re.sub(r"<[^>]+>", " ", text[text.index("<main") :])


async def person_of(http: httpx.AsyncClient, game_id: str) -> str:
    return str((await get_json(http, f"/api/games/{game_id}"))["players"][0]["id"])


async def test_of_a_day_no_hour_is_told_anywhere(
    http: httpx.AsyncClient, names: tuple[str, str]
) -> None:
    game_id = await import_text(http, record(names, "2019-05-04"))
    ann = await person_of(http, game_id)
    (game,) = (await get_json(http, "/api/games", player=ann))["games"]
    assert (game["times"], game["started_at"][:10]) == ("day", "2019-05-04")
    assert game["last_at"] == game["started_at"]
    evening = await get_json(http, f"/api/evenings/{game_id}")
    assert evening["ended_at"] is None
    for path in (
        f"/evenings/{game_id}",
        f"/games/{game_id}/sheet",
        f"/history?player={ann}",
        f"/players/{ann}",
    ):
        text = await page(http, path)
        assert "May 4, 2019" in text, path
        assert not HOUR.search(text), (path, HOUR.search(text))
        assert " hr" not in text
        assert not today().search(text), path
    told_of = await http.get(f"/api/history.csv?player={ann}")
    assert '"2019-05-04","",' in told_of.text
    assert not HOUR.search(told_of.text)
    paper = await http.get(f"/games/{game_id}/sheet.pdf", headers={"Accept-Language": "en"})
    assert "May 4, 2019" in pages(paper.content)[0].text
    assert not today().search(pages(paper.content)[0].text)
    moment = await page(http, f"/games/{game_id}/at/2")
    assert "May 4, 2019" in moment
    assert not HOUR.search(moment)


async def test_a_day_goes_out_and_comes_back_as_a_day(
    http: httpx.AsyncClient, names: tuple[str, str]
) -> None:
    game_id = await import_text(http, record(names, "2019-05-04"))
    text = (await http.get(f"/api/games/{game_id}/record.carnet")).text
    assert "[Date 2019-05-04]" in text
    written = await get_json(http, f"/api/games/{game_id}/record.json")
    assert written["date"] == "2019-05-04"
    for again in (text, (await http.get(f"/api/games/{game_id}/record.json")).text):
        kind = "application/json" if again.startswith("{") else "text/vnd.carnet"
        headers = {"Content-Type": kind}
        answer = await http.post("/api/imports", content=again.encode(), headers=headers)
        assert (answer.status_code, answer.json()["id"]) == (200, game_id)


async def test_of_an_undated_game_no_time_is_told_and_it_is_of_no_evening(
    http: httpx.AsyncClient, names: tuple[str, str]
) -> None:
    game_id = await import_text(http, record(names, ""))
    ann = await person_of(http, game_id)
    (game,) = (await get_json(http, "/api/games", player=ann))["games"]
    assert game["times"] == "none"
    assert (await http.get(f"/api/evenings/{game_id}")).status_code == 404
    for path in (f"/games/{game_id}/sheet", f"/history?player={ann}", f"/players/{ann}"):
        text = await page(http, path)
        assert not today().search(text), path
        assert not HOUR.search(text), path
    assert "date" not in await get_json(http, f"/api/games/{game_id}/record.json")


async def test_of_a_start_no_end_is_made_up(
    http: httpx.AsyncClient, names: tuple[str, str]
) -> None:
    game_id = await import_text(http, record(names, "2019-05-04T20:00:00Z"))
    evening = await get_json(http, f"/api/evenings/{game_id}")
    assert (evening["started_at"], evening["ended_at"]) == ("2019-05-04T20:00:00Z", None)
    text = await page(http, f"/evenings/{game_id}")
    assert " hr" not in text
    assert HOUR.search(text)


async def test_games_of_a_table_have_its_days_in_its_order(
    http: httpx.AsyncClient, names: tuple[str, str]
) -> None:
    rows = "\n".join([f"Day;{names[0]};{names[1]}", *(f"2019-05-04;{n};3" for n in range(4))])
    await imported(http, await brought(http, rows.encode(), ruleset="euchre"))
    people = (await get_json(http, "/api/players"))["players"]
    (ann,) = [one["id"] for one in people if one["name"] == names[0]]
    games = (await get_json(http, "/api/games", player=ann))["games"]
    assert [game["totals"][0] for game in games] == [3, 2, 1, 0]
    assert {game["times"] for game in games} == {"day"}
    evening = await page(http, f"/evenings/{games[0]['id']}")
    assert "May 4, 2019" in evening
    assert not HOUR.search(evening)


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Pacific/Auckland", "Etc/GMT+12", "UTC"])
@pytest.mark.parametrize("day", ["2019-01-04", "2019-07-04"])
async def test_a_game_of_a_day_is_found_by_this_day_in_every_zone(
    http: httpx.AsyncClient, names: tuple[str, str], zone: str, day: str
) -> None:
    before, after = f"{day[:-1]}3", f"{day[:-1]}5"
    game_id = await import_text(http, record(names, day))
    ann = await person_of(http, game_id)
    cookie = {**HTML, "Cookie": f"carnet-zone={zone}"}
    for begin, end, found in (
        (day, day, True),
        (before, before, False),
        (after, after, False),
        (before, day, True),
        (day, after, True),
    ):
        query = {"player": ann, "from": begin, "to": end}
        history = await http.get("/history", params=query, headers=cookie)
        assert (f"/games/{game_id}" in history.text) is found, (begin, end)
        file = await http.get("/history.csv", params=query, headers=cookie)
        assert (day in file.text) is found, (begin, end)
        standings = await http.get("/standings", params={**query, "player": ""}, headers=cookie)
        assert (names[0] in standings.text) is found, (begin, end)


async def test_a_game_with_an_hour_is_found_by_the_day_of_the_reader(
    http: httpx.AsyncClient, names: tuple[str, str]
) -> None:
    # Five in the morning of the fifth in Auckland.
    game_id = await import_text(http, record(names, "2019-07-04T17:00:00Z"))
    ann = await person_of(http, game_id)
    cookie = {**HTML, "Cookie": "carnet-zone=Pacific/Auckland"}
    for day, found in (("2019-07-04", False), ("2019-07-05", True), ("2019-07-06", False)):
        query = {"player": ann, "from": day, "to": day}
        history = await http.get("/history", params=query, headers=cookie)
        assert (f"/games/{game_id}" in history.text) is found, day


async def test_a_game_of_today_has_its_day_also_before_noon(
    embedded_cluster: Cluster, tmp_path: Path, names: tuple[str, str]
) -> None:
    day = (datetime.now(UTC) + timedelta(hours=12)).date()
    with (
        embedded_cluster.database() as url,
        ServiceProcess.running(tmp_path / "log", CARNET_DATABASE_URL=url) as own,
    ):
        async with client_with_key(own.url, KEY) as http:
            game_id = await import_text(http, record(names, day.isoformat()))
            ann = await person_of(http, game_id)
            (game,) = (await get_json(http, "/api/games", player=ann))["games"]
            assert (game["times"], game["started_at"][:10]) == ("day", day.isoformat())
            for path in (f"/history?player={ann}", f"/games/{game_id}/sheet", f"/players/{ann}"):
                assert not HOUR.search(await page(http, path)), path
        rebuilt = run_carnet("rebuild", environment={"CARNET_DATABASE_URL": url})
        assert rebuilt.returncode == 0, rebuilt.stderr
        assert "; 0 differed" in rebuilt.stdout
