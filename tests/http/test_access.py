"""Links to one game and the owner's key: the routes they open, and the allowed sites.

`test_rights` has the table of routes and rights.
"""

import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.http.club import DEAL, Game, anonymous_client, client_with_key
from tests.http.test_rights import TABLE
from tests.service_process import KEY, ServiceProcess


def fill(path: str) -> str:
    for name in re.findall(r"{(\w+_id)}", path.replace("{ruleset_id}", "")):
        path = path.replace(f"{{{name}}}", str(uuid4()))
    words = {
        "{version}": "1",
        "{position}": "1",
        "{size}": "1",
        "{token}": "none",
        "{ruleset_id}": "euchre",
    }
    for name, word in words.items():
        path = path.replace(name, word)
    return path


@pytest.mark.parametrize(
    "header",
    [
        "",
        "Bearer",
        "Bearer wrong",
        f"Basic {KEY}",
        KEY,
        f"Bearer {KEY}x",
        f"Bearer {KEY[:-1]}",
        "Bearer " + "x" * 5_000,
    ],
)
async def test_what_is_not_the_key_does_not_open(service: ServiceProcess, header: str) -> None:
    async with anonymous_client(service.url) as nobody:
        answer = await nobody.get("/api/players", headers={"Authorization": header})
    assert (answer.status_code, answer.json()["type"]) == (401, "unauthorized")


async def linked(game: Game, role: str) -> httpx.AsyncClient:
    answer = await game.http.post(f"{game.path}/links", json={"role": role})
    assert answer.status_code == 201, answer.text
    return client_with_key(str(game.http.base_url), answer.json()["token"])


@pytest.mark.parametrize("role", ["scorer", "viewer"])
async def test_a_link_reads_its_game(game: Game, role: str) -> None:
    await game.record(*DEAL)
    async with await linked(game, role) as guest:
        for part in ("", "/entries", "/at/2", "/sheet", "/sheet.json", "/sheet.csv"):
            assert (await guest.get(game.path + part)).status_code == 200
        assert (await guest.get("/api/rulesets")).status_code == 200


async def test_a_scorer_writes_the_game_of_the_link_and_the_log_says_so(game: Game) -> None:
    async with await linked(game, "scorer") as scorer:
        theirs = Game(scorer, await game.view())
        assert (await theirs.send(*DEAL)).status_code == 201
        preview = await scorer.post(f"{game.path}/preview", json={"entry": DEAL[0]})
        assert preview.status_code == 200


@pytest.mark.parametrize("role", ["scorer", "viewer"])
async def test_a_link_does_not_tell_another_game_from_none(game: Game, role: str) -> None:
    other = await Game.start(game.http)
    async with await linked(game, role) as guest:
        for method, path, _ in TABLE:
            if not path.startswith("/api/games/{game_id}"):
                continue
            there = fill(path.replace("{game_id}", other.id))
            nowhere = fill(path)
            one = await guest.request(method, there, json={})
            none = await guest.request(method, nowhere, json={})
            assert (one.status_code, one.json()) == (none.status_code, none.json())
            assert one.status_code == 404


async def test_a_link_that_was_revoked_opens_nothing(game: Game) -> None:
    made = (await game.http.post(f"{game.path}/links", json={"role": "scorer"})).json()
    async with client_with_key(str(game.http.base_url), made["token"]) as scorer:
        assert (await scorer.get(game.path)).status_code == 200
        for _ in range(2):
            gone = await game.http.delete(f"{game.path}/links/{made['id']}")
            assert gone.status_code == 204
        assert (await scorer.get(game.path)).status_code == 401


async def test_links_are_listed_without_their_tokens(game: Game) -> None:
    made = (await game.http.post(f"{game.path}/links", json={"role": "viewer"})).json()
    (listed,) = (await game.get("/links"))["links"]

    assert made["token"] in made["url"]
    assert made["qr_svg"].startswith("<svg")
    assert listed == {name: made[name] for name in ("id", "role", "created_at", "revoked_at")}


async def test_a_link_of_another_game_is_not_revoked_from_here(game: Game) -> None:
    other = await Game.start(game.http)
    made = (await other.http.post(f"{other.path}/links", json={"role": "viewer"})).json()

    assert (await game.http.delete(f"{game.path}/links/{made['id']}")).status_code == 404
    assert (await other.get("/links"))["links"][0]["revoked_at"] is None


async def test_nobody_makes_a_link_to_no_game(http: httpx.AsyncClient) -> None:
    answer = await http.post(f"/api/games/{uuid4()}/links", json={"role": "viewer"})
    assert answer.status_code == 404


@asynccontextmanager
async def from_browser(
    service: ServiceProcess, **headers: str
) -> AsyncGenerator[httpx.AsyncClient]:
    async with anonymous_client(service.url) as browser:
        await browser.get("/login", params={"key": KEY})
        browser.headers.update(headers)
        yield browser


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Sec-Fetch-Site": "same-origin"}, 201),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Origin": "https://elsewhere.example"}, 403),
        ({"Origin": "null"}, 403),
        ({}, 201),
    ],
    ids=str,
)
async def test_the_page_of_another_site_does_not_write_with_the_cookie(
    service: ServiceProcess, headers: dict[str, Any], status: int
) -> None:
    async with from_browser(service, **headers) as browser:
        answer = await browser.post("/api/players", json={"name": "Eve", "same_name": True})
        assert answer.status_code == status


async def test_our_own_page_writes_with_the_cookie(service: ServiceProcess) -> None:
    async with from_browser(service, Origin=service.url) as browser:
        assert (
            await browser.post("/api/players", json={"name": "Ann", "same_name": True})
        ).status_code == 201


async def test_a_header_with_the_key_writes_from_anywhere(service: ServiceProcess) -> None:
    async with client_with_key(service.url, KEY) as program:
        headers = {"Origin": "https://elsewhere.example"}
        answer = await program.post(
            "/api/players", json={"name": "Ann", "same_name": True}, headers=headers
        )
        assert answer.status_code == 201
