import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from uuid import UUID, uuid4

import psycopg
import pytest
from msgspec import structs
from psycopg.errors import CheckViolation

from service.errors import KeyReused, NotFound, VersionConflict
from service.store.connection.pool import Connection, Pool, connection
from service.store.log import group_commit
from service.store.log.events import EventStore
from service.store.log.group_commit import GROUPED_ENTRIES_MAX, WORKERS_MAX, GroupCommit
from service.store.records import NewEntry
from tests.postgres import server_url_of_club
from tests.store.samples import OPEN, SampleTable, note, play

GAMES = 24
AT_MOST_SECONDS = 20.0
IMPOSSIBLE = NewEntry(type="play", schema_version=0, data=b"{}")


@pytest.fixture
async def game_ids(table: SampleTable) -> list[UUID]:
    return [await table.start_game() for _ in range(GAMES)]


async def transactions(pool: Pool, table: SampleTable, game_ids: list[UUID]) -> int:
    async with connection(pool, table.events.club_id) as conn:
        rows = await conn.execute(
            "SELECT count(DISTINCT xid) FROM carnet.entry WHERE game_id = ANY(%s) AND version = 2",
            [game_ids],
        )
        (row,) = await rows.fetchall()
    return int(row[0])


async def test_what_waits_at_the_same_moment_is_one_transaction(
    table: SampleTable, pool: Pool, game_ids: list[UUID]
) -> None:
    await asyncio.gather(*(table.append(game_id, 1, play(0, "AH")) for game_id in game_ids))
    assert await transactions(pool, table, game_ids) <= WORKERS_MAX


async def test_each_is_answered_with_its_own_entries(
    events: EventStore, table: SampleTable, game_ids: list[UUID]
) -> None:
    answers = await asyncio.gather(
        *(table.append(game_id, 1, play(0, f"{n}")) for n, game_id in enumerate(game_ids))
    )
    stored = [tuple(await events.read(game_id, after=1)) for game_id in game_ids]
    assert [answer.entries for answer in answers] == stored


async def test_each_has_its_own_verdict(table: SampleTable, game_ids: list[UUID]) -> None:
    repeated, reused, behind, right, *_ = game_ids
    command = uuid4()
    for game_id in (repeated, reused):
        await table.append(game_id, 1, play(0, "AH"), command_id=command)
    await table.append(behind, 1, play(0, "AH"))
    first, *answers = await asyncio.gather(
        table.append(repeated, 1, play(0, "AH"), command_id=command),
        table.append(reused, 1, play(0, "KH"), command_id=command),
        table.append(behind, 1, play(0, "KH")),
        table.append(uuid4(), 1, play(0, "AH")),
        table.append(right, 1, play(0, "AH")),
        return_exceptions=True,
    )
    assert getattr(first, "replayed", None) is True
    kinds = [type(answer) for answer in answers[:-1]]
    assert kinds == [KeyReused, VersionConflict, NotFound]
    assert getattr(answers[-1], "replayed", None) is False


async def test_of_two_on_one_version_together_the_first_wins(
    events: EventStore, table: SampleTable, game_ids: list[UUID]
) -> None:
    game_id = game_ids[0]
    won, lost = await asyncio.gather(
        table.append(game_id, 1, play(0, "AH")),
        table.append(game_id, 1, play(0, "KH")),
        return_exceptions=True,
    )
    assert isinstance(lost, VersionConflict)
    assert tuple(await events.read(game_id, after=1)) == getattr(won, "entries", None)


async def test_one_that_fails_takes_nobody_with_it(
    events: EventStore, table: SampleTable, game_ids: list[UUID]
) -> None:
    wrong, *right = game_ids
    failed, *_ = await asyncio.gather(
        table.append(wrong, 1, IMPOSSIBLE),
        *(table.append(game_id, 1, play(0, "AH")) for game_id in right),
        return_exceptions=True,
    )
    assert isinstance(failed, CheckViolation)
    assert [len(await events.read(game_id)) for game_id in right] == [2] * len(right)
    assert len(await events.read(wrong)) == 1


async def test_a_game_that_somebody_holds_keeps_nobody_waiting(
    table: SampleTable, game_ids: list[UUID], club_id: UUID, database_url: str
) -> None:
    held, *free = game_ids
    with psycopg.connect(server_url_of_club(database_url, club_id)) as holder:
        holder.execute("SELECT carnet.lock_game(%s, %s)", [club_id, held])
        waiting = asyncio.create_task(table.append(held, 1, play(0, "AH")))
        await asyncio.gather(*(table.append(game_id, 1, play(0, "AH")) for game_id in free))
        assert not waiting.done()
    assert not (await waiting).replayed


async def test_who_goes_away_takes_nothing_from_the_others(
    events: EventStore, table: SampleTable, game_ids: list[UUID]
) -> None:
    leaving, *staying = game_ids
    left = asyncio.create_task(table.append(leaving, 1, play(0, "AH")))
    stayed = [asyncio.create_task(table.append(one, 1, play(0, "AH"))) for one in staying]
    await asyncio.sleep(0)
    left.cancel()
    await asyncio.gather(*stayed)
    assert [len(await events.read(game_id)) for game_id in staying] == [2] * len(staying)


