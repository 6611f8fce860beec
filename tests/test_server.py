"""The HTTP server around an application."""

import asyncio
import socket

import httpx
from litestar import Litestar
from litestar.datastructures import State

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
