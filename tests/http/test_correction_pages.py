import re
from html import unescape
from typing import Any
from uuid import uuid4

import httpx
from msgspec import json

from tests.http.club import Game, add_player
from tests.http.test_correction_effects import HEARTS, LOSES, play, result, two_deals

ENGLISH = {"Accept-Language": "en"}
SAME = {"Accept": "text/html", "Sec-Fetch-Site": "same-origin"}


async def page(game: Game, path: str) -> str:
    answer = await game.http.get(f"/games/{game.id}{path}", headers=ENGLISH)
    assert answer.status_code == 200, answer.text
    return answer.text


async def proposed(game: Game, entry: Any, **more: str) -> httpx.Response:  # noqa: ANN401 JSON
    fields = {"entry": json.encode(entry).decode(), **more}
    answer = await game.http.post(f"/games/{game.id}/preview", data=fields, headers=SAME)
    assert answer.status_code == 303
    shown = await game.http.get(answer.headers["Location"], headers=ENGLISH)
    assert shown.status_code == 200, shown.text
    return shown


async def test_each_entry_offers_the_four_ways(http: httpx.AsyncClient) -> None:
    game = await Game.start(http)
    await game.record(result(0, 3), result(1, 3))
    listed = await page(game, "/log")
    for words in ("Correct", "Insert before", "It never happened", "Back to here"):
        assert f">{words}</" in listed
    assert f"/games/{game.id}/correct/4?before=1" in listed


async def test_the_moves_of_a_splice_are_listed_and_can_be_corrected(
    http: httpx.AsyncClient,
) -> None:
    game = await Game.start(http)
    notes = [{"type": "note", "text": text} for text in ("one of two", "two of two")]
    await game.record(result(0, 3), {"type": "splice", "version": 2, "drop": 0, "moves": notes})
    listed = await page(game, "/log")
    assert "two of two" in listed
    assert f"/games/{game.id}/correct/4?part=1" in listed
    assert "two of two" in await page(game, "/correct/4?part=1")


async def test_each_way_to_correct_a_move_of_a_splice_names_its_part(
    http: httpx.AsyncClient,
) -> None:
    game = await Game.start(http)
    moves = [result(1, 3), result(0, 3)]
    await game.record(result(0, 3), {"type": "splice", "version": 2, "drop": 1, "moves": moves})
    (move,) = re.findall(r'id="v4-1".*?</form>', await page(game, "/log"), re.DOTALL)
    form = await page(game, "/correct/4?part=1")
    before = await page(game, "/correct/4?part=1&before=1")
    gone = {"version": 4, "part": 1, "type": "splice", "drop": 1, "moves": []}
    for text in (move, form):
        assert f"/games/{game.id}/correct/4?part=1&before=1" in unescape(text)
        (button,) = re.findall(r'value="(\{[^"]*splice[^"]*)"', text)
        assert json.decode(unescape(button)) == gone
    assert re.search(rf'"/games/{game.id}/correct/4\?part=1"', move)
    for text in (form, before):
        assert '<input type="hidden" name="part" value="1">' in text
        (other,) = re.findall(r'"(/[^"]*/correct/4\?by=[^"]*)"', text)
        assert "&part=1" in unescape(other)


async def test_a_move_of_a_splice_is_corrected_in_its_place(http: httpx.AsyncClient) -> None:
    game = await Game.start(http)
    notes = [{"type": "note", "text": text} for text in ("one of two", "two of two")]
    await game.record(result(0, 3), {"type": "splice", "version": 2, "drop": 0, "moves": notes})
    shown = await proposed(game, {"type": "note", "text": "tea"}, target="4", part="1")
    assert re.search(r"<del>[^<]*two of two", shown.text)
    assert "one of two" not in shown.text


async def test_a_correction_shows_what_stood_struck_out(http: httpx.AsyncClient) -> None:
    game = await Game.start(http)
    await game.record(result(0, 3))
    shown = await proposed(game, result(0, 4), target="2", part="0")
    assert "<del>Ann made trumps and 3 tricks</del>" in shown.text


async def test_what_was_forgotten_is_put_in_before_an_entry(http: httpx.AsyncClient) -> None:
    game = await Game.start(http)
    await game.record(result(0, 3), result(1, 3))
    form = await page(game, "/correct/4?before=1&by=result")
    assert 'name="inserts"' in form
    shown = await proposed(game, result(0, 5), target="4", part="0", inserts="1")
    assert "new: " in shown.text
    assert "&#34;splice&#34;" in shown.text


