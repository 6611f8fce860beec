import asyncio
from typing import Any, LiteralString, TypeAlias
from uuid import UUID, uuid4

import pytest
from psycopg import AsyncConnection, sql

from schemas.catalogue import encode
from schemas.entries import Amend, Note, Void
from schemas.upcast import TEXT_INLINE
from service.errors import KeyReused, NotFound
from service.store.connection.pool import Pool
from service.store.log.events import EventStore
from service.store.log.snapshot import Snapshot
from service.store.records import NewEntry
from tests.store.samples import SampleTable, new_entry_of, note, play

Owner: TypeAlias = AsyncConnection[tuple[Any, ...]]

REPEATS = 100
WRITTEN = "Anna war müde"


@pytest.fixture
async def game_id(table: SampleTable) -> UUID:
    made = await table.start_game()
    await table.append(made, 1, note(WRITTEN))
    await table.append(made, 2, play(0, "AH"), new_entry_of(Void(reason="dropped")))
    return made


async def whole(events: EventStore) -> bool:
    return all([verdict.broken is None async for verdict in events.verify()])


async def test_a_text_is_read_as_it_was_written(events: EventStore, game_id: UUID) -> None:
    read = await events.read(game_id)
    assert read[1].json == encode(Note(text=WRITTEN))
    assert read[3].json == encode(Void(reason="dropped"))
    assert [entry.erased for entry in read] == [False] * 4


async def test_the_bytes_that_are_hashed_do_not_hold_it(events: EventStore, game_id: UUID) -> None:
    for entry in await events.read(game_id):
        assert b"Anna" not in entry.data
        assert b"dropped" not in entry.data


@pytest.mark.parametrize("text", ["a\u0000b", "\u2028", "x" * 2_000, "🂡"])
async def test_any_text_is_kept_sign_for_sign(
    text: str, events: EventStore, table: SampleTable
) -> None:
    made = await table.start_game()
    appended = await table.append(made, 1, note(text))
    (read,) = await events.read(made, after=1)
    assert read == appended.entries[0]
    assert read.json == encode(Note(text=text))
    assert await whole(events)


async def test_a_text_in_a_correction_is_kept_beside_too(
    events: EventStore, table: SampleTable
) -> None:
    made = await table.start_game()
    amend = Amend(version=2, move=Note(text=WRITTEN))
    await table.append(made, 1, note("x"), new_entry_of(amend))
    last = (await events.read(made))[-1]
    assert b"Anna" not in last.data
    assert last.json == encode(amend)


async def test_an_erased_text_is_gone_and_its_entry_stays(
    events: EventStore, game_id: UUID, owner: Owner
) -> None:
    before = await events.read(game_id)
    await events.erase_text(game_id, 2)
    after = await events.read(game_id)
    assert [entry.hash for entry in after] == [entry.hash for entry in before]
    assert [entry.data for entry in after] == [entry.data for entry in before]
    assert [entry.erased for entry in after] == [False, True, False, False]
    assert after[1].json == encode(Note(text=""))
    assert after[3] == before[3]
    rows = await owner.execute(
        "SELECT salt, text FROM carnet.free_text WHERE game_id = %s ORDER BY version", [game_id]
    )
    assert (await rows.fetchall())[0] == (None, None)


async def test_the_chain_is_whole_before_and_after(events: EventStore, game_id: UUID) -> None:
    assert await whole(events)
    await events.erase_text(game_id, 2)
    assert await whole(events)


async def test_a_text_is_erased_once_and_stays_so(events: EventStore, game_id: UUID) -> None:
    await events.erase_text(game_id, 2)
    await events.erase_text(game_id, 2)
    assert (await events.read(game_id))[1].erased


@pytest.mark.parametrize("version", [1, 3, 5, 0, -1, 2**31, 10**30])
async def test_where_no_text_is_there_is_nothing_to_erase(
    version: int, events: EventStore, game_id: UUID
) -> None:
    with pytest.raises(NotFound):
        await events.erase_text(game_id, version)


async def test_another_clubs_text_is_not_erased(
    events: EventStore, pool: Pool, game_id: UUID
) -> None:
    with pytest.raises(NotFound):
        await EventStore(pool, uuid4()).erase_text(game_id, 2)
    assert not (await events.read(game_id))[1].erased


async def test_an_empty_text_stays_in_its_entry(events: EventStore, table: SampleTable) -> None:
    made = await table.start_game()
    await table.append(made, 1, note(""))
    assert (await events.read(made))[1].data == encode(Note(text=""))
    with pytest.raises(NotFound):
        await events.erase_text(made, 2)


