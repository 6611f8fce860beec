import re
from io import BytesIO
from uuid import uuid4
from zipfile import ZipFile

import httpx
import pytest

from service.export.formats import dialects
from service.export.formats.xlsx import MEDIA_TYPE as XLSX
from service.http.inputs import ANY_FILE
from tests.http.club import MADE_RESULT, Game, add_player
from tests.http.scores import ScoresGame
from tests.service.export.pages import codes, height_of, pages

# No character of Unicode, so that no font of any machine has it; a name may contain it.
UNASSIGNED = "\u0378"
CSV = f"{dialects.MEDIA_TYPE}; charset=utf-8"


@pytest.fixture
async def played(game: Game) -> Game:
    await game.record(MADE_RESULT, {"type": "note", "text": "=1+1"})
    return game


async def file(game: Game, path: str, **headers: str) -> httpx.Response:
    answer = await game.http.get(path, headers=headers)
    assert answer.status_code == 200, answer.text
    return answer


FORMS = [
    ("csv", CSV, "attachment"),
    ("xlsx", XLSX, "attachment"),
    ("pdf", "application/pdf", "inline"),
]


@pytest.mark.parametrize(("suffix", "media_type", "disposition"), FORMS)
async def test_a_form_is_the_same_by_suffix_and_by_accept(
    played: Game, suffix: str, media_type: str, disposition: str
) -> None:
    by_suffix = await file(played, f"{played.path}/sheet.{suffix}")
    by_accept = await file(played, f"{played.path}/sheet", Accept=media_type)
    assert by_suffix.headers["Content-Type"] == media_type
    assert by_accept.content == by_suffix.content
    assert by_accept.headers["ETag"] == f'"{played.version}"'
    day = (await played.log())[0]["recorded_at"][:10]
    name = f'{disposition}; filename="{day}-Euchre-Ann-Bob.{suffix}"'
    assert by_suffix.headers["Content-Disposition"].startswith(name)
    assert "Accept" in by_accept.headers["Vary"]


async def test_the_sheet_as_json_names_the_players_and_their_totals(played: Game) -> None:
    sheet = await played.get("/sheet")
    assert sheet == await played.get("/sheet.json")
    assert sheet["sheet"]["totals"] == [1, 0]
    assert [player["name"] for player in sheet["players"]] == ["Ann", "Bob"]


@pytest.mark.parametrize(
    ("accept", "media_type"),
    [
        ("*/*", "application/json"),
        ("text/html", "application/json"),
        ("application/pdf;q=0", "application/json"),
        ("text/*;q=0.9, application/json;q=0.1", CSV),
        (f"application/json;q=0.5, {XLSX}", XLSX),
    ],
)
async def test_accept_weighs_the_forms(played: Game, accept: str, media_type: str) -> None:
    answer = await file(played, f"{played.path}/sheet", Accept=accept)
    assert answer.headers["Content-Type"] == media_type


@pytest.mark.parametrize("path", ["sheet.csv", "sheet"])
async def test_csv_for_a_spreadsheet_has_a_mark_and_semicolons(played: Game, path: str) -> None:
    accept = {"Accept": "text/csv", "Accept-Language": "fr"}
    answer = await file(played, f"{played.path}/{path}?for=excel-fr", **accept)
    assert answer.content.decode().startswith('\ufeff"Donne";"Ligne"')


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("sheet.csv?for=lotus", "$.query.for"),
        ("sheet.csv?paper=a4", "$.query.paper"),
        ("sheet.pdf?paper=a3", "$.query.paper"),
        ("sheet?paper=letter", "$.query.paper"),
    ],
)
async def test_an_unknown_choice_is_malformed(played: Game, path: str, said: str) -> None:
    answer = await played.http.get(f"{played.path}/{path}")
    assert (answer.status_code, answer.json()["path"]) == (400, said)


