import asyncio
from collections.abc import AsyncGenerator, Sequence
from typing import Any, LiteralString, TypeAlias
from uuid import UUID, uuid4

import pytest
from psycopg import AsyncConnection, errors

from service.store.club.players import Players
from service.store.connection.pool import Pool
from service.store.feed.positions import Feed, FeedEntryRow
from service.store.log.events import EventStore
from service.store.records import DEFAULT_CLUB
from tests.postgres import Cluster, server_url_of_club
from tests.store.samples import SampleTable, note, play

WRITERS = 16
APPENDS = 20
SEQUENCERS = 3

Owner: TypeAlias = AsyncConnection[tuple[Any, ...]]

INSERT = """
    INSERT INTO carnet.entry (club_id, game_id, version, ordinal, schema_version, command_id, type,
                              data, hash)
    VALUES (%s, %s, %s, 0, 1, %s, 'play', '{}', sha256('an entry'))
"""


@pytest.fixture
def feed(pool: Pool, club_id: UUID) -> Feed:
    return Feed(pool, club_id)


@pytest.fixture
async def second(database_url: str) -> AsyncGenerator[Owner]:
    async with await AsyncConnection.connect(database_url, autocommit=True) as conn:
        yield conn


@pytest.fixture
async def on_node(database_url: str, club_id: UUID) -> AsyncGenerator[Owner]:
    async with await AsyncConnection.connect(server_url_of_club(database_url, club_id)) as conn:
        yield conn
        await conn.rollback()


async def read_all(feed: Feed) -> list[FeedEntryRow]:
    return await feed.page(0, 100_000)


def describe(entries: Sequence[FeedEntryRow]) -> list[tuple[UUID, int]]:
    return [(one.game_id, one.version) for one in entries]


async def test_entries_have_positions_from_1_in_the_order_they_were_recorded(
    feed: Feed, table: SampleTable
) -> None:
    first, second = await table.start_game(), await table.start_game()
    await table.append(second, 1, play(0, "AH"), play(1, "9H"))
    await table.append(first, 1, play(0, "KH"))
    extended = await feed.extend()
    assert (extended.head, extended.added) == (5, 5)
    entries = await read_all(feed)
    assert [one.position for one in entries] == [1, 2, 3, 4, 5]
    assert describe(entries) == [(first, 1), (second, 1), (second, 2), (second, 3), (first, 2)]
    assert extended.oldest == entries[0].recorded_at


async def test_versions_of_a_game_stay_in_order_where_the_clock_was_set_back(
    feed: Feed, on_node: Owner, club_id: UUID
) -> None:
    back, other = uuid4(), uuid4()
    timed = INSERT.replace("data, hash)", "data, hash, recorded_at)").replace(
        "sha256('an entry'))", "sha256('an entry'), now() - %s * interval '1 hour')"
    )
    for game_id, version, hours in ((back, 1, 1), (other, 1, 2), (back, 2, 3), (back, 3, 0)):
        await on_node.execute(timed, [club_id, game_id, version, uuid4(), hours])
    await on_node.commit()
    await feed.extend()
    fed = [(game_id == back, version) for game_id, version in describe(await read_all(feed))]
    assert fed == [(False, 1), (True, 1), (True, 2), (True, 3)]


async def test_an_entry_is_told_as_it_is_hashed(
    feed: Feed, table: SampleTable, events: EventStore
) -> None:
    game_id = await table.start_game()
    await table.append(game_id, 1, note("by the window"))
    await feed.extend()
    (_, fed), (_, stored) = await read_all(feed), await events.read(game_id)
    assert (fed.data, fed.hash, fed.recorded_at) == (stored.data, stored.hash, stored.recorded_at)
    assert (fed.type, fed.schema_version) == (stored.type, stored.schema_version)
    assert b"window" not in fed.data


