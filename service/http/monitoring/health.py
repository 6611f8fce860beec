"""Health, readiness and metrics."""

import asyncio
import os

from litestar import Response, get
from litestar.datastructures import State
from msgspec import Struct, json
from prometheus_client import CollectorRegistry, GCCollector, ProcessCollector, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.multiprocess import MultiProcessCollector

from service.access.admission import Access
from service.errors import StoreUnavailable
from service.http.documentation.openapi import Documented
from service.http.inputs import HttpRequest
from service.http.monitoring.scrape_metrics import ScrapeMetrics
from service.store.connection.pool import Pool
from service.store.server.migrate import check_schema_of
from service.tasks import start_for_all
from service.tenancy.club_services import services_of

# The directory of metrics shared by worker processes, if there are several (prometheus_client).
MULTIPROCESS = "PROMETHEUS_MULTIPROC_DIR"
# Timeout of the readiness check.
ANSWER_SECONDS_MAX = 1.0


class ServiceView(Struct, frozen=True, kw_only=True):
    """The program that answers. Its version follows Semantic Versioning, as the API does."""

    name: str
    version: str


@get("/", opt={"access": Access.KNOWN, "documented": Documented(answer=ServiceView)})
async def show_service(request: HttpRequest) -> Response[bytes]:
    """Return the version of the service and of its API."""
    config = request.app.openapi_config
    assert config is not None  # noqa: S101 -- set where routes are made
    view = ServiceView(name=config.title, version=config.version)
    return Response(json.encode(view), media_type="application/json")


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
    check: asyncio.Task[bool] | None = state.get("readiness")
    if check is None or check.done():
        check = start_for_all(check_schema_of(pool))
        check.add_done_callback(_consume_result)
        state["readiness"] = check
    # Do not cancel the query: that would be another request to the server.
    done, _ = await asyncio.wait([check], timeout=ANSWER_SECONDS_MAX)
    if not done or isinstance(check.exception(), StoreUnavailable):
        return "the database does not answer\n"
    return "" if check.result() else "the database's schema is not this program's\n"


def _consume_result(check: asyncio.Task[bool]) -> None:
    if not check.cancelled():
        check.exception()


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