async def test_no_form_of_a_game_that_is_not_there(http: httpx.AsyncClient) -> None:
    for suffix, *_ in FORMS:
        path = f"games/00000000-0000-0000-0000-000000000000/sheet.{suffix}"
        assert [(await http.get(f"{at}{path}")).status_code for at in ("/api/", "/")] == [404, 404]


async def test_the_workbook_holds_the_deals_the_standings_and_the_log(played: Game) -> None:
    answer = await file(played, f"{played.path}/sheet.xlsx", **{"Accept-Language": "de"})
    assert answer.headers["Content-Language"] == "de"
    with ZipFile(BytesIO(answer.content)) as book:
        strings = book.read("xl/sharedStrings.xml").decode()
        last = book.read("xl/worksheets/sheet3.xml").decode()
    assert ">=1+1<" in strings
    assert "&quot;type&quot;:&quot;note&quot;" in strings or '"type":"note"' in strings
    assert last.count("<row ") == 1 + played.version


@pytest.mark.parametrize(("suffix", "media_type", "disposition"), FORMS)
async def test_pages_send_every_form_in_their_own_language(
    played: Game, suffix: str, media_type: str, disposition: str
) -> None:
    answer = await file(played, f"/games/{played.id}/sheet.{suffix}", **{"Accept-Language": "fr"})
    assert answer.headers["Content-Type"] == media_type
    assert answer.headers["Content-Language"] == "fr"
    assert answer.headers["Content-Disposition"].startswith(disposition)
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


async def test_pages_send_csv_for_a_spreadsheet(played: Game) -> None:
    path = f"/games/{played.id}/sheet.csv"
    assert (await file(played, f"{path}?for=excel-de")).content.startswith(b"\xef\xbb\xbf")
    assert (await file(played, f"{path}?for=lotus")).content.startswith(b'"Deal",')


@pytest.mark.parametrize(
    ("query", "tall"), [("", 297), ("?paper=a4", 297), ("?paper=a5", 210)], ids=str
)
async def test_paper_is_a4_unless_a5_is_asked_for(played: Game, query: str, tall: int) -> None:
    for path in (f"{played.path}/sheet.pdf", f"/games/{played.id}/sheet.pdf"):
        (page,) = pages((await file(played, path + query)).content)
        assert page.size[1] == tall


