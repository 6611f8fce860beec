import io
import re
from typing import Any
from uuid import uuid4

import httpx
import pytest
from xlsxwriter import Workbook

from tests.faults.test_uploads import bomb
from tests.http.club import add_player
from tests.http.test_import_games import HTML, games_of, record


@pytest.fixture
def ann() -> str:
    return f"Ann {uuid4()}"


def book(ann: str, *rows: str) -> bytes:
    return "\n".join([f"Day;{ann};Bob {ann}", *rows]).encode()


async def brought(http: httpx.AsyncClient, content: bytes, ruleset: str = "book") -> str:
    """Upload a table whose file is named after its game; return the address of its review."""
    files = {"file": (f"{ruleset}.csv", content)}
    answer = await http.post("/import", files=files, headers=HTML)
    assert answer.status_code == 303
    return str(answer.headers["Location"])


async def read_so(http: httpx.AsyncClient, address: str, **answers: str) -> str:
    if not answers:
        return address
    answer = await http.post(f"{address}/table", data=answers, headers=HTML)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["Location"])


async def imported(http: httpx.AsyncClient, address: str, **form: str) -> str:
    """Import all games of a review, and return the text of the page that follows."""
    answer = await http.post(address, data={"all": "1", **form}, headers=HTML)
    assert answer.status_code == 303, answer.text
    return (await http.get(answer.headers["Location"], headers=HTML)).text


async def test_a_table_on_the_import_page_leads_to_its_columns(
    http: httpx.AsyncClient, ann: str
) -> None:
    content = book(ann, "2019-05-04;7;3")
    sent = await http.post("/import", files={"file": ("book.csv", content)}, headers=HTML)
    page = await http.get(sent.headers["Location"], headers=HTML)
    assert "What the columns are" in page.text
    assert '<option value="day" selected>the day</option>' in page.text
    assert "Which game is it?" in page.text


@pytest.mark.parametrize("mark", ["\t", ";", ","])
async def test_a_table_that_is_pasted_leads_to_its_columns(
    http: httpx.AsyncClient, ann: str, mark: str
) -> None:
    text = f"Day;{ann};Bob {ann}\n2019-05-04;7;3".replace(";", mark)
    file = {"file": ("book.txt", text.encode())}
    pasted = await http.post("/import", headers=HTML, data={"text": text, "do": "look"})
    for answer in (pasted, await http.post("/import", headers=HTML, files=file)):
        page = await http.get(answer.headers["Location"], headers=HTML)
        assert "What the columns are" in page.text
        assert '<option value="day" selected>the day</option>' in page.text


async def test_a_book_is_kept_once_and_found_by_its_days(http: httpx.AsyncClient, ann: str) -> None:
    rows = ("2019-05-04;7;3", "2019-05-05;2;8", "2019-05-06;1;8")
    for _ in range(2):
        await imported(http, await brought(http, book(ann, *rows), ruleset="euchre"))
    address = await brought(http, book(ann, *rows), ruleset="euchre")
    assert "3 games are here" in (await http.get(address, headers=HTML)).text
    assert len(await games_of(http, ann)) == 3
    asked = {"from": "2019-05-05", "to": "2019-05-05"}
    told = (await http.get("/api/history", params=asked)).json()["games"]
    (game,) = [one for one in told if ann in {who["name"] for who in one["players"]}]
    assert (game["totals"], game["status"]) == ([2, 8], "finished")


async def test_a_wrong_cell_is_told_and_the_other_games_come_in(
    http: httpx.AsyncClient, ann: str
) -> None:
    rows = ("2019-05-04;7;3", "2019-05-05;2;?", "2019-05-06;2;4")
    address = await brought(http, book(ann, *rows), ruleset="rami")
    page = " ".join((await http.get(address, headers=HTML)).text.split())
    assert "<b>C3</b> “?” is not a whole number." in page
    assert "2 games can be imported as they are; what cannot be read stays out." in page
    assert await games_of(http, ann) == []
    after = await imported(http, address)
    assert "2 games were imported." in after
    assert "What could not be read stayed out." in after
    assert len(await games_of(http, ann)) == 2


