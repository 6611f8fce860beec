"""The HTTP server around an application."""

import asyncio
import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import httpx
import pytest
from litestar import Litestar
from litestar.datastructures import State

from service.errors import StartupError
from service.server import Server


async def test_answers_do_not_wait_for_the_peers_acknowledgement_and_stopping_is_told() -> None:
    app = Litestar(state=State({"stopping": asyncio.Event()}))
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = int(listening.getsockname()[1])
        server = Server(app, "127.0.0.1", port)
        serving = asyncio.create_task(server.serve(sockets=[listening]))
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}") as http:
            assert (await http.get("/")).status_code == 404
        assert listening.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        server.should_exit = True
        await serving
    assert app.state["stopping"].is_set()


async def test_a_foreseen_failure_to_start_is_told_without_its_trace(
    caplog: pytest.LogCaptureFixture,
) -> None:
    reason = StartupError("There is no table", "Bring one")

    @asynccontextmanager
    async def nowhere(app: Litestar) -> AsyncGenerator[None]:
        app.state["failure"] = reason
        raise reason
        yield

    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = Server(Litestar(lifespan=[nowhere]), "127.0.0.1", 0)
        with pytest.raises(StartupError, match="Bring one"):
            await server.serve(sockets=[listening])
    assert "Traceback" not in caplog.text
