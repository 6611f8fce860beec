"""Appends go past the framework: what is answered is what its route answers.

An id in capitals is one that only the route knows.
"""

from typing import Any
from uuid import uuid4

import httpx
import pytest

from service.http.problem import BODY_BYTES_MAX
from tests.http.club import DEAL, LOST, Game, as_nobody
from tests.service_process import ServiceProcess

VARYING = {"date", "x-request-id", "content-length"}
HEADERS = {"If-Match": '"1"'}

CASES: dict[str, dict[str, Any]] = {
    "a batch": {"json": {"entries": [*DEAL, LOST]}},
    "minimal": {"json": {"entries": DEAL}, "headers": {"Prefer": "return=minimal"}},
    "not packed": {"json": {"entries": DEAL}, "headers": {"Accept-Encoding": "identity"}},
    "illegal": {"json": {"entries": [LOST, LOST]}, "headers": {"Accept-Language": "fr"}},
    "malformed": {"json": {"entries": [{"type": "play", "seat": 0, "card": "1H"}]}},
    "another version": {"json": {"entries": DEAL}, "headers": {"If-Match": '"7"'}},
    "no version": {"json": {"entries": DEAL}, "headers": {"If-Match": "*"}},
    "not JSON": {"content": b"{"},
    "a query": {"json": {"entries": DEAL}, "params": {"dry": "1"}},
    "too large": {"content": b" " * (BODY_BYTES_MAX + 1)},
    "no key": {"json": {"entries": DEAL}, "headers": {"Authorization": "Bearer nobody's"}},
    "no page": {"json": {"entries": DEAL[1:]}, "headers": {"Accept": "text/html"}},
}


async def answers(game: Game, path: str, case: dict[str, Any]) -> httpx.Response:
    headers = {**HEADERS, "Idempotency-Key": str(uuid4()), **case.get("headers", {})}
    sent: dict[str, Any] = {**case, "headers": headers}
    return await game.http.post(path, **sent)


def told(answer: httpx.Response) -> tuple[int, set[tuple[str, str]], list[str]]:
    """Return what is alike whatever the game: status, headers, what is told of."""
    headers = {pair for pair in answer.headers.items() if pair[0] not in VARYING}
    return answer.status_code, headers, list(answer.json())


@pytest.mark.parametrize("case", CASES)
async def test_an_append_is_answered_as_by_its_route(case: str, http: httpx.AsyncClient) -> None:
    direct, routed = [await Game.started(http) for _ in range(2)]
    answer = await answers(direct, f"/api/games/{direct.id}/entries", CASES[case])
    other = await answers(routed, f"/api/games/{routed.id.upper()}/entries", CASES[case])
    assert told(answer) == told(other)


async def test_a_game_nobody_started_is_not_found_either_way(http: httpx.AsyncClient) -> None:
    body = {"entries": DEAL}
    headers = {**HEADERS, "Idempotency-Key": str(uuid4())}
    for id_ in (str(uuid4()), str(uuid4()).upper()):
        answer = await http.post(f"/api/games/{id_}/entries", json=body, headers=headers)
        assert (answer.status_code, answer.json()["type"]) == (404, "not-found")


async def test_nobody_appends_without_a_key(game: Game, service: ServiceProcess) -> None:
    async with as_nobody(service.url) as nobody:
        answer = await nobody.post(f"{game.path}/entries", json={"entries": DEAL})
    assert answer.status_code == 401


async def test_an_append_is_measured_under_its_route(game: Game) -> None:
    await game.record(*DEAL)
    text = (await game.http.get("/metrics")).text
    wanted = 'method="POST",path="/api/games/{game_id:uuid}/entries",status="201"'
    assert wanted in text
