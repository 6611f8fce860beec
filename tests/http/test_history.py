import csv
import re
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import httpx
import msgspec
import pytest
from jsonschema import Draft202012Validator

from schemas.history import SCHEMA_NAME, published_bytes
from service.export.formats.xlsx import MEDIA_TYPE as XLSX
from tests.http.club import LOST_RESULT, MADE_RESULT, Game, Json, add_player, anonymous_client
from tests.service.export.pages import pages
from tests.service_process import ServiceProcess

PUBLISHED = Path(__file__).parents[2] / "schemas" / "published" / SCHEMA_NAME


class Evening:
    def __init__(self, http: httpx.AsyncClient, players: list[str], games: list[Game]) -> None:
        self.http = http
        self.players = players
        self.games = games

    async def get(
        self, path: str = "", headers: Json | None = None, **query: str | int
    ) -> httpx.Response:
        asked = {"player": self.players[0], **query}
        answer = await self.http.get(f"/api/history{path}", params=asked, headers=headers)
        assert answer.status_code == 200, answer.text
        return answer

    async def rows(self, **query: str) -> list[list[str]]:
        return list(csv.reader(StringIO((await self.get(".csv", None, **query)).text, newline="")))


@pytest.fixture
async def evening(http: httpx.AsyncClient) -> Evening:
    players = [await add_player(http, "=cmd|'/c calc'"), await add_player(http, "Bob")]
    games: list[Game] = []
    for _ in range(3):
        body = {"ruleset": "euchre", "players": players}
        games.append(Game(http, (await http.post("/api/games", json=body)).json()))
    await games[0].record(
        MADE_RESULT, LOST_RESULT, {"type": "adjust", "seat": 0, "points": -5, "reason": "-1"}
    )
    await games[0].record({"type": "finish", "reason": "late"})
    return Evening(http, players, games)


async def test_a_past_game_is_told_with_its_deals_and_places(evening: Evening) -> None:
    first = (await evening.get()).json()["games"][-1]
    view = await evening.games[0].view()
    for name in ("id", "ruleset", "options", "players", "version", "totals", "status"):
        assert first[name] == view[name], name
    assert (first["totals"], first["places"]) == ([-2, 0], [2, 1])
    assert [(deal["deal"], deal["points"]) for deal in first["deals"]] == [(1, [1, 0]), (2, [2, 0])]
    assert first["deals"][0]["at"] <= first["last_at"]


async def test_the_page_names_the_day_of_an_evening_once(evening: Evening) -> None:
    page = await evening.http.get("/history", params={"player": evening.players[0]})
    assert (page.text.count('data-style="day"'), page.text.count('data-style="time"')) == (1, 3)


async def test_pages_stay_right_while_games_are_started(evening: Evening) -> None:
    seen: list[str] = []
    query: Json = {"limit": 1}
    while True:
        page = (await evening.get(**query)).json()
        seen += [game["id"] for game in page["games"]]
        body = {"ruleset": "euchre", "players": evening.players}
        assert (await evening.http.post("/api/games", json=body)).status_code == 201
        if page["next"] is None:
            break
        query["cursor"] = page["next"]
    assert seen == [game.id for game in reversed(evening.games)]


async def test_exports_take_the_filters_of_the_list(evening: Evening) -> None:
    finished = await evening.rows(status="finished")
    assert {row[0] for row in finished[1:]} == {evening.games[0].id}
    assert len(await evening.rows(limit="1")) == 1 + 2
    assert len(await evening.rows(to="2020-01-01")) == 1
    page = (await evening.get(limit=1)).json()
    rest = await evening.rows(cursor=page["next"])
    assert {row[0] for row in rest[1:]} == {game.id for game in evening.games[:2]}


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("from=nix", "$.query.from"),
        ("player=nix", "$.query.player"),
        ("status=lost", "$.query.status"),
        ("ruleset=bridge", "$.query.ruleset"),
        ("ruleset=%00", "$.query.ruleset"),
        ("cursor=nix", "$.query.cursor"),
        ("limit=0", "$.query.limit"),
        ("colour=red", "$.query.colour"),
    ],
)
@pytest.mark.parametrize("suffix", ["", ".csv", ".json", ".xlsx", ".pdf"])
async def test_what_cannot_be_read_is_told(
    http: httpx.AsyncClient, suffix: str, query: str, path: str
) -> None:
    answer = await http.get(f"/api/history{suffix}?{query}")
    assert (answer.status_code, answer.json()["path"]) == (400, path)


