import asyncio
import html
import re
import shlex
from collections.abc import AsyncGenerator
from datetime import datetime
from functools import reduce
from itertools import pairwise
from typing import Any
from uuid import uuid4

import httpx
import psycopg
import pytest
from psycopg.rows import dict_row

from tests.http.api_tokens import CreatedToken, end_token, make_token
from tests.http.club import Game, add_player, anonymous_client, client_with_key
from tests.service_process import KEY, ServiceProcess


@pytest.fixture
async def browser(service: ServiceProcess) -> AsyncGenerator[httpx.AsyncClient]:
    async with anonymous_client(service.url) as client:
        await client.get("/login", params={"key": KEY})
        yield client


def row(database: str, made: CreatedToken) -> dict[str, Any]:
    with psycopg.connect(database) as conn, conn.cursor(row_factory=dict_row) as cursor:
        cursor.execute("SELECT * FROM carnet.access_grant WHERE grant_id = %s", [made.id])
        return cursor.fetchone() or {}


async def last_seen(database: str, made: CreatedToken) -> datetime:
    for _ in range(1500):
        seen_at: datetime | None = row(database, made)["seen_at"]
        if seen_at is not None:
            return seen_at
        await asyncio.sleep(0.02)
    raise AssertionError(made)


def about(page: str, made: CreatedToken) -> str:
    (part,) = (one for one in page.split("<section") if f"/programs/tokens/{made.id}" in one)
    return " ".join(re.sub(r"<[^>]*>", " ", part).split())


async def test_a_token_is_shown_once_and_stored_as_a_hash(
    browser: httpx.AsyncClient, service_database: str
) -> None:
    made = await make_token(browser, name="Ann's display", role="reader", days="90")
    again = await browser.get("/programs")
    assert made.secret not in again.text
    told = about(again.text, made)
    assert "viewer: only watches" in told
    assert "never used, ends" in told
    assert made.secret not in str(row(service_database, made))


async def test_a_token_without_an_end_says_none(browser: httpx.AsyncClient) -> None:
    made = await make_token(browser, role="owner")
    assert "ends" not in about((await browser.get("/programs")).text, made)


async def test_what_a_program_does_is_its_tokens_doing(
    service: ServiceProcess, http: httpx.AsyncClient, service_database: str
) -> None:
    made = await make_token(http, role="scorer")
    async with client_with_key(service.url, made.secret) as program:
        game = await Game.start(program)
        await game.record({"type": "note", "text": "by a program"})
    with psycopg.connect(service_database) as conn:
        found = conn.execute(
            "SELECT DISTINCT recorded_by FROM carnet.entry WHERE game_id = %s", [game.id]
        ).fetchall()
    assert [str(one) for (one,) in found] == [made.id]


async def test_when_a_token_was_used_last_is_written_seldom(
    service: ServiceProcess, http: httpx.AsyncClient, service_database: str
) -> None:
    made = await make_token(http, role="reader")
    async with client_with_key(service.url, made.secret) as program:
        await program.get("/api/players")
        first = await last_seen(service_database, made)
        # The use of another token is stored after that of this one would be.
        await program.get("/api/players")
        other = await make_token(http, role="reader")
        async with client_with_key(service.url, other.secret) as second:
            await second.get("/api/players")
        await last_seen(service_database, other)
    assert row(service_database, made)["seen_at"] == first
    assert "last used" in about((await http.get("/programs")).text, made)


async def test_the_feed_and_the_heads_are_open_to_an_owners_token_alone(
    service: ServiceProcess, http: httpx.AsyncClient
) -> None:
    for role, status in (("owner", 200), ("scorer", 403), ("reader", 403)):
        made = await make_token(http, role=role)
        async with client_with_key(service.url, made.secret) as program:
            for path in ("/api/feed", "/api/heads"):
                assert (await program.get(path)).status_code == status


async def test_a_token_lets_no_browser_in(service: ServiceProcess, http: httpx.AsyncClient) -> None:
    made = await make_token(http, role="owner")
    async with anonymous_client(service.url) as browser:
        assert (await browser.get("/login", params={"key": made.secret})).status_code == 401
        answer = await browser.post("/login", data={"key": made.secret})
        assert answer.headers["Location"] == "/login?wrong=yes"
        assert not browser.cookies