async def test_a_cell_is_corrected_or_left_out_on_the_review(
    http: httpx.AsyncClient, ann: str
) -> None:
    rows = ("2019-05-04;7;3", "2019-02-30;2;8", "2019-05-06;12*;4", "Total;9;11")
    address = await brought(http, book(ann, *rows), ruleset="euchre")
    page = await preview_text(http, address)
    for cell in ("A3", "B4", "A5"):
        assert f'name="out.{cell}"' in page
    assert 'name="fix.A5"' not in page  # a sum
    answers = {"ruleset": "euchre", "for": "0-1", "was.A3": "2019-02-30", "was.B4": "12*"}
    answers |= {"fix.A3": "2019-02-30", "fix.B4": "12", "out.A3": "1", "out.A5": "1"}
    address = await read_so(http, address, **answers)
    page = await preview_text(http, address)
    assert "problems" not in page.partition("How the table is read")[0].partition("<h1")[2]
    assert 'name="out.A3" value="1" checked' in page
    assert 'name="fix.B4" value="12"' in page
    await imported(http, address)
    assert len(await games_of(http, ann)) == 2


async def test_a_column_without_a_name_is_left_out_and_the_games_come_in(
    http: httpx.AsyncClient, ann: str
) -> None:
    content = f"Day;{ann};Bob {ann};{ann}\n2019-05-04;7;3;1".encode()
    address = await brought(http, content, ruleset="euchre")
    assert 'name="out.D1"' in await preview_text(http, address)
    await imported(http, address)
    assert await games_of(http, ann) == []
    answers = {"ruleset": "euchre", "for": "0-1", "out.D1": "1"}
    await imported(http, await read_so(http, address, **answers))
    assert len(await games_of(http, ann)) == 1


async def test_who_wins_in_an_unknown_game_of_a_column_is_asked_on_the_page(
    http: httpx.AsyncClient, ann: str
) -> None:
    title = f"Zorg {uuid4().hex[:6]}"
    content = f"Day;Game;{ann};Bob {ann}\n2019-05-04;{title};7;3".encode()
    address = await brought(http, content)
    page = await preview_text(http, address)
    assert f"Please say below who wins: {title}." in page
    assert f'name="wins.{title}"' in page
    address = await read_so(http, address, **{"for": "0-1", f"wins.{title}": "lowest"})
    await imported(http, address)
    (kept,) = await games_of(http, ann)
    assert (await http.get(f"/api/games/{kept}")).json()["options"]["wins"] == "lowest"


async def test_a_table_beside_other_files_is_one_upload(http: httpx.AsyncClient, ann: str) -> None:
    files = [
        ("file", ("rami.csv", book(ann, "2019-05-04;7;3"))),
        ("file", ("a.carnet", record(ann, f"Bob {ann}"))),
    ]
    sent = await http.post("/import", files=files, headers=HTML)
    page = await http.get(sent.headers["Location"], headers=HTML)
    assert "2 games to import" in page.text
    assert "2 games were imported." in await imported(http, sent.headers["Location"])


@pytest.mark.parametrize(
    ("content", "status", "said"),
    [
        (b"", 422, "There is no table yet"),
        (b"PK\x03\x04 nothing", 422, "cannot be read as a table"),
        (b"a,b\n" * 20_001, 422, "at most 20,000 rows"),
    ],
)
async def test_what_is_no_table_is_answered_kindly(
    http: httpx.AsyncClient, content: bytes, status: int, said: str
) -> None:
    shown = await http.get(await brought(http, content), headers=HTML)
    assert (shown.status_code, said in " ".join(shown.text.split())) == (status, True)


async def test_the_template_is_headed_by_a_day_and_people(http: httpx.AsyncClient) -> None:
    for suffix in ("csv", "xlsx"):
        given = await http.get(f"/import/scores/template.{suffix}", headers=HTML)
        assert f'.{suffix}"' in given.headers["Content-Disposition"]
    assert (await http.get("/import/scores/template.csv", headers=HTML)).text[1:6] == '"Day"'