async def test_a_second_look_adds_nothing(feed: Feed, table: SampleTable) -> None:
    await table.start_game()
    assert (await feed.extend()).added == 1
    again = await feed.extend()
    assert (again.head, again.added) == (1, 0)


async def test_a_page_begins_after_a_position_and_expires_at_its_limit(
    feed: Feed, table: SampleTable
) -> None:
    game_id = await table.start_game()
    await table.append(game_id, 1, *(play(0, "AH") for _ in range(9)))
    await feed.extend()
    assert [one.position for one in await feed.page(3, 4)] == [4, 5, 6, 7]
    assert await feed.page(10, 4) == []


async def test_an_open_transaction_stalls_nobody_and_is_told_of_when_it_ends(
    feed: Feed, table: SampleTable, on_node: Owner, club_id: UUID
) -> None:
    slow, quick = await table.start_game(), await table.start_game()
    await feed.extend()
    await on_node.execute(INSERT, [club_id, slow, 2, uuid4()])  # not committed
    await table.append(quick, 1, play(0, "AH"))
    assert (await feed.extend()).added == 1
    await table.append(quick, 2, play(1, "9H"))
    assert (await feed.extend()).added == 1
    await on_node.commit()
    assert (await feed.extend()).added == 1
    assert describe(await feed.page(2, 9)) == [(quick, 2), (quick, 3), (slow, 2)]


async def test_what_was_rolled_back_leaves_no_gap(
    feed: Feed, table: SampleTable, owner: Owner, club_id: UUID
) -> None:
    game_id = await table.start_game()
    await owner.execute(INSERT, [club_id, game_id, 2, uuid4()])
    await feed.extend()
    await owner.rollback()
    await table.append(game_id, 1, play(0, "AH"))
    await feed.extend()
    assert [one.position for one in await read_all(feed)] == [1, 2]


async def test_whoever_comes_while_another_gives_positions_is_told_so(
    feed: Feed, table: SampleTable, on_node: Owner, club_id: UUID
) -> None:
    await table.start_game()
    await feed.extend()
    await on_node.execute("SELECT pg_advisory_xact_lock(carnet.feed_key(%s))", [club_id])
    await table.start_game()
    busy = await feed.extend()
    assert (busy.head, busy.added) == (1, None)
    await on_node.rollback()
    assert (await feed.extend()).added == 1


async def test_on_another_server_everything_is_found_and_nothing_doubled(
    feed: Feed, table: SampleTable, second: Owner, club_id: UUID
) -> None:
    game_id = await table.start_game()
    await feed.extend()
    await table.append(game_id, 1, play(0, "AH"))
    # A dump brings the mark of a server whose transactions had much larger numbers.
    await second.execute(
        "UPDATE carnet.feed_mark SET server = 1, seen = '999999999:999999999:' WHERE club_id = %s",
        [club_id],
    )
    assert (await feed.extend()).added == 1
    await table.append(game_id, 2, play(1, "9H"))
    assert (await feed.extend()).added == 1
    assert describe(await read_all(feed)) == [(game_id, 1), (game_id, 2), (game_id, 3)]


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE carnet.feed SET position = position + 1 WHERE club_id = %s",
        "DELETE FROM carnet.feed WHERE club_id = %s",
    ],
)
async def test_the_feed_only_grows(
    change: str, feed: Feed, table: SampleTable, owner: Owner, club_id: UUID
) -> None:
    await table.start_game()
    await feed.extend()
    with pytest.raises(errors.Error) as refused:
        await owner.execute(change.encode(), [club_id])
    assert refused.value.sqlstate == "YC004"


@pytest.mark.parametrize("table_name", ["feed", "feed_mark"])
async def test_the_service_may_not_write_the_feed_itself(table_name: str, pool: Pool) -> None:
    for right in ("INSERT", "UPDATE", "DELETE", "TRUNCATE"):
        async with pool.connection() as conn:
            asked = "SELECT has_table_privilege('carnet.' || %s::text, %s)"
            assert await (await conn.execute(asked, [table_name, right])).fetchone() == (False,)


