from collections.abc import AsyncGenerator
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID, uuid4

import psycopg
import pytest
from msgspec import structs

from service.errors import (
    IntegrityBroken,
    NameTaken,
    OtherGame,
    StoreBusy,
    StoreFull,
    StoreUnavailable,
    VersionConflict,
)
from service.store.club.players import Players
from service.store.connection.pool import Pool, open_pool
from service.store.log.chain import entry_hash
from service.store.log.events import EventStore
from service.store.log.restore import Restore, RestoredPeople, open_restore
from service.store.read_models.projections import GameIndex
from service.store.records import ChainedEntry, GameSummary, Player
from tests.postgres import Cluster
from tests.store.samples import SampleTable, deal_score, entry, play

REFUSING = """
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION USING ERRCODE = '{}';
    END
    $$;
    CREATE TRIGGER refuse BEFORE INSERT ON carnet.player EXECUTE FUNCTION refuse();
"""


@pytest.fixture
async def elsewhere(cluster: Cluster) -> AsyncGenerator[str]:
    with cluster.migrated_database() as url:
        yield url


@pytest.fixture
async def pool_elsewhere(elsewhere: str) -> AsyncGenerator[Pool]:
    async with open_pool(elsewhere, "carnet_service") as pool:
        yield pool


@pytest.fixture
async def restore(elsewhere: str, club_id: UUID) -> AsyncGenerator[Restore]:
    async with open_restore(elsewhere, club_id) as opened:
        yield opened


@pytest.fixture
async def game_id(table: SampleTable) -> UUID:
    made = await table.start_game()
    await table.append(made, 1, play(0, "AH"), play(1, "9C"))
    await table.append(made, 3, entry("deal_ended"))
    return made


@pytest.fixture
async def exported(game_id: UUID, events: EventStore) -> list[ChainedEntry]:
    return [link async for link in events.walk() if link.game_id == game_id]


@pytest.fixture
async def people(restore: Restore, players: Players, table: SampleTable) -> tuple[UUID, ...]:
    await restore.people(await players.all())
    return table.players


async def test_people_come_back_as_they_were(
    restore: Restore, players: Players, table: SampleTable, pool_elsewhere: Pool, club_id: UUID
) -> None:
    await players.forget(table.players[1])
    everybody = await players.all()
    assert await restore.people(everybody) == RestoredPeople(new=len(everybody), shared=())
    assert await Players(pool_elsewhere, club_id).all() == await players.all()


async def test_somebody_who_is_there_stays_as_they_are(
    restore: Restore, players: Players, people: tuple[UUID, ...]
) -> None:
    (player,) = (await players.by_ids(people[:1])).values()
    taken = await restore.people([structs.replace(player, name="Somebody else")])
    assert taken == RestoredPeople(new=0, shared=())


async def test_people_of_one_name_in_old_data_come_back_and_are_told(
    restore: Restore, pool_elsewhere: Pool, club_id: UUID
) -> None:
    old = [
        Player(player_id=uuid4(), name=name, created_at=datetime.now(UTC))
        for name in ("Ben", "ben", "Chloé", "Chloe\u0301", "Ann")
    ]
    taken = await restore.people(old)
    assert taken == RestoredPeople(new=5, shared=("ben", "Chloe\u0301"))
    assert await restore.people(old) == RestoredPeople(new=0, shared=())
    players = Players(pool_elsewhere, club_id)
    assert {one.player_id for one in await players.all()} == {one.player_id for one in old}
    with pytest.raises(NameTaken):
        await players.create(uuid4(), "BEN")


async def test_people_like_those_that_were_there_are_told(
    restore: Restore, pool_elsewhere: Pool, club_id: UUID
) -> None:
    players = Players(pool_elsewhere, club_id)
    await players.create(uuid4(), "Chloé")
    old = [
        Player(player_id=uuid4(), name=name, created_at=datetime.now(UTC))
        for name in ("chlo-e", "Ann", "Änn")
    ]
    taken = await restore.people(old)
    assert taken == RestoredPeople(new=3, shared=(), alike=(("chlo-e", "Chloé"),))


async def test_a_game_comes_back_entry_for_entry(
    restore: Restore,
    game_id: UUID,
    exported: list[ChainedEntry],
    people: tuple[UUID, ...],
    pool_elsewhere: Pool,
    club_id: UUID,
) -> None:
    assert await restore.game(game_id, people, exported)
    walked = [link async for link in EventStore(pool_elsewhere, club_id).walk()]
    assert walked == exported


