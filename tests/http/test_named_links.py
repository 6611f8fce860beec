import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import httpx
import psycopg
import pytest

from tests.http.club import Game, Json, anonymous_client, client_with_key
from tests.service_process import ServiceProcess

PATIENCE_SECONDS = 20
GRANDMA = "Grandma's tablet"


async def make(game: Game, **what: object) -> dict[str, Any]:
    answer = await game.http.post(f"{game.path}/links", json=what)
    assert answer.status_code == 201, answer.text
    link: dict[str, Any] = answer.json()
    return link


def end_now(database: str, link: Json) -> None:
    ended = "UPDATE carnet.access_grant SET expires_at = now() WHERE grant_id = %s"
    with psycopg.connect(database) as conn:
        # On a cluster the setting must reach the node.
        conn.execute("SET LOCAL citus.propagate_set_commands = 'local'")
        conn.execute("SET LOCAL session_replication_role = replica")
        conn.execute(ended, [link["id"]])


@pytest.mark.parametrize("role", ["scorer", "viewer", "public"])
async def test_a_link_says_whose_it_is_and_when_it_ends(game: Game, role: str) -> None:
    expires_at = "2131-04-02T22:00:00+02:00"
    link = await make(game, role=role, name=f"  {GRANDMA} ", expires_at=expires_at)
    (listed,) = (await game.get("/links"))["links"]
    for one in (link, listed):
        assert one["name"] == GRANDMA
        assert datetime.fromisoformat(one["expires_at"]) == datetime.fromisoformat(expires_at)


async def test_neither_is_said_where_there_is_none(game: Game) -> None:
    link = await make(game, role="viewer")
    assert "name" not in link
    assert "expires_at" not in link


@pytest.mark.parametrize(
    ("terms", "path"),
    [
        ({"name": "\u2800"}, "$.name"),
        ({"name": "x" * 101}, "$.name"),
        ({"expires_at": "2001-04-02T22:00:00Z"}, "$.expires_at"),
        ({"expires_at": "2131-04-02T22:00:00"}, "$.expires_at"),
    ],
)
async def test_terms_that_cannot_be_are_refused(game: Game, terms: Json, path: str) -> None:
    answer = await game.http.post(f"{game.path}/links", json={"role": "viewer", **terms})
    assert (answer.status_code, answer.json()["path"]) == (400, path)
    assert (await game.get("/links"))["links"] == []


@pytest.mark.parametrize("role", ["scorer", "viewer"])
async def test_a_link_that_has_ended_opens_nothing_and_says_so(
    game: Game, service: ServiceProcess, service_database: str, role: str
) -> None:
    link = await make(game, role=role, expires_at="2131-04-02T22:00:00Z")
    async with client_with_key(service.url, link["token"]) as guest:
        assert (await guest.get(game.path)).status_code == 200
    end_now(service_database, link)
    # Identities are cached for a second.
    async with (
        client_with_key(service.url, link["token"]) as guest,
        asyncio.timeout(PATIENCE_SECONDS),
    ):
        while (answer := await guest.get(game.path)).status_code == 200:
            pass
    assert answer.status_code == 401
    async with anonymous_client(service.url) as nobody:
        answer = await nobody.get("/login", params={"key": link["token"]})
    assert answer.status_code == 401
    assert "This link ended on" in answer.text
    page = (await game.http.get(f"/games/{game.id}/share")).text
    assert "ended" in page
    assert "/revoke" not in page


async def test_a_public_link_that_has_ended_shows_nothing(
    game: Game, service_database: str
) -> None:
    link = await make(game, role="public", expires_at="2131-04-02T22:00:00Z")
    assert (await game.http.get(f"/shared/{link['token']}")).status_code == 200
    end_now(service_database, link)
    assert (await game.http.get(f"/shared/{link['token']}")).status_code == 404


async def test_the_page_reads_the_end_on_the_readers_clock(game: Game) -> None:
    form = {"role": "viewer", "name": GRANDMA, "end": "2131-07-02T22:00"}
    game.http.cookies.set("carnet-zone", "Asia/Tokyo")
    await game.http.post(f"/games/{game.id}/share", data=form)
    (link,) = (await game.get("/links"))["links"]
    there = datetime(2131, 7, 2, 22, tzinfo=ZoneInfo("Asia/Tokyo"))
    assert datetime.fromisoformat(link["expires_at"]) == there
    page = (await game.http.get(f"/games/{game.id}/share")).text
    assert "Grandma&#39;s tablet" in page


@pytest.mark.parametrize(
    ("field", "typed", "words"),
    [
        ("name", "\u2800", "That is not a name."),
        ("end", "tomorrow", "its end must be in the future"),
        (
            "end",
            (datetime.now(UTC) - timedelta(days=2)).strftime("%Y-%m-%dT%H:%M"),
            "in the future",
        ),
    ],
)
async def test_the_page_says_what_was_refused(
    game: Game, field: str, typed: str, words: str
) -> None:
    answer = await game.http.post(f"/games/{game.id}/share", data={"role": "public", field: typed})
    assert answer.headers["Location"] == f"/games/{game.id}/share?wrong={field}"
    assert words in (await game.http.get(answer.headers["Location"])).text
    assert (await game.get("/links"))["links"] == []


async def test_entries_are_told_by_the_name_of_their_link(game: Game) -> None:
    link = await make(game, role="scorer", name=GRANDMA)
    url: httpx.URL = game.http.base_url
    async with client_with_key(str(url), link["token"]) as scorer:
        sent = await Game(scorer, await game.view()).send({"type": "note", "text": "rain"})
        assert sent.is_success
    assert "by link: Grandma&#39;s tablet" in (await game.http.get(f"/games/{game.id}/log")).text
