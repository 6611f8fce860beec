"""The composition root: settings in, the application out.

Promises: the only place where clocks, ids and secrets are made, and where the parts of the service
meet; nothing happens before the application starts, and what it started it stops. Assumes one
event loop; any number of processes may share a database.
"""

import asyncio
import os
import secrets
import time
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import (
    AbstractAsyncContextManager,
    AsyncExitStack,
    asynccontextmanager,
    contextmanager,
)
from datetime import UTC, datetime
from functools import partial
from typing import Any
from uuid import UUID, uuid4

from litestar import Litestar, Request, Response, Router
from litestar.config.compression import CompressionConfig
from litestar.datastructures import State
from litestar.di import Provide
from litestar.openapi import OpenAPIConfig
from litestar.openapi.spec import Components, SecurityScheme, Tag
from msgspec import Struct
from prometheus_client import CollectorRegistry, GCCollector, ProcessCollector
from prometheus_client.multiprocess import MultiProcessCollector

import service.http.routes as http
import service.web.routes as web
from service.access.identity import Identities, OwnerHash, token_hash
from service.access.known_links import KnownLinks
from service.access.throttle import Rate, Throttle
from service.club.evenings import Evenings
from service.club.exports import Exports
from service.club.people import People
from service.club.score_history import ScoreHistory
from service.club.spool import KeptFiles
from service.departures import ClientLeft, Departures, to_nobody
from service.errors import CarnetError
from service.http.access_log import AccessLog, Measurements
from service.http.direct import DirectAppends
from service.http.documentation import Reference, SchemaPlugin, operation_id
from service.http.heads import Heads
from service.http.live import Told
from service.http.problem import BODY_BYTES_MAX, to_problem
from service.http.safe_headers import SafeHeaders
from service.play.commands import GameCommands
from service.play.press import Press
from service.play.process import new_process
from service.play.queries import GameQueries
from service.settings import Settings
from service.store.backups_made import BackupsMade
from service.store.embedded import EmbeddedServer
from service.store.events import EventStore
from service.store.known_games import KnownGames
from service.store.links import Links
from service.store.migrate import migrate
from service.store.owner_key import OwnerKey
from service.store.players import Players
from service.store.pool import Pool, open_pool
from service.store.projections import GameIndex
from service.store.public_links import PublicLinks
from service.store.records import DEFAULT_CLUB
from service.store.supervision import supervised
from service.transfer.backups import BackupFolder, Backups
from service.transfer.everything import Everything
from service.transfer.portable_records import Records
from service.transfer.recognition import Recognition
from service.transfer.score_keeping import ScoreKeeping
from service.web.error_pages import to_page, wants_page
from service.web.reference.schema_page import show_reference

# Where the processes of a service put what they measure, if there are several (prometheus_client).
MULTIPROCESS = "PROMETHEUS_MULTIPROC_DIR"
KEY_BYTES = 24
TOKEN_BYTES = 18
SALT_BYTES = 16
# How long what somebody brings waits to be looked at and kept.
BROUGHT_SECONDS = 3_600.0
# Less is one packet anyway. Level 6 takes twice as long for a sixth less of a large answer.
_GZIP_BYTES_MIN = 1_400
_GZIP_LEVEL = 4


class Rates(Struct, frozen=True, kw_only=True):
    """How fast is too fast: wrong keys from one address, writes of one person in one game."""

    guesses: Rate = Rate(burst=60, per_second=1)
    writes: Rate = Rate(burst=5_000, per_second=500)


def new_key() -> str:
    """Make a key for the owner: 192 bits of chance."""
    return secrets.token_urlsafe(KEY_BYTES)


