import asyncio
from uuid import uuid4

import httpx
import msgspec
import pytest

from tests.http.club import DEAL, LOST_RESULT, MADE_RESULT, Game, Json, client_with_key
from tests.http.follower import Follower
from tests.http.test_two_processes import Elsewhere, elsewhere, other_service
from tests.service_process import ServiceProcess

__all__ = ["elsewhere", "other_service"]

WRITTEN = "Zebedee peeked"
NOTE = {"type": "note", "text": WRITTEN}
FINE = {"type": "adjust", "seat": 0, "points": -2, "reason": WRITTEN}
MEND = {"type": "amend", "version": 2, "move": {"type": "note", "text": f"{WRITTEN} twice"}}
# Everything of a game that people or programs read.
READ = [
    "/api/games/{}/entries",
    "/api/games/{}/entries?effective=true",
    "/api/games/{}/entries?format=ndjson",
    "/api/games/{}/sheet.json",
    "/api/games/{}/sheet.csv",
    "/api/games/{}/record.json",
    "/api/games/{}/record.carnet",
    "/games/{}/log",
    "/games/{}/sheet",
    "/games/{}/at/2",
    "/games/{}/at/3",
    "/games/{}/correct/2",
    "/games/{}/record.carnet",
]


async def erase(game: Game, version: object) -> httpx.Response:
    return await game.http.delete(f"{game.path}/entries/{version}/text")


async def read(game: Game) -> dict[str, str]:
    found: dict[str, str] = {}
    for place in READ:
        answer = await game.http.get(place.format(game.id))
        assert answer.status_code == 200, place
        found[place] = answer.text
    return found


async def test_what_was_written_is_read_nowhere_any_more(game: Game) -> None:
    await game.record(NOTE, FINE, *DEAL)
    unsaid = [place for place, text in (await read(game)).items() if WRITTEN not in text]
    assert unsaid == []
    before = await game.view()

    for version in (2, 3):
        assert (await erase(game, version)).status_code == 204
    assert [place for place, text in (await read(game)).items() if WRITTEN in text] == []
    assert await game.view() == before


async def test_a_reader_of_a_deal_with_private_cards_reads_it_nowhere_either(
    service: ServiceProcess, game: Game
) -> None:
    away = {"type": "exchange", "seat": 0, "take": True, "discard": "9D"}
    await game.record(DEAL[0], NOTE, DEAL[1], away)
    link = (await game.http.post(f"{game.path}/links", json={"role": "viewer"})).json()
    async with client_with_key(service.url, link["token"]) as viewer:
        assert WRITTEN in (await viewer.get(f"{game.path}/entries")).text
        await erase(game, 3)
        text = (await viewer.get(f"{game.path}/entries")).text
    assert WRITTEN not in text
    assert "9D" not in text


async def test_the_entry_stays_with_an_empty_text_and_says_why(game: Game) -> None:
    await game.record(NOTE, FINE, {"type": "note", "text": ""})
    log = await game.log()
    await erase(game, 3)
    erased = {**log[2], "entry": {**FINE, "reason": ""}, "erased": True}
    assert await game.log() == [*log[:2], erased, log[3]]
    assert (await game.get("/entries", effective="true"))["entries"][2] == erased
    assert (await game.get("/sheet"))["erased"] == [3]
    assert (await game.view())["totals"] == [-2, 0]


async def test_a_text_that_stands_in_place_of_another_is_erased_apart_from_it(game: Game) -> None:
    await game.record(NOTE, MEND)
    await erase(game, 3)
    log = await game.log()
    assert [one["entry"] for one in log[1:]] == [NOTE, {**MEND, "move": {**NOTE, "text": ""}}]
    (_, stands) = (await game.get("/entries", effective="true"))["entries"]
    assert (stands["entry"]["text"], stands["erased"]) == ("", True)


async def test_a_text_is_erased_once_and_again_without_complaint(game: Game) -> None:
    await game.record(NOTE)
    for _ in range(2):
        gone = await erase(game, 2)
        assert (gone.status_code, gone.content) == (204, b"")


@pytest.mark.parametrize("version", ["1", "3", "4", "9", "0", "-1", "x", "99999999999999999999"])
async def test_where_no_text_is_nothing_is_found(game: Game, version: str) -> None:
    await game.record(NOTE, {"type": "note", "text": ""}, MADE_RESULT)
    answer = await erase(game, version)
    assert (answer.status_code, answer.json()["type"]) == (404, "not-found")


async def test_another_games_text_is_not_found(game: Game) -> None:
    await game.record(NOTE)
    answer = await game.http.delete(f"/api/games/{uuid4()}/entries/2/text")
    assert answer.status_code == 404
    assert (await game.log())[1]["entry"] == NOTE


