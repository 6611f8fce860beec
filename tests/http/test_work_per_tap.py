import sys
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import CodeType, FrameType
from typing import Any
from uuid import uuid4

import httpx
import psycopg
import pytest
from msgspec import Struct

from service.access.secrets import token_hash
from service.app import build
from service.settings import Settings
from tests.http.club import DEAL, Game
from tests.postgres import Cluster
from tests.service_process import KEY

# The framework announces its next version while routes are put together.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
SHORT, LONG = 20, 3_000
GROWTH_MAX = 1.1
# Background jobs run beside some requests: the smallest count is the request's own, but for the
# jobs that each request starts.
ASKED = 20
STATEMENTS_BESIDE = 2
NOTE: dict[str, Any] = {"type": "note", "text": "tea"}
# Each partner deals once: 20 entries.
DEALS: list[dict[str, Any]] = [
    one
    for dealer in (0, 1)
    for one in (*[NOTE] * 8, {"type": "result", "maker": None, "dealer": dealer})
]


class Work(Struct):
    """Function calls of Python and C, statements, and bytes of the answer, of some requests."""

    requests: int = 1
    calls: int = 0
    statements: int = 0
    answer_bytes: int = 0


@pytest.fixture(scope="module")
def url(embedded_cluster: Cluster) -> Iterator[str]:
    with embedded_cluster.database() as made:
        yield made


@asynccontextmanager
async def service(url: str) -> AsyncGenerator[httpx.AsyncClient]:
    settings = Settings(data_dir=Path("/nowhere"), database_url=url, owner_key_hash=token_hash(KEY))
    app = build(settings)
    transport = httpx.ASGITransport(app)  # type: ignore[arg-type] # Litestar types ASGI its own way
    headers = {"Authorization": f"Bearer {KEY}"}
    async with (
        app.lifespan(),
        httpx.AsyncClient(transport=transport, base_url="http://carnet", headers=headers) as http,
    ):
        yield http


async def game_of(http: httpx.AsyncClient, entries: int) -> Game:
    game = await Game.start(http)
    while game.version < entries:
        await game.record(*DEALS * min(8, -(-(entries - game.version) // 20)))
    await game.record(*DEAL)
    return game


async def counted(ask: Callable[[], Awaitable[httpx.Response]], requests: int = 1) -> Work:
    executes: set[CodeType] = {
        psycopg.AsyncConnection.execute.__code__,
        psycopg.AsyncCursor.execute.__code__,
    }
    found: list[Work] = []
    for _ in range(ASKED):
        work = Work()

        def count(frame: FrameType, event: str, _: object, work: Work = work) -> None:
            work.calls += event in {"call", "c_call"}
            work.statements += event == "call" and frame.f_code in executes

        sys.setprofile(count)
        try:
            answer = await ask()
        finally:
            sys.setprofile(None)
        assert answer.status_code in {200, 201}, answer.text
        work.answer_bytes = len(answer.content)
        found.append(work)
    return Work(
        requests=requests,
        calls=min(one.calls for one in found),
        statements=min(one.statements for one in found),
        answer_bytes=min(one.answer_bytes for one in found),
    )


async def send(game: Game, path: str, entry: dict[str, Any], prefer: str = "") -> httpx.Response:
    headers = {
        "If-Match": f'"{game.version}"',
        "Idempotency-Key": str(uuid4()),
        "Prefer": prefer,
    }
    answer = await game.http.post(path, json={"entries": [entry]}, headers=headers)
    game.version = int(answer.headers["ETag"].strip('"'))
    return answer


async def work_by_request(game: Game) -> dict[str, Work]:
    outbox = f"/games/{game.id}/outbox"

    async def undo() -> httpx.Response:
        await send(game, outbox, NOTE)
        return await send(game, outbox, {"type": "take_back", "to": game.version - 1})

    async def redo() -> httpx.Response:
        await undo()
        return await send(game, outbox, NOTE)

    return {
        "tap": await counted(lambda: send(game, outbox, NOTE)),
        "tap and undo": await counted(undo, 2),
        "tap, undo and redo": await counted(redo, 3),
        "append": await counted(lambda: send(game, f"{game.path}/entries", NOTE)),
        "append, return=minimal": await counted(
            lambda: send(game, f"{game.path}/entries", NOTE, "return=minimal")
        ),
        "state": await counted(lambda: game.http.get(game.path)),
        "possible": await counted(lambda: game.http.get(f"{game.path}/possible")),
        "table": await counted(lambda: game.http.get(f"/games/{game.id}")),
        "board": await counted(lambda: game.http.get(f"/games/{game.id}/board")),
    }


async def test_the_work_of_a_request_does_not_grow_with_the_game(url: str) -> None:
    async with service(url) as http:
        short = await work_by_request(await game_of(http, SHORT))
        long = await work_by_request(await game_of(http, LONG))
    grown = {
        name: (one, long[name])
        for name, one in short.items()
        if long[name].calls > GROWTH_MAX * one.calls
        or long[name].statements > one.statements + STATEMENTS_BESIDE * one.requests
        or long[name].answer_bytes > GROWTH_MAX * one.answer_bytes
    }
    assert not grown