async def test_forgotten_entry_that_changes_no_points_is_stored_at_once(
    http: httpx.AsyncClient,
) -> None:
    game = await Game.start(http)
    await game.record(result(0, 3), result(1, 3))
    note = json.encode({"type": "note", "text": "tea"}).decode()
    fields = {"entry": note, "target": "4", "inserts": "1", "command": str(uuid4())}
    sent = [
        await game.http.post(f"/games/{game.id}/preview", data=fields, headers=SAME)
        for _ in range(2)
    ]
    assert [one.headers["Location"] for one in sent] == [f"/games/{game.id}"] * 2
    splice = {"type": "splice", "version": 4, "drop": 0, "moves": [json.decode(note)]}
    assert [one["entry"] for one in await game.log()].count(splice) == 1


async def test_forgotten_entry_that_changes_points_is_shown_first(http: httpx.AsyncClient) -> None:
    game = await Game.start(http)
    await game.record(result(0, 3), result(1, 3))
    more = {"target": "4", "inserts": "1", "command": str(uuid4())}
    before = await game.log()
    for entry in (result(0, 5), {"type": "adjust", "seat": 0, "points": 2, "reason": "bet"}):
        shown = await proposed(game, entry, **more)
        assert "What that changes" in shown.text
    assert await game.log() == before


async def test_what_never_happened_is_taken_out(http: httpx.AsyncClient) -> None:
    game = await Game.start(http)
    await game.record(result(0, 3), result(0, 3))
    shown = await proposed(game, {"type": "splice", "version": 4, "drop": 1, "moves": []})
    assert "dropped (" in shown.text


async def test_a_correction_tells_the_deals_and_keeps_the_later_ones(
    http: httpx.AsyncClient,
) -> None:
    game = await two_deals(http)
    shown = await proposed(game, LOSES["move"], target="7", part="0")
    assert "no longer fits after the correction" in shown.text
    assert "2 others stay as they are." in shown.text
    keep = shown.text.partition('href="')[2] and next(
        part.partition('"')[0]
        for part in shown.text.split('href="')
        if part.startswith(f"/games/{game.id}/preview/keep")
    )
    asked = await http.get(keep, headers=ENGLISH)
    assert "How did deal 1 end?" in asked.text
    fields = {
        "version": str(game.version),
        "command": str(uuid4()),
        "correction": json.encode({**LOSES, "part": 0}).decode(),
        "entry": json.encode(result(1, 3)).decode(),
    }
    kept = await http.post(f"/games/{game.id}/preview/keep", data=fields, headers=SAME)
    assert kept.status_code == 303
    view = await game.view()
    assert (view["totals"], view["deal"]) == ([1, 2], 4)


async def test_a_result_that_does_not_fit_is_told(http: httpx.AsyncClient) -> None:
    game = await two_deals(http)
    fields = {
        "version": str(game.version),
        "command": str(uuid4()),
        "correction": json.encode(LOSES).decode(),
        "entry": json.encode(result(0, 3)).decode(),
    }
    answer = await http.post(
        f"/games/{game.id}/preview/keep", data=fields, headers={**SAME, **ENGLISH}
    )
    assert "That does not fit." in answer.text
    assert (await game.view())["totals"] == [1, 3]


async def test_entries_that_fall_are_left_out_whatever_was_spliced_before(
    http: httpx.AsyncClient,
) -> None:
    game = await Game.start(http)
    await game.record(*HEARTS, play(1, "AS"), play(0, "QS"), play(1, "KS"), play(0, "TS"))
    note = {"type": "note", "text": "tea"}
    await game.record({"type": "splice", "version": 2, "drop": 0, "moves": [note]})
    shown = await proposed(game, play(0, "9C"), target="7", part="0")
    assert "Correct it, and drop what no longer fits (1 entry)" in shown.text


async def asked_again(game: Game, entry: Any, **more: str) -> str:  # noqa: ANN401 JSON
    fields = {"entry": json.encode(entry).decode(), "part": "0", "by": "result", **more}
    answer = await game.http.post(
        f"/games/{game.id}/preview", data=fields, headers={**SAME, **ENGLISH}
    )
    assert answer.status_code == 422, answer.text
    return answer.text


