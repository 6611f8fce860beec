import asyncio
from collections import Counter
from uuid import uuid4

import httpx
import pytest

from service.play.views import RANGES_MAX
from tests.http.club import DEAL, LOST_RESULT, MADE_RESULT, Game

REPEATS = 100
WRITERS = 32
CONTRACT_KEYS = [
    "id",
    "ruleset",
    "title",
    "options",
    "players",
    "version",
    "status",
    "deal",
    "phase",
    "to_act",
    "hand_counts",
    "stock",
    "totals",
    "table",
    "choices",
]


async def test_a_batch_is_stored_with_what_it_caused_and_answered_with_the_game_after_it(
    game: Game,
) -> None:
    answer = await game.send(*DEAL, LOST_RESULT)

    assert answer.status_code == 201
    assert answer.headers["ETag"] == '"6"'
    body = answer.json()
    assert list(body) == ["version", "entries", "state"]
    assert body["version"] == 6
    assert [entry["version"] for entry in body["entries"]] == [2, 3, 4, 5, 6]
    assert [entry["entry"] for entry in body["entries"][:4]] == [*DEAL, LOST_RESULT]
    assert body["entries"][4]["entry"]["points"] == [2, 0]
    assert list(body["state"]) == CONTRACT_KEYS
    assert body["state"] == await game.view()


async def test_a_minimal_answer_tells_only_what_its_sender_does_not_know(game: Game) -> None:
    key = str(uuid4())
    first, again = [await _minimal(game, key) for _ in range(2)]

    assert first.status_code == again.status_code == 201
    assert first.headers["Preference-Applied"] == "return=minimal"
    assert first.headers["ETag"] == '"6"'
    assert first.json() == again.json()
    body = first.json()
    assert list(body) == ["version", "entries"]
    log = await game.log()
    assert body["entries"][-1]["entry"] == log[-1]["entry"]
    assert [list(entry) for entry in body["entries"][:-1]] == 4 * [
        ["version", "type", "recorded_at", "hash"]
    ]
    assert [entry["recorded_at"] for entry in body["entries"]] == [
        entry["recorded_at"] for entry in log[1:]
    ]
    assert {len(bytes.fromhex(entry["hash"])) for entry in body["entries"]} == {32}


async def test_an_unknown_preference_is_ignored(game: Game) -> None:
    answer = await _minimal(game, str(uuid4()), prefer="respond-async, return=representation")
    assert "Preference-Applied" not in answer.headers
    assert answer.json()["state"]["version"] == 6


async def _minimal(
    game: Game, key: str, prefer: str = "wait=9, return = minimal; x=1"
) -> httpx.Response:
    headers = {"If-Match": '"1"', "Idempotency-Key": key, "Prefer": prefer}
    body = {"entries": [*DEAL, LOST_RESULT]}
    return await game.http.post(f"{game.path}/entries", json=body, headers=headers)


async def test_a_batch_with_one_illegal_entry_stores_none(game: Game) -> None:
    answer = await game.send(*DEAL, {"type": "pass", "seat": 0})

    assert answer.status_code == 422
    assert answer.json()["index"] == 3
    assert (await game.view())["version"] == 1


async def test_a_command_sent_a_hundred_times_at_once_is_stored_once(game: Game) -> None:
    key = str(uuid4())
    answers = await asyncio.gather(*(game.send(*DEAL, key=key) for _ in range(REPEATS)))

    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.content for answer in answers}) == 1
    assert len(await game.log()) == 4


async def test_a_repeated_command_answers_as_at_first_though_the_game_has_gone_on(
    game: Game,
) -> None:
    key = str(uuid4())
    first = await game.send(*DEAL, LOST_RESULT, key=key)
    game.version = 6
    await game.record({"type": "adjust", "seat": 0, "points": 5, "reason": "a bet"})

    for version in (1, 6, 7):
        again = await game.send(*DEAL, LOST_RESULT, key=key, version=version)
        assert again.status_code == 201
        assert again.content == first.content
        assert again.headers["ETag"] == first.headers["ETag"]
        assert again.headers["Idempotency-Replayed"] == "true"
    assert (await game.view())["version"] == 7


async def test_a_repeated_command_answers_as_at_first_though_its_entries_were_taken_back(
    game: Game,
) -> None:
    key = str(uuid4())
    first = await game.send(*DEAL, key=key)
    game.version = 4
    await game.record({"type": "take_back", "to": 1})

    assert (await game.send(*DEAL, key=key, version=1)).content == first.content


async def test_a_key_that_comes_with_other_entries_stores_nothing(game: Game) -> None:
    key = str(uuid4())
    await game.send(*DEAL, key=key)

    for version in (1, 4):
        answer = await game.send(MADE_RESULT, key=key, version=version)
        assert answer.status_code == 409
        assert answer.json()["type"] == "key-reused"
    assert (await game.view())["version"] == 4


