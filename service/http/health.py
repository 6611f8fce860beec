"""Whether the service lives, whether it can serve, and what it measures."""

from litestar import Response, get
from litestar.datastructures import State
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST

from service.errors import StoreUnavailable
from service.store.migrate import current
from service.store.pool import Pool


@get("/healthz", media_type="text/plain")
async def healthz() -> str:
    """Say that the process lives."""
    return "ok\n"


@get("/readyz", media_type="text/plain")
async def readyz(state: State) -> Response[str]:
    """Say whether the database answers and its schema is this program's."""
    pool: Pool = state["pool"]
    try:
        ready, why = await current(pool), "the database's schema is not this program's\n"
    except StoreUnavailable:
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
