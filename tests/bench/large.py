"""Growth of requests with the club, up to 100,000 games and 10,000,000 entries: `bench large`.

One club grows in steps; at each, every request is repeated and the median of its CPU time in the
service and in PostgreSQL counts, which depends little on other work. All games are copies of one,
with a chain of hashes each, written by PostgreSQL. It takes 8 GB of disk, and is run only by name.
"""

import asyncio
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import UUID, uuid4

import httpx
import msgspec
import psycopg

from service.play.game_cache import fold
from service.play.reprojection import projection
from service.store.log.restore import RestoredGame, open_restore
from service.store.records import DEFAULT_CLUB
from service.store.records import Player as Person
from service.store.server.embedded import EmbeddedServer
from service.store.server.migrate import migrate
from tests.bench import games, stored
from tests.bench.http import Player, Target, cpu
from tests.bench.loading import long_game
from tests.bench.table import Line, Size, Table
from tests.service_process import KEY, PLAIN_TLS, ServiceProcess

TITLE = "a club grows: CPU ms of a request, in the service and in PostgreSQL"
GAMES, ENTRIES, BATCH = (1_000, 10_000, 100_000), 100, 1_000
PEOPLE = [UUID(int=number) for number in range(1, 41)]
REPEATS = 9
_ENTRIES = """
    WITH RECURSIVE game AS (
        SELECT n, md5('game ' || n)::uuid AS game_id,
               ARRAY[(%(people)s::uuid[])[1 + n %% 39], (%(people)s::uuid[])[40]] AS players,
               (n - %(end)s::int) * interval '1 minute' AS later
        FROM generate_series(%(first)s::int, %(last)s::int) AS n
    ), chain AS (
        SELECT g.n, g.game_id, g.later, 0 AS version,
               carnet.seating_hash(to_jsonb(g.players)) AS hash
        FROM game g
        UNION ALL
        SELECT c.n, c.game_id, c.later, t.version,
               carnet.entry_hash(%(club)s, c.game_id, t.version, t.command_id, t.ordinal, t.type,
                                 t.schema_version, t.recorded_at + c.later, t.recorded_by, t.data,
                                 c.hash)
        FROM chain c JOIN carnet.entry t
          ON t.club_id = %(club)s AND t.game_id = %(like)s AND t.version = c.version + 1
    ), written AS (
        INSERT INTO carnet.entry (club_id, game_id, version, command_id, ordinal, type,
                                  schema_version, recorded_at, recorded_by, data, hash)
        SELECT %(club)s, c.game_id, t.version, t.command_id, t.ordinal, t.type, t.schema_version,
               t.recorded_at + c.later, t.recorded_by, t.data, c.hash
        FROM chain c JOIN carnet.entry t
          ON t.club_id = %(club)s AND t.game_id = %(like)s AND t.version = c.version
        ORDER BY c.n, c.version
    ), texts AS (
        INSERT INTO carnet.free_text (club_id, game_id, version, salt, text)
        SELECT %(club)s, g.game_id, t.version, t.salt, t.text
        FROM game g JOIN carnet.free_text t ON t.club_id = %(club)s AND t.game_id = %(like)s
    ), seats AS (
        INSERT INTO carnet.seat (club_id, game_id, seat, player_id)
        SELECT %(club)s, g.game_id, p.seat - 1, p.player_id
        FROM game g, unnest(g.players) WITH ORDINALITY AS p (player_id, seat)
    ), listed AS (
        INSERT INTO carnet.game (club_id, game_id, ruleset, options, seats, players, status,
                                 version, deals, totals, places, took_part, started_at,
                                 last_at)
        SELECT %(club)s, g.game_id, t.ruleset, t.options, t.seats, g.players, t.status, t.version,
               t.deals, t.totals, t.places, t.took_part, t.started_at + g.later, t.last_at + g.later
        FROM game g JOIN carnet.game t ON t.club_id = %(club)s AND t.game_id = %(like)s
    ), played AS (
        INSERT INTO carnet.game_player (club_id, game_id, seat, player_id, ruleset, started_at)
        SELECT %(club)s, g.game_id, p.seat - 1, p.player_id, t.ruleset, t.started_at + g.later
        FROM game g JOIN carnet.game t ON t.club_id = %(club)s AND t.game_id = %(like)s,
             unnest(g.players) WITH ORDINALITY AS p (player_id, seat)
    ), scored AS (
        INSERT INTO carnet.deal_score (club_id, game_id, deal, version, points, detail, at)
        SELECT %(club)s, g.game_id, t.deal, t.version, t.points, t.detail, t.at + g.later
        FROM game g JOIN carnet.deal_score t ON t.club_id = %(club)s AND t.game_id = %(like)s
    )
    INSERT INTO carnet.feed (club_id, position, game_id, version, hash)
    SELECT %(club)s, %(before)s::bigint + (c.n - 1) * %(each)s::bigint + c.version, c.game_id,
           c.version, c.hash
    FROM chain c WHERE c.version > 0
"""
_MARK = """
    INSERT INTO carnet.feed_mark (club_id, position, seen, server)
    SELECT club_id, max(position), pg_current_snapshot(),
           (SELECT system_identifier FROM pg_control_system())
    FROM carnet.feed WHERE club_id = %s GROUP BY club_id
    ON CONFLICT (club_id) DO UPDATE SET position = excluded.position, seen = excluded.seen
"""


