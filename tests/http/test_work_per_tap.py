import asyncio
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable, Container, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import CodeType, FrameType
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import httpx
import psycopg
import pytest
from msgspec import Struct

from service.access.secrets import token_hash
from service.app import build
from service.play.workers import Workers
from service.settings import Settings
from tests.http.club import DEAL, Game
from tests.postgres import Cluster
from tests.service_process import KEY

# The framework announces its next version while routes are put together.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
# A page of a full game lists as many deals as that of any longer one.
SHORT, FULL, LONG = 20, 600, 3_000
GROWTH_MAX = 1.1
# Of the calls for each byte of a page, for which a short game lists fewer deals.
GROWTH_BY_SIZE_MAX = 1.5
# Some requests also do what others need later, as writing the time of a key's last use: the
# smallest count is the request's own.
REPEATS = 10
REFUSED = 422
NOTE: dict[str, Any] = {"type": "note", "text": "tea"}
VOID: dict[str, Any] = {"type": "void", "reason": "misdeal"}
# Each partner deals once: 20 entries.
DEALS: list[dict[str, Any]] = [
    one
    for dealer in (0, 1)
    for one in (*[NOTE] * 8, {"type": "result", "maker": None, "dealer": dealer})
]


class Work(Struct):
    """Function calls of Python and C, statements, and bytes of the answer, of some requests."""

    calls: int = 0
    statements: int = 0
    answer_bytes: int = 0


@pytest.fixture(scope="module")
def url(embedded_cluster: Cluster) -> Iterator[str]:
    with embedded_cluster.database() as made:
        yield made


@pytest.fixture(autouse=True)
def threads_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run(_self: Workers, work: Callable[[], Any], *, long: bool) -> Any:  # noqa: ANN401, ARG001 as the real one
        return work()

    monkeypatch.setattr(Workers, "run", run)


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


async def counted(ask: Callable[[], Awaitable[httpx.Response]], status: int | None = None) -> Work:
    """Count the work of a request and of the tasks it starts.

    Background jobs, whose tasks are older, run at any time beside it and are not counted.
    """
    executes: set[CodeType] = {
        psycopg.AsyncConnection.execute.__code__,
        psycopg.AsyncCursor.execute.__code__,
    }
    found: list[Work] = []
    for _ in range(REPEATS):
        work = Work()
        jobs = asyncio.all_tasks() - {asyncio.current_task()}

        def count(
            frame: FrameType,
            event: str,
            _: object,
            work: Work = work,
            jobs: Container[asyncio.Task[Any] | None] = jobs,
        ) -> None:
            if asyncio.current_task() in jobs:
                return
            work.calls += event in {"call", "c_call"}
            work.statements += event == "call" and frame.f_code in executes

        sys.setprofile(count)
        try:
            answer = await ask()
        finally:
            sys.setprofile(None)
        assert answer.status_code in ({status} if status else {200, 201}), answer.text
        work.answer_bytes = len(answer.content)
        found.append(work)
    return Work(
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
    if "ETag" in answer.headers:
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

    async def ended() -> httpx.Response:
        return await send(game, outbox, {"type": "result", "maker": None})

    async def annulled() -> httpx.Response:
        await send(game, outbox, DEAL[0])
        return await send(game, outbox, VOID)

    found = {
        "tap": await counted(lambda: send(game, outbox, NOTE)),
        "tap and undo": await counted(undo),
        "tap, undo and redo": await counted(redo),
        "append": await counted(lambda: send(game, f"{game.path}/entries", NOTE)),
        "append, return=minimal": await counted(
            lambda: send(game, f"{game.path}/entries", NOTE, "return=minimal")
        ),
        "state": await counted(lambda: game.http.get(game.path)),
        "possible": await counted(lambda: game.http.get(f"{game.path}/possible")),
        "table": await counted(lambda: game.http.get(f"/games/{game.id}")),
        "board": await counted(lambda: game.http.get(f"/games/{game.id}/board")),
        "refused tap": await counted(
            lambda: send(game, outbox, {"type": "play", "seat": 0, "card": "9S"}),
            status=REFUSED,
        ),
        "correction of the first entry": await counted(
            lambda: game.http.get(f"/games/{game.id}/correct/2")
        ),
    }
    await send(game, outbox, VOID)
    found["deal annulled"] = await counted(annulled)
    found["deal ended"] = await counted(ended)
    return found


async def work_by_page(game: Game, link: str) -> dict[str, Work]:
    """Count the work of pages whose size depends on the number of deals, up to a maximum."""
    path, outbox = f"/games/{game.id}", f"/games/{game.id}/outbox"

    async def changed() -> httpx.Response:
        await send(game, outbox, NOTE)
        await send(game, outbox, {"type": "take_back", "to": game.version - 1})
        return await game.http.get(f"{path}/log")

    def replay(version: int, part: str = "") -> Callable[[], Awaitable[httpx.Response]]:
        return lambda: game.http.get(f"{path}/at/{version}", headers={"X-Part": part})

    return {
        "entries": await counted(lambda: game.http.get(f"{path}/log")),
        "entries of the first deal": await counted(lambda: game.http.get(f"{path}/log?deal=1")),
        "entries after tap and undo": await counted(changed),
        "sheet": await counted(lambda: game.http.get(f"{path}/sheet?page=1")),
        "sheet by the API": await counted(lambda: game.http.get(f"{game.path}/sheet?limit=5")),
        "log by the API": await counted(lambda: game.http.get(f"{game.path}/entries?limit=5")),
        "effective log by the API": await counted(
            lambda: game.http.get(f"{game.path}/entries?limit=5&effective=true&skip=12")
        ),
        "replay": await counted(replay(game.version)),
        "replay of the first deal": await counted(replay(5)),
        "moments of the replay": await counted(replay(5, "moments")),
        "chapters of the replay": await counted(replay(5, "chapters")),
        "openness of the replay": await counted(replay(5, "openness")),
        "public link": await counted(lambda: game.http.get(link)),
        "scores by a public link": await counted(lambda: game.http.get(f"{link}/scores?page=1")),
    }


async def test_the_work_of_a_request_does_not_grow_with_the_game(url: str) -> None:
    async with service(url) as http:
        short = await work_by_request(await game_of(http, SHORT))
        long = await work_by_request(await game_of(http, LONG))
    grown = {
        name: (one, long[name])
        for name, one in short.items()
        if long[name].calls > GROWTH_MAX * one.calls
        or long[name].statements > one.statements
        or long[name].answer_bytes > GROWTH_MAX * one.answer_bytes
    }
    assert not grown


async def test_the_work_of_a_page_does_not_grow_with_the_game(url: str) -> None:
    found: list[dict[str, Work]] = []
    async with service(url) as http:
        for entries in (SHORT, FULL, LONG):
            game = await game_of(http, entries)
            made = await http.post(f"{game.path}/links", json={"role": "public"})
            found.append(await work_by_page(game, urlsplit(made.json()["url"]).path))
    short, full, long = found
    grown = {
        name: (one, full[name], long[name])
        for name, one in short.items()
        if long[name].calls > GROWTH_MAX * full[name].calls
        or long[name].answer_bytes > GROWTH_MAX * full[name].answer_bytes
        or long[name].statements > one.statements
        or long[name].calls * one.answer_bytes
        > GROWTH_BY_SIZE_MAX * one.calls * long[name].answer_bytes
    }
    assert not grown
