import asyncio
from uuid import UUID, uuid4

import pytest
from psycopg.errors import CheckViolation

from service.errors import KeyReused, NotFound, VersionConflict
from service.store.club.players import Players
from service.store.connection.pool import Pool, open_pool
from service.store.log.events import EventStore
from service.store.records import GameStart, GameSummary, NewEntry
from tests.store.samples import OPEN, SampleTable, entry, play

WRITERS = 32
REPEATS = 100


async def test_entries_are_read_as_they_were_appended(
    events: EventStore, table: SampleTable
) -> None:
    game_id = await table.start_game()
    appended = await table.append(game_id, 1, play(0, "AH"), play(1, "9C"))
    assert tuple(await events.read(game_id, after=1)) == appended.entries


async def test_versions_count_from_one_without_a_gap(
    events: EventStore, table: SampleTable
) -> None:
    game_id = await table.start_game()
    await table.append(game_id, 1, play(0, "AH"), play(1, "9C"))
    await table.append(game_id, 3, play(1, "JS"))
    assert [stored.version for stored in await events.read(game_id)] == [1, 2, 3, 4]


async def test_data_is_kept_byte_for_byte(events: EventStore, table: SampleTable) -> None:
    game_id = await table.start_game()
    note = entry("note", text='‘quoted’\\ "é" \n\u0001')
    await table.append(game_id, 1, note)
    assert (await events.read(game_id))[-1].data == note.data


async def test_an_entry_says_who_recorded_it(table: SampleTable) -> None:
    game_id = await table.start_game()
    appended = await table.append(game_id, 1, play(0, "AH"))
    assert appended.entries[0].recorded_by == table.players[0]


async def test_a_game_nobody_started_has_no_entries(events: EventStore) -> None:
    assert await events.read(uuid4()) == []


async def test_another_clubs_game_is_not_seen(table: SampleTable, pool: Pool) -> None:
    game_id = await table.start_game()
    assert await EventStore(pool, uuid4()).read(game_id) == []


async def test_a_repeated_command_is_stored_once(events: EventStore, table: SampleTable) -> None:
    game_id, command_id = await table.start_game(), uuid4()
    answers = await asyncio.gather(
        *(
            table.append(game_id, 1, play(0, "AH"), play(1, "9C"), command_id=command_id)
            for _ in range(REPEATS)
        )
    )
    assert len(await events.read(game_id)) == 3
    assert sum(not answer.replayed for answer in answers) == 1
    assert len({answer.entries for answer in answers}) == 1


async def test_a_repeated_command_answers_after_the_game_has_gone_on(table: SampleTable) -> None:
    game_id, command_id = await table.start_game(), uuid4()
    first = await table.append(game_id, 1, play(0, "AH"), command_id=command_id)
    await table.append(game_id, 2, play(1, "9C"))
    again = await table.append(game_id, 1, play(0, "AH"), command_id=command_id)
    assert again.replayed
    assert again.entries == first.entries


async def test_a_command_with_other_entries_is_refused(table: SampleTable) -> None:
    game_id, command_id = await table.start_game(), uuid4()
    await table.append(game_id, 1, play(0, "AH"), command_id=command_id)
    with pytest.raises(KeyReused) as refused:
        await table.append(game_id, 1, play(0, "KH"), command_id=command_id)
    assert refused.value.command_id == command_id


async def test_a_command_with_fewer_entries_is_refused(table: SampleTable) -> None:
    game_id, command_id = await table.start_game(), uuid4()
    await table.append(game_id, 1, play(0, "AH"), play(1, "9C"), command_id=command_id)
    with pytest.raises(KeyReused):
        await table.append(game_id, 1, play(0, "AH"), command_id=command_id)


async def test_the_same_command_in_another_game_is_another_one(table: SampleTable) -> None:
    command_id = uuid4()
    for game_id in (await table.start_game(), await table.start_game()):
        appended = await table.append(game_id, 1, play(0, "AH"), command_id=command_id)
        assert not appended.replayed


async def test_a_command_is_found_by_its_id(events: EventStore, table: SampleTable) -> None:
    game_id, command_id = await table.start_game(), uuid4()
    appended = await table.append(game_id, 1, play(0, "AH"), play(1, "9C"), command_id=command_id)
    await table.append(game_id, 3, play(1, "JS"))
    assert tuple(await events.command(game_id, command_id)) == appended.entries


async def test_a_stale_version_is_refused_with_the_one_now(table: SampleTable) -> None:
    game_id = await table.start_game()
    await table.append(game_id, 1, play(0, "AH"))
    with pytest.raises(VersionConflict) as refused:
        await table.append(game_id, 1, play(1, "9C"))
    assert refused.value.version == 2


async def test_a_version_that_is_not_yet_is_refused(table: SampleTable) -> None:
    game_id = await table.start_game()
    with pytest.raises(VersionConflict) as refused:
        await table.append(game_id, 7, play(1, "9C"))
    assert refused.value.version == 1


