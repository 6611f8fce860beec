"""Whether the service lives, whether it can serve, and what it measures."""

import asyncio

from litestar import Response, get
from litestar.datastructures import State
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST

from service.errors import StoreUnavailable
from service.store.migrate import current
from service.store.pool import Pool

# Whoever asks whether we are ready does not wait for long.
ANSWER_SECONDS_MAX = 1.0


@get("/healthz", media_type="text/plain")
async def healthz() -> str:
    """Say that the process lives."""
    return "ok\n"


@get("/readyz", media_type="text/plain")
async def readyz(state: State) -> Response[str]:
    """Say whether the database answers and its schema is this program's."""
    pool: Pool = state["pool"]
    try:
        async with asyncio.timeout(ANSWER_SECONDS_MAX):
            ready, why = await current(pool), "the database's schema is not this program's\n"
    except (StoreUnavailable, TimeoutError):
        ready, why = False, "the database does not answer\n"
    return Response(
        "ok\n" if ready else why,
        status_code=200 if ready else 503,
        headers={"Cache-Control": "no-store"},
    )


@get("/metrics")
async def metrics(state: State) -> Response[bytes]:
    """Show what is measured, for Prometheus."""
    registry: CollectorRegistry = state["registry"]
    return Response(generate_latest(registry), headers={"Content-Type": CONTENT_TYPE_LATEST})