async def test_a_name_like_another_is_asked_about(http: httpx.AsyncClient) -> None:
    mark = uuid4().hex
    lea = await add_player(http, f"Léa {mark}")
    address = await brought(http, book(f"lea{mark}", "2019-05-04;7;3"), ruleset="euchre")
    page = await http.get(address, headers=HTML)
    assert f'value="{lea}">Léa {mark}<' in page.text
    assert "Nothing was imported" in await imported(http, address)
    await imported(http, address, **{f"who:lea{mark}": lea})
    assert len(await games_of(http, f"Léa {mark}")) == 1
    assert await games_of(http, f"lea{mark}") == []


@pytest.mark.parametrize(("answer", "people"), [("as:Zoe {}", 1), ("new", 2)])
async def test_two_new_names_alike_are_asked_about(
    http: httpx.AsyncClient, answer: str, people: int
) -> None:
    mark = uuid4().hex
    zoe, accented = f"Zoe {mark}", f"Zoé-{mark}"
    rows = (f"Day;{zoe};{accented};Bob {mark}", "2019-05-04;7;;3", "2019-05-05;;2;8")
    address = await brought(http, "\n".join(rows).encode(), ruleset="euchre")
    page = await http.get(address, headers=HTML)
    assert f'<option value="as:{zoe}">{zoe}</option>' in page.text
    assert "Nothing was imported" in await imported(http, address)
    await imported(http, address, **{f"who:{accented}": answer.format(mark)})
    there = [one["name"] for one in (await http.get("/api/players")).json()["players"]]
    assert sum(mark in (name or "") for name in there) == people + 1
    assert len(await games_of(http, zoe)) == 3 - people


async def test_two_columns_for_one_person_leave_out_the_games_with_both(
    http: httpx.AsyncClient,
) -> None:
    mark = uuid4().hex
    lea = await add_player(http, f"Léa {mark}")
    rows = (f"Day;lea{mark};LEA-{mark};Bob {mark}", "2019-05-04;7;2;3", "2019-05-05;;2;8")
    address = await brought(http, "\n".join(rows).encode(), ruleset="rami")
    people = {f"who:lea{mark}": lea, f"who:LEA-{mark}": lea}
    after = await imported(http, address, **people)
    assert "somebody would play twice in it" in after
    assert len(await games_of(http, f"Léa {mark}")) == 1


async def test_the_game_is_asked_for_or_the_likeliest_is_proposed(
    http: httpx.AsyncClient, ann: str
) -> None:
    content = book(ann, "2019-05-04;7;3")
    chosen: dict[str, str] = {}
    for name in ("scores.csv", "dutch-scores.csv", "Präsident 2024.csv"):
        sent = await http.post("/import", files={"file": (name, content)}, headers=HTML)
        page = await http.get(sent.headers["Location"], headers=HTML)
        found = re.findall(r'<option value="(\w*)" selected>', page.text.partition("<fieldset")[0])
        chosen[name] = found[-1]
    assert chosen == {"scores.csv": "", "dutch-scores.csv": "dutch", "Präsident 2024.csv": ""}


async def test_nothing_is_kept_while_nobody_said_which_game_it_is(
    http: httpx.AsyncClient, ann: str
) -> None:
    await imported(http, await brought(http, book(ann, "2019-05-04;7;3")))
    assert await games_of(http, ann) == []


async def test_an_unclear_day_is_asked_about_before_anything_is_kept(
    http: httpx.AsyncClient, ann: str
) -> None:
    address = await brought(http, book(ann, "03/04/2019;7;3"), ruleset="euchre")
    page = await http.get(address, headers=HTML)
    assert "Which day is “03/04/2019”?" in page.text
    assert "Apr 3, 2019" in page.text
    assert "Mar 4, 2019" in page.text
    assert "game to import" not in page.text
    await imported(http, address)
    assert await games_of(http, ann) == []
    await imported(http, await read_so(http, address, ruleset="euchre", order="mdy"))
    (kept,) = await games_of(http, ann)
    game = (await http.get(f"/api/games/{kept}/record.json")).json()
    assert game["date"].startswith("2019-03-04")


