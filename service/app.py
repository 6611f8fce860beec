"""The composition root: builds the application from settings."""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from datetime import datetime
from functools import partial
from importlib.metadata import version
from typing import Any
from uuid import UUID

from litestar import Litestar, Request, Response, Router
from litestar.config.compression import CompressionConfig
from litestar.di import Provide
from litestar.openapi import OpenAPIConfig
from litestar.openapi.spec import Components, SecurityScheme, Tag
from litestar.types import ASGIApp
from msgspec import Struct

import service.http.routes as http
import service.web.routes as web
from service.access.principal import Principal
from service.access.secrets import token_hash
from service.access.shares import Shares
from service.access.throttle import FailedLoginRates, FailedLogins, Rate, Throttle
from service.club.exports import Exports
from service.club.score_history import ScoreHistory
from service.dependencies import Table
from service.errors import CarnetError, ClientLeft
from service.extension import Extension
from service.extensions.score_books.extension import ScoreBookExtension
from service.extensions.tracing import RequestSpans, Traces
from service.extensions.webhooks.extension import WebhookExtension
from service.extensions.witness.extension import WitnessExtension
from service.feed.coordination import SESSION, coordinating
from service.feed.leader_jobs import run_on_leader
from service.feed.sequencer import FeedMetrics
from service.http.clients import Clients
from service.http.documentation.openapi import Reference, SchemaPlugin, operation_id
from service.http.feed.feed import STREAM_READS_MAX
from service.http.games.live import Broadcast, Streams
from service.http.middleware import RequestRules, methods_of
from service.http.monitoring.access_log import AccessLog, RequestMetrics
from service.http.monitoring.health import registries
from service.http.monitoring.scrape_metrics import ScrapeMetrics
from service.http.problem import BODY_BYTES_MAX, to_problem
from service.metrics import WorkMetrics
from service.nondeterminism import (
    new_file_name,
    new_id,
    new_key,
    new_salt,
    new_seed,
    new_token,
    time_of_day,
)
from service.play.pdf_queue import PdfQueue
from service.play.queries import GameQueries
from service.play.sight import Sight
from service.request_bodies import (
    BodyTimeout,
    FormRequest,
    RequestBodies,
    answer_disconnect,
    answer_timeout,
)
from service.settings import Settings, ViewersKnow
from service.store.access.grants import Grants
from service.store.club.clubs import ClubRows
from service.store.connection.pool import Pool, open_pool
from service.store.server.opening import Database, open_database
from service.tasks import cancel_and_wait
from service.tenancy.club_factory import ClubFactory
from service.tenancy.club_jobs import (
    BACKUP_SECONDS,
    CLEAN_SECONDS,
    STANDINGS_SECONDS,
    ClubJobs,
)
from service.tenancy.club_services import ClubServices, SharedServices, services_of
from service.tenancy.clubs import Clubs
from service.tenancy.sample_clubs import SampleClubs
from service.transfer.upload_reader import UploadReader
from service.web.error_pages import to_page, wants_page
from service.web.reference.schema_page import show_reference

# A page loads a dozen small scripts and styles, so small responses matter. Level 6 takes twice the
# time for a sixth less of a large response.
_GZIP_BYTES_MIN = 500
# Level 4 takes a third longer for a board and saves no packet of its first round trip.
_GZIP_LEVEL = 1

EXTENSIONS: tuple[type[Extension], ...] = (
    WebhookExtension,
    WitnessExtension,
    ScoreBookExtension,
)
CHANNELS = tuple(channel for extension in EXTENSIONS for channel in extension.channels)

Lifespan = Callable[[Litestar], AbstractAsyncContextManager[None]]


class Rates(Struct, frozen=True, kw_only=True):
    failed_logins: FailedLoginRates = FailedLoginRates()
    writes: Rate = Rate(burst=5_000, per_second=500)


