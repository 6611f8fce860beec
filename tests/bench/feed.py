"""Cost of reading the feed: entries per second of the reader's CPU time.

A log of true games is read by pages on one core: as rows of the store, also decoded into entries,
encoded as the answer of `GET /api/feed`, and that answer decoded as by a client. The CPU time of
PostgreSQL is listed separately.
"""

import asyncio
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import cycle
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from uuid import UUID, uuid4

import msgspec

from schemas.catalogue import Shapes, shapes
from schemas.upcast import upcast
from service.http.feed.feed import FeedEntry, FeedView, views
from service.play.game_cache import fold
from service.play.reprojection import projection
from service.store.connection.pool import Pool, open_pool
from service.store.feed.positions import Feed, FeedEntryRow
from service.store.log.restore import RestoredGame, open_restore
from service.store.records import DEFAULT_CLUB, Player
from service.store.server.embedded import EmbeddedServer
from service.store.server.migrate import migrate
from tests.bench import stored
from tests.bench.table import Line, Size, Table

ENTRIES, SHARE = 100_000, 0.2
PAGE = 10_000
TITLE, DECODED = "the feed, read on one core", "decoded into entries"
PEOPLE = 8

Handle = Callable[[list[FeedEntryRow]], object]


async def fill(url: str, entries: int, share: float) -> None:
    """Store games with at least `entries` entries, and assign their feed positions."""
    people = [uuid4() for _ in range(PEOPLE)]
    made, held = cycle(stored.made(share)), 0
    async with open_restore(url, DEFAULT_CLUB) as restore, open_pool(url, None, 1, 1) as pool:
        await restore.people(
            [Player(player_id=one, name="Ann", created_at=stored.START) for one in people]
        )
        while held < entries:
            game = next(made)
            game_id, players = uuid4(), people[: game.seats]
            links = stored.chained(game_id, players, game.entries)
            folded = fold(game_id, [link.entry for link in links])
            given = RestoredGame(
                game_id=game_id, players=players, links=links, projection=projection(folded)
            )
            await restore.store([given])
            held += len(links)
        await Feed(pool, DEFAULT_CLUB).complete()


async def read(pool: Pool, handle: Handle) -> float:
    """Read the whole feed, a page after another; return entries a second of the processor."""
    feed, after = Feed(pool, DEFAULT_CLUB), 0
    began = time.process_time()
    while page := await feed.page(after, PAGE):
        handle(page)
        after = page[-1].position
    return after / (time.process_time() - began)


def decode(games: dict[UUID, Shapes], page: list[FeedEntryRow]) -> None:
    for one in page:
        if one.version == 1:
            games[one.game_id] = shapes(msgspec.json.decode(one.data)["ruleset"])
        upcast(games[one.game_id], one.schema_version, one.data)


def answer(page: list[FeedEntryRow]) -> bytes:
    """Write a page as `GET /api/feed` answers."""
    return msgspec.json.encode(FeedView(entries=tuple(views(page))))


def wait_for(
    decoder: msgspec.json.Decoder[FeedView], page: list[FeedEntryRow]
) -> tuple[FeedEntry, ...]:
    return decoder.decode(answer(page)).entries


async def rates(url: str, rounds: int) -> dict[str, float]:
    ways: dict[str, Handle] = {
        "rows of the store": len,
        DECODED: partial(decode, {}),
        "written as GET /api/feed": answer,
        "written, and decoded by a client": partial(wait_for, msgspec.json.Decoder(FeedView)),
    }
    found: dict[str, list[float]] = {what: [] for what in ways}
    async with open_pool(url, None, 1, 1) as pool:
        for _ in range(rounds):
            for what, handle in ways.items():
                found[what].append(await read(pool, handle))
    return {what: median(rate) for what, rate in found.items()}


async def _measure(folder: Path, size: Size) -> dict[str, float]:
    with EmbeddedServer(folder) as server:
        await migrate(server.url)
        await fill(server.url, size.of(ENTRIES), SHARE * size.share)
        return await rates(server.url, size.rounds)


def measure(size: Size) -> Iterator[Table]:
    with TemporaryDirectory(prefix="carnet-bench-") as folder:
        found = asyncio.run(_measure(Path(folder), size))
    lines = (Line(what, {"entries a second": rate}) for what, rate in found.items())
    yield Table(TITLE, tuple(lines))