def new_token() -> str:
    """Make a token for a link: 144 bits of chance, short enough for a small QR code."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def new_salt() -> bytes:
    """Make what keeps a digest from telling which text it is of: 128 bits of chance."""
    return secrets.token_bytes(SALT_BYTES)


def time_of_day() -> datetime:
    """Tell the time of day."""
    return datetime.now(UTC)


def build(
    settings: Settings,
    *,
    seconds: Callable[[], float] = time.monotonic,
    now: Callable[[], datetime] = time_of_day,
    new_id: Callable[[], UUID] = uuid4,
    rates: Rates | None = None,
    on_first_key: Callable[[str], None] | None = None,
) -> Litestar:
    """Build the application; its lifespan starts the database and stops it.

    `seconds` only goes forward, `now` is the time of day. `on_first_key` is given the owner's key
    when one was made, the only time it can be shown.
    """
    registry, shown = _registries()

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncGenerator[None]:
        async with AsyncExitStack() as stack:
            with _failures_kept(app):
                url, pool = await _open_store(settings, stack, partial(_give_up, app))
                owner = await _owner_hash(settings, pool, seconds, on_first_key)
            files = KeptFiles(settings.data_dir / "exports", seconds, new_token)
            await stack.enter_async_context(files.looked_after())
            parts = _parts(pool, owner, seconds, new_id, rates or Rates())
            parts["exports"] = Exports(parts["history"], files, seconds)
            brought = KeptFiles(settings.data_dir / "brought", seconds, new_token, BROUGHT_SECONDS)
            await stack.enter_async_context(brought.looked_after())
            backups = _backups(stack, settings, Everything(url, pool), pool, now)
            parts |= {"brought": brought, "everything": backups.everything, "backups": backups}
            app.state.update({**parts, **_live(), "registry": shown})
            yield

    app = _application(lifespan, _dependencies(now, new_id))
    app.state["reference"] = Reference(app)
    app.state["viewers_know"] = settings.viewers_know
    direct = DirectAppends(app, _to_answer, _GZIP_BYTES_MIN, _GZIP_LEVEL)
    answering = SafeHeaders(Heads(Departures(direct)))
    app.asgi_handler = AccessLog(answering, Measurements(registry), seconds, new_id)
    return app


def _live() -> dict[str, Any]:
    """Make what those who follow a game have in common."""
    return {"stopping": asyncio.Event(), "streams": Counter[bytes](), "told": Told()}


def _backups(
    stack: AsyncExitStack,
    settings: Settings,
    everything: Everything,
    pool: Pool,
    now: Callable[[], datetime],
) -> Backups:
    """Make what knows of the backups, and begin to make one every night where a folder is named."""
    folder = None
    if settings.backup_dir is not None:
        folder = BackupFolder(settings.backup_dir, settings.backups_kept, now)
    backups = Backups(everything, BackupsMade(pool, DEFAULT_CLUB), folder)
    stack.push_async_callback(_ended, asyncio.ensure_future(backups.nightly()))
    return backups


async def _ended(task: "asyncio.Future[None]") -> None:
    """End what goes on beside the requests."""
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


def _application(
    lifespan: Callable[[Litestar], AbstractAsyncContextManager[None]],
    dependencies: dict[str, Provide],
) -> Litestar:
    """Put routes, limits, problems and documentation together."""
    return Litestar(
        route_handlers=[*http.route_handlers, *web.route_handlers],
        lifespan=[lifespan],
        dependencies=dependencies,
        exception_handlers={ClientLeft: to_nobody, Exception: _to_answer},
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


def _registries() -> tuple[CollectorRegistry, CollectorRegistry]:
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


@contextmanager
def _failures_kept(app: Litestar) -> Generator[None]:
    """Keep why the service cannot start: Litestar passes it on as a text with its whole trace."""
    try:
        yield
    except CarnetError as error:
        app.state["failure"] = error
        raise


def _to_answer(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    """Tell what went wrong where no route was found: as a page to those who read pages."""
    if isinstance(error, ClientLeft):
        return to_nobody(request, error)
    return to_page(request, error) if wants_page(request) else to_problem(request, error)


def _give_up(app: Litestar, error: CarnetError) -> None:
    """Keep why the service cannot go on; the server around it ends then."""
    app.state["failure"] = error


async def _open_store(
    settings: Settings, stack: AsyncExitStack, give_up: Callable[[CarnetError], None]
) -> tuple[str, Pool]:
    """Open the database; return its owner's address too, by which an export is taken back."""
    url = settings.database_url
    if url is None:
        server = EmbeddedServer(settings.data_dir)
        url = await asyncio.to_thread(server.start)
        stack.push_async_callback(asyncio.to_thread, server.stop)
        await stack.enter_async_context(supervised(server, give_up))
    migrated = await migrate(url)
    return url, await stack.enter_async_context(open_pool(url, migrated.role))


