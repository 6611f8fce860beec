import io
import re
from typing import Any
from uuid import uuid4

import httpx
import pytest
from xlsxwriter import Workbook

from tests.faults.test_uploads import bombs
from tests.http.club import add_player
from tests.http.test_import_several import HTML, games_of


@pytest.fixture
def ann() -> str:
    return f"Ann {uuid4()}"


def book(ann: str, *rows: str) -> bytes:
    return "\n".join([f"Day;{ann};Bob {ann}", *rows]).encode()


async def brought(http: httpx.AsyncClient, content: bytes) -> str:
    answer = await http.post("/import/scores", files={"file": ("book.csv", content)}, headers=HTML)
    assert answer.status_code == 303
    return answer.headers["Location"]


async def test_a_table_on_the_import_page_leads_to_its_columns(
    http: httpx.AsyncClient, ann: str
) -> None:
    content = book(ann, "2019-05-04;7;3")
    sent = await http.post("/import", files={"file": ("book.csv", content)}, headers=HTML)
    page = await http.get(sent.headers["Location"], headers=HTML)
    assert "What the columns are" in page.text
    assert '<option value="day" selected>the day</option>' in page.text


async def test_a_book_is_kept_once_and_found_by_its_days(http: httpx.AsyncClient, ann: str) -> None:
    rows = ("2019-05-04;7;3", "2019-05-05;2;8")
    said: list[str] = []
    for _ in range(2):
        address = await brought(http, book(ann, *rows))
        page = await http.get(address, params={"look": "", "ruleset": "euchre"}, headers=HTML)
        assert "2 games" in page.text
        kept = await http.post(address, data={"ruleset": "euchre"}, headers=HTML)
        said.append((await http.get(kept.headers["Location"], headers=HTML)).text)
    assert "2 were here already" in said[-1]
    assert len(await games_of(http, ann)) == 2
    asked = {"from": "2019-05-05", "to": "2019-05-05"}
    told = (await http.get("/api/history", params=asked)).json()["games"]
    (game,) = [one for one in told if ann in {who["name"] for who in one["players"]}]
    assert (game["totals"], game["status"]) == ([2, 8], "finished")


async def test_a_wrong_cell_is_told_and_nothing_is_kept_unless_asked(
    http: httpx.AsyncClient, ann: str
) -> None:
    address = await brought(http, book(ann, "2019-05-04;7;3", "2019-05-05;2;?"))
    matched = {"c0": "day", "c1": "points", "c2": "points", "ruleset": "rami"}
    kept = await http.post(address, data=matched, headers=HTML)
    page = await http.get(kept.headers["Location"], headers=HTML)
    assert page.status_code == 422
    assert "<b>C3</b> “?” is not a whole number." in page.text
    assert await games_of(http, ann) == []
    await http.post(address, data=matched | {"anyway": "on"}, headers=HTML)
    assert len(await games_of(http, ann)) == 1


@pytest.mark.parametrize(
    ("content", "status", "said"),
    [
        (b"", 422, "There is no table yet"),
        (b"PK\x03\x04 nothing", 422, "cannot be read as a table"),
        (b"a,b\n" * 20_001, 413, "at most 20,000 rows"),
    ],
)
async def test_what_is_no_table_is_answered_kindly(
    http: httpx.AsyncClient, content: bytes, status: int, said: str
) -> None:
    page = await http.get(await brought(http, content), headers=HTML)
    shown = await http.get(page.headers["Location"], headers=HTML)
    assert (shown.status_code, said in " ".join(shown.text.split())) == (status, True)


async def test_the_template_is_headed_by_a_day_and_people(http: httpx.AsyncClient) -> None:
    for suffix in ("csv", "xlsx"):
        given = await http.get(f"/import/scores/template.{suffix}", headers=HTML)
        assert f'.{suffix}"' in given.headers["Content-Disposition"]
    assert (await http.get("/import/scores/template.csv", headers=HTML)).text[1:6] == '"Day"'


async def test_a_name_like_another_is_asked_about(http: httpx.AsyncClient) -> None:
    mark = uuid4().hex
    lea = await add_player(http, f"Léa {mark}")
    address = await brought(http, book(f"lea{mark}", "2019-05-04;7;3"))
    page = await http.get(address, params={"look": "", "ruleset": "euchre"}, headers=HTML)
    assert f'value="{lea}">Léa {mark}<' in page.text
    unanswered = await http.post(address, data={"ruleset": "euchre"}, headers=HTML)
    page = await http.get(unanswered.headers["Location"], headers=HTML)
    assert "Nothing was imported" in page.text
    form = {"ruleset": "euchre", f"who:lea{mark}": lea}
    await http.post(address, data=form, headers=HTML)
    assert len(await games_of(http, f"Léa {mark}")) == 1
    assert await games_of(http, f"lea{mark}") == []