async def test_a_stream_ends_once_its_token_is_revoked(
    service: ServiceProcess, http: httpx.AsyncClient
) -> None:
    made = await make_token(http, role="reader")
    async with (
        client_with_key(service.url, made.secret) as program,
        program.stream("GET", "/api/signed-in") as answer,
    ):
        lines = answer.aiter_lines()
        assert (await anext(lines)).startswith("retry")
        await http.post(f"/programs/tokens/{made.id}")
        async with asyncio.timeout(30):
            assert "event: signed-out" in [line async for line in lines]
    assert f"/programs/tokens/{made.id}" not in (await http.get("/programs")).text


async def test_a_token_that_ended_says_so(http: httpx.AsyncClient, service_database: str) -> None:
    made = await make_token(http, role="reader", days="30")
    assert "ended" not in about((await http.get("/programs")).text, made)
    end_token(service_database, made.id)
    assert "ended" in about((await http.get("/programs")).text, made)


async def test_games_are_named_by_address_or_id(http: httpx.AsyncClient, game: Game) -> None:
    other = await Game.start(http)
    games = f"{http.base_url}/games/{game.id}/sheet?x=1\n{other.id}, {other.id}"
    made = await make_token(http, role="scorer", games=games)
    page = (await http.get("/programs")).text
    assert "scorer: records 2 games only" in about(page, made)
    assert f'<a href="/games/{game.id}/sheet">Euchre, Ann – Bob</a>' in page


@pytest.mark.parametrize(
    ("form", "wrong", "told"),
    [
        ({"name": ""}, "name", "That is not a name."),
        ({"role": "king"}, "name", "That is not a name."),
        ({"games": "the one by the lake"}, "games", "one of the games is not here"),
        ({"games": str(uuid4())}, "games", "one of the games is not here"),
        ({"role": "owner", "games": "GAME"}, "owner", "an owner reaches all games"),
    ],
)
async def test_what_cannot_be_read_makes_no_token(
    http: httpx.AsyncClient, game: Game, form: dict[str, str], wrong: str, told: str
) -> None:
    before = (await http.get("/programs")).text.count("/programs/tokens/")
    filled = {"name": "a display", "role": "reader", **form}
    filled |= {"games": filled.get("games", "").replace("GAME", game.id)}
    answer = await http.post("/programs/tokens", data=filled)
    assert answer.headers["Location"] == f"/programs?wrong={wrong}#tokens"
    page = (await http.get(answer.headers["Location"])).text
    assert told in page
    assert page.count("/programs/tokens/") == before


async def test_only_owners_see_the_tokens(service: ServiceProcess, http: httpx.AsyncClient) -> None:
    await make_token(http, role="reader")
    reader = await make_token(http, role="reader")
    async with client_with_key(service.url, reader.secret) as program:
        page = await program.get("/programs")
    assert page.status_code == 403
    assert "/programs/tokens" not in page.text


async def test_the_first_calls_on_the_page_for_programs_record_a_game(
    browser: httpx.AsyncClient, http: httpx.AsyncClient
) -> None:
    made = await make_token(http, role="scorer")
    page = html.unescape((await browser.get("/programs")).text)
    calls = [shlex.split(one) for one in re.findall(r"<code>(curl .*?)</code>", page, re.DOTALL)]
    put = {
        "TOKEN": made.secret,
        "ANN": await add_player(http, "Ann of calls"),
        "$(uuidgen)": str(uuid4()),
    }
    put['"Ann"'] = '"Cid of calls"'
    put["BOB"] = await add_player(http, "Bob of calls")
    for call in calls[:3]:
        words = [reduce(lambda text, one: text.replace(*one), put.items(), word) for word in call]
        headers = dict(one.split(": ", 1) for flag, one in pairwise(words) if flag == "-H")
        async with httpx.AsyncClient() as client:
            answer = await client.post(words[-3], content=words[-1], headers=headers)
        assert answer.status_code == 201, answer.text
        if "/entries" not in words[-3]:
            put["GAME"] = answer.json()["id"]
    recorded = (await http.get(f"/api/games/{put['GAME']}")).json()
    assert recorded["totals"] == [1, 0]
    for call in calls[3:]:
        path = call[-1].partition("/api/")[2].replace("GAME", put["GAME"])
        assert path in {"feed?after=0", f"games/{put['GAME']}/live", "heads"}
