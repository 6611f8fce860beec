import asyncio
from uuid import UUID, uuid4

import pytest
from msgspec import structs
from psycopg import AsyncConnection

from service.errors import NotFound, TitleMerged
from service.store.club.titles import Titles
from service.store.connection.pool import Pool
from service.store.read_models.listing import GameFilter
from service.store.read_models.projections import GameIndex
from service.store.records import GameSummary, NewTitle
from tests.store.samples import SampleTable, entry


@pytest.fixture
def titles(pool: Pool, club_id: UUID) -> Titles:
    return Titles(pool, club_id)


# Lets each statement that adds titles wait, at its end, for whoever holds the lock 7.
_PAUSE = """
    CREATE FUNCTION public.wait_for_seven() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        PERFORM pg_advisory_xact_lock_shared(7);
        RETURN NULL;
    END $$;
    CREATE TRIGGER pause AFTER INSERT ON carnet.title
        FOR EACH STATEMENT EXECUTE FUNCTION public.wait_for_seven();
"""
_GO_ON = "DROP TRIGGER pause ON carnet.title; DROP FUNCTION public.wait_for_seven();"
_WAITS = "SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = 7 AND NOT granted"


async def start_titled(table: SampleTable, title_id: UUID, new: NewTitle | None = None) -> UUID:
    game_id = uuid4()
    start = table.game_start("scores", title_id)
    if new is not None:
        start = structs.replace(start, title=None, new_title=new)
    summary = GameSummary(
        status="open",
        deals=0,
        totals=(0, 0),
        places=(1, 1),
        took_part=(False, False),
        start=start,
    )
    await table.append(game_id, 0, entry("started"), summary=summary)
    return game_id


async def test_the_merge_of_two_titles_is_undone(
    titles: Titles, games: GameIndex, table: SampleTable
) -> None:
    one, other = [await titles.create(uuid4(), name) for name in ("Skyjoo", "Skyjo")]
    first, second = [await start_titled(table, each.title_id) for each in (one, other)]
    assert await titles.merge(one.title_id, other.title_id) == other
    assert await titles.merge(one.title_id, other.title_id) == other
    assert await titles.all() == [other]
    assert await titles.get(one.title_id) == await titles.find_by_name("skyjoo") == other
    assert [(each.title_id, each.title) for each in await titles.list_merged()] == [
        (one.title_id, other.title_id)
    ]
    for each in (one, other):
        found = await games.games(GameFilter(title=each.title_id))
        assert {(game.game_id, game.title_id) for game in found.games} == {
            (first, other.title_id),
            (second, other.title_id),
        }

    assert await titles.undo_merge(one.title_id) == one
    assert (await games.game(first)).title_id == one.title_id
    assert (await games.game(second)).title_id == other.title_id
    with pytest.raises(NotFound):
        await titles.undo_merge(one.title_id)


async def test_a_merged_title_is_not_merged_into_another(titles: Titles) -> None:
    one, two, three = [(await titles.create(uuid4(), name)).title_id for name in "ABC"]
    await titles.merge(one, two)
    await titles.merge(two, three)
    for pair in ((one, uuid4()), (three, one)):
        with pytest.raises((TitleMerged, NotFound)):
            await titles.merge(*pair)
    with pytest.raises(TitleMerged) as refused:
        await titles.merge(three, one)
    assert refused.value.title_id == three
    await titles.undo_merge(two)
    assert (await titles.get(one)).title_id == two


async def test_a_title_is_renamed_and_forgotten_with_those_merged_into_it(titles: Titles) -> None:
    one, other = [(await titles.create(uuid4(), name)).title_id for name in ("Skyjoo", "Skyjo")]
    await titles.merge(one, other)
    assert (await titles.change(one, "Skyjo!", None)).title_id == other
    await titles.forget(one)
    await titles.undo_merge(one)
    assert [(await titles.get(each)).name for each in (one, other)] == [None, None]


async def test_a_game_has_its_title_although_that_is_renamed_at_the_same_moment(
    titles: Titles, games: GameIndex, table: SampleTable, database_url: str
) -> None:
    here = await titles.create(uuid4(), "Skyjo")
    async with await AsyncConnection.connect(database_url, autocommit=True) as owner:
        await owner.execute(_PAUSE)
        try:
            await owner.execute("SELECT pg_advisory_lock(7)")
            new = NewTitle(id=uuid4(), name="Skyjo", folded="skyjo")
            starting = asyncio.ensure_future(start_titled(table, here.title_id, new))
            while not (await owner.execute(_WAITS)).rowcount:  # noqa: ASYNC110 another session
                await asyncio.sleep(0.01)
            renaming = asyncio.ensure_future(titles.change(here.title_id, "Skyjo Action"))
            await asyncio.wait([renaming], timeout=0.5)
            await owner.execute("SELECT pg_advisory_unlock(7)")
            game_id = await starting
            await renaming
        finally:
            await owner.execute(_GO_ON)
    assert (await games.game(game_id)).title_id == here.title_id
