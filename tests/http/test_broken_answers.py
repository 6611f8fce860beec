"""Answers that break off after their head: what the access log and the metrics count."""

from collections.abc import AsyncGenerator
from errno import ENOSPC
from typing import Any, cast
from uuid import uuid4

import httpx
import pytest
import structlog
from litestar import Litestar, get
from litestar.response import Stream
from litestar.types import Receive, Scope, Send
from prometheus_client import CollectorRegistry
from structlog.testing import LogCapture

from service.errors import (
    CarnetError,
    ClientLeft,
    ReaderKilled,
    StoreBusy,
    StoreFull,
    StoreUnavailable,
)
from service.http.monitoring import access_log
from service.http.monitoring.access_log import AccessLog, RequestMetrics


async def _stream_failing_with(
    error: Exception, registry: CollectorRegistry
) -> list[tuple[str, int | None]]:
    """Stream one event and raise `error`; return the events of the log with their status."""

    async def events() -> AsyncGenerator[bytes]:
        yield b"data: 1\n\n"
        raise error

    @get("/")
    async def stream() -> Stream:
        return Stream(events())

    app = Litestar([stream], logging_config=None)
    app.asgi_handler = AccessLog(app.asgi_handler, RequestMetrics(registry), lambda: 0.0, uuid4)

    async def connection(scope: Scope, receive: Receive, send: Send) -> None:
        await app(scope, receive, send)
        # httpx asserts that an answer ends.
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    transport = httpx.ASGITransport(cast("Any", connection), raise_app_exceptions=False)
    capture = LogCapture()
    # A logger of its own: other tests of the process configure those of the service.
    own = structlog.wrap_logger(
        structlog.PrintLogger(),
        processors=[capture],
        wrapper_class=structlog.make_filtering_bound_logger(0),
        context_class=dict,
        cache_logger_on_first_use=False,
    )
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(access_log, "log", own)
        async with httpx.AsyncClient(transport=transport, base_url="http://carnet") as client:
            answer = await client.get("/")
    assert answer.status_code == 200
    return [(one["event"], one.get("status")) for one in capture.entries]


def _counted(registry: CollectorRegistry) -> dict[str, float]:
    return {
        sample.labels["status"]: sample.value
        for metric in registry.collect()
        for sample in metric.samples
        if sample.name == "carnet_http_requests_total"
    }


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (StoreFull("no room"), 507),
        (StoreUnavailable("gone"), 503),
        (StoreBusy("locked"), 503),
        (ReaderKilled(), 503),
        (OSError(ENOSPC, "no room"), 507),
        (KeyError("x"), 500),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else None,
)
async def test_an_answer_that_breaks_off_counts_with_the_status_of_its_error(
    error: CarnetError | KeyError | OSError, status: int
) -> None:
    registry = CollectorRegistry()
    logged = await _stream_failing_with(error, registry)
    assert logged == [("http.request", 200), ("http.broken_off", status)]
    assert _counted(registry) == {"200": 1, str(status): 1}


async def test_a_stream_whose_client_left_is_no_failure() -> None:
    registry = CollectorRegistry()
    assert await _stream_failing_with(ClientLeft(), registry) == [("http.request", 200)]
    assert _counted(registry) == {"200": 1}