def build(
    settings: Settings,
    *,
    seconds: Callable[[], float] = time.monotonic,
    now: Callable[[], datetime] = time_of_day,
    new_id: Callable[[], UUID] = new_id,
    rates: Rates | None = None,
    on_first_key: Callable[[str], None] | None = None,
    on_samples: Callable[[str], None] | None = None,
) -> Litestar:
    """Build the application; its lifespan starts and stops the database.

    `seconds`: a monotonic clock; `now`: the time of day. `on_first_key` is called with a new owner
    key, `on_samples` with one of the sample games, which are made if there are none.
    """
    app = create_routes()
    bodies = RequestBodies(app.asgi_handler)
    registry, shown = registries()
    work, traces = WorkMetrics(registry), Traces()

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncGenerator[None]:
        async with AsyncExitStack() as stack:
            if settings.traced:
                stack.enter_context(traces.running(settings.otel))
            opening = open_database(settings, partial(_give_up, app), traces.tracer)
            store = await stack.enter_async_context(opening)
            together = await stack.enter_async_context(coordinating(store.reached, store.pool))
            shared = SharedServices(
                settings=settings,
                registry=registry,
                pool=store.pool,
                seconds=seconds,
                now=now,
                new_id=new_id,
                new_salt=new_salt,
                new_seed=new_seed,
                new_token=new_token,
                failed_logins=FailedLogins((rates or Rates()).failed_logins, seconds),
                writes=Throttle((rates or Rates()).writes, seconds),
                measured=work,
                coordination=together,
                upload_reader=UploadReader(now),
            )
            store.pool.observe_wait = work.observe_pool_wait
            feed = await stack.enter_async_context(_feed_pool(store))
            extensions = [extension(shared) for extension in EXTENSIONS]
            factory = await _factory(store, shared, feed, extensions, on_first_key)
            clubs = await _clubs(stack, factory, extensions)
            shortening = asyncio.ensure_future(bodies.shorten(app.state["stopping"]))
            stack.push_async_callback(cancel_and_wait, shortening)
            samples = SampleClubs(clubs, store.reached.owner, now, new_id, new_key)
            if on_samples is not None:
                on_samples(await samples.make_key(clubs.first.club_id))
            app.state.update({"clubs": clubs, "samples": samples})
            app.state.update({"pool": store.pool, **_live(work)})
            yield

    state = {"settings": settings, "viewers_know": settings.viewers_know, "registry": shown}
    app.state.update(state, stopping=asyncio.Event(), lifespan=lifespan, now=now, new_id=new_id)
    app.state.update(gauges=ScrapeMetrics(registry, settings), reference=Reference(app))
    sources = tuple(filter(None, (extension.table_source for extension in EXTENSIONS)))
    app.state.update(channels=CHANNELS, table_sources=sources)
    answering: ASGIApp = RequestRules(Clients(bodies), to_problem, methods_of(app.routes))
    if settings.traced:
        answering = RequestSpans(answering, traces)
    app.asgi_handler = AccessLog(answering, RequestMetrics(registry), seconds, new_id)
    return app


async def _factory(
    store: Database,
    shared: SharedServices,
    feed_pool: Pool,
    extensions: Sequence[Extension],
    on_first_key: Callable[[str], None] | None,
) -> ClubFactory:
    first = (await ClubRows(store.pool).first()).club_id
    return ClubFactory(
        shared=shared,
        owner=store.reached.owner,
        feed_pool=feed_pool,
        measured=FeedMetrics(shared.registry),
        first=first,
        given_key=await _given_key(shared.settings, store.pool, first, on_first_key),
        new_file_name=new_file_name,
        extend=[extension.open_club for extension in extensions],
        export_part=next(filter(None, (extension.export_part for extension in extensions)), None),
    )


async def _clubs(
    stack: AsyncExitStack, factory: ClubFactory, extensions: Sequence[Extension]
) -> Clubs:
    first = await factory.make(factory.first, stack)
    clubs = Clubs(first, ClubRows(factory.shared.pool), factory.shared.failed_logins, factory.make)
    stack.push_async_callback(clubs.end)
    jobs, shared = ClubJobs(clubs, factory), factory.shared
    chores = (
        (jobs.backups, BACKUP_SECONDS),
        (jobs.clean, CLEAN_SECONDS),
        (jobs.standings, STANDINGS_SECONDS),
    )
    leader_chores = [
        run_on_leader(chore, lambda: shared.coordination.leads, shared.seconds, every)
        for chore, every in chores
    ]
    added = [job for extension in extensions for job in extension.jobs(clubs)]
    for done in (jobs.feeds(), jobs.usage(), *leader_chores, *added):
        stack.push_async_callback(cancel_and_wait, asyncio.ensure_future(done))
    return clubs


def _live(work: WorkMetrics) -> dict[str, Any]:
    streams = Streams()
    streams.measured = work
    return {
        "streams": streams,
        "feed_reads": asyncio.Semaphore(STREAM_READS_MAX),
        "told": Broadcast(),
        "pdf_queue": PdfQueue(),
        "shares": Shares(),
    }


def _feed_pool(store: Database) -> AbstractAsyncContextManager[Pool]:
    reached = store.reached
    return open_pool(reached.without_pooler, reached.role, 1, 1, name=SESSION)