async def test_a_game_of_a_day_has_no_hour_on_any_page(http: httpx.AsyncClient, ann: str) -> None:
    await imported(http, await brought(http, book(ann, "2019-05-04;7;3"), ruleset="euchre"))
    (kept,) = await games_of(http, ann)
    (player,) = [
        one["id"]
        for one in (await http.get("/api/players")).json()["players"]
        if one["name"] == ann
    ]
    pages = {
        "sheet": f"/games/{kept}/sheet",
        "history": f"/history?player={player}",
        "evening": f"/evenings/{kept}",
        "first entry": f"/games/{kept}/at/1",
    }
    for what, path in pages.items():
        text = (await http.get(path, headers=HTML)).text
        assert "May 4, 2019</time>" in text, what
        assert "May 4, 2019, " not in text, what
    csv = await http.get("/api/history.csv", params={"player": player})
    assert '"2019-05-04"' in csv.text


async def test_every_game_of_a_long_table_is_shown_page_by_page(
    http: httpx.AsyncClient, ann: str
) -> None:
    rows = [f"2019-05-{1 + row // 50:02};{row};3" for row in range(1_200)]
    address = await brought(http, book(ann, *rows), ruleset="euchre")
    shown: set[str] = set()
    for first in (0, 500, 1_000):
        page = (await http.get(address, params={"first": str(first)}, headers=HTML)).text
        assert re.search(r"Import 1.?200 games", page)
        shown |= set(re.findall(r"Row (\d+)", page))
    assert shown == {str(row) for row in range(2, 1_202)}


async def test_each_sheet_of_a_workbook_can_be_imported(http: httpx.AsyncClient, ann: str) -> None:
    out = io.BytesIO()
    made: Any = Workbook(out, {"in_memory": True})  # XlsxWriter's types are partly unknown
    for year in ("2018", "2019"):
        sheet = made.add_worksheet(f"Euchre {year}")
        sheet.write_row(0, 0, [f"Scores of {year}"])
        sheet.write_row(2, 0, ["Day", ann, f"Bob {ann}"])
        sheet.write_row(3, 0, [f"{year}-05-04", 7, 3])
    made.close()
    files = {"file": ("years.xlsx", out.getvalue())}
    sent = await http.post("/import", files=files, headers=HTML)
    address = sent.headers["Location"]
    page = await http.get(address, headers=HTML)
    assert '<button name="sheet" value="1">Euchre 2019</button>' in page.text
    assert '<option value="3" selected>3: Day' in page.text
    after = await imported(http, await read_so(http, address, ruleset="euchre"))
    assert '<button name="sheet" value="1">Euchre 2019</button>' in after
    await imported(http, await read_so(http, address, ruleset="euchre", sheet="1"))
    assert len(await games_of(http, ann)) == 2


@pytest.mark.parametrize(("lang", "separator"), [("en", ","), ("fr", ";"), ("de", ";")])
async def test_the_template_is_guarded_and_separated_as_the_readers_spreadsheet_expects(
    http: httpx.AsyncClient, lang: str, separator: str
) -> None:
    name = f"+0 {uuid4()}"  # sorts before the people of other tests
    player = await add_player(http, name)
    headers = HTML | {"Accept-Language": lang}
    text = (await http.get("/import/scores/template.csv", headers=headers)).text
    await http.delete(f"/api/players/{player}")
    assert f'"\'{name}"' in text.strip().split(separator)


@pytest.mark.parametrize(
    ("rows", "remark"), [(10_001, ""), (2_200, "x" * 1_950)], ids=["entries", "bytes"]
)
async def test_a_game_beyond_the_limits_is_named_and_the_others_are_kept(
    http: httpx.AsyncClient, ann: str, rows: int, remark: str
) -> None:
    lines = [f"2019-05-04;1;7;3;{remark}"] * rows + ["2019-05-05;2;1;2;"]
    content = "\n".join([f"Day;Game;{ann};Bob {ann};Remark", *lines]).encode()
    address = await brought(http, content, ruleset="euchre")
    page = await http.get(address, headers=HTML)
    assert "It is larger than a game can be." in page.text
    await imported(http, address)
    assert len(await games_of(http, ann)) == 1


async def preview_text(http: httpx.AsyncClient, address: str, **chosen: str) -> str:
    page = await http.get(await read_so(http, address, **chosen), headers=HTML)
    return " ".join(page.text.split())