class Growing:
    """A club on an own server; `like`: the game that all others are copies of."""

    def __init__(self, folder: Path, server: EmbeddedServer) -> None:
        self._folder = folder
        self.url = server.url
        (postmaster,) = folder.rglob("postmaster.pid")
        self._store = int(postmaster.read_text().split()[0])
        self.like, self.each = asyncio.run(_first_game(server.url))
        self.games = self.head = 0

    def grow(self, games: int) -> None:
        """Copy the game until there are so many, newest last; number the feed."""
        with psycopg.connect(self.url, autocommit=True) as conn:
            conn.execute("SET synchronous_commit = off")
            # Also what was played meanwhile has a position.
            conn.execute("SELECT * FROM carnet.extend_feed(%s)", [DEFAULT_CLUB])
            for first in range(self.games + 1, games + 1, BATCH):
                last = min(first + BATCH - 1, games)
                before = self._head(conn) - (first - 1) * self.each
                facts = {"first": first, "last": last, "end": GAMES[-1] + 1, "before": before}
                known = {"club": DEFAULT_CLUB, "like": self.like, "people": PEOPLE}
                conn.execute(_ENTRIES, {**facts, **known, "each": self.each})
            conn.execute(_MARK, [DEFAULT_CLUB])
            conn.execute("VACUUM ANALYZE")
            self.games, self.head = games, self._head(conn)

    def _head(self, conn: psycopg.Connection) -> int:
        ((head,),) = conn.execute("SELECT max(position) FROM carnet.feed").fetchall()
        return int(head)

    def measure(self, repeats: int) -> dict[str, float]:
        found: dict[str, float] = {}
        log = self._folder / "log"
        with ServiceProcess.running(log, CARNET_DATABASE_URL=self.url) as service:
            target = Target(service.port, service.pid, self._store)
            with httpx.Client(
                base_url=service.url,
                headers={"Authorization": f"Bearer {KEY}"},
                timeout=600,
                verify=PLAIN_TLS,
            ) as http:
                found["standings, first request"] = _spent(
                    target, lambda: _read(http, "/standings")
                )
                time.sleep(self.games / 5_000)  # the standings are kept in the background
                for name, play in {"append": False, "tap of a phone": True}.items():
                    found[name] = self._played(http, target, repeats, tap=play)
                for name, path in self._pages().items():
                    ask = partial(_read, http, path)
                    found[name] = statistics.median(_spent(target, ask) for _ in range(repeats))
        found["verify, CPU s of a million entries, without PostgreSQL"] = self._verified()
        return found

    def _pages(self) -> dict[str, str]:
        newest = f"/api/feed?after={self.head - 100}&limit=100"
        return {
            "/api/history": "/api/history",
            "page of the history": "/history",
            "page of the history of a player": f"/history?player={PEOPLE[3]}",
            "page of the history, a word searched": "/history?text=breakfast",
            "page of the players": "/players",
            "page of a player in every game": f"/players/{PEOPLE[39]}",
            "figures of a player in every game": f"/players/{PEOPLE[39]}/figures",
            "page of the standings": "/standings",
            "newest 100 of the feed": newest,
        }

    def _played(self, http: httpx.Client, target: Target, repeats: int, *, tap: bool) -> float:
        line = msgspec.json.decode(games.generated("euchre", 0.1).lines[0])
        people = [str(one) for one in PEOPLE[: line["seats"]]]
        facts = {"ruleset": "euchre", "options": line["options"], "players": people}
        path = f"/api/games/{http.post('/api/games', json=facts).json()['id']}/entries"
        player = Player(path, line["log"][: 2 * repeats], minimal=False)
        if tap:
            player.taps()
        number = len(player.left)
        return _spent(target, lambda: asyncio.run(player.play(target.port))) / number

    def _verified(self) -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [sys.executable, "-m", "service.cli", "verify", "--jobs", "1"]
        environment = {**os.environ, "CARNET_DATABASE_URL": self.url}
        subprocess.run(command, check=True, capture_output=True, env=environment)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        own = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return own * 1_000_000 / (self.games * self.each)


def _read(http: httpx.Client, path: str) -> None:
    answer = http.get(path, follow_redirects=True)
    assert answer.status_code == httpx.codes.OK, (path, answer.text)


def _spent(target: Target, ask: Callable[[], object]) -> float:
    before = sum(cpu(target))
    ask()
    return 1000 * (sum(cpu(target)) - before)


async def _first_game(url: str) -> tuple[UUID, int]:
    """Store a finished game of two players; return its id and the number of its entries."""
    await migrate(url)
    made = long_game(ENTRIES - 10, {"type": "finish", "reason": "it is late"})
    game_id, players = uuid4(), PEOPLE[:2]
    links = stored.chained(game_id, players, made.entries)
    folded = fold(game_id, [link.entry for link in links])
    async with open_restore(url, DEFAULT_CLUB) as restore:
        await restore.people(
            [
                Person(player_id=one, name=f"Player {number}", created_at=stored.START)
                for number, one in enumerate(PEOPLE)
            ]
        )
        given = RestoredGame(
            game_id=game_id,
            players=players,
            links=links,
            projection=projection(folded),
            positions=range(1, len(links) + 1),
        )
        async with restore.feed.lock():
            await restore.store([given])
            assert await restore.feed.place()
    return game_id, len(links)


def measure(size: Size, steps: tuple[int, ...] = GAMES) -> Iterator[Table]:
    found: dict[str, dict[str, float]] = {}
    with TemporaryDirectory() as scratch, EmbeddedServer(Path(scratch) / "data") as server:
        club = Growing(Path(scratch), server)
        for number in steps:
            club.grow(number)
            column = f"{number:,} games, {number * club.each:,} entries"
            for name, value in club.measure(max(3, size.of(REPEATS))).items():
                found.setdefault(name, {})[column] = value
    yield Table(TITLE, tuple(Line(name, numbers) for name, numbers in found.items()))
