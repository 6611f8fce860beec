"""What the history of 100,000 games costs: a page of it, and a line of an export of all of it.

A page is the use case's answer, ready to be encoded, read along the list from its newest games on;
by the wall clock, for it waits for the database on the same machine.
"""

import asyncio
import statistics
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import AsyncExitStack, contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from service.club.exports import export_of, streamed
from service.club.score_history import ScoreHistory
from service.export.history_forms import JSON, HistoryForm, as_csv
from service.export.history_rows import Words
from service.export.history_telling import Telling
from service.store.embedded import EmbeddedServer
from service.store.events import EventStore
from service.store.listing import GameCursor, GameFilter
from service.store.migrate import migrate
from service.store.players import Players
from service.store.pool import Pool, open_pool
from service.store.projections import GameIndex
from service.store.records import DEFAULT_CLUB
from service.texts import texts
from tests.http.crowd import PLAYERS, fill

GAMES = 100_000
PAGES = 200
FILTERS = {
    "every game": GameFilter(),
    "one player": GameFilter(player=PLAYERS[3]),
    "one ruleset": GameFilter(ruleset="euchre"),
}
_MOMENT = datetime(2026, 1, 1, tzinfo=UTC)


@contextmanager
def crowded(games: int = GAMES) -> Generator[tuple[asyncio.Runner, ScoreHistory]]:
    """Start a server with so many games, and the history of them."""
    with (
        TemporaryDirectory() as folder,
        EmbeddedServer(Path(folder)) as server,
        asyncio.Runner() as runner,
    ):
        runner.run(migrate(server.url))
        fill(server.url, games)
        stack = AsyncExitStack()
        opened = open_pool(server.url, "carnet_service")
        pool = runner.run(stack.enter_async_context(opened))
        try:
            yield runner, _history(pool)
        finally:
            runner.run(stack.aclose())


def _history(pool: Pool) -> ScoreHistory:
    index, players = GameIndex(pool, DEFAULT_CLUB), Players(pool, DEFAULT_CLUB)
    return ScoreHistory(index, players, EventStore(pool, DEFAULT_CLUB))


async def page_seconds(history: ScoreHistory, which: GameFilter, pages: int = PAGES) -> list[float]:
    """Read so many pages of 50 games, one after the other; return how long each took."""
    found: list[float] = []
    after: GameCursor | None = None
    for _ in range(pages):
        begun = time.perf_counter()
        page = await history.page(which, after)
        found.append(time.perf_counter() - begun)
        after = GameCursor.parse(page.next) if page.next else None
    return found


def measures(runner: asyncio.Runner, history: ScoreHistory) -> Mapping[str, Callable[[], int]]:
    """Return the exports: each runs once and says how many lines it wrote."""
    forms = {"CSV of games": as_csv(), "CSV of deals": as_csv("deals"), "JSON, games": JSON}
    return {
        f"export, lines of {name}": partial(_exported, runner, history, form)
        for name, form in forms.items()
    }


def _exported(runner: asyncio.Runner, history: ScoreHistory, form: HistoryForm) -> int:
    return runner.run(_lines(history, form))


async def _lines(history: ScoreHistory, form: HistoryForm) -> int:
    telling = Telling(words=Words(lang="en", texts=texts()), made=_MOMENT, schema="")
    lines = 0
    async for piece in streamed(history, export_of(form, telling, GameFilter())):
        lines += piece.count(b"\n")
    return lines


def report_pages(runner: asyncio.Runner, history: ScoreHistory) -> None:
    """Print how long a page takes."""
    print(f"\na page of 50 of {GAMES:,} games, ms{'':5}{'p50':>9}{'p95':>9}{'most':>9}")
    for name, which in FILTERS.items():
        taken = [1000 * one for one in runner.run(page_seconds(history, which))]
        shares = statistics.quantiles(taken, n=20)
        cells = "".join(f"{value:>9.1f}" for value in (shares[9], shares[18], max(taken)))
        print(f"{name:34}{cells}")