@pytest.mark.parametrize(
    "query",
    [
        "to=0001-01-01T00:00:00Z",
        "from=0001-01-01T00:00:00%2B14:00",
        "from=0001-01-01&to=9999-12-31",
        "to=9999-12-31T23:59:59-14:00",
    ],
)
async def test_the_ends_of_the_calendar_are_told_too(http: httpx.AsyncClient, query: str) -> None:
    for suffix in (".csv", ".pdf"):
        assert (await http.get(f"/api/history{suffix}?{query}&limit=1")).status_code == 200


@pytest.mark.parametrize(
    ("query", "path"), [("view=hands", "$.query.view"), ("for=x", "$.query.for")]
)
async def test_a_csv_nobody_writes_is_told(http: httpx.AsyncClient, query: str, path: str) -> None:
    answer = await http.get(f"/api/history.csv?{query}")
    assert (answer.status_code, answer.json()["path"]) == (400, path)


async def test_a_page_holds_no_more_games_than_it_may(http: httpx.AsyncClient) -> None:
    assert (await http.get("/api/history?limit=201")).status_code == 200
    csv_of_many = await http.get("/api/history?limit=201", headers={"Accept": "text/csv"})
    assert csv_of_many.status_code == 200


async def test_accept_asks_for_the_same_file_as_the_suffix(evening: Evening) -> None:
    by_suffix = await evening.get(".csv")
    by_accept = await evening.get(headers={"Accept": "text/csv"})
    assert by_accept.content == by_suffix.content
    assert by_suffix.headers["Content-Type"] == "text/csv; header=present; charset=utf-8"
    named = r'attachment; filename="\d{4}-\d\d-\d\d-Carnet-Games-.+\.csv"; filename\*=.+'
    assert re.fullmatch(named, by_suffix.headers["Content-Disposition"])
    workbook = await evening.get(headers={"Accept": XLSX})
    assert workbook.headers["Content-Type"] == XLSX


async def test_csv_of_games_has_a_line_a_game_and_player(evening: Evening) -> None:
    header, *rows = await evening.rows()
    assert header[:2] + header[6:] == [
        "Game",
        "Rules",
        "Player no.",
        "Player",
        "Total",
        "Place",
        "Won",
        "Location",
        "Tags",
        "Title",
        "Name of the game",
    ]
    assert len(rows) == 6
    last = [row[4:] for row in rows if row[0] == evening.games[0].id]
    assert last == [
        ["finished", "2", "1", "'=cmd|'/c calc'", "-2", "2", "0", "", "", "euchre", "Euchre"],
        ["finished", "2", "2", "Bob", "0", "1", "1", "", "", "euchre", "Euchre"],
    ]


async def test_numbers_below_zero_stay_numbers_in_csv(evening: Evening) -> None:
    raw = (await evening.get(".csv", status="finished")).text
    assert ",-2,2,0," in raw


async def test_csv_of_deals_has_the_points_so_far(evening: Evening) -> None:
    _, *rows = await evening.rows(view="deals")
    assert [(row[2], *row[4:7]) for row in rows] == [
        ("1", "'=cmd|'/c calc'", "1", "1"),
        ("1", "Bob", "0", "0"),
        ("2", "'=cmd|'/c calc'", "2", "3"),
        ("2", "Bob", "0", "0"),
    ]


async def test_csv_of_entries_is_the_log(evening: Evening) -> None:
    _, *rows = await evening.rows(view="entries", status="finished")
    log = await evening.games[0].log()
    assert [(int(row[1]), row[3]) for row in rows] == [(one["version"], one["type"]) for one in log]
    assert [msgspec.json.decode(row[5]) for row in rows] == [one["entry"] for one in log]
    (adjusted,) = [row for row in rows if row[3] == "adjust"]
    assert adjusted[4] == "'=cmd|'/c calc'"


async def test_csv_of_standings_ranks_the_players(evening: Evening) -> None:
    header, *rows = await evening.rows(view="standings")
    wins = header.index("Won")
    assert [(row[1], row[2], row[wins]) for row in rows] == [
        ("1", "Bob", "1"),
        ("2", "'=cmd|'/c calc'", "0"),
    ]


async def test_csv_for_a_spreadsheet_speaks_its_dialect(evening: Evening) -> None:
    query = {"for": "excel-fr", "view": "standings"}
    answer = await evening.get(".csv", headers={"Accept-Language": "fr"}, **query)
    assert answer.text.startswith('\ufeff"Jeu";"Rang"')
    assert ";-2,0;" in answer.text


