"""Rate of appends over HTTP, by the API and as the recorder sends them, beside a bare INSERT.

The service and the bare INSERT (`bare_insert`) run as processes, each with an embedded PostgreSQL
that syncs to disk. A client has one connection and sends its next entry after the previous answer.
The entries are of generated games of all rulesets in turn. The CPU time of a request, in the
service and in PostgreSQL, is the number that depends least on other load.
"""

import asyncio
import os
import statistics
import subprocess
import sys
import time
from collections.abc import AsyncGenerator, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import uuid4

import httpx
import msgspec
from msgspec import Struct

from service.store.server.embedded import EmbeddedServer
from tests.bench import games
from tests.bench.table import Line, Size, Table
from tests.generation.makers import MAKERS
from tests.service_process import KEY, ServiceProcess, free_port
from tests.service_process import PLAIN_TLS as PLAIN_HTTP

CLIENTS = (1, 8, 32)
BARE, APPEND, MINIMAL = "Litestar + psycopg, one INSERT", "append", "append, return=minimal"
TAP, TWO = "tap of a phone", "append, two processes"
MEASURES = (BARE, APPEND, MINIMAL, TAP, TWO)
ENTRIES = 30
_NANOSECOND = 1e-9


class Round(Struct, frozen=True):
    """One run of a measure: its rate, how long each request took, and the processor's seconds.

    The rate is that of the time in which everybody played: the connections of several processes
    are not spread evenly, and those of the idler one are through first.
    """

    a_second: float
    taken: list[float]
    service_seconds: float
    store_seconds: float


class Summary(Struct, frozen=True):
    """The medians over all rounds; times in milliseconds, of the processor's a request."""

    a_second: float
    p50: float
    p99: float
    service: float
    store: float


class Target(Struct, frozen=True):
    """The measured server: its port, and the processes whose CPU time counts."""

    port: int
    service: int
    store: int | None = None


class Player:
    """A client: one connection and its next entries."""

    def __init__(self, path: str, entries: Sequence[Any], *, minimal: bool) -> None:
        self.path = path
        self.left = [msgspec.json.encode({"entries": [entry]}) for entry in entries]
        self.version = 1
        self.taken: list[float] = []
        self.answered: list[float] = []
        self._more = "Prefer: return=minimal\r\n" if minimal else ""

    def taps(self) -> None:
        """Send what the recorder's script sends, which is answered with the board."""
        self.path = self.path.removeprefix("/api").removesuffix("entries") + "outbox"

    async def play(self, port: int) -> None:
        async for began, _ in self.sent(port):
            self.answered.append(time.perf_counter())
            self.taken.append(self.answered[-1] - began)

    async def sent(self, port: int) -> AsyncGenerator[tuple[float, int]]:
        """Send entry by entry; yield when each was sent and the version it was answered with."""
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        try:
            for body in self.left:
                began = time.perf_counter()
                writer.write(self._request(body))
                await self._answered(reader)
                yield began, self.version
        finally:
            writer.close()

    def _request(self, body: bytes) -> bytes:
        head = (
            f"POST {self.path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {KEY}\r\n"
            f'If-Match: "{self.version}"\r\nIdempotency-Key: {uuid4()}\r\n{self._more}'
            "Accept-Encoding: gzip\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        )
        return head.encode() + body

    async def _answered(self, reader: asyncio.StreamReader) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).split(b"\r\n")
        headers = {
            name.lower(): value for name, _, value in (line.partition(b": ") for line in head[1:])
        }
        body = await reader.readexactly(int(headers[b"content-length"]))
        assert b" 201 " in head[0], (head[0], body)
        if b"etag" in headers:
            self.version = int(headers[b"etag"].strip(b'"'))


async def _all(players: Sequence[Player], port: int) -> None:
    async with asyncio.TaskGroup() as group:
        for player in players:
            group.create_task(player.play(port))


def run(target: Target, players: Sequence[Player]) -> Round:
    before, began = cpu(target), time.perf_counter()
    asyncio.run(_all(players, target.port))
    after = cpu(target)
    taken = [one for player in players for one in player.taken]
    first = min(player.answered[-1] for player in players)
    while_all = sum(at <= first for player in players for at in player.answered)
    return Round(while_all / (first - began), taken, after[0] - before[0], after[1] - before[1])


def summed(rounds: Sequence[Round]) -> Summary:
    def median(values: list[float]) -> float:
        return statistics.median(values)

    return Summary(
        median([one.a_second for one in rounds]),
        1000 * median([statistics.median(one.taken) for one in rounds]),
        1000 * median([statistics.quantiles(one.taken, n=100)[98] for one in rounds]),
        1000 * median([one.service_seconds / len(one.taken) for one in rounds]),
        1000 * median([one.store_seconds / len(one.taken) for one in rounds]),
    )


