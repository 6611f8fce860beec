"""A score book on the page: matched, looked at, kept once, told in the history with its days."""

from uuid import uuid4

import httpx
import pytest

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
    assert "<b>C3</b> “?” is no whole number." in page.text
    assert await games_of(http, ann) == []
    await http.post(address, data=matched | {"anyway": "on"}, headers=HTML)
    assert len(await games_of(http, ann)) == 1


@pytest.mark.parametrize(
    ("content", "status", "said"),
    [
        (b"", 422, "There is no table to look at"),
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
    assert "Nothing was kept" in page.text
    form = {"ruleset": "euchre", f"who:lea{mark}": lea}
    await http.post(address, data=form, headers=HTML)
    assert len(await games_of(http, f"Léa {mark}")) == 1
    assert await games_of(http, f"lea{mark}") == []