async def test_who_was_forgotten_has_no_name_in_any_export(evening: Evening) -> None:
    await evening.http.delete(f"/api/players/{evening.players[1]}")
    assert (await evening.get()).json()["games"][0]["players"][1]["name"] is None
    assert {row[7] for row in (await evening.rows())[1:]} == {"'=cmd|'/c calc'", "player 2"}
    assert (await evening.rows(view="standings"))[1][2] == "forgotten player"


async def test_an_export_as_json_is_what_its_schema_says(evening: Evening) -> None:
    answer = await evening.get(".json")
    document = answer.json()
    schema = (await evening.http.get(document["$schema"])).json()
    Draft202012Validator.check_schema(schema)
    validator: Any = Draft202012Validator(
        schema, format_checker=Draft202012Validator.FORMAT_CHECKER
    )
    validator.validate(document)
    assert document["format"] == "carnet-history-1"
    assert document["games"] == (await evening.get()).json()["games"]
    document["games"][0]["extra"] = 1
    assert not validator.is_valid(document)


async def test_an_export_of_no_games_is_whole(evening: Evening) -> None:
    assert (await evening.get(".json", to="2020-01-01")).json()["games"] == []
    assert len(await evening.rows(view="deals", to="2020-01-01")) == 1
    assert (await evening.get(".xlsx", to="2020-01-01")).status_code == 200


def test_the_published_schema_is_what_the_shapes_say() -> None:
    assert PUBLISHED.read_bytes() == published_bytes()


async def test_the_schema_is_served_to_anybody(service: ServiceProcess) -> None:
    async with anonymous_client(service.url) as stranger:
        answer = await stranger.get(f"/schema/{SCHEMA_NAME}")
    assert answer.content == published_bytes()
    assert answer.headers["Content-Type"] == "application/schema+json"


async def test_the_workbook_has_a_worksheet_a_view_and_text_stays_text(evening: Evening) -> None:
    answer = await evening.get(".xlsx", headers={"Accept-Language": "de"})
    assert int(answer.headers["Content-Length"]) == len(answer.content)
    assert answer.headers["Content-Language"] == "de"
    with ZipFile(BytesIO(answer.content)) as book:
        names = book.read("xl/workbook.xml").decode()
        sheets = [book.read(f"xl/worksheets/sheet{n}.xml").decode() for n in (1, 2, 3, 8)]
    for title in ("Partien", "Spiele", "Rangliste", "Personen", "Paare", "Zahlen", "Einträge"):
        assert f'<sheet name="{title}"' in names
    assert "<t>=cmd|'/c calc'</t>" in sheets[0]
    assert "<v>-2</v>" in sheets[0]
    assert "<f>" not in "".join(sheets)
    log = [line for game in evening.games for line in await game.log()]
    assert [sheet.count("<row ") for sheet in sheets] == [1 + 6, 1 + 4, 1 + 2, 1 + len(log)]
    assert all('<pane ySplit="1"' in sheet and "<autoFilter" in sheet for sheet in sheets)


async def test_on_paper_the_history_names_players_and_totals(evening: Evening) -> None:
    by_accept = await evening.get(headers={"Accept": "application/pdf"})
    assert by_accept.headers["Content-Type"] == "application/pdf"
    answer = await evening.get(".pdf", headers={"Accept-Language": "fr"})
    assert answer.headers["Content-Type"] == "application/pdf"
    assert int(answer.headers["Content-Length"]) == len(answer.content)
    named = r'inline; filename="\d{4}-\d\d-\d\d-Carnet-Parties-jouees-.+\.pdf"; .+'
    assert re.fullmatch(named, answer.headers["Content-Disposition"])
    text = pages(answer.content)[0].text
    for said in ("Parties jouées", "=cmd|'/c calc'", "Bob", "−2", "Parties (3)"):
        assert said in text


async def test_the_schema_of_the_interface_describes_the_history(http: httpx.AsyncClient) -> None:
    document = (await http.get("/schema")).json()
    told = document["paths"]["/api/history.csv"]["get"]
    assert {one["name"] for one in told["parameters"]} >= {"player", "from", "to", "view", "for"}
    content = document["paths"]["/api/history"]["get"]["responses"]["200"]["content"]
    assert {"application/json", "text/csv", XLSX, "application/pdf"} <= {*content}
