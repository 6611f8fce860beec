"""Time to load a long game that is not in memory, beside eventsourcing.

Carnet reads the log and judges every entry; eventsourcing reads as many events and mutates its
aggregate. Alternating, in wall time, on one embedded server, with the garbage collector as in
`carnet`.
"""

import asyncio
import gc
import statistics
import time
from collections.abc import Iterator
from math import ceil
from typing import Any
from uuid import uuid4

import msgspec

from schemas.catalogue import decode_record
from schemas.strict_json import Malformed
from service.cli import COLLECTED_AFTER
from service.play.append import JudgedBatch, judge
from service.play.game_cache import fold
from service.play.reprojection import projection
from service.store.connection.pool import open_pool
from service.store.log.events import EventStore
from service.store.log.restore import RestoredGame, open_restore
from service.store.records import DEFAULT_CLUB, Player
from tests.bench import store, stored
from tests.bench.aggregate import Game
from tests.bench.table import Line, Size, Table
from tests.service.refused import HEARTS, play

LENGTHS = (50, 500, 2_000, 10_000)
JUDGED = 200
PEERS_MAX = 2_000  # longer ones take it minutes to save
_ADJUSTED = {"type": "adjust", "seat": 1, "points": -2, "reason": "so that it goes on"}
_CYCLE: list[dict[str, Any]] = [
    *HEARTS,
    *(play(1, "AS"), play(0, "9S"), play(1, "KS"), play(0, "TS")),
    {"type": "result", "maker": 1, "tricks": 5},
    _ADJUSTED,
    {"type": "result", "maker": 0, "tricks": 2, "dealer": 1},
    _ADJUSTED,
]


def long_game(entries: int, *end: dict[str, Any]) -> stored.Made:
    """Return a game of Euchre with at least `entries` entries, unfinished unless `end` ends it."""
    cycles = ceil(entries / (len(_CYCLE) + 2))
    log = [*_CYCLE * cycles, *end]
    line = {"ruleset": "euchre", "options": {"target": 100}, "seats": 2, "log": log}
    record = decode_record(msgspec.json.encode(line))
    assert not isinstance(record, Malformed)
    return stored.Made(2, stored.entries_of("euchre", record, 2))


async def _loads(url: str, made: stored.Made, rounds: int) -> float:
    game_id, people = uuid4(), [uuid4(), uuid4()]
    links = stored.chained(game_id, people, made.entries)
    folded = fold(game_id, [link.entry for link in links])
    given = RestoredGame(
        game_id=game_id, players=people, links=links, projection=projection(folded)
    )
    async with open_restore(url, DEFAULT_CLUB) as restore, open_pool(url, None, 1, 2) as pool:
        await restore.people(
            [Player(player_id=one, name="Ann", created_at=stored.START) for one in people]
        )
        await restore.store([given])
        events = EventStore(pool, DEFAULT_CLUB)
        taken: list[float] = []
        for _ in range(rounds + 1):
            began = time.perf_counter()
            fold(game_id, await events.read(game_id))
            taken.append(time.perf_counter() - began)
    return 1000 * statistics.median(taken[1:])


def _peer_loads(made: store.Club, entries: int, rounds: int) -> float:
    game = Game()
    for turn in range(entries):
        game.play(turn % 2, "AS")
    made.peer.save(game)
    taken: list[float] = []
    for _ in range(rounds + 1):
        began = time.perf_counter()
        made.peer.repository.get(game.id)
        taken.append(time.perf_counter() - began)
    return 1000 * statistics.median(taken[1:])


def judged(entries: int) -> float:
    made = long_game(entries)
    links = stored.chained(uuid4(), [uuid4(), uuid4()], made.entries)
    folded = fold(uuid4(), [link.entry for link in links])
    more = folded.shapes.decode_submitted(msgspec.json.encode([_ADJUSTED]))
    assert not isinstance(more, Malformed)
    taken: list[float] = []
    for _ in range(JUDGED):
        began = time.process_time()
        found = judge(folded.history, more)
        taken.append(time.process_time() - began)
        assert isinstance(found, JudgedBatch)
    return 1000 * statistics.median(taken)


def measure(size: Size) -> Iterator[Table]:
    lines: list[Line] = []
    lengths = LENGTHS if size.share >= 0.1 else LENGTHS[:2]
    gc.set_threshold(*COLLECTED_AFTER)
    with store.club() as made:
        for length in lengths:
            ours = asyncio.run(_loads(made.url, long_game(length), size.rounds))
            numbers = {"carnet ms": ours}
            if length <= PEERS_MAX:
                theirs = _peer_loads(made, length, size.rounds)
                numbers |= {"eventsourcing ms": theirs, "faster by": theirs / ours}
            lines.append(Line(f"{length:,} entries", numbers))
    yield Table("a game that is not in memory is read and folded", tuple(lines))
    shortest = judged(lengths[0])
    found = {length: judged(length) for length in lengths}
    yield Table(
        "an entry is judged in a game in memory",
        tuple(
            Line(f"{length:,} entries", {"CPU ms": one, "of 50": one / shortest})
            for length, one in found.items()
        ),
    )
