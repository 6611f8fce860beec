from datetime import UTC, datetime, timedelta
from typing import Any, LiteralString, TypeAlias
from uuid import UUID, uuid4

import msgspec
import pytest
from msgspec import json
from psycopg import AsyncConnection, sql

from service.store.club.players import Players
from service.store.log.chain import Chain, GameVerdict, entry_hash, seating_hash
from service.store.log.events import EventStore
from service.store.log.snapshot import Snapshot
from service.store.records import ChainedEntry, StoredEntry
from tests.store.samples import SampleTable, play

Owner: TypeAlias = AsyncConnection[tuple[Any, ...]]

CLUB = UUID(int=1)
PREV_HASH = bytes(range(32))


def link(**fields: object) -> ChainedEntry:
    stored = {
        "version": 7,
        "type": "play",
        "schema_version": 1,
        "data": b'{"type":"play"}',
        "recorded_at": datetime(2026, 11, 20, 20, 15, 3, 141_592, tzinfo=UTC),
        "recorded_by": UUID(int=2),
        "hash": b"",
        "ordinal": 3,
        "command_id": UUID(int=3),
    }
    return ChainedEntry(
        game_id=UUID(int=4),
        entry=msgspec.convert(stored | fields, StoredEntry),
    )


@pytest.mark.parametrize(
    "sample",
    [
        link(),
        link(recorded_by=None),
        link(data=b""),
        link(data=bytes(range(256)) * 40),
        link(type="défausse", version=2**31 - 1, ordinal=2**15 - 1),
        link(recorded_at=datetime(1999, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC)),
    ],
)
async def test_sql_and_python_compute_the_same(sample: ChainedEntry, owner: Owner) -> None:
    stored = sample.entry
    row = await owner.execute(
        "SELECT carnet.entry_hash(%s, %s, %s::int, %s, %s::smallint, %s, %s::smallint, %s, %s, "
        "%s, %s)",
        [
            CLUB,
            sample.game_id,
            stored.version,
            stored.command_id,
            stored.ordinal,
            stored.type,
            stored.schema_version,
            stored.recorded_at,
            stored.recorded_by,
            stored.data,
            PREV_HASH,
        ],
    )
    assert await row.fetchone() == (entry_hash(CLUB, sample, PREV_HASH),)


async def test_the_hash_of_each_entry_covers_the_one_before_it(
    events: EventStore, table: SampleTable, club_id: UUID
) -> None:
    game_id = await table.start_game()
    await table.append(game_id, 1, play(0, "AH"), play(1, "9C"))
    await table.append(game_id, 3, play(1, "JS"))
    links = [link async for link in events.walk()]
    hashes = [link.entry.hash for link in links]
    before = [seating_hash(table.players), *hashes[:-1]]
    assert hashes == [entry_hash(club_id, *pair) for pair in zip(links, before, strict=True)]


async def test_whole_games_are_found_whole(events: EventStore, table: SampleTable) -> None:
    game_ids = sorted([await table.start_game(), await table.start_game()])
    for game_id in game_ids:
        await table.append(game_id, 1, play(0, "AH"))
    assert [verdict async for verdict in events.verify()] == [
        GameVerdict(game_id=game_id, entries=2, version=2, broken=None) for game_id in game_ids
    ]


async def test_an_empty_log_has_no_verdicts(events: EventStore) -> None:
    assert [verdict async for verdict in events.verify()] == []


