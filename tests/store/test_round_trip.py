"""An append costs one round trip to the server."""

from pathlib import Path
from uuid import UUID, uuid4

from service.store.club.players import Players
from service.store.connection.pool import open_pool
from service.store.log.events import EventStore
from tests.store.samples import Table, play

# What a client sends and then waits for an answer to (PostgreSQL 18, Frontend/Backend Protocol).
ASKING = ("Sync", "Query", "FunctionCall", "Flush")


async def test_an_append_is_one_round_trip(
    database_url: str, club_id: UUID, tmp_path: Path
) -> None:
    async with open_pool(database_url, "carnet_service", 1, 1) as pool:
        table = await Table.laid(EventStore(pool, club_id), Players(pool, club_id))
        game_id = await table.started()
        await table.append(game_id, 1, play(0, "AH"))
        trace = tmp_path / "trace"
        with trace.open("wb") as written:
            async with pool.connection() as conn:
                conn.pgconn.trace(written.fileno())
            for version in range(2, 12):
                await table.append(game_id, version, play(0, "AH"), command_id=uuid4())
            async with pool.connection() as conn:
                conn.pgconn.untrace()
    messages = [line.split("\t") for line in trace.read_text().splitlines()]
    asked = [name for _, sender, _, name, *_ in messages if sender == "F" and name in ASKING]
    assert asked == ["Sync"] * 10
