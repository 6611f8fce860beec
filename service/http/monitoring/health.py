"""Whether the service lives, whether it can serve, and what it measures."""

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
from service.store.server.migrate import current
from service.tenancy.club_services import services_of

# Where the processes of a service put what they measure, if there are several (prometheus_client).
MULTIPROCESS = "PROMETHEUS_MULTIPROC_DIR"
# Whoever asks whether we are ready does not wait for long.
ANSWER_SECONDS_MAX = 1.0


@get("/healthz", media_type="text/plain")
async def healthz() -> str:
    """Say that the process lives."""
    return "ok\n"


@get("/readyz", media_type="text/plain")
async def readyz(state: State) -> Response[str]:
    """Say whether the database answers, has room, and its schema is this program's."""
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
        asked = asyncio.create_task(current(pool))
        asked.add_done_callback(_heard)
        state["readiness"] = asked
    # Not cancelled: to cancel a statement is to ask the server once more.
    done, _ = await asyncio.wait([asked], timeout=ANSWER_SECONDS_MAX)
    if not done or isinstance(asked.exception(), StoreUnavailable):
        return "the database does not answer\n"
    return "" if asked.result() else "the database's schema is not this program's\n"


def _heard(asked: asyncio.Task[bool]) -> None:
    if not asked.cancelled():
        asked.exception()


@get("/metrics", opt={"documented": Documented(file="text/plain")})
async def metrics(request: HttpRequest, state: State) -> Response[bytes]:
    """Show what is measured, for Prometheus."""
    gauges: ScrapeMetrics = state["gauges"]
    await gauges.look(full=state["pool"].full, last=services_of(request).backups.last)
    registry: CollectorRegistry = state["registry"]
    return Response(generate_latest(registry), headers={"Content-Type": CONTENT_TYPE_LATEST})


def registries() -> tuple[CollectorRegistry, CollectorRegistry]:
    """Make what this process measures in, and what is shown to Prometheus.

    Where several processes answer, what is shown is the sum of all, and nothing of a process.
    """
    own = CollectorRegistry()
    if MULTIPROCESS in os.environ:
        shown = CollectorRegistry()
        MultiProcessCollector(shown)  # type: ignore[no-untyped-call] # as prometheus_client has it
        return own, shown
    ProcessCollector(registry=own)
    GCCollector(registry=own)
    return own, own