async def test_paper_has_a_policy_that_lets_any_viewer_show_it(played: Game) -> None:
    answer = await file(played, f"/games/{played.id}/sheet.pdf")
    policy = answer.headers["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in policy
    assert "-src" not in policy  # a viewer is made of scripts and styles


async def test_the_schema_describes_the_files(http: httpx.AsyncClient) -> None:
    paths = (await http.get("/schema")).json()["paths"]
    content = {
        suffix: paths[f"/api/games/{{game_id}}/sheet{suffix}"]["get"]["responses"]["200"]["content"]
        for suffix in ("", ".csv", ".xlsx", ".pdf")
    }
    assert [*content[".xlsx"]] == [XLSX, ANY_FILE]
    assert [*content[".csv"]] == ["text/csv"]
    assert [*content[".pdf"]] == ["application/pdf", ANY_FILE]
    asked = {
        suffix: {
            one["name"]
            for one in paths[f"/api/games/{{game_id}}/sheet{suffix}"]["get"]["parameters"]
            if one["in"] == "query"
        }
        for suffix in ("", ".csv", ".pdf")
    }
    assert asked == {"": {"for", "limit", "paper", "skip"}, ".csv": {"for"}, ".pdf": {"paper"}}
    assert {"application/json", "text/csv", XLSX, "application/pdf"} <= {*content[""]}


async def test_a_name_that_no_font_has_is_named_before_and_on_paper(
    http: httpx.AsyncClient,
) -> None:
    names = [f"Zoë {uuid4()}", f"{UNASSIGNED} {uuid4()}"]
    players = [await add_player(http, name) for name in names]
    body = {"ruleset": "euchre", "players": players}
    game = Game(http, (await http.post("/api/games", json=body)).json())
    page = (await http.get(f"/games/{game.id}/sheet")).text
    assert f"boxes stand for characters of this name: {names[1]}." in page
    paper = await file(game, f"{game.path}/sheet.pdf", **{"Accept-Language": "en"})
    assert "the name of player 2." in "".join(one.text for one in pages(paper.content))


async def test_names_that_can_be_printed_need_no_warning(played: Game) -> None:
    assert "boxes stand for" not in (await played.http.get(f"/games/{played.id}/sheet")).text
    paper = await file(played, f"{played.path}/sheet.pdf", **{"Accept-Language": "en"})
    text = "".join(one.text for one in pages(paper.content))
    assert "Boxes stand" not in text
    assert "signed" not in text.casefold()


@pytest.mark.parametrize("size", ["a4", "a5"])
async def test_paper_carries_a_code_of_the_replay_that_phones_reach(
    played: Game, size: str
) -> None:
    path = f"/games/{played.id}/sheet.pdf?paper={size}"
    assert codes((await file(played, path)).content) == []
    reached = {"Host": "club.example:8000"}
    paper = (await file(played, path, **reached)).content
    assert codes(paper) == [f"http://club.example:8000/games/{played.id}/replay"]
    assert f"club.example:8000/games/{played.id}" in "".join(pages(paper)[0].text.split())
    made = await played.http.post(f"{played.path}/links", json={"role": "public"})
    path_of_link = made.json()["url"].partition("/shared/")[2]
    paper = (await file(played, path, **reached)).content
    assert codes(paper) == [f"http://club.example:8000/shared/{path_of_link}"]


@pytest.mark.parametrize("lang", ["en", "fr", "de"])
async def test_paper_of_a_young_club_has_no_signature(played: Game, lang: str) -> None:
    evening = (await played.http.get("/api/evenings")).json()["evenings"][0]["id"]
    own = f"/history.pdf?player={(await played.view())['players'][0]['id']}"
    papers = (f"/games/{played.id}/sheet.pdf", own, f"/evenings/{evening}/sheet.pdf")
    for path in papers:
        paper = await file(played, path, **{"Accept-Language": lang})
        for page in pages(paper.content):
            # Games of other tests are on the evening's paper, with long names.
            assert not re.search(r"[\w+/]{64}", page.text), path
            if not path.startswith("/evenings"):
                assert not re.search(r"(?i)\bsign(ed|iert)|signé", page.text), path
        assert all(code.startswith("http") for code in codes(paper.content)), path


async def test_the_sheet_names_who_plays_in_teams(http: httpx.AsyncClient) -> None:
    game = await ScoresGame.begin(http, ("Ann", "Bob", "Cléo", "Dirk"), teams=[[0, 2], [1, 3]])
    await game.rounds([12, 7, 12, 7])
    page = await file(game, f"/games/{game.id}/sheet")
    assert "In teams: Ann and Cléo / Bob and Dirk" in page.text


async def test_long_names_of_four_players_head_their_columns_upright(
    http: httpx.AsyncClient,
) -> None:
    short = await ScoresGame.begin(http, ("Ann", "Bob", "Cléo", "Dirk"), wins="highest")
    long = await ScoresGame.begin(http, ("Ann", "Bob", "Cléo", "Maximiliane"), wins="highest")
    pages = [await file(game, f"/games/{game.id}/sheet") for game in (short, long)]
    assert ["tall-names" in page.text for page in pages] == [False, True]


async def test_the_paper_of_a_short_game_is_read_from_two_metres(http: httpx.AsyncClient) -> None:
    names = ("Ann", "Bob", "Cléo", "Maximiliane")
    game = await ScoresGame.begin(http, names, wins="highest")
    await game.rounds([12, 7, 20, 15], [3, 18, 9, 11])
    paper = (await file(game, f"{game.path}/sheet.pdf")).content
    assert height_of("29", paper) > 9  # points: 3.2 mm