@pytest.mark.parametrize(("answer", "people"), [("as:Zoe {}", 1), ("new", 2)])
async def test_two_new_names_alike_are_asked_about(
    http: httpx.AsyncClient, answer: str, people: int
) -> None:
    mark = uuid4().hex
    zoe, accented = f"Zoe {mark}", f"Zoé-{mark}"
    rows = (f"Day;{zoe};{accented};Bob {mark}", "2019-05-04;7;;3", "2019-05-05;;2;8")
    address = await brought(http, "\n".join(rows).encode())
    asked = {"look": "", "ruleset": "euchre"}
    page = await http.get(address, params=asked, headers=HTML)
    assert f'<option value="as:{zoe}">{zoe}</option>' in page.text
    unanswered = await http.post(address, data={"ruleset": "euchre"}, headers=HTML)
    page = await http.get(unanswered.headers["Location"], headers=HTML)
    assert "Nothing was imported" in page.text
    form = {"ruleset": "euchre", f"who:{accented}": answer.format(mark)}
    await http.post(address, data=form, headers=HTML)
    there = [one["name"] for one in (await http.get("/api/players")).json()["players"]]
    assert sum(mark in (name or "") for name in there) == people + 1
    assert len(await games_of(http, zoe)) == 3 - people


async def test_two_columns_for_one_person_leave_out_the_games_with_both(
    http: httpx.AsyncClient,
) -> None:
    mark = uuid4().hex
    lea = await add_player(http, f"Léa {mark}")
    rows = (f"Day;lea{mark};LEA-{mark};Bob {mark}", "2019-05-04;7;2;3", "2019-05-05;;2;8")
    address = await brought(http, "\n".join(rows).encode())
    form = {"ruleset": "rami", f"who:lea{mark}": lea, f"who:LEA-{mark}": lea}
    done = await http.post(address, data=form, headers=HTML)
    page = await http.get(done.headers["Location"], headers=HTML)
    assert "somebody would have played twice in it" in page.text
    assert len(await games_of(http, f"Léa {mark}")) == 1


async def test_the_game_is_asked_for_or_the_likeliest_is_proposed(
    http: httpx.AsyncClient, ann: str
) -> None:
    content = book(ann, "2019-05-04;7;3")
    chosen: dict[str, str] = {}
    for name in ("scores.csv", "dutch-scores.csv", "Präsident 2024.csv"):
        sent = await http.post("/import/scores", files={"file": (name, content)}, headers=HTML)
        page = await http.get(sent.headers["Location"], headers=HTML)
        found = re.findall(r'<option value="(\w*)" selected>', page.text.partition("<fieldset")[0])
        chosen[name] = found[-1]
    assert chosen == {"scores.csv": "", "dutch-scores.csv": "dutch", "Präsident 2024.csv": ""}


async def test_nothing_is_kept_while_nobody_said_which_game_it_is(
    http: httpx.AsyncClient, ann: str
) -> None:
    address = await brought(http, book(ann, "2019-05-04;7;3"))
    await http.post(address, data={"anyway": "on"}, headers=HTML)
    assert await games_of(http, ann) == []


async def test_an_unclear_day_is_asked_about_before_anything_is_kept(
    http: httpx.AsyncClient, ann: str
) -> None:
    address = await brought(http, book(ann, "03/04/2019;7;3"))
    asked = {"look": "", "ruleset": "euchre"}
    page = await http.get(address, params=asked, headers=HTML)
    assert "Which day is “03/04/2019”?" in page.text
    assert "Apr 3, 2019" in page.text
    assert "Mar 4, 2019" in page.text
    assert "Import 1 game" not in page.text
    await http.post(address, data={"ruleset": "euchre"}, headers=HTML)
    assert await games_of(http, ann) == []
    await http.post(address, data={"ruleset": "euchre", "order": "mdy"}, headers=HTML)
    (kept,) = await games_of(http, ann)
    game = (await http.get(f"/api/games/{kept}/record.json")).json()
    assert game["date"].startswith("2019-03-04")