async def test_clubs_have_feeds_of_their_own(feed: Feed, table: SampleTable, pool: Pool) -> None:
    elsewhere = uuid4()
    other = await SampleTable.with_players(EventStore(pool, elsewhere), Players(pool, elsewhere))
    game_id = await table.start_game()
    await other.start_game()
    await feed.extend()
    await Feed(pool, elsewhere).extend()
    assert describe(await read_all(feed)) == [(game_id, 1)]
    assert [one.position for one in await read_all(Feed(pool, elsewhere))] == [1]


async def test_of_sixteen_writers_nothing_is_missed_doubled_or_out_of_order(
    feed: Feed, table: SampleTable, events: EventStore
) -> None:
    done = asyncio.Event()

    async def write() -> None:
        game_id = await table.start_game()
        for version in range(1, APPENDS + 1):
            await table.append(game_id, version, play(0, "AH"))

    async def sequence() -> None:
        while not done.is_set():
            await feed.extend()

    async def follow() -> list[FeedEntryRow]:
        followed: list[FeedEntryRow] = []
        while True:
            ended = done.is_set()
            followed += await feed.page(len(followed), 7)
            if ended and len(followed) == WRITERS * (APPENDS + 1):
                return followed

    sequencing = [asyncio.create_task(sequence()) for _ in range(SEQUENCERS)]
    following = asyncio.create_task(follow())
    await asyncio.gather(*(write() for _ in range(WRITERS)))
    done.set()
    await asyncio.gather(*sequencing)
    await feed.extend()
    followed = await following
    assert [one.position for one in followed] == list(range(1, len(followed) + 1))
    stored = [(link.game_id, link.entry.version) async for link in events.walk()]
    assert sorted(describe(followed)) == sorted(stored)
    last: dict[UUID, int] = {}
    for one in followed:
        assert one.version == last.get(one.game_id, 0) + 1
        last[one.game_id] = one.version


READ = """
    SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::integer
    FROM pg_stat_xact_user_tables WHERE relname ~ '^(entry|feed)(_[0-9]+)?$'
"""
MANY = """
    INSERT INTO carnet.entry (club_id, game_id, version, ordinal, schema_version, command_id, type,
                              data, hash)
    SELECT %s, %s, version, 0, 1, gen_random_uuid(), 'play', '{}', sha256('an entry')
    FROM generate_series(1, %s) version
"""


@pytest.mark.parametrize("analysed", [False, True])
async def test_what_is_new_is_found_without_reading_what_is_old(
    embedded_cluster: Cluster, *, analysed: bool
) -> None:
    club_id, extend = DEFAULT_CLUB, "SELECT carnet.extend_feed(%s)"
    last = UUID(int=2**128 - 1)  # a walk along the index would meet all others first
    with embedded_cluster.migrated_database() as url:
        read = await read_for_one_more(url, club_id, last, extend, analysed=analysed)
    assert 0 < read < 100


async def read_for_one_more(
    url: str, club_id: UUID, last: UUID, extend: LiteralString, *, analysed: bool
) -> int:
    async with await AsyncConnection.connect(url, autocommit=True) as conn:
        for _ in range(10):  # PostgreSQL keeps a plan from the sixth time on
            await conn.execute(INSERT, [club_id, uuid4(), 1, uuid4()])
            await conn.execute(extend, [club_id])
        await conn.execute(MANY, [club_id, uuid4(), 10_000])
        await conn.execute(extend, [club_id])
        if analysed:
            await conn.execute("ANALYZE carnet.entry, carnet.feed")
        await conn.execute(INSERT, [club_id, last, 1, uuid4()])
        async with conn.transaction():
            before = await (await conn.execute(READ)).fetchone()
            await conn.execute(extend, [club_id])
            after = await (await conn.execute(READ)).fetchone()
    assert before
    assert after
    return int(after[0]) - int(before[0])
