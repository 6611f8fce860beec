"""Pauses of the event loop while hard games are played.

The worst games found (`tests/generation/worst_games.json`) and Durak with unsure cards are entered
concurrently and without pauses, while another client polls `/healthz`, which only the event loop
answers. Clients share the cores, so on a busy machine the times include more than the loop.
"""

import asyncio
import time
from collections.abc import Iterator, Sequence
from typing import Any

from tests.bench.http import Player, club
from tests.bench.table import Line, Size, Table, spread
from tests.generation.makers import MAKERS
from tests.generation.test_effort import WORST

DOUBTFUL, SEED, ENTRIES = 4, 7_000, 60
TITLE, PLAYED = "the loop, asked by /healthz", "while hard games are played"
_ASK = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
_PAUSE_SECONDS = 0.002


def material(size: Size) -> list[dict[str, Any]]:
    worst = [
        MAKERS[one.ruleset].true_game(one.seed, MAKERS[one.ruleset].PROFILES[one.profile])
        for one in WORST[: size.of(len(WORST))]
    ]
    durak = MAKERS["durak"]
    doubtful = range(SEED, SEED + size.of(DOUBTFUL))
    return worst + [durak.true_game(seed, durak.PROFILES["doubtful"]) for seed in doubtful]


async def wait(port: int, ended: asyncio.Event) -> list[float]:
    """Poll `/healthz` until the end; return the response times in seconds."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    found: list[float] = []
    try:
        while not (ended.is_set() and found):
            began = time.perf_counter()
            writer.write(_ASK)
            head = await reader.readuntil(b"\r\n\r\n")
            length = next(
                int(line.partition(b":")[2])
                for line in head.lower().split(b"\r\n")
                if line.startswith(b"content-length:")
            )
            await reader.readexactly(length)
            found.append(time.perf_counter() - began)
            await asyncio.sleep(_PAUSE_SECONDS)
    finally:
        writer.close()
    return found


async def ask(port: int, players: Sequence[Player]) -> list[float]:
    ended = asyncio.Event()
    asking = asyncio.ensure_future(wait(port, ended))
    try:
        async with asyncio.TaskGroup() as group:
            for player in players:
                group.create_task(player.play(port))
    finally:
        ended.set()
    return await asking


def measure(size: Size) -> Iterator[Table]:
    with club() as ours:
        players = [ours.plays(written, ENTRIES) for written in material(size)]
        found = asyncio.run(ask(ours.target.port, players))
    yield Table(TITLE, (Line(PLAYED, spread(found)),))
