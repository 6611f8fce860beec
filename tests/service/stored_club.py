"""A club in its own database, in which games are stored directly."""

import subprocess
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import partial
from secrets import token_bytes
from typing import LiteralString
from uuid import UUID, uuid4

from msgspec import Raw, Struct
from psycopg import AsyncConnection

from schemas.catalogue import encode
from schemas.entries import Entry, Started
from schemas.euchre import Options
from service.play.append import new_entries
from service.store.club.players import Players
from service.store.connection.pool import Pool, open_pool
from service.store.log.events import EventStore
from service.store.records import DEFAULT_CLUB, GameStart, GameSummary, NewEntry
from service.store.server.distribution import SERVICE_ROLE
from tests.carnet_process import run_carnet
from tests.postgres import Cluster
from tests.service.refused import HEARTS, Log, history, play

TARGET = Options(target=5)
# Seat 1 marches; seat 0 loses a point by agreement, then is euchred: 4 points to -1.
PLAYED: Log = [
    *HEARTS,
    *(play(1, "AS"), play(0, "9S"), play(1, "KS"), play(0, "TS")),
    {"type": "result", "maker": 1, "tricks": 5},
    {"type": "adjust", "seat": 0, "points": -1, "reason": "a card shown"},
    {"type": "result", "maker": 0, "tricks": 2, "dealer": 1},
]
PLAYED_VERSIONS = 1 + len(PLAYED) + 2
FIRST_DEAL_ENDED = 11


def played() -> list[Entry]:
    """Return the log of `PLAYED` as the service writes it, `started` and outcomes included."""
    started = Started(ruleset="euchre", rules_version=1, options=TARGET, seats=2)
    steps = history(PLAYED, {"target": 5}).steps()
    hand_and_derived = [
        entry for step in steps for entry in (step.entry, *(line.entry for line in step.derived))
    ]
    return [started, *hand_and_derived]


class Club(Struct, frozen=True):
    url: str
    pool: Pool
    club_id: UUID = DEFAULT_CLUB

    async def record(self, log: list[Entry]) -> UUID:
        return await self.store(new_entries(log, partial(token_bytes, 16)))

    async def store(self, entries: list[NewEntry]) -> UUID:
        people = (uuid4(), uuid4())
        for person in people:
            await Players(self.pool, self.club_id).create(person, f"Ann {person}")
        start = GameStart(
            ruleset="euchre", options=Raw(encode(TARGET)), seats=2, players=people, times="none"
        )
        game_id = uuid4()
        await EventStore(self.pool, self.club_id).append(
            game_id=game_id,
            expected_version=0,
            command_id=uuid4(),
            by=None,
            entries=entries,
            summary=GameSummary(
                status="open",
                deals=0,
                totals=(0, 0),
                places=(1, 1),
                took_part=(False, False),
                start=start,
            ),
        )
        return game_id

    async def tamper(self, *statements: LiteralString) -> None:
        """Execute statements as the owner of the database, with triggers disabled."""
        async with await AsyncConnection.connect(self.url, autocommit=True) as conn:
            await conn.execute("ALTER TABLE carnet.entry DISABLE TRIGGER entry_keeps_rows")
            for statement in statements:
                await conn.execute(statement)

    async def execute(self, statement: LiteralString, game_id: UUID) -> None:
        async with await AsyncConnection.connect(self.url, autocommit=True) as conn:
            await conn.execute(statement, [game_id])

    def carnet(
        self, *arguments: str, typed: str = "", **environ: str
    ) -> subprocess.CompletedProcess[str]:
        """Run a command on this database. `stdin`: its input."""
        here = {"CARNET_DATABASE_URL": self.url}
        return run_carnet(*arguments, environment=here | environ, stdin=typed)


@asynccontextmanager
async def new_club(cluster: Cluster) -> AsyncGenerator[Club]:
    with cluster.migrated_database() as url:
        async with open_pool(url, SERVICE_ROLE, size_min=1) as pool:
            yield Club(url, pool)
