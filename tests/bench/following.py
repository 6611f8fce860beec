"""Delay until all followers of a game receive an entry, and the CPU time of the service for it.

500 connections follow one game. After each append, every follower records the time of arrival.
"""

import asyncio
import time
from collections.abc import Iterator, Sequence
from math import ceil

from tests.bench.http import Club, club, cpu
from tests.bench.table import Line, Size, Table, spread

FOLLOWERS, FOLLOWERS_A_KEY, ENTRIES, IDLE_SECONDS = 500, 50, 20, 5.0


class Follower:
    """An open event stream with the arrival time of each version."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._arrived: dict[int, float] = {}
        self._news = asyncio.Event()
        self._reading = asyncio.ensure_future(self._read())

    @classmethod
    async def of(cls, port: int, path: str, key: str) -> "Follower":
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 20)
        writer.write(
            f"GET {path}/live HTTP/1.1\r\nHost: 127.0.0.1\r\n"
            f"Authorization: Bearer {key}\r\n\r\n".encode()
        )
        head = await reader.readuntil(b"\r\n\r\n")
        assert b" 200 " in head.split(b"\r\n")[0], head
        return cls(reader, writer)

    async def heard(self, version: int) -> float:
        """Wait for an entry; return when it arrived."""
        while version not in self._arrived:
            self._news.clear()
            await self._news.wait()
        return self._arrived[version]

    def leave(self) -> None:
        self._reading.cancel()
        self._writer.close()

    async def _read(self) -> None:
        while line := await self._reader.readline():
            if line.startswith(b"id: "):
                self._arrived[int(line[4:])] = time.perf_counter()
                self._news.set()


async def follow(ours: Club, followers: int, entries: int) -> dict[str, float]:
    """Let `followers` follow a game of `entries` entries; return the measured numbers."""
    player = ours.players(1, entries)[0]
    path = player.path.removesuffix("/entries")
    keys = ours.readers(path, ceil(followers / FOLLOWERS_A_KEY))
    opened = [
        Follower.of(ours.target.port, path, keys[number // FOLLOWERS_A_KEY])
        for number in range(followers)
    ]
    following = await asyncio.gather(*opened)
    waited: list[float] = []
    last: list[float] = []
    try:
        await _all_heard(following, player.version)  # the first events do not count as idle time
        idle = cpu(ours.target)[0]
        await asyncio.sleep(IDLE_SECONDS)
        idle = (cpu(ours.target)[0] - idle) / IDLE_SECONDS
        before = cpu(ours.target)[0]
        async for began, version in player.sent(ours.target.port):
            heard = await _all_heard(following, version)
            waited += [at - began for at in heard]
            last.append(max(heard) - began)
        spent = (cpu(ours.target)[0] - before) / (entries * followers)
    finally:
        for one in following:
            one.leave()
    return {
        **spread(waited),
        "last, p50 ms": spread(last)["p50 ms"],
        "CPU ms each": 1000 * spent,
        "idle, % of a core": 100 * idle,
    }


async def _all_heard(following: Sequence[Follower], version: int) -> list[float]:
    return list(await asyncio.gather(*(one.heard(version) for one in following)))


def measure(size: Size) -> Iterator[Table]:
    entries = size.of(ENTRIES)
    followers = min(FOLLOWERS, 5 * size.of(FOLLOWERS))  # as many in a quick run
    with club() as ours:
        numbers = asyncio.run(follow(ours, followers, entries))
    yield Table(
        "followers of one game hear of an entry", (Line(f"{followers} followers", numbers),)
    )