class Club:
    def __init__(self, http: httpx.Client, target: Target) -> None:
        self.target = target
        self._http = http
        self._material = [games.generated(kind, 0.1) for kind in MAKERS]
        names = (f"Player {number}" for number in range(8))
        added = [self._http.post("/players", json={"name": name}).json() for name in names]
        self._people = [one["id"] for one in added]
        self._next = 0

    def players(self, number: int, entries: int, *, minimal: bool = False) -> list[Player]:
        return [self._player(entries, minimal=minimal) for _ in range(number)]

    def readers(self, path: str, number: int) -> list[str]:
        """Create `number` viewer links to a game; return their keys."""
        made = [
            self._http.post(f"{path.removeprefix('/api')}/links", json={"role": "viewer"})
            for _ in range(number)
        ]
        return [str(one.json()["token"]) for one in made]

    def _player(self, entries: int, *, minimal: bool) -> Player:
        while True:
            kind = self._material[self._next % len(self._material)]
            lines = kind.lines
            line = msgspec.json.decode(lines[self._next // len(self._material) % len(lines)])
            self._next += 1
            if len(line["log"]) >= entries:
                return self.plays(line, entries, minimal=minimal)

    def plays(self, written: dict[str, Any], entries: int, *, minimal: bool = False) -> Player:
        people = self._people[: written["seats"]]
        facts = {"ruleset": written["ruleset"], "options": written["options"], "players": people}
        answer = self._http.post("/games", json=facts)
        path = f"/api/games/{answer.json()['id']}/entries"
        return Player(path, written["log"][:entries], minimal=minimal)


@contextmanager
def club(**settings: str) -> Generator[Club]:
    with TemporaryDirectory() as folder, EmbeddedServer(Path(folder)) as server:
        log = Path(folder) / "log"
        with ServiceProcess.running(log, CARNET_DATABASE_URL=server.url, **settings) as service:
            (postmaster,) = Path(folder).rglob("postmaster.pid")
            store = int(postmaster.read_text().split()[0])
            with httpx.Client(
                base_url=f"{service.url}/api",
                headers={"Authorization": f"Bearer {KEY}"},
                timeout=60,
                verify=PLAIN_HTTP,
            ) as client:
                yield Club(client, Target(service.port, service.pid, store))


@contextmanager
def bare_insert() -> Generator[Target]:
    """Start the bare INSERT with its own PostgreSQL."""
    with TemporaryDirectory() as folder, EmbeddedServer(Path(folder)) as server:
        port = free_port()
        module = [sys.executable, "-m", "tests.bench.bare_insert", str(port), server.url]
        process = subprocess.Popen(module)
        try:
            deadline = time.monotonic() + 60
            while time.monotonic() < deadline:
                with suppress(httpx.TransportError):
                    httpx.get(f"http://127.0.0.1:{port}/", verify=PLAIN_HTTP)
                    break
                time.sleep(0.05)
            (postmaster,) = Path(folder).rglob("postmaster.pid")
            yield Target(port, process.pid, int(postmaster.read_text().split()[0]))
        finally:
            process.terminate()
            process.wait()


def measured(entries: int, rounds: int) -> dict[int, dict[str, Summary]]:
    """Measure all of it in turn, round by round; by number of clients, then by name."""
    found: dict[tuple[int, str], list[Round]] = {}
    with (
        club() as ours,
        club(CARNET_WORKERS="2") as two,
        bare_insert() as bare,
    ):
        for turn in range(rounds + 1):
            for number in CLIENTS:
                for name in MEASURES:
                    asked = two if name == TWO else ours
                    players = asked.players(number, entries, minimal=name == MINIMAL)
                    if name == TAP:
                        for player in players:
                            player.taps()
                    done = run(bare if name == BARE else asked.target, players)
                    if turn:  # the first warms up
                        found.setdefault((number, name), []).append(done)
    return {number: {name: summed(found[number, name]) for name in MEASURES} for number in CLIENTS}


def measure(size: Size) -> Iterator[Table]:
    """Measure appends, taps and the bare INSERT by 1, 8 and 32 clients."""
    # A 99th percentile needs a thousand requests, also in a quick run.
    entries = min(ENTRIES, max(5, size.of(5 * ENTRIES)))
    for number, table in measured(entries, size.rounds).items():
        lines = [
            Line(
                name,
                {
                    "a second": one.a_second,
                    "p50 ms": one.p50,
                    "p99 ms": one.p99,
                    "CPU ms": one.service,
                    "in PostgreSQL": one.store,
                    "of the bare insert": one.a_second / table[BARE].a_second,
                    "p99 of its": one.p99 / table[BARE].p99,
                    "CPU of its": _cpu(one) / _cpu(table[BARE]),
                    "of one process": one.a_second / table[APPEND].a_second,
                },
            )
            for name, one in table.items()
        ]
        yield Table(f"requests by HTTP, {number} clients", tuple(lines))


def _cpu(one: Summary) -> float:
    return one.service + one.store


def cpu(target: Target) -> tuple[float, float]:
    """Return the processor's seconds so far: of the service, and of its store.

    Those of their children count, also of those that have ended.
    """
    stats = [stat for pid in _pids() if (stat := _stat(pid))]
    service = [stat for stat in stats if target.service in (stat.pid, stat.parent)]
    store = [stat for stat in stats if target.store in (stat.pid, stat.parent)]
    return _seconds(service, target.service), _seconds(store, target.store)


def _seconds(stats: Sequence["_Stat"], parent: int | None) -> float:
    ended = sum(stat.ended for stat in stats if stat.pid == parent)
    return sum(stat.seconds for stat in stats) + ended


def _pids() -> list[int]:
    return [int(one.name) for one in Path("/proc").iterdir() if one.name.isdigit()]


class _Stat(Struct, frozen=True):
    """Processor's seconds of a process, and of its children that ended (proc_pid_stat(5))."""

    pid: int
    parent: int
    seconds: float
    ended: float


def _stat(pid: int) -> _Stat | None:
    folder = Path(f"/proc/{pid}")
    try:
        fields = (folder / "stat").read_text().rpartition(")")[2].split()
        threads = [one.read_text().split()[0] for one in folder.glob("task/*/schedstat")]
    except OSError:
        return None
    user, system = int(fields[13]), int(fields[14])
    ended = (user + system) / os.sysconf("SC_CLK_TCK")
    return _Stat(pid, int(fields[1]), sum(map(int, threads)) * _NANOSECOND, ended)
