import re
from datetime import UTC, datetime, timedelta
from html import unescape
from uuid import uuid4

import httpx
import pytest
from msgspec import json

from tests.http.club import DEAL, Game, Json
from tests.http.test_access import linked

LEAD: Json = {"type": "play", "seat": 1, "card": "AS"}
OTHER: Json = {"type": "play", "seat": 1, "card": "KS"}


async def _outbox(
    http: httpx.AsyncClient, game: Game, version: int, *entries: Json, status: int = 409
) -> str:
    answer = await http.post(
        f"/games/{game.id}/outbox",
        json={"entries": list(entries)},
        headers={"If-Match": f'"{version}"', "Idempotency-Key": str(uuid4())},
    )
    assert answer.status_code == status
    return answer.text


async def _form(http: httpx.AsyncClient, game: Game, version: int, entry: Json) -> httpx.Response:
    fields = {
        "version": str(version),
        "command": str(uuid4()),
        "by": "cards",
        "entry": json.encode(entry).decode(),
    }
    return await http.post(f"/games/{game.id}/entries", data=fields)


def _since(board: str) -> list[Json]:
    found = re.search(r"data-since='([^']*)'", board)
    assert found is not None
    told: list[Json] = json.decode(unescape(found[1]))
    return [one["entry"] for one in told]


async def test_same_entry_on_the_same_moment_is_recognised(game: Game) -> None:
    await game.record(*DEAL)
    version = game.version
    await game.record(LEAD)
    board = await _outbox(game.http, game, version, LEAD | {"unsure": True})
    assert _since(board) == [LEAD]
    assert "Another phone had it already: Bob plays the ace of spades" in board
    assert len(await game.log()) == version + 1


async def test_another_entry_is_told_with_what_the_other_phone_noted(game: Game) -> None:
    await game.record(*DEAL)
    version = game.version
    await game.record(LEAD)
    board = await _outbox(game.http, game, version, OTHER)
    assert _since(board) == [LEAD]
    assert "Another phone noted meanwhile: Bob plays the ace of spades" in board


async def test_answer_names_the_version_after_just_what_was_sent_also_when_it_is_sent_again(
    game: Game,
) -> None:
    await game.record(*DEAL)
    version, command = game.version, str(uuid4())
    headers = {"If-Match": f'"{version}"', "Idempotency-Key": command}
    address, body = f"/games/{game.id}/outbox", {"entries": [LEAD]}
    first = await game.http.post(address, json=body, headers=headers)
    game.version += 1
    await game.record({"type": "play", "seat": 0, "card": "9S"})
    again = await game.http.post(address, json=body, headers=headers)
    assert first.headers["ETag"] == again.headers["ETag"] == f'"{version + 1}"'
    assert f'data-version="{version + 2}"' in again.text


async def test_phones_are_told_apart_by_their_links(game: Game) -> None:
    version = game.version
    async with await linked(game, "scorer") as guest:
        answer = await _form(guest, game, version, DEAL[0])
        assert answer.status_code == 303
        assert "Link 1 had it already" in await _outbox(game.http, game, version, DEAL[0])
        await game.send(DEAL[1], version=version + 1)
        assert "The owner had it already" in await _outbox(guest, game, version + 1, DEAL[1])


async def test_form_of_a_fact_that_is_known_leads_to_the_table_and_says_so(game: Game) -> None:
    version = game.version
    await game.record(DEAL[0])
    answer = await _form(game.http, game, version, DEAL[0])
    assert answer.status_code == 303
    page = await game.http.get(answer.headers["Location"])
    assert "Another phone had it already: Ann deals" in page.text
    assert len(await game.log()) == version + 1


async def test_form_of_another_fact_is_shown_again_with_what_was_noted(game: Game) -> None:
    version = game.version
    await game.record(DEAL[0])
    answer = await _form(game.http, game, version, {**DEAL[0], "turn_up": "9S"})
    assert answer.status_code == 303
    page = await game.http.get(answer.headers["Location"])
    assert "Another phone noted meanwhile: Ann deals and turns up the queen of hearts" in page.text


async def test_refused_form_is_answered_by_a_redirect_to_the_refusal(game: Game) -> None:
    await game.record(*DEAL)
    answer = await _form(game.http, game, game.version, {"type": "pass", "seat": 0})
    assert answer.status_code == 303
    assert "pass" not in answer.headers["Location"]
    page = await game.http.get(answer.headers["Location"])
    assert (page.status_code, "That does not fit" in page.text) == (200, True)


async def test_refused_correction_names_the_move_that_would_fall_by_its_words(game: Game) -> None:
    await game.record(*DEAL, LEAD, {"type": "play", "seat": 0, "card": "9S"})
    wrong = {"type": "amend", "version": 5, "move": {**LEAD, "card": "9S"}}
    page = await _outbox(game.http, game, game.version, wrong, status=422)
    assert "After this correction “Ann plays the nine of spades” cannot be right." in page
    assert "entry" not in page.split("<p>")[1]


@pytest.mark.parametrize("entries", [[], [{"type": "note", "text": "tea"}] * 1_001])
async def test_the_script_may_send_as_many_entries_as_others_may(
    game: Game, entries: list[Json]
) -> None:
    headers = {"If-Match": f'"{game.version}"', "Idempotency-Key": str(uuid4())}
    sent = await game.http.post(
        f"/games/{game.id}/outbox", json={"entries": entries}, headers=headers
    )
    by_api = await game.send(*entries)
    assert (sent.status_code, by_api.status_code) == (400, 400)
    assert (await game.view())["version"] == game.version


async def _tapped(
    game: Game, ago: timedelta, command: str, version: int, entry: Json
) -> httpx.Response:
    tapped_at = (datetime.now(UTC) - ago).isoformat()
    return await game.http.post(
        f"/games/{game.id}/outbox",
        json={"entries": [entry], "tapped_at": tapped_at},
        headers={"If-Match": f'"{version}"', "Idempotency-Key": command},
    )


@pytest.mark.parametrize(
    ("ago", "is_dated"),
    [
        (timedelta(seconds=1), False),
        (timedelta(seconds=20), True),
        (timedelta(days=3), True),
        (timedelta(hours=-3), False),
        (timedelta(days=9999), False),
    ],
)
async def test_entry_has_the_time_of_its_tap_where_it_arrives_late(
    game: Game, ago: timedelta, *, is_dated: bool
) -> None:
    await game.record(*DEAL)
    answer = await _tapped(game, ago, str(uuid4()), game.version, LEAD)
    assert answer.status_code == 201
    last = (await game.log())[-1]
    assert ("at" in last["entry"]) == is_dated
    moment = datetime.fromisoformat(answer.headers["X-Moment"])
    since = datetime.now(UTC) - moment - (ago if is_dated else timedelta())
    assert timedelta(seconds=-1) < since < timedelta(seconds=60)


async def test_late_retry_of_a_lost_answer_is_the_same_command(game: Game) -> None:
    await game.record(*DEAL)
    command, version = str(uuid4()), game.version
    first = await _tapped(game, timedelta(), command, version, LEAD)
    again = await _tapped(game, timedelta(minutes=2), command, version, LEAD)
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.headers["X-Moment"] == again.headers["X-Moment"]
    assert len(await game.log()) == version + 1