async def test_of_many_writers_on_one_version_one_wins(
    events: EventStore, table: SampleTable
) -> None:
    game_id = await table.start_game()
    answers = await asyncio.gather(
        *(table.append(game_id, 1, play(0, f"{n}")) for n in range(WRITERS)),
        return_exceptions=True,
    )
    lost = [answer for answer in answers if isinstance(answer, VersionConflict)]
    assert len(lost) == WRITERS - 1
    assert {conflict.version for conflict in lost} == {2}
    assert len(await events.read(game_id)) == 2


async def test_a_game_that_started_is_not_started_again(
    events: EventStore, table: SampleTable
) -> None:
    game_id = await table.start_game()
    with pytest.raises(VersionConflict):
        await events.append(
            game_id=game_id,
            expected_version=0,
            command_id=uuid4(),
            by=None,
            entries=[entry("started")],
            summary=GameSummary(
                status="open",
                deals=0,
                totals=(0, 0),
                places=(1, 1),
                took_part=(False, False),
                start=table.game_start(),
            ),
        )


async def test_a_game_nobody_started_is_not_found(table: SampleTable) -> None:
    with pytest.raises(NotFound) as refused:
        await table.append(uuid4(), 1, play(0, "AH"))
    assert refused.value.kind == "game"


async def test_a_game_with_a_player_nobody_knows_stores_nothing(
    events: EventStore, table: SampleTable
) -> None:
    game_id = uuid4()
    start = GameStart(
        ruleset="euchre",
        options=table.game_start().options,
        seats=2,
        players=(table.players[0], uuid4()),
    )
    with pytest.raises(NotFound) as refused:
        await events.append(
            game_id=game_id,
            expected_version=0,
            command_id=uuid4(),
            by=None,
            entries=[entry("started")],
            summary=GameSummary(
                status="open",
                deals=0,
                totals=(0, 0),
                places=(1, 1),
                took_part=(False, False),
                start=start,
            ),
        )
    assert refused.value.kind == "player"
    assert await events.read(game_id) == []


async def test_an_append_without_entries_is_a_mistake(table: SampleTable) -> None:
    game_id = await table.start_game()
    with pytest.raises(ValueError, match="has entries"):
        await table.append(game_id, 1)


async def test_a_start_that_is_not_the_first_entry_is_a_mistake(table: SampleTable) -> None:
    game_id = await table.start_game()
    summary = GameSummary(
        status="open",
        deals=0,
        totals=(0, 0),
        places=(1, 1),
        took_part=(False, False),
        start=table.game_start(),
    )
    with pytest.raises(ValueError, match="a start"):
        await table.append(game_id, 1, play(0, "AH"), summary=summary)


async def test_a_batch_is_stored_whole_or_not_at_all(
    events: EventStore, table: SampleTable
) -> None:
    game_id = await table.start_game()
    impossible = NewEntry(type="play", schema_version=0, data=b"{}")
    with pytest.raises(CheckViolation):
        await table.append(game_id, 1, play(0, "AH"), play(1, "9C"), impossible)
    assert len(await events.read(game_id)) == 1


async def test_games_do_not_wait_for_each_other(events: EventStore, table: SampleTable) -> None:
    game_ids = [await table.start_game() for _ in range(8)]
    await asyncio.gather(*(table.append(game_id, 1, play(0, "AH")) for game_id in game_ids))
    assert [len(await events.read(game_id)) for game_id in game_ids] == [2] * 8


async def test_a_walk_sees_every_entry_in_order(events: EventStore, table: SampleTable) -> None:
    for game_id in (await table.start_game(), await table.start_game()):
        await table.append(game_id, 1, play(0, "AH"), play(1, "9C"))
    walked = [(link.game_id, link.entry.version) async for link in events.walk()]
    assert len(walked) == 6
    assert walked == sorted(walked)


async def test_a_snapshot_does_not_see_what_comes_after(
    events: EventStore, table: SampleTable
) -> None:
    game_id = await table.start_game()
    async with events.snapshot() as snapshot:
        assert await snapshot.entries() == 1
        await table.append(game_id, 1, play(0, "AH"), summary=OPEN)
        assert [link.entry.version async for link in snapshot.walk()] == [1]


async def test_a_reader_who_goes_away_leaves_no_transaction_behind(
    database_url: str, club_id: UUID, table: SampleTable, players: Players
) -> None:
    game_id = await table.start_game()
    async with open_pool(database_url, "carnet_service", 1, 1) as one:
        for turns in range(30):
            reading = asyncio.create_task(EventStore(one, club_id).news(game_id))
            for _ in range(turns):
                await asyncio.sleep(0)
            reading.cancel()
            await asyncio.gather(reading, return_exceptions=True)
            added = await Players(one, club_id).create(uuid4(), f"Zoe {turns}")
            assert added.player_id in await players.by_ids([added.player_id])