async def _owner_hash(
    settings: Settings,
    pool: Pool,
    seconds: Callable[[], float],
    on_first_key: Callable[[str], None] | None,
) -> OwnerHash:
    """Know the owner by the key in the settings, else by the stored one, made at first start."""
    if settings.owner_key is not None:
        given = token_hash(settings.owner_key)

        async def fixed() -> bytes:
            return given

        return OwnerHash(fixed, seconds)
    stored = OwnerKey(pool, DEFAULT_CLUB)
    if await stored.stored_hash() is None:
        key = new_key()
        if await stored.claim(token_hash(key)) and on_first_key is not None:
            on_first_key(key)
    return OwnerHash(stored.stored_hash, seconds)


def _parts(
    pool: Pool,
    owner: OwnerHash,
    seconds: Callable[[], float],
    new_id: Callable[[], UUID],
    rates: Rates,
) -> dict[str, Any]:
    """Make what handlers ask for by name."""
    links = Links(pool, DEFAULT_CLUB)
    players = Players(pool, DEFAULT_CLUB)
    index = GameIndex(pool, DEFAULT_CLUB)
    store = EventStore(pool, DEFAULT_CLUB)
    process = new_process(store)
    records = Records(store, index, players, new_id, new_salt)
    guesses, writes = Throttle(rates.guesses, seconds), Throttle(rates.writes, seconds)
    return {
        "pool": pool,
        "press": Press(),
        "games": GameQueries(index, process),
        "commands": GameCommands(store, players, process, new_id, new_salt),
        "history": ScoreHistory(index, players, store),
        "records": records,
        "keeping": ScoreKeeping(records, players, new_id),
        "recognition": Recognition(store, KnownGames(pool, DEFAULT_CLUB)),
        "people": People(index),
        "evenings": Evenings(index, players),
        "players": players,
        "links": links,
        "public_links": PublicLinks(pool, DEFAULT_CLUB),
        "identities": Identities(owner, links, KnownLinks(links, seconds), guesses, writes),
    }


def _dependencies(now: Callable[[], datetime], new_id: Callable[[], UUID]) -> dict[str, Provide]:
    """Say what handlers may ask for by name."""
    parts = (
        "games",
        "commands",
        "history",
        "exports",
        "records",
        "recognition",
        "keeping",
        "brought",
        "everything",
        "backups",
        "people",
        "evenings",
        "players",
        "links",
        "public_links",
        "identities",
    )
    return {name: _part(name) for name in parts} | {
        "now": Provide(lambda: now, sync_to_thread=False),
        "new_id": Provide(lambda: new_id, sync_to_thread=False),
        "new_token": Provide(lambda: new_token, sync_to_thread=False),
    }


def _part(name: str) -> Provide:
    def provide(state: State) -> Any:  # noqa: ANN401 one provider for every part
        return state[name]

    return Provide(provide, sync_to_thread=False)


def _openapi() -> OpenAPIConfig:
    return OpenAPIConfig(
        title="Carnet",
        version="1",
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
        tags=[Tag(name=name, description=said) for name, said in http.TAGS.items()],
        use_handler_docstrings=True,
        components=Components(
            security_schemes={"key": SecurityScheme(type="http", scheme="bearer")}
        ),
        security=[{"key": []}],
    )