async def test_a_game_that_is_there_is_left_as_it_is(
    restore: Restore, game_id: UUID, exported: list[ChainedEntry], people: tuple[UUID, ...]
) -> None:
    await restore.game(game_id, people, exported)
    assert not await restore.game(game_id, people, exported[:2])


async def test_a_game_that_is_there_with_fewer_entries_is_told_from_another_game(
    restore: Restore, game_id: UUID, exported: list[ChainedEntry], people: tuple[UUID, ...]
) -> None:
    await restore.game(game_id, people, exported[:2])
    with pytest.raises(VersionConflict) as refused:
        await restore.game(game_id, people, exported)
    assert refused.value.version == 2


async def test_another_game_under_the_same_id_is_refused_at_the_entry_that_differs(
    restore: Restore,
    game_id: UUID,
    exported: list[ChainedEntry],
    people: tuple[UUID, ...],
    club_id: UUID,
) -> None:
    await restore.game(game_id, people, exported)
    other = _with_data(club_id, exported[2], b'{"type":"pass"}', exported[1])
    with pytest.raises(OtherGame) as refused:
        await restore.game(game_id, people, [*exported[:2], other])
    assert refused.value.version == 3


async def test_a_game_with_a_changed_entry_is_refused_whole(
    restore: Restore,
    game_id: UUID,
    exported: list[ChainedEntry],
    people: tuple[UUID, ...],
    pool_elsewhere: Pool,
    club_id: UUID,
) -> None:
    changed = structs.replace(
        exported[2], entry=structs.replace(exported[2].entry, data=b'{"type":"pass"}')
    )
    with pytest.raises(IntegrityBroken) as refused:
        await restore.game(game_id, people, [*exported[:2], changed, exported[3]])
    assert (refused.value.version, refused.value.what) == (3, "hash")
    assert await EventStore(pool_elsewhere, club_id).read(game_id) == []


async def test_a_game_goes_on_where_it_was_taken_to(
    restore: Restore,
    game_id: UUID,
    exported: list[ChainedEntry],
    people: tuple[UUID, ...],
    pool_elsewhere: Pool,
    club_id: UUID,
) -> None:
    await restore.game(game_id, people, exported)
    events, games = EventStore(pool_elsewhere, club_id), GameIndex(pool_elsewhere, club_id)
    table = SampleTable(events, people)
    summary = GameSummary(
        status="open",
        deals=1,
        totals=(0, 2),
        places=(2, 1),
        took_part=(False, False),
        start=table.game_start(),
    )
    await games.project(game_id, 4, summary, [deal_score(1, 4, 0, 2)])
    await table.append(game_id, 4, play(1, "JS"))
    assert (await games.game(game_id)).players == people
    assert [verdict.broken async for verdict in events.verify()] == [None]


def _with_data(
    club_id: UUID, link: ChainedEntry, data: bytes, before: ChainedEntry
) -> ChainedEntry:
    said = structs.replace(link, entry=structs.replace(link.entry, data=data))
    hashed = structs.replace(said.entry, hash=entry_hash(club_id, said, before.entry.hash))
    return structs.replace(said, entry=hashed)


async def test_a_server_that_does_not_answer_is_unavailable() -> None:
    with pytest.raises(StoreUnavailable):
        async with open_restore("postgresql:///carnet?host=/nowhere", uuid4()):
            pass


@pytest.mark.parametrize(
    ("sqlstate", "told"),
    [
        ("55P03", StoreBusy),  # a lock that was not to be had
        ("40P01", StoreBusy),  # a deadlock
        ("57014", StoreBusy),  # a statement cancelled
        ("53100", StoreFull),
        ("57P01", StoreUnavailable),
    ],
)
async def test_what_the_server_gave_up_is_told_by_its_sqlstate(
    sqlstate: str, told: type[StoreUnavailable], elsewhere: str
) -> None:
    with psycopg.connect(elsewhere, autocommit=True) as owner:
        owner.execute(REFUSING.format(sqlstate).encode())
    with pytest.raises(StoreUnavailable) as refused:
        async with open_restore(elsewhere, uuid4()) as restore:
            await restore.people(
                [Player(player_id=uuid4(), name="Ann", created_at=datetime.now(UTC))]
            )
    assert type(refused.value) is told


# Messages that a client waits for an answer to (PostgreSQL 18, Frontend/Backend Protocol).
ASKING = ("Sync", "Query", "FunctionCall", "Flush")


async def test_an_append_is_one_round_trip(
    database_url: str, club_id: UUID, tmp_path: Path
) -> None:
    async with open_pool(database_url, "carnet_service", 1, 1) as pool:
        table = await SampleTable.with_players(EventStore(pool, club_id), Players(pool, club_id))
        game_id = await table.start_game()
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