@pytest.mark.parametrize("role", ["scorer", "viewer"])
async def test_only_the_owner_erases(service: ServiceProcess, game: Game, role: str) -> None:
    await game.record(NOTE)
    made = (await game.http.post(f"{game.path}/links", json={"role": role})).json()
    async with client_with_key(service.url, made["token"]) as guest:
        assert (await guest.delete(f"{game.path}/entries/2/text")).status_code == 403
        assert (await guest.post(f"/games/{game.id}/erase/2")).status_code == 403
        assert "Erase" not in (await guest.get(f"/games/{game.id}/log")).text
    assert (await game.log())[1]["entry"] == NOTE


async def test_a_command_sent_a_hundred_times_at_once_with_a_text_is_stored_once(
    game: Game,
) -> None:
    key = str(uuid4())
    sent = [game.send(NOTE, MADE_RESULT, version=1, key=key) for _ in range(100)]
    answers = await asyncio.gather(*sent)
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.content for answer in answers}) == 1
    assert len(await game.log()) == 4


async def test_a_command_sent_again_after_its_text_was_erased_stores_nothing(game: Game) -> None:
    key = str(uuid4())
    await game.send(NOTE, FINE, key=key)
    await erase(game, 2)
    for version in (1, 3):
        again = await game.send(NOTE, FINE, version=version, key=key)
        assert again.status_code == 201
        assert again.headers["Idempotency-Replayed"] == "true"
        assert [one["entry"] for one in again.json()["entries"]] == [{**NOTE, "text": ""}, FINE]
        other = await game.send(NOTE, {**FINE, "reason": "x"}, version=version, key=key)
        assert other.json()["type"] == "key-reused"
    assert len(await game.log()) == 3


async def test_a_game_goes_on_after_a_text_was_erased(game: Game) -> None:
    await game.record(NOTE)
    await erase(game, 2)
    await game.record(LOST_RESULT)
    await game.record({"type": "take_back", "to": 2})
    assert [one.get("erased", False) for one in await game.log()] == [
        one["version"] == 2 for one in await game.log()
    ]


async def test_the_other_process_shows_it_no_longer(game: Game, elsewhere: Elsewhere) -> None:
    there, _ = elsewhere
    await game.record(NOTE, FINE)
    assert WRITTEN in msgspec.json.encode(await there.log()).decode()
    await erase(game, 2)
    await erase(game, 3)
    assert [place for place, text in (await read(there)).items() if WRITTEN in text] == []


async def test_the_other_process_goes_on_without_it(game: Game, elsewhere: Elsewhere) -> None:
    there, _ = elsewhere
    await game.record(NOTE)
    await there.log()
    await erase(game, 2)
    there.version = game.version
    await there.record(MADE_RESULT)
    assert [one.get("erased") for one in await there.log()] == [None, True, None, None]


async def test_a_follower_who_comes_late_is_told_that_it_was_erased(game: Game) -> None:
    await game.record(NOTE)
    await erase(game, 2)
    async with Follower.of(game, last=1) as phone:
        event = await phone.event()
    assert event is not None
    assert (event["entry"], event["erased"]) == ({**NOTE, "text": ""}, True)


async def test_a_record_without_the_text_is_taken_in_again(game: Game) -> None:
    await game.record(NOTE, FINE, MADE_RESULT)
    await erase(game, 2)
    text = (await game.http.get(f"{game.path}/record.carnet")).text
    headers = {"Content-Type": "text/vnd.carnet", "Idempotency-Key": str(uuid4())}
    for replayed in (False, True):
        answer = await game.http.post("/api/imports", content=text, headers=headers)
        assert answer.status_code == 201, answer.text
        assert ("Idempotency-Replayed" in answer.headers) is replayed
    taken: Json = answer.json()
    log = (await game.http.get(f"/api/games/{taken['id']}/entries")).json()["entries"]
    assert [one["entry"] for one in log[1:3]] == [{**NOTE, "text": ""}, FINE]
    assert await erase_of(game.http, taken["id"], 3) == 204


async def test_a_record_sent_again_after_a_text_was_erased_is_known(game: Game) -> None:
    await game.record(NOTE, MADE_RESULT)
    text = (await game.http.get(f"{game.path}/record.carnet")).text
    headers = {"Content-Type": "text/vnd.carnet", "Idempotency-Key": str(uuid4())}
    first = await game.http.post("/api/imports", content=text, headers=headers)
    assert await erase_of(game.http, first.json()["id"], 2) == 204
    again = await game.http.post("/api/imports", content=text, headers=headers)
    assert again.json() == first.json()


async def erase_of(http: httpx.AsyncClient, game_id: str, version: int) -> int:
    return (await http.delete(f"/api/games/{game_id}/entries/{version}/text")).status_code


async def test_files_say_where_a_text_was(game: Game) -> None:
    await game.record(NOTE, FINE)
    for version in (2, 3):
        await erase(game, version)
    for language, said in (("en", "(text erased)"), ("de", "(Text gelöscht)")):
        headers = {"Accept-Language": language}
        written = (await game.http.get(f"{game.path}/sheet.csv", headers=headers)).text
        assert written.count(said) == 2
    page = await game.http.get(f"/games/{game.id}/sheet", headers={"Accept-Language": "fr"})
    assert page.text.count("(texte effacé)") == 2