async def test_who_comes_as_the_last_call_ends_is_not_left_waiting(
    table: SampleTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(group_commit, "WORKERS_MAX", 1)
    game_id = await table.start_game()
    await table.append(game_id, 1, play(0, "AH"))
    # It is sent in the same loop iteration in which the first append got its result.
    async with asyncio.timeout(AT_MOST_SECONDS):
        await table.append(game_id, 2, play(1, "KH"))


async def test_who_waits_behind_a_call_that_breaks_is_answered(
    table: SampleTable, game_ids: list[UUID], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(group_commit, "WORKERS_MAX", 1)
    monkeypatch.setattr(group_commit, "COMMANDS_MAX", 1)
    unwritable = NewEntry(type="play", schema_version=0, data=b"\xff")
    async with asyncio.timeout(AT_MOST_SECONDS):
        broken, stored = await asyncio.gather(
            table.append(game_ids[0], 1, unwritable),
            table.append(game_ids[1], 1, play(0, "AH")),
            return_exceptions=True,
        )
    assert isinstance(broken, UnicodeDecodeError)
    assert getattr(stored, "replayed", None) is False


async def test_a_second_call_begins_once_as_many_wait_as_are_under_way(
    table: SampleTable, game_ids: list[UUID], monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, ends = asyncio.Semaphore(0), asyncio.Event()

    @asynccontextmanager
    async def held(
        pool: Pool, club_id: UUID | None, *, club_in_arguments: bool = False
    ) -> AsyncGenerator[Connection]:
        begun.release()
        await ends.wait()
        async with connection(pool, club_id, club_in_arguments=club_in_arguments) as lent:
            yield lent

    monkeypatch.setattr(group_commit, "connection", held)
    async with asyncio.timeout(AT_MOST_SECONDS), asyncio.TaskGroup() as group:
        for game_id in game_ids[:3]:
            group.create_task(table.append(game_id, 1, play(0, "AH")))
        await begun.acquire()
        for game_id in game_ids[3:5]:
            group.create_task(table.append(game_id, 1, play(0, "AH")))
        for _ in range(10):  # turns in which a call would begin
            await asyncio.sleep(0)
        assert begun.locked()
        group.create_task(table.append(game_ids[5], 1, play(0, "AH")))
        await begun.acquire()
        ends.set()


async def test_a_long_command_is_stored_alone(
    table: SampleTable, pool: Pool, game_ids: list[UUID]
) -> None:
    long = [play(0, "AH")] * (GROUPED_ENTRIES_MAX + 1)
    await asyncio.gather(*(table.append(game_id, 1, *long) for game_id in game_ids[:4]))
    assert await transactions(pool, table, game_ids) == 4


async def test_a_command_sent_with_a_later_version_is_recognised(table: SampleTable) -> None:
    game_id, command_id = await table.start_game(), uuid4()
    first = await table.append(game_id, 1, play(0, "AH"), command_id=command_id)
    again = await table.append(
        game_id, 2, play(0, "AH"), command_id=command_id, duplicates_checked=False
    )
    assert (again.replayed, again.entries) == (True, first.entries)


_PROJECTION = """
    SELECT status, version, deals, totals, places, took_part, set_aside, detached
    FROM carnet.game WHERE game_id = %s
"""


async def test_a_plain_entry_is_stored_as_any_other(
    events: EventStore, table: SampleTable, pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain, other = await table.start_game(), await table.start_game()
    summary = structs.replace(OPEN, totals=(3, -2), places=(1, 2), set_aside=True)
    written = note("three")
    for game_id in (plain, other):
        await table.append(game_id, 1, written)
        await events.erase_text(game_id, 2)
    by_command = await table.append(
        other, 2, play(0, "AH"), summary=summary, duplicates_checked=False
    )
    monkeypatch.delattr(GroupCommit, "_call")  # the plain one does not need it
    by_scalars = await table.append(plain, 2, play(0, "AH"), summary=summary)
    assert by_scalars.erased == by_command.erased == {2}
    assert by_scalars.seated == by_command.seated
    assert by_scalars.entries == tuple(await events.read(plain, after=2))
    async with connection(pool, events.club_id) as conn:
        rows = [await (await conn.execute(_PROJECTION, [one])).fetchall() for one in (plain, other)]
    assert rows[0] == rows[1]
    assert [verdict.broken async for verdict in events.verify()] == [None, None]


async def test_a_plain_entry_at_another_version_is_a_conflict(
    events: EventStore, table: SampleTable
) -> None:
    game_id = await table.start_game()
    await table.append(game_id, 1, play(0, "AH"))
    for version in (1, 3):
        with pytest.raises(VersionConflict):
            await table.append(game_id, version, play(0, "KH"))
    with pytest.raises(NotFound):
        await table.append(uuid4(), 1, play(0, "KH"))
    assert len(await events.read(game_id)) == 2