@pytest.mark.parametrize(
    ("change", "broken", "version"),
    [
        # One bit of one byte.
        ("UPDATE carnet.entry SET data = set_bit(data, 9, 1 - get_bit(data, 9))", "hash", 3),
        # Forged: the entry's own hash is made to fit.
        (
            """
            UPDATE carnet.entry SET type = 'pass', hash = carnet.entry_hash(
                club_id, game_id, version, command_id, ordinal, 'pass', schema_version,
                recorded_at, recorded_by, data,
                %(before)s)
            """,
            "hash",
            4,
        ),
        ("DELETE FROM carnet.entry", "version", 4),
    ],
)
async def test_a_change_behind_the_stores_back_is_found(
    change: LiteralString,
    broken: str,
    version: int,
    owner: Owner,
    table: SampleTable,
    club_id: UUID,
) -> None:
    game_id = await table.start_game()
    await table.append(game_id, 1, play(0, "AH"), play(1, "9C"), play(1, "JS"))
    await owner.execute("ALTER TABLE carnet.entry DISABLE TRIGGER entry_keeps_rows")
    where = sql.SQL(" WHERE club_id = {} AND version = 3").format(club_id)
    read = "SELECT hash FROM carnet.entry WHERE club_id = %s AND game_id = %s AND version = 2"
    ((before,),) = await (await owner.execute(read, [club_id, game_id])).fetchall()
    await owner.execute(sql.SQL(change) + where, {"before": before})
    verdicts = [verdict async for verdict in Snapshot(owner, club_id).verify()]
    assert [(verdict.broken, verdict.version) for verdict in verdicts] == [(broken, version)]


@pytest.mark.parametrize(("kept", "version"), [(2, 2), (0, 0)])
async def test_an_end_cut_off_is_found(
    kept: int, version: int, owner: Owner, table: SampleTable, club_id: UUID
) -> None:
    game_id = await table.start_game()
    await table.append(game_id, 1, play(0, "AH"), play(1, "9C"))
    await owner.execute("ALTER TABLE carnet.entry DISABLE TRIGGER entry_keeps_rows")
    await owner.execute(
        "DELETE FROM carnet.entry WHERE club_id = %s AND version > %s", [club_id, kept]
    )
    verdicts = [verdict async for verdict in Snapshot(owner, club_id).verify()]
    assert verdicts == [GameVerdict(game_id=game_id, entries=kept, version=version, broken="head")]


@pytest.mark.parametrize("players", [(), (UUID(int=7),), (UUID(int=7), UUID(int=0))])
async def test_who_sits_where_hashes_as_in_the_database(
    players: tuple[UUID, ...], owner: Owner
) -> None:
    row = await owner.execute(
        "SELECT carnet.seating_hash(%s::jsonb)", [json.encode(players).decode()]
    )
    assert await row.fetchone() == (seating_hash(players),)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE carnet.seat SET seat = seat + 2 WHERE club_id = %(club)s AND seat = 0",
        "UPDATE carnet.seat SET player_id = %(other)s WHERE club_id = %(club)s AND seat = 1",
        "DELETE FROM carnet.seat WHERE club_id = %(club)s",
    ],
    ids=["seats swapped", "another person", "nobody"],
)
async def test_other_people_at_the_table_are_found(
    change: LiteralString, owner: Owner, table: SampleTable, players: Players, club_id: UUID
) -> None:
    other = uuid4()
    await players.create(other, "Cleo")
    game_id = await table.start_game()
    await owner.execute(change, {"club": club_id, "other": other})
    verdicts = [verdict async for verdict in Snapshot(owner, club_id).verify()]
    assert verdicts == [GameVerdict(game_id=game_id, entries=1, version=1, broken="hash")]


def test_the_first_bad_link_is_the_one_named() -> None:
    chain = Chain(CLUB, UUID(int=4), ())
    chain.follow(link(version=1))
    chain.follow(link(version=5))
    assert chain.end(2).version == 1


def test_no_two_entries_of_different_parts_hash_alike() -> None:
    samples = [
        link(),
        link(type="playx", data=b'{"type":"play"}'[1:]),
        link(recorded_by=None),
        link(recorded_by=UUID(int=0)),
        link(data=b""),
        link(recorded_at=link().entry.recorded_at + timedelta(microseconds=1)),
        link(command_id=uuid4()),
    ]
    assert len({entry_hash(CLUB, sample, PREV_HASH) for sample in samples}) == len(samples)