async def test_an_illegal_batch_leaves_its_key_unused(game: Game) -> None:
    key = str(uuid4())
    assert (await game.send({"type": "pass", "seat": 0}, key=key)).status_code == 422
    assert (await game.send(*DEAL, key=key)).status_code == 201


async def test_the_same_key_in_another_game_is_another_command(http: httpx.AsyncClient) -> None:
    key = str(uuid4())
    one, other = await Game.start(http), await Game.start(http)
    assert (await one.send(*DEAL, key=key)).status_code == 201
    assert (await other.send(MADE_RESULT, key=key)).status_code == 201


async def test_of_many_writers_on_one_version_one_wins_and_the_others_are_told(game: Game) -> None:
    answers = await asyncio.gather(*(game.send(*DEAL) for _ in range(WRITERS)))

    assert Counter(answer.status_code for answer in answers) == {201: 1, 409: WRITERS - 1}
    lost = [answer.json() for answer in answers if answer.status_code == 409]
    assert {problem["type"] for problem in lost} == {"version-conflict"}
    assert {problem["version"] for problem in lost} == {4}
    assert len(await game.log()) == 4


async def test_a_version_not_reached_yet_is_a_conflict(game: Game) -> None:
    answer = await game.send(*DEAL, version=9)

    assert answer.status_code == 409
    assert answer.json()["version"] == 1


async def test_a_conflict_counts_before_the_rules_do(game: Game) -> None:
    await game.record(*DEAL)
    assert (await game.send({"type": "pass", "seat": 0}, version=1)).status_code == 409


@pytest.mark.parametrize("tag", ["1", 'W/"1"'])
async def test_a_version_without_quotation_marks_or_weakened_by_a_proxy_is_understood(
    game: Game, tag: str
) -> None:
    headers = {"If-Match": tag, "Idempotency-Key": str(uuid4())}
    answer = await game.http.post(f"{game.path}/entries", json={"entries": DEAL}, headers=headers)
    assert answer.status_code == 201


async def test_a_finished_game_says_so_in_its_view_and_in_the_list(game: Game) -> None:
    answered = await game.record({"type": "finish", "reason": "bedtime"})

    assert answered["entries"][-1]["type"] == "game_ended"
    state = answered["state"]
    assert (state["status"], state["phase"], state["to_act"]) == ("finished", "over", [])
    listed = (await game.http.get("/api/games", params={"status": "finished"})).json()["games"]
    assert game.id in {one["id"] for one in listed}


async def test_every_choice_of_cards_and_seats_is_accepted(game: Game) -> None:
    view = await game.view()
    for choice in view["choices"]:
        if choice["type"] != "result":
            continue
        entry = {name: values[-1] for name, values in choice["fields"].items()}
        fresh = await Game.start(game.http)
        answer = await fresh.send({"type": "result", **entry})
        assert answer.status_code == 201, (entry, answer.text)


async def test_what_can_be_taken_back_to_is_told_in_ranges(game: Game) -> None:
    await game.record(*DEAL, LOST_RESULT)
    await game.record({"type": "note", "text": "after the deal"})
    (back,) = [one for one in (await game.view())["choices"] if one["type"] == "take_back"]
    # Version 6 is the derived end of the deal.
    assert back["fields"] == {"to": {"shape": "integer", "ranges": [[1, 5], [7, 7]]}}


async def test_only_the_last_ranges_that_can_be_taken_back_to_are_told(game: Game) -> None:
    for dealer in range(2 * RANGES_MAX):
        await game.record({"type": "result", "maker": None, "dealer": dealer % 2})
    (back,) = [one for one in (await game.view())["choices"] if one["type"] == "take_back"]
    told = back["fields"]["to"]
    assert (len(told["ranges"]), told["earlier"]) == (RANGES_MAX, True)
    # The earlier ones are accepted as before.
    await game.record({"type": "take_back", "to": 1})


async def test_each_version_of_the_ranges_can_be_taken_back_to(game: Game) -> None:
    await game.record(*DEAL, LOST_RESULT)
    await game.record({"type": "take_back", "to": 3})
    await game.record(DEAL[2], LOST_RESULT)
    (back,) = [one for one in (await game.view())["choices"] if one["type"] == "take_back"]
    ranges = back["fields"]["to"]["ranges"]
    asked = [{"type": "take_back", "to": to} for to in range(1, game.version)]
    taken = [await game.http.post(f"{game.path}/preview", json={"entry": one}) for one in asked]
    offered = [any(first <= one["to"] <= last for first, last in ranges) for one in asked]
    assert ["refusal" not in one.json() for one in taken] == offered
