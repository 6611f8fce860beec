import httpx
import msgspec
import pytest

from tests.http.club import DEAL, LOST_RESULT, MADE_RESULT, Game, Json

RESULT_LOST = {"type": "result", "maker": 1, "tricks": 2, "dealer": 0}


async def test_the_raw_log_begins_with_started_and_every_option_written_out(game: Game) -> None:
    (started,) = await game.log()

    assert started["version"] == 1
    assert started["type"] == "started"
    assert started["entry"]["options"] == (await game.view())["options"]


async def test_the_log_after_a_version_holds_what_is_later(game: Game) -> None:
    await game.record(*DEAL)
    later = await game.get("/entries", after="3")
    assert [entry["version"] for entry in later["entries"]] == [4]
    assert await game.get("/entries", after="4") == {"entries": []}
    assert await game.get("/entries", after="99") == {"entries": []}


async def test_the_log_comes_a_line_an_entry_by_format_or_by_accept(game: Game) -> None:
    await game.record(*DEAL)
    by_format = await game.http.get(f"{game.path}/entries", params={"format": "ndjson"})
    accept = {"Accept": "application/x-ndjson"}
    by_accept = await game.http.get(f"{game.path}/entries", headers=accept)

    assert by_format.headers["Content-Type"] == "application/x-ndjson"
    assert by_format.content == by_accept.content
    assert msgspec.json.Decoder().decode_lines(by_format.content) == await game.log()


async def test_the_effective_log_holds_what_stands_after_corrections(game: Game) -> None:
    await game.record(MADE_RESULT)
    await game.record({"type": "amend", "version": 2, "move": RESULT_LOST})
    await game.record({"type": "note", "text": "late"})
    await game.record({"type": "take_back", "to": 4})

    effective = await game.get("/entries", effective="true")
    shown = [(entry["version"], entry["type"]) for entry in effective["entries"]]
    assert shown == [(1, "started"), (2, "result"), (8, "deal_ended")]
    assert effective["entries"][1]["entry"] == RESULT_LOST
    assert len(await game.log()) == 8


async def test_a_game_is_shown_as_it_stood_at_any_version(game: Game) -> None:
    views = {1: await game.view()}
    for entry in (*DEAL, LOST_RESULT, {"type": "take_back", "to": 3}):
        await game.record(entry)
        views[game.version] = await game.view()

    for version, view in views.items():
        answer = await game.http.get(f"{game.path}/at/{version}")
        assert answer.json() == view
        assert answer.headers["ETag"] == f'"{version}"'


async def test_every_moment_has_a_page_also_before_what_an_entry_brings_about(
    http: httpx.AsyncClient,
) -> None:
    game = await Game.start(http, target=1)
    await game.record(*DEAL)
    await game.record(LOST_RESULT)  # ends the deal, and with it the game: two entries more

    assert [entry["type"] for entry in (await game.log())[4:]] == [
        "result",
        "deal_ended",
        "game_ended",
    ]
    for version in range(1, game.version + 1):
        page = await http.get(f"/games/{game.id}/at/{version}")
        assert page.status_code == 200, version


async def test_a_version_the_game_has_not_reached_is_not_found(game: Game) -> None:
    for version in ("2", "0", "-1", "x", "99999999999999999999"):
        assert (await game.http.get(f"{game.path}/at/{version}")).status_code == 404


async def test_a_preview_shows_what_falls_and_stores_nothing(game: Game) -> None:
    await game.record(*DEAL, {"type": "play", "seat": 1, "card": "AS"})
    await game.record({"type": "play", "seat": 0, "card": "KS"})
    move = {"type": "deal", "dealer": 0, "turn_up": "KS"}

    answer = await game.http.post(
        f"{game.path}/preview",
        json={"entry": {"type": "amend", "version": 2, "move": move}},
        headers={"Accept-Language": "de"},
    )

    preview = answer.json()
    assert answer.status_code == 200
    assert preview["refusal"]["contradicts"] == 6
    (fallen,) = preview["fallen"]
    assert fallen["version"] == 6
    assert fallen["entry"] == {"type": "play", "seat": 0, "card": "KS"}
    assert fallen["rule"] == preview["refusal"]["rule"]
    assert fallen["message"]
    assert preview["state"]["table"]["turned"] == "KS"
    assert (await game.view())["version"] == 6


async def test_a_preview_of_what_may_stand_has_no_refusal(game: Game) -> None:
    answer = await game.http.post(f"{game.path}/preview", json={"entry": MADE_RESULT})
    assert answer.json().keys() == {"fallen", "state"}
    assert answer.json()["state"]["totals"] == [1, 0]


@pytest.mark.parametrize("effective", ["false", "true"])
async def test_pages_are_the_whole_log_in_its_order(game: Game, effective: str) -> None:
    await game.record(*({"type": "note", "text": f"{number}"} for number in range(6)))
    moves = [{"type": "note", "text": text} for text in ("a", "b")]
    await game.record({"type": "splice", "version": 3, "drop": 1, "moves": moves})
    whole = (await game.get("/entries", effective=effective))["entries"]
    pages: list[Json] = []
    page: str | None = f"{game.path}/entries?effective={effective}&limit=3"
    while page is not None:
        answer = await game.http.get(page)
        assert len(answer.json()["entries"]) <= 3
        pages += answer.json()["entries"]
        page = answer.links.get("next", {}).get("url")
    assert pages == whole
    assert len(whole) == 8


async def test_a_page_without_a_limit_holds_a_thousand(game: Game) -> None:
    for _ in range(2):
        await game.record(*({"type": "note", "text": ""},) * 600)
    answer = await game.http.get(f"{game.path}/entries")
    assert len(answer.json()["entries"]) == 1_000
    assert len(await game.log()) == game.version
