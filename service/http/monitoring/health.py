"""Health, readiness and metrics."""

import asyncio
import os

from litestar import Response, get
from litestar.datastructures import State
from prometheus_client import CollectorRegistry, GCCollector, ProcessCollector, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.multiprocess import MultiProcessCollector

from service.errors import StoreUnavailable
from service.http.documentation.openapi import Documented
from service.http.inputs import HttpRequest
from service.http.monitoring.scrape_metrics import ScrapeMetrics
from service.store.connection.pool import Pool
from service.store.server.migrate import check_schema_of
from service.tenancy.club_services import services_of

# The directory of metrics shared by worker processes, if there are several (prometheus_client).
MULTIPROCESS = "PROMETHEUS_MULTIPROC_DIR"
# Timeout of the readiness check.
ANSWER_SECONDS_MAX = 1.0


@get("/healthz", media_type="text/plain")
async def healthz() -> str:
    """Return 200 while the process runs."""
    return "ok\n"


@get("/readyz", media_type="text/plain")
async def readyz(state: State) -> Response[str]:
    """Return whether the database answers, has disk space, and has this release's schema."""
    pool: Pool = state["pool"]
    why = "the database's disk is full\n" if pool.full else await _unready(state, pool)
    return Response(
        why or "ok\n",
        status_code=503 if why else 200,
        headers={"Cache-Control": "no-store"},
    )


async def _unready(state: State, pool: Pool) -> str:
    asked: asyncio.Task[bool] | None = state.get("readiness")
    if asked is None or asked.done():
        asked = asyncio.create_task(check_schema_of(pool))
        asked.add_done_callback(_consume_result)
        state["readiness"] = asked
    # Do not cancel the query: that would be another request to the server.
    done, _ = await asyncio.wait([asked], timeout=ANSWER_SECONDS_MAX)
    if not done or isinstance(asked.exception(), StoreUnavailable):
        return "the database does not answer\n"
    return "" if asked.result() else "the database's schema is not this program's\n"


def _consume_result(asked: asyncio.Task[bool]) -> None:
    if not asked.cancelled():
        asked.exception()


@get("/metrics", opt={"documented": Documented(file="text/plain")})
async def metrics(request: HttpRequest, state: State) -> Response[bytes]:
    """Return the metrics in the Prometheus text format."""
    gauges: ScrapeMetrics = state["gauges"]
    await gauges.update(full=state["pool"].full, last=services_of(request).backups.last)
    registry: CollectorRegistry = state["registry"]
    return Response(generate_latest(registry), headers={"Content-Type": CONTENT_TYPE_LATEST})


def registries() -> tuple[CollectorRegistry, CollectorRegistry]:
    """Return the registry for this process's metrics, and the one to export.

    With several worker processes, the export has the sums over all of them.
    """
    own = CollectorRegistry()
    if MULTIPROCESS in os.environ:
        shown = CollectorRegistry()
        MultiProcessCollector(shown)  # type: ignore[no-untyped-call] # as prometheus_client has it
        return own, shown
    ProcessCollector(registry=own)
    GCCollector(registry=own)
    return own, own