def create_routes() -> Litestar:
    """Create the application without settings: routes, limits, error handlers, documentation.

    This is two thirds of the CPU time of a start after imports. `build` adds the state of the
    handlers.
    """
    return Litestar(
        route_handlers=[
            *http.routes(
                {tag: many for extension in EXTENSIONS for tag, many in extension.api.items()}
            ),
            *web.routes([page for extension in EXTENSIONS for page in extension.pages]),
        ],
        lifespan=[_lifespan],
        dependencies=_dependencies(),
        exception_handlers={
            ClientLeft: answer_disconnect,
            BodyTimeout: answer_timeout,
            Exception: _to_answer,
        },
        request_class=FormRequest,
        request_max_body_size=BODY_BYTES_MAX,
        compression_config=CompressionConfig(
            backend="gzip",
            gzip_compress_level=_GZIP_LEVEL,
            minimum_size=_GZIP_BYTES_MIN,
            exclude_opt_key="exclude_from_compression",
        ),
        openapi_config=_openapi(),
        logging_config=None,
    )


def _lifespan(app: Litestar) -> AbstractAsyncContextManager[None]:
    lifespan: Lifespan = app.state["lifespan"]
    return lifespan(app)


def _to_answer(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    return to_page(request, error) if wants_page(request) else to_problem(request, error)


def _give_up(app: Litestar, error: CarnetError) -> None:
    app.state["failure"] = error
    app.state["stopping"].set()


async def _given_key(
    settings: Settings, pool: Pool, first: UUID, on_first_key: Callable[[str], None] | None
) -> bytes | None:
    if settings.owner_key_hash is not None:
        return settings.owner_key_hash
    grants = Grants(pool, first)
    if await grants.owner_key_hash() is None:
        key = new_key(first)
        if await grants.claim_owner_key(token_hash(key)) and on_first_key is not None:
            on_first_key(key)
    return None


def _dependencies() -> dict[str, Provide]:
    added = [name for extension in EXTENSIONS for name in extension.dependencies]
    return {name: _part(name) for name in ClubServices.__struct_fields__} | {
        **{name: _extension_part(name) for name in added},
        "games": Provide(_games, sync_to_thread=False),
        "table": Provide(_table, sync_to_thread=False),
        "history": Provide(_history, sync_to_thread=False),
        "exports": Provide(_exports, sync_to_thread=False),
        "now": _provide_state("now"),
        "new_id": _provide_state("new_id"),
        "new_secret": Provide(lambda: new_seed, sync_to_thread=False),
    }


def _part(name: str) -> Provide:
    def provide(request: Request[Any, Any, Any]) -> Any:  # noqa: ANN401 one provider for every part
        return getattr(services_of(request), name)

    return Provide(provide, sync_to_thread=False)


def _extension_part(name: str) -> Provide:
    def provide(request: Request[Any, Any, Any]) -> Any:  # noqa: ANN401 as above
        return services_of(request).extensions[name]

    return Provide(provide, sync_to_thread=False)


def _table(request: Request[Any, Any, Any]) -> Table:
    services = services_of(request)
    new_id: Callable[[], UUID] = request.app.state["new_id"]
    return Table(_games(request), services.commands, services.grants, new_id)


def _games(request: Request[Any, Any, Any]) -> GameQueries:
    who: Principal | None = request.scope.get("user")
    if who is not None and who.may_start:  # sees every game of the club whole
        return services_of(request).games
    viewers_know: ViewersKnow = request.app.state["viewers_know"]
    public: Sight = "deal" if viewers_know == "live" else viewers_know

    def sight(game_id: UUID) -> Sight:
        if who is None:
            return public
        return "whole" if who.may_write(game_id) else viewers_know

    return services_of(request).games.as_seen(sight)


def _history(request: Request[Any, Any, Any]) -> ScoreHistory:
    return services_of(request).history.as_seen(_games(request).hidden_from)


def _exports(request: Request[Any, Any, Any]) -> Exports:
    return services_of(request).exports.as_seen(_games(request).hidden_from)


def _provide_state(name: str) -> Provide:
    def provide(request: Request[Any, Any, Any]) -> Any:  # noqa: ANN401 as above
        return request.app.state[name]

    return Provide(provide, sync_to_thread=False)


def _openapi() -> OpenAPIConfig:
    tags = http.TAGS | {
        tag: said for extension in EXTENSIONS for tag, said in extension.tags.items()
    }
    return OpenAPIConfig(
        title="Carnet",
        version=version("carnet"),
        description="Records card games play by play and keeps their score sheets.",
        openapi_router=Router(
            "/schema",
            route_handlers=[],
            include_in_schema=False,
            before_request=show_reference,
            response_headers={"Vary": "Accept"},
        ),
        render_plugins=[SchemaPlugin()],
        operation_id_creator=operation_id,
        tags=[Tag(name=name, description=said) for name, said in tags.items()],
        use_handler_docstrings=True,
        components=Components(
            security_schemes={"key": SecurityScheme(type="http", scheme="bearer")}
        ),
        security=[{"key": []}],
    )