TOTALS: dict[str, Any] = {
    "type": "result",
    "caller": {},
    "counter": {},
    "totals": [{"must": 0}, {"must": 1}],
}


async def dutch(http: httpx.AsyncClient) -> Game:
    people = [await add_player(http, name) for name in ("Ann", "Bob")]
    answer = await http.post("/api/games", json={"ruleset": "dutch", "players": people})
    game = Game(http, answer.json())
    await game.record({"type": "result", "caller": 0, "counter": None, "totals": [3, 12]})
    return game


async def test_a_correction_that_lacks_a_total_says_whose_and_keeps_the_others(
    http: httpx.AsyncClient,
) -> None:
    game = await dutch(http)
    typed = {"open.totals.0": "7", "open.totals.1": "", "open.caller": "1"}
    again = await asked_again(game, TOTALS, target="2", **typed)
    assert "Points are missing: Bob." in again
    assert "<title>Correct: Dutch by Ann" in again
    (field,) = re.findall(r'<input[^>]*name="open\.totals\.0"[^>]*>', again)
    assert 'value="7"' in field
    assert f'href="/games/{game.id}/correct/2?by=cards"' in again
    assert len(await game.log()) == 3


async def test_what_is_put_in_before_an_entry_is_asked_for_again_as_such(
    http: httpx.AsyncClient,
) -> None:
    game = await dutch(http)
    again = await asked_again(game, TOTALS, target="2", inserts="1")
    assert "<title>Insert before: Dutch by Ann" in again
    assert 'name="inserts"' in again
    assert "Points are missing: Ann, Bob." in again


async def test_a_correction_that_is_no_number_says_so_and_keeps_it(
    http: httpx.AsyncClient,
) -> None:
    game = await Game.start(http)
    await game.record({"type": "adjust", "seat": 0, "points": 2, "reason": "a card shown"})
    typed = {"with.seat": "0", "open.points": "many", "text.reason": "two cards shown"}
    again = await asked_again(game, {"type": "adjust"}, target="2", **typed)
    assert "Something is missing, or is neither a number nor a card." in again
    assert 'value="many"' in again
    assert 'value="two cards shown"' in again


async def test_a_correction_of_what_stands_no_more_leads_to_the_log(
    http: httpx.AsyncClient,
) -> None:
    game = await dutch(http)
    fields = {"entry": json.encode(TOTALS).decode(), "target": "9", "part": "0"}
    answer = await http.post(f"/games/{game.id}/preview", data=fields, headers=SAME)
    assert (answer.status_code, answer.headers["Location"]) == (303, f"/games/{game.id}/log")


async def test_a_broken_deal_whose_result_lacks_something_is_asked_for_again(
    http: httpx.AsyncClient,
) -> None:
    game = await two_deals(http)
    open_maker = {"type": "result", "maker": {"must": "Who named trump?"}, "tricks": 3}
    fields = {
        "version": str(game.version),
        "command": str(uuid4()),
        "correction": json.encode(LOSES).decode(),
        "entry": json.encode(open_maker).decode(),
    }
    answer = await http.post(
        f"/games/{game.id}/preview/keep", data=fields, headers={**SAME, **ENGLISH}
    )
    assert answer.status_code == 422
    assert "Still to be answered: Who named trump?" in answer.text
    assert "How did deal 1 end?" in answer.text
    assert (await game.view())["totals"] == [1, 3]


async def test_it_happened_is_offered_where_the_game_can_go_on_from_it(
    http: httpx.AsyncClient,
) -> None:
    game = await Game.start(http)
    deal = {"type": "deal", "dealer": 0, "turn_up": "9S"}
    await game.record(deal, {"type": "pass", "seat": 1})
    shown = await proposed(game, {"type": "pass", "seat": 0}, target="3", part="0")
    assert "It happened" in shown.text


async def test_it_happened_is_not_offered_where_waiving_leads_nowhere(
    http: httpx.AsyncClient,
) -> None:
    game = await Game.start(http)
    deal = {"type": "deal", "dealer": 0, "turn_up": "9S"}
    await game.record(deal, {"type": "pass", "seat": 1})
    shown = await proposed(game, {"type": "order", "seat": 0}, target="3", part="0")
    assert "That does not fit" in shown.text
    assert "It happened" not in shown.text