async def test_whoever_knows_a_game_is_told_what_came_and_what_was_erased(
    events: EventStore, game_id: UUID
) -> None:
    assert (await events.news(game_id, 4)).entries == ()
    await events.erase_text(game_id, 2)
    assert [(new.version, new.erased) for new in (await events.news(game_id, 3)).entries] == [
        (2, True),
        (4, False),
    ]
    assert [new.version for new in (await events.news(game_id, 1)).entries] == [2, 3, 4]


async def test_several_games_are_told_of_at_once_as_each_by_itself(
    events: EventStore, table: SampleTable, game_id: UUID
) -> None:
    await events.erase_text(game_id, 2)
    known = {game_id: 3, await table.start_game(): 0, uuid4(): 0}
    assert await events.news_of(known) == {
        one: await events.news(one, version) for one, version in known.items()
    }


async def test_a_command_with_a_text_is_stored_once_however_often_it_is_sent(
    events: EventStore, table: SampleTable
) -> None:
    made, command_id = await table.start_game(), uuid4()
    answers = await asyncio.gather(
        *(
            table.append(made, 1, play(0, "AH"), note(WRITTEN), command_id=command_id)
            for _ in range(REPEATS)
        )
    )
    assert len(await events.read(made)) == 3
    assert sum(not answer.replayed for answer in answers) == 1
    assert len({answer.entries for answer in answers}) == 1


async def test_a_command_with_another_text_is_refused(table: SampleTable) -> None:
    made, command_id = await table.start_game(), uuid4()
    await table.append(made, 1, note(WRITTEN), command_id=command_id)
    for other in (note("another"), note(""), new_entry_of(Void(reason=WRITTEN)), play(0, "AH")):
        with pytest.raises(KeyReused):
            await table.append(made, 1, other, command_id=command_id)
    with pytest.raises(KeyReused):
        await table.append(made, 1, note(WRITTEN), note(WRITTEN), command_id=command_id)


async def test_a_command_sent_again_after_its_text_was_erased_is_known(table: SampleTable) -> None:
    made, command_id = await table.start_game(), uuid4()
    first = await table.append(made, 1, note(WRITTEN), command_id=command_id)
    await table.events.erase_text(made, 2)
    again = await table.append(made, 1, note(WRITTEN), command_id=command_id)
    assert again.replayed
    assert again.entries[0].erased
    assert again.entries[0].hash == first.entries[0].hash


async def test_what_a_command_and_many_games_hold_is_read_with_its_text(
    events: EventStore, table: SampleTable
) -> None:
    made, command_id = await table.start_game(), uuid4()
    await table.append(made, 1, note(WRITTEN), command_id=command_id)
    (stored,) = await events.command(made, command_id)
    (_, logged) = await events.of_games([made])
    assert stored.json == logged.json == encode(Note(text=WRITTEN))
    await events.erase_text(made, 2)
    (_, logged) = await events.of_games([made])
    assert logged.json == encode(Note(text=""))


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE carnet.free_text SET text = 'Anna war wach'::bytea",
        "UPDATE carnet.free_text SET salt = '0123456789abcdef'::bytea",
        "DELETE FROM carnet.free_text",
    ],
)
async def test_a_text_changed_behind_the_stores_back_is_found(
    change: LiteralString, owner: Owner, game_id: UUID, club_id: UUID
) -> None:
    await owner.execute("ALTER TABLE carnet.free_text DISABLE TRIGGER free_text_keeps_rows")
    where = sql.SQL(" WHERE game_id = {} AND version = 2").format(game_id)
    await owner.execute(sql.SQL(change) + where)
    verdicts = [verdict async for verdict in Snapshot(owner, club_id).verify()]
    assert [(verdict.broken, verdict.version) for verdict in verdicts] == [("text", 2)]


async def test_people_with_psql_see_the_text_beside_the_digest(
    owner: Owner, events: EventStore, game_id: UUID
) -> None:
    query = """
        SELECT data -> 'text' ? 'sha256', text FROM carnet.entry_json
        WHERE game_id = %s AND type = 'note'
    """
    assert await (await owner.execute(query, [game_id])).fetchall() == [(True, WRITTEN)]
    await owner.commit()
    await events.erase_text(game_id, 2)
    assert await (await owner.execute(query, [game_id])).fetchall() == [(True, None)]


async def test_a_note_that_was_recorded_whole_is_read_as_it_is_and_the_log_goes_on(
    events: EventStore, table: SampleTable
) -> None:
    game_id, data = await table.start_game(), encode(Note(text=WRITTEN))
    await table.append(game_id, 1, NewEntry(type="note", schema_version=TEXT_INLINE, data=data))
    (read,) = await events.read(game_id, 1)
    assert (read.data, read.json, read.erased) == (data, data, False)
    with pytest.raises(NotFound):
        await events.erase_text(game_id, 2)
    await table.append(game_id, 2, note("new"))
    await events.erase_text(game_id, 3)
    assert await whole(events)
