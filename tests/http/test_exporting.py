from datetime import UTC, datetime
from urllib.parse import quote
from zoneinfo import ZoneInfo

import httpx
import msgspec
import pytest

from service.export.formats.xlsx import MEDIA_TYPE as XLSX
from tests.http.club import MADE_RESULT, Game, Json
from tests.service.export.pages import pages

FORMS = [
    ("csv", "text/csv; header=present; charset=utf-8", "Parties"),
    ("json", "application/json", "Parties jouées"),
    ("xlsx", XLSX, "Parties jouées"),
    ("pdf", "application/pdf", "Parties jouées"),
]

ENGLISH = {"Parties": "Games", "Parties jouées": "Games played"}


@pytest.fixture
async def ann(game: Game) -> str:
    await game.record(MADE_RESULT)
    return str((await game.view())["players"][0]["id"])


async def named(http: httpx.AsyncClient, ann: str, name: str, suffix: str) -> str:
    known = (await http.get("/api/players")).json()["players"]
    (player,) = [one["name"] for one in known if one["id"] == ann]
    file = f"{datetime.now(UTC).date()} Carnet {name} {player}.{suffix}"
    return f"; filename*=UTF-8''{quote(file)}"


async def events(http: httpx.AsyncClient, path: str, **query: str) -> list[tuple[str, Json]]:
    headers = {"Accept": "text/event-stream"}
    answer = await http.get(path, params=query, headers=headers)
    assert answer.headers["Content-Type"].startswith("text/event-stream"), answer.text
    found: list[tuple[str, Json]] = []
    for block in answer.text.strip().split("\n\n"):
        name, data = block.split("\n")
        found.append((name.removeprefix("event: "), msgspec.json.decode(data[len("data: ") :])))
    return found


@pytest.mark.parametrize(("suffix", "media_type", "name"), FORMS)
async def test_a_link_sends_the_file(
    http: httpx.AsyncClient, ann: str, suffix: str, media_type: str, name: str
) -> None:
    headers = {"Accept-Language": "fr"}
    answer = await http.get(f"/history.{suffix}", params={"player": ann}, headers=headers)
    assert answer.headers["Content-Type"] == media_type
    assert answer.headers["Content-Disposition"].endswith(await named(http, ann, name, suffix))
    assert answer.headers["Content-Language"] == "fr"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


async def test_files_tell_times_in_the_reader_s_zone(game: Game) -> None:
    answer = await game.record(MADE_RESULT)
    ann = str((await game.view())["players"][0]["id"])
    at = datetime.fromisoformat(answer["entries"][-1]["recorded_at"])
    query = {"player": ann, "for": "excel-de", "view": "deals"}
    for zone in ("Pacific/Kiritimati", "Pacific/Honolulu"):
        headers = {"Cookie": f"carnet-zone={zone}"}
        csv = await game.http.get("/history.csv", params=query, headers=headers)
        assert f'"{at.astimezone(ZoneInfo(zone)):%Y-%m-%d %H:%M:%S}"' in csv.text
        sheet = await game.http.get(f"/games/{game.id}/sheet.pdf", headers=headers)
        day = f"{at.astimezone(ZoneInfo(zone)):%B %d, %Y}".replace(" 0", " ")
        assert day in pages(sheet.content)[0].text


@pytest.mark.parametrize(("suffix", "media_type", "name"), FORMS)
async def test_events_lead_to_the_same_file(
    http: httpx.AsyncClient, ann: str, suffix: str, media_type: str, name: str
) -> None:
    told = await events(http, f"/history.{suffix}", player=ann)
    assert told[0] == ("progress", {"done": 0, "of": 1})
    assert told[-2] == ("progress", {"done": 1, "of": 1})
    assert told[-1][0] == "ready"

    address = told[-1][1]["address"]
    for _ in range(2):
        answer = await http.get(address)
        assert answer.status_code == 200
        assert answer.headers["Content-Type"] == media_type
        assert answer.headers["Content-Disposition"].endswith(
            await named(http, ann, ENGLISH[name], suffix)
        )
        assert int(answer.headers["Content-Length"]) == len(answer.content)
        if suffix in {"csv", "json"}:  # the others contain the time of creation
            direct = await http.get(f"/history.{suffix}", params={"player": ann})
            assert answer.content == direct.content


async def test_the_buttons_of_the_page_choose_view_and_dialect(
    http: httpx.AsyncClient, ann: str
) -> None:
    query = {"player": ann, "view": "deals", "for": "excel-de", "from": "", "status": ""}
    headers = {"Accept-Language": "de"}
    answer = await http.get("/history.csv", params=query, headers=headers)
    assert answer.text.startswith('\ufeff"Partie";"Spielart";"Spiel";')
    assert answer.text.count("\r\n") == 1 + 2


@pytest.mark.parametrize("query", ["from=nix", "player=nix", "cursor=nix"])
@pytest.mark.parametrize("accept", ["*/*", "text/event-stream"])
async def test_a_filter_that_cannot_be_read_leads_back_to_the_page(
    http: httpx.AsyncClient, query: str, accept: str
) -> None:
    answer = await http.get(f"/history.csv?{query}", headers={"Accept": accept})
    assert (answer.status_code, answer.headers["Location"]) == (303, f"/history?{query}")


async def test_a_name_nobody_was_given_is_not_found(http: httpx.AsyncClient) -> None:
    for name in ("nothing", "lock", "..%2f..%2fpostgres"):
        assert (await http.get(f"/exports/{name}")).status_code == 404


@pytest.mark.parametrize("by", ["api", "page"])
@pytest.mark.parametrize("what", ["name", "text"])
async def test_a_file_that_tells_what_is_forgotten_is_kept_no_longer(
    http: httpx.AsyncClient, game: Game, ann: str, what: str, by: str
) -> None:
    await game.record({"type": "note", "text": "Ann peeked"})
    told = await events(http, "/history.csv", player=ann, view="entries")
    address = told[-1][1]["address"]
    assert "peeked" in (await http.get(address)).text

    if by == "page":
        path = f"/players/{ann}" if what == "name" else f"/games/{game.id}/erase/{game.version}"
        done = await http.post(path, data={"do": "forget"})
    else:
        text = f"{game.path}/entries/{game.version}/text"
        done = await http.delete(f"/api/players/{ann}" if what == "name" else text)
    assert done.status_code == (303 if by == "page" else 204)
    assert (await http.get(address)).status_code == 404
