"""The ruler of tests/bench/http.py: Litestar and psycopg, one durable INSERT a request.

Nothing is authenticated or judged. `python -m tests.bench.bare_insert PORT DATABASE_URL`.
"""

import asyncio
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID

from litestar import Litestar, Request, Response, post
from psycopg.types.json import Jsonb
from psycopg_pool import AsyncConnectionPool

from service.server import run

TABLE = """
CREATE TABLE IF NOT EXISTS bare (
    game_id uuid, version integer, command_id uuid NOT NULL, entry jsonb NOT NULL,
    recorded_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (game_id, version))
"""
INSERT = "INSERT INTO bare (game_id, version, command_id, entry) VALUES (%s, %s, %s, %s)"


@post("/api/games/{game_id:uuid}/entries")
async def insert(
    request: Request[Any, Any, Any], game_id: UUID, data: dict[str, Any]
) -> Response[dict[str, Any]]:
    """Store the body as the version after `If-Match`."""
    version = int(request.headers["if-match"].strip('"')) + 1
    command_id = UUID(request.headers["idempotency-key"])
    async with request.app.state.connections.connection() as conn:
        await conn.execute(INSERT, (game_id, version, command_id, Jsonb(data)))
    return Response({"version": version, **data}, headers={"ETag": f'"{version}"'})


def serve(port: int, url: str) -> None:
    """Serve it as the service is served."""

    @asynccontextmanager
    async def connected(app: Litestar) -> AsyncGenerator[None]:
        options = {"autocommit": True}
        async with AsyncConnectionPool(url, min_size=10, kwargs=options, open=False) as pool:
            async with pool.connection() as conn:
                await conn.execute(TABLE)
            app.state.connections = pool
            yield

    app = Litestar([insert], lifespan=[connected], openapi_config=None, logging_config=None)
    app.state.stopping = asyncio.Event()
    run(app, "127.0.0.1", port)


if __name__ == "__main__":
    serve(int(sys.argv[1]), sys.argv[2])