async def test_a_table_becomes_games_of_a_new_title(http: httpx.AsyncClient, ann: str) -> None:
    title = f"Skyjo {uuid4().hex[:6]}"
    content = "\n".join(
        [f"Day;Game;{ann};Bob {ann}", "2019-05-04;1;12;", ";1;-5;30", "2019-05-05;2;8;3"]
    ).encode()
    address = await brought(http, content)
    for missing, words in (
        ({"title": title}, "Who wins: the highest or the lowest total?"),
        ({"wins": "lowest"}, "The game needs a name"),
    ):
        asking = await read_so(http, address, ruleset="scores", **missing)
        assert words in await preview_text(http, asking)
        await imported(http, asking)
    assert await games_of(http, ann) == []
    chosen = {"ruleset": "scores", "title": title, "wins": "lowest"}
    address = await read_so(http, address, **chosen)
    shown = await preview_text(http, address)
    assert f"<b>{title}</b>: the lowest total wins" in shown
    assert "2 rounds" in shown
    assert "2 games were imported" in await imported(http, address)
    titles = (await http.get("/api/titles")).json()["titles"]
    (made,) = [one for one in titles if one["name"] == title]
    assert made["options"] == {"wins": "lowest"}
    told = (await http.get("/api/history", params={"title": made["id"]})).json()
    games = {tuple(one["totals"]): one for one in told["games"]}
    assert [one["points"] for one in games[7, 30]["deals"]] == [[12, None], [-5, 30]]
    assert {one["title"] for one in told["games"]} == {made["id"]}
    # Another upload finds the title in the list.
    again = await brought(http, content)
    assert f'<option value="{made["id"]}">{title}</option>' in await preview_text(http, again)
    shown = await preview_text(http, again, ruleset=made["id"])
    assert "2 games are here" in shown


async def test_the_title_in_a_table_is_proposed_and_a_known_one_chosen(
    http: httpx.AsyncClient, ann: str
) -> None:
    title = f"Trio{uuid4().hex[:6].translate(str.maketrans('0123456789', 'ghijklmnop'))}"
    content = f"{title} 2019;;\n\nDay;{ann};Bob {ann}\n2019-05-04;7;3".encode()
    address = await brought(http, content)
    page = await preview_text(http, address)
    assert f'name="title" value="{title}"' in page
    assert '<option value="" selected>Please choose</option>' in page
    made = (await http.post("/api/titles", json={"name": title})).json()
    page = await preview_text(http, await brought(http, content))
    assert f'<option value="{made["id"]}" selected>{title}</option>' in page
    assert await games_of(http, ann) == []


async def test_a_row_with_sums_and_columns_of_no_person_are_told(
    http: httpx.AsyncClient, ann: str
) -> None:
    content = f"Day;{ann};Bob {ann};Dealer;Time\n2019-05-04;7;3;Ann;9:30\nTotal;7;3;;".encode()
    shown = await preview_text(http, await brought(http, content), ruleset="euchre")
    assert "<b>A3</b> “Total”: this row sums up others, so it is not a game." in shown
    assert "Columns left out: Dealer, Time." in shown
    assert "1 game" in shown


async def test_a_table_below_another_one_is_reviewed_with_it(
    http: httpx.AsyncClient, ann: str
) -> None:
    rows = [f"Day;{ann};Bob {ann}", *["2019-05-04;7;3"] * 40, f"Day;{ann};Zoe {ann}"]
    address = await brought(http, "\n".join([*rows, "2019-05-05;1;2"]).encode())
    shown = await preview_text(http, address, ruleset="euchre")
    assert "41 games to import" in shown
    assert f"Zoe {ann} <span" in shown


async def test_a_file_that_costs_too_much_to_read_is_told_so_in_every_language(
    http: httpx.AsyncClient,
) -> None:
    sent = await http.post("/import", files={"file": bomb("huge sheet")}, headers=HTML)
    words = {"en": "it may be damaged", "fr": "peut-être abîmé", "de": "vielleicht beschädigt"}
    for lang, said in words.items():
        headers = HTML | {"Accept-Language": lang}
        shown = await http.get(sent.headers["Location"], headers=headers)
        assert (shown.status_code, said in shown.text) == (413, True), lang
