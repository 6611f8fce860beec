import asyncio
import json
import re
from collections.abc import AsyncGenerator, Awaitable, Callable
from uuid import uuid4

import httpx
import pytest

from service.store.club.changes import ClubChanges
from service.store.connection.pool import owner_session
from tests.http.club import DEAL, Game, add_player, anonymous_client
from tests.http.test_other_club import Club, club_added
from tests.service_process import ServiceProcess


@pytest.fixture
async def club(service: ServiceProcess, service_database: str) -> AsyncGenerator[Club]:
    made = await club_added(service_database, service.url, "Full")
    made.game = await Game.start(made.owner)
    yield made
    await made.owner.aclose()


async def limit(database: str, club: Club, **limits: int | None) -> None:
    await set_limits(database, club, people_max=0, **limits)
    await soon(lambda: start_another_game(club), 403)


async def set_limits(database: str, club: Club, **limits: int | None) -> None:
    async with owner_session(database) as conn:
        await ClubChanges(conn).limit(club.club_id, **limits)


async def start_another_game(club: Club) -> httpx.Response:
    return await club.owner.post("/api/players", json={"name": "Eve", "same_name": True})


async def soon(ask: Callable[[], Awaitable[httpx.Response]], status: int) -> httpx.Response:
    answer = await ask()
    for _ in range(1_000):
        if answer.status_code == status:
            break
        await asyncio.sleep(0.02)
        answer = await ask()
    assert answer.status_code == status, answer.text
    return answer


async def assert_over_quota(answer: httpx.Response, kind: str, most: int) -> None:
    assert answer.status_code == 403, answer.text
    problem = answer.json()
    assert problem["type"] == kind
    assert str(most) in problem["detail"]


async def start(club: Club, *people: str) -> httpx.Response:
    body = {"ruleset": "euchre", "players": list(people)}
    return await club.owner.post("/api/games", json=body)


async def test_entries_of_a_day_are_counted_to_the_last_one(
    club: Club, service_database: str
) -> None:
    most = club.game.version + 250
    await limit(service_database, club, entries_a_day_max=most)
    await club.game.record(*({"type": "note", "text": str(one)} for one in range(247)))
    # Three more fit: not four at once, but three.
    four = [{"type": "note", "text": "x"}] * 4
    await assert_over_quota(await club.game.send(*four), "quota-entries", most)
    key = str(uuid4())
    answer = await club.game.send(*four[:3], key=key)
    assert answer.status_code == 201
    await assert_over_quota(await club.game.send(four[0], version=most), "quota-entries", most)
    # A repeated command gets its answer, and reading works.
    again = await club.game.send(*four[:3], key=key)
    assert again.status_code in {200, 201}
    assert len(await club.game.log()) == most
    assert (await club.owner.get("/history.json")).status_code == 200
    await set_limits(service_database, club, entries_a_day_max=None)
    club.game.version = most
    await soon(lambda: club.game.send(four[0]), 201)


async def test_games_and_people_are_counted(club: Club, service_database: str) -> None:
    ann = await add_player(club.owner, "Cid")
    bob = await add_player(club.owner, "Dora")
    await set_limits(service_database, club, people_max=4, games_max=0)
    answer = await soon(lambda: start(club, ann, bob), 403)
    await assert_over_quota(answer, "quota-games", 0)
    await assert_over_quota(await start_another_game(club), "quota-people", 4)
    await club.game.record(*DEAL)
    # Erasing a person frees a place.
    assert (await club.owner.delete(f"/api/players/{ann}")).is_success
    await soon(lambda: start_another_game(club), 201)
    await assert_over_quota(await start_another_game(club), "quota-people", 4)


async def test_bytes_are_counted_and_a_page_says_it_in_three_languages(
    club: Club, service_database: str
) -> None:
    most = 2_000
    await limit(service_database, club, bytes_max=most)
    note = {"type": "note", "text": "x" * 400}
    for _ in range(2):
        await club.game.record(note)
    await assert_over_quota(await club.game.send(*[note] * 2), "quota-bytes", 2_000)
    async with anonymous_client(club.url) as browser:
        await browser.get("/login", params={"key": club.key})
        for language, said in (
            ("en", "2000 bytes"),
            ("fr", "2000 octets"),
            ("de", "2000 Byte"),
        ):
            page = await browser.post(
                f"/games/{club.game.id}/entries",
                data={
                    "version": str(club.game.version),
                    "command": str(uuid4()),
                    "entry": json.dumps({"type": "note", "text": "x" * 2_000}),
                },
                headers={"Accept-Language": language, "Accept": "text/html"},
            )
            assert page.status_code == 403
            assert said in page.text
        assert (await browser.get(f"/games/{club.game.id}")).status_code == 200


async def test_a_tap_is_refused_with_its_reason(club: Club, service_database: str) -> None:
    await limit(service_database, club, entries_a_day_max=0)
    async with anonymous_client(club.url) as browser:
        await browser.get("/login", params={"key": club.key})
        answer = await browser.post(
            f"/games/{club.game.id}/outbox",
            content=json.dumps({"entries": [{"type": "note", "text": "x"}]}),
            headers={
                "If-Match": f'"{club.game.version}"',
                "Idempotency-Key": str(uuid4()),
                "Content-Type": "application/json",
            },
        )
    # Not a 403, for which the phone would load its page anew and send the tap again, for ever.
    assert answer.status_code == 422
    assert "0 entries a day" in answer.text


async def test_what_a_club_holds_is_told_to_prometheus(http: httpx.AsyncClient) -> None:
    told = (await http.get("/metrics")).text
    assert re.search(r"^carnet_clubs \d", told, re.MULTILINE)
    for what in ("games", "people", "entries", "stored_bytes"):
        assert f"# TYPE carnet_club_{what} gauge" in told