async def test_a_game_of_a_day_has_no_hour_on_any_page(http: httpx.AsyncClient, ann: str) -> None:
    address = await brought(http, book(ann, "2019-05-04;7;3"))
    await http.post(address, data={"ruleset": "euchre"}, headers=HTML)
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
    address = await brought(http, book(ann, *rows))
    shown: set[str] = set()
    for first in (0, 500, 1_000):
        asked = {"look": "", "ruleset": "euchre", "first": str(first)}
        page = (await http.get(address, params=asked, headers=HTML)).text
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
    assert "Euchre 2018</option>" in page.text
    assert '<option value="3" selected>3: Day' in page.text
    for sheet in ("0", "1"):
        await http.post(address, data={"ruleset": "euchre", "sheet": sheet}, headers=HTML)
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
    address = await brought(http, content)
    page = await http.get(address, params={"look": "", "ruleset": "euchre"}, headers=HTML)
    assert "It is larger than a game can be." in page.text
    kept = await http.post(address, data={"ruleset": "euchre", "anyway": "on"}, headers=HTML)
    assert kept.status_code == 303
    assert len(await games_of(http, ann)) == 1


async def preview_text(http: httpx.AsyncClient, address: str, **chosen: str) -> str:
    page = await http.get(address, params={"look": "", **chosen}, headers=HTML)
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
        assert words in await preview_text(http, address, ruleset="scores", **missing)
        await http.post(address, data={"ruleset": "scores", **missing}, headers=HTML)
    assert await games_of(http, ann) == []
    chosen = {"ruleset": "scores", "title": title, "wins": "lowest"}
    shown = await preview_text(http, address, **chosen)
    assert f"<b>{title}</b>: the lowest total wins" in shown
    assert "2 rounds" in shown
    kept = await http.post(address, data=chosen, headers=HTML)
    assert "2 games were imported" in (await http.get(kept.headers["Location"], headers=HTML)).text
    titles = (await http.get("/api/titles")).json()["titles"]
    (made,) = [one for one in titles if one["name"] == title]
    assert made["options"] == {"wins": "lowest"}
    told = (await http.get("/api/history", params={"title": made["id"]})).json()
    games = {tuple(one["totals"]): one for one in told["games"]}
    assert [one["points"] for one in games[7, 30]["deals"]] == [[12, 0], [-5, 30]]
    assert {one["title"] for one in told["games"]} == {made["id"]}
    # Another upload finds the title in the list.
    again = await brought(http, content)
    assert f'<option value="{made["id"]}">{title}</option>' in await preview_text(http, again)
    shown = await preview_text(http, again, ruleset=made["id"])
    assert "2 were here already" in shown


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
    page = await preview_text(http, address)
    assert f'<option value="{made["id"]}" selected>{title}</option>' in page
    assert await games_of(http, ann) == []


async def test_a_row_with_sums_and_columns_of_no_person_are_told(
    http: httpx.AsyncClient, ann: str
) -> None:
    content = f"Day;{ann};Bob {ann};Winner;\n2019-05-04;7;3;Ann;1\nTotal;7;3;;".encode()
    shown = await preview_text(http, await brought(http, content), ruleset="euchre")
    assert "<b>A3</b> “Total”: this row sums up others, so it is not a game." in shown
    assert "Columns left out: Winner, E." in shown
    assert "1 game" in shown


async def test_a_table_below_another_one_is_chosen_by_its_names(
    http: httpx.AsyncClient, ann: str
) -> None:
    rows = [f"Day;{ann};Bob {ann}", *["2019-05-04;7;3"] * 40, f"Day;{ann};Zoe {ann}"]
    address = await brought(http, "\n".join([*rows, "2019-05-05;1;2"]).encode())
    shown = await preview_text(http, address, ruleset="euchre")
    assert "<b>B42</b> Another table begins here" in shown
    assert f'<option value="42">42: Day · {ann}' in shown
    shown = await preview_text(http, address, ruleset="euchre", head="42")
    assert f"Zoe {ann} <span" in shown


@pytest.mark.parametrize(
    ("lang", "words"),
    [("en", "it may be damaged"), ("fr", "peut-être endommagé"), ("de", "ist sie beschädigt")],
)
async def test_a_file_that_costs_too_much_to_read_is_told_so(
    http: httpx.AsyncClient, lang: str, words: str
) -> None:
    name, content = bombs()["huge sheet"]
    sent = await http.post("/import/scores", files={"file": (name, content)}, headers=HTML)
    headers = HTML | {"Accept-Language": lang}
    page = await http.get(sent.headers["Location"], headers=headers)
    shown = await http.get(page.headers["Location"], headers=headers)
    assert (shown.status_code, words in shown.text) == (413, True)
