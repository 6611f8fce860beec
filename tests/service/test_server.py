import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import httpx
import pytest
from litestar import Litestar, get
from litestar.datastructures import State

from service.errors import StartupError
from service.server import serve
from tests.service_process import free_port


async def test_a_request_in_progress_is_answered_before_the_server_stops() -> None:
    begun = asyncio.Event()

    @get("/slow")
    async def slow() -> str:
        begun.set()
        await asyncio.sleep(0.5)
        return "answered"

    app, port = Litestar([slow], state=State({"stopping": asyncio.Event()})), free_port()
    serving = asyncio.create_task(serve(app, "127.0.0.1", port))
    async with httpx.AsyncClient(transport=httpx.AsyncHTTPTransport(retries=5)) as http:
        answering = asyncio.create_task(http.get(f"http://127.0.0.1:{port}/slow"))
        await begun.wait()
        app.state["stopping"].set()
        assert (await answering).text == "answered"
    await serving


async def test_a_failure_to_start_is_raised_as_it_is() -> None:
    @asynccontextmanager
    async def nowhere(_: Litestar) -> AsyncGenerator[None]:
        raise StartupError("There is no table", "Bring one")
        yield

    app = Litestar(lifespan=[nowhere], state=State({"stopping": asyncio.Event()}))
    with pytest.raises(StartupError, match="Bring one"):
        await serve(app, "127.0.0.1", 0)
