import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from datetime import timedelta
from typing import Any, LiteralString, TypeAlias
from uuid import UUID, uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from psycopg import AsyncConnection
from psycopg.sql import SQL

from projections.person import CHECKPOINT_VERSION, Persons, persons
from projections.ratings import PlackettLuce
from projections.standings import GameResult
from service.club import results as club_results
from service.club import standings_checkpoints
from service.club.results import read_results
from service.club.standings_checkpoints import CheckpointedStandings, thin_out
from service.store.club.players import Players
from service.store.connection.pool import Pool
from service.store.read_models.finished_results import FinishedResults
from service.store.read_models.listing import Bound, GameFilter
from service.store.read_models.stored_checkpoints import StoredCheckpoint, StoredCheckpoints
from tests.store.test_listing import START

Owner: TypeAlias = AsyncConnection[tuple[Any, ...]]

AT_8, AT_60 = (START + timedelta(minutes=minutes) for minutes in (8, 60))
PEOPLE = [UUID(int=number) for number in range(1, 6)]
PERIODS = (
    GameFilter(),
    GameFilter(set_aside="include"),
    GameFilter(
        started_from=Bound(AT_8, AT_8),
        started_before=Bound(AT_60, AT_60),
    ),
)
_GAME = """
    INSERT INTO carnet.game (club_id, game_id, ruleset, options, seats, players, status, version,
                             deals, totals, places, took_part, started_at, last_at)
    VALUES (%s, %s, 'euchre', '{}', 2, %s, %s, 2, 1, %s, %s, '{t,t}', %s, %s)
"""
_CHANGES: dict[str, LiteralString] = {
    "finish": "status = 'finished'",
    "go on": "status = 'open'",
    "correct": "version = version + 1, totals = '{3,9}', places = '{2,1}'",
    "set aside": "set_aside = true",
    "bring back": "set_aside = false",
    "begin earlier": "started_at = %(earlier)s",
    "begin later": "started_at = %(later)s",
    "other players": "players = players[2:2] || players[1:1]",
}


@pytest.fixture
async def conn(database_url: str) -> AsyncGenerator[Owner]:
    async with await AsyncConnection.connect(database_url, autocommit=True) as opened:
        yield opened


@pytest.fixture(autouse=True)
def _close_marks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standings_checkpoints, "GAMES_PER_CHECKPOINT", 2)
    monkeypatch.setattr(standings_checkpoints, "GAMES_PER_SAVE", 6)


@pytest.fixture
def club(pool: Pool, club_id: UUID) -> "Club":
    return Club(pool, club_id)


class Club:
    def __init__(self, pool: Pool, club_id: UUID) -> None:
        self.club_id = club_id
        self.told = FinishedResults(pool, club_id)
        self.kept = StoredCheckpoints(pool, club_id, CHECKPOINT_VERSION)
        self.games: list[UUID] = []
        self.restart()

    def restart(self) -> None:
        self.folds = CheckpointedStandings(self.told, self.kept, 16)

    async def plays(self, conn: Owner, minutes: int = 0, status: str = "finished") -> None:
        at = START + timedelta(minutes=minutes)
        number = len(self.games)
        players = [PEOPLE[number % 5], PEOPLE[(number + 1 + number % 3) % 5]]
        ends = ([4, 1], [1, 2]) if number % 2 else ([0, 4], [2, 1])
        self.games.append(uuid4())
        row = [self.club_id, self.games[-1], players, status, *ends, at, at]
        await conn.execute(_GAME, row)

    async def change(self, conn: Owner, number: int, what: str) -> None:
        which = SQL(" WHERE club_id = %(club)s AND game_id = %(game)s")
        facts: dict[str, object] = {"club": self.club_id}
        facts["game"] = self.games[number % len(self.games)]
        read = SQL("SELECT started_at FROM carnet.game") + which
        ((started_at,),) = await (await conn.execute(read, facts)).fetchall()
        facts["earlier"] = started_at - timedelta(minutes=3)
        facts["later"] = started_at + timedelta(minutes=4)
        change = SQL("UPDATE carnet.game SET {}").format(SQL(_CHANGES[what])) + which
        await conn.execute(change, facts)

    async def is_right(self) -> None:
        for period in PERIODS:
            found: list[GameResult[UUID]] = []
            async for some in read_results(self.told, period):
                found += some
            scratch = persons(found, PlackettLuce())
            assert all_told(await self.folds.of(period)) == all_told(scratch)


def all_told(fold: Persons[UUID]) -> object:
    return fold.standings(), [fold.person(player) for player in PEOPLE]


PLAYED = st.tuples(st.just("play"), st.integers(0, 60), st.sampled_from(["open", "finished"]))
CHANGED = st.tuples(st.just("change"), st.integers(0, 60), st.sampled_from(sorted(_CHANGES)))
STEPS = st.lists(
    st.one_of(PLAYED, PLAYED, CHANGED, st.just(("look", 0, "")), st.just(("restart", 0, ""))),
    max_size=40,
)


@settings(
    max_examples=settings().max_examples // 4,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(STEPS)
async def test_folds__are_right_whatever_changes(
    pool: Pool, conn: Owner, steps: list[tuple[str, int, str]]
) -> None:
    club = Club(pool, uuid4())
    await club.plays(conn)
    for step, number, what in steps:
        if step == "play":
            await club.plays(conn, number, what)
        elif step == "change":
            await club.change(conn, number, what)
        elif step == "restart":
            club.restart()
        else:
            await club.is_right()
    await club.is_right()


async def test_folds__go_on_from_the_last_mark_before_what_changed(
    club: Club, conn: Owner, monkeypatch: pytest.MonkeyPatch
) -> None:
    for minutes in range(40):
        await club.plays(conn, minutes)
    await club.folds.of(GameFilter())
    folded = counting(monkeypatch)
    await club.change(conn, 39, "correct")
    await club.folds.of(GameFilter())
    await club.change(conn, 30, "correct")
    await club.folds.of(GameFilter())
    await club.folds.of(GameFilter())
    assert folded[0] <= 2
    assert folded[1] <= 20
    assert len(folded) == 2


async def test_folds__of_a_new_process_begin_where_the_last_one_was_saved(
    club: Club, conn: Owner, monkeypatch: pytest.MonkeyPatch
) -> None:
    for minutes in range(40):
        await club.plays(conn, minutes)
    await club.folds.of(GameFilter())
    club.restart()
    folded = counting(monkeypatch)
    await club.folds.of(GameFilter())
    assert sum(folded) <= 2
    await club.is_right()


async def test_folds__that_were_saved_before_an_old_game_changed_are_not_begun_with(
    club: Club, conn: Owner, monkeypatch: pytest.MonkeyPatch
) -> None:
    for minutes in range(40):
        await club.plays(conn, minutes)
    await club.folds.of(GameFilter())
    await club.change(conn, 20, "correct")
    club.restart()
    folded = counting(monkeypatch)
    await club.folds.of(GameFilter())
    assert 20 <= sum(folded) < 40
    await club.is_right()


async def test_folds__see_what_a_transaction_wrote_that_was_open_when_they_looked(
    club: Club, conn: Owner, owner: Owner
) -> None:
    for minutes in range(10):
        await club.plays(conn, minutes)
    await club.change(owner, 3, "correct")
    await club.folds.of(GameFilter())
    await club.plays(conn, 11)
    await club.is_right()
    await owner.commit()
    await club.is_right()


async def test_folds__are_kept_before_anybody_asks_where_many_games_are_missing(
    club: Club, conn: Owner, monkeypatch: pytest.MonkeyPatch
) -> None:
    for minutes in range(40):
        await club.plays(conn, minutes)
    await club.folds.keep(GameFilter())
    club.restart()
    folded = counting(monkeypatch)
    await club.folds.keep(GameFilter())
    assert folded == []
    await club.folds.of(GameFilter())
    assert sum(folded) <= 2
    await club.is_right()


async def test_folds__of_few_games_are_left_to_whoever_asks(
    club: Club, conn: Owner, monkeypatch: pytest.MonkeyPatch
) -> None:
    folded = counting(monkeypatch)
    for minutes in range(7):
        await club.plays(conn, minutes)
        await club.folds.keep(GameFilter())
    assert folded == []


async def test_folds__that_were_interrupted_have_saved_what_they_had(
    club: Club, conn: Owner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(standings_checkpoints, "GAMES_PER_STRETCH", 10)
    monkeypatch.setattr(club_results, "GAMES_AT_ONCE", 10)
    for minutes in range(40):
        await club.plays(conn, minutes)
    folded = counting(monkeypatch)
    save = club.kept.save

    async def interrupted(
        which: GameFilter,
        states: Sequence[StoredCheckpoint],
        valid_up_to: int,
        thinning: Callable[[Sequence[int]], set[int]],
    ) -> None:
        await save(which, states, valid_up_to, thinning)
        if states[-1].games == 20:
            raise asyncio.CancelledError

    with monkeypatch.context() as patch:
        patch.setattr(club.kept, "save", interrupted)
        with pytest.raises(asyncio.CancelledError):
            await club.folds.of(GameFilter())
    folded.clear()
    club.restart()
    await club.folds.of(GameFilter())
    assert sum(folded) == 20
    await club.is_right()


async def test_folds__of_another_version_of_the_code_are_not_begun_with(
    club: Club, conn: Owner, pool: Pool
) -> None:
    for minutes in range(10):
        await club.plays(conn, minutes)
    await club.folds.of(GameFilter())
    assert await club.kept.newest(GameFilter()) is not None
    other = StoredCheckpoints(pool, club.club_id, CHECKPOINT_VERSION + 1)
    assert await other.newest(GameFilter()) is None
    await club.kept.clear()
    assert await club.kept.newest(GameFilter()) is None


async def test_folds__of_many_periods_are_kept_no_more_than_some(club: Club, conn: Owner) -> None:
    for minutes in range(20):
        await club.plays(conn, minutes)
    for days in range(12):
        at = START - timedelta(days=days)
        await club.folds.of(GameFilter(started_from=Bound(at, at)))
    query = "SELECT count(DISTINCT fold) FROM carnet.standings_kept WHERE club_id = %s"
    rows = await (await conn.execute(query, [club.club_id])).fetchall()
    assert rows == [(8,)]


async def test_an_open_game_that_goes_on_changes_no_fold(
    club: Club, conn: Owner, monkeypatch: pytest.MonkeyPatch
) -> None:
    await club.plays(conn, status="open")
    await club.folds.of(GameFilter())
    folded = counting(monkeypatch)
    await conn.execute(
        "UPDATE carnet.game SET version = 9, totals = '{7,7}' WHERE club_id = %s", [club.club_id]
    )
    await club.folds.of(GameFilter())
    assert folded == []


async def test_a_name_that_is_forgotten_changes_no_fold(
    club: Club, conn: Owner, players: Players, monkeypatch: pytest.MonkeyPatch
) -> None:
    await players.create(PEOPLE[0], "Ann")
    await club.plays(conn)
    await club.folds.of(GameFilter())
    folded = counting(monkeypatch)
    await players.forget(PEOPLE[0])
    await club.folds.of(GameFilter())
    assert folded == []


async def test_changes_are_found_by_an_index(club: Club, conn: Owner) -> None:
    await club.plays(conn)
    await conn.execute("SET enable_seqscan = off")
    plan = await conn.execute(
        """
        EXPLAIN SELECT started_at, game_id FROM carnet.result_change c
        WHERE c.club_id = %s AND c.xid >= pg_snapshot_xmin('9:9:'::pg_snapshot)
          AND NOT pg_visible_in_snapshot(c.xid, '9:9:'::pg_snapshot)
        """,
        [club.club_id],
    )
    lines = "\n".join([row[0] async for row in plan])
    assert "result_change_pkey" in lines
    assert "xid >= " in lines.split("Index Cond")[1]


def test_marks__are_close_together_only_at_the_end() -> None:
    marks: list[int] = []
    for number in range(1, 1_001):
        marks = sorted(thin_out([*marks, number]))
    assert marks[-2:] == [999, 1000]
    assert len(marks) < 25
    for earlier, later in zip([0, *marks], marks, strict=False):
        assert later - earlier <= max(1, 1_000 - earlier)


def counting(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    folded: list[int] = []
    add = standings_checkpoints.Fold.add

    def counted(self: standings_checkpoints.Fold, some: list[GameResult[UUID]]) -> None:
        folded.append(len(some))
        add(self, some)

    monkeypatch.setattr(standings_checkpoints.Fold, "add", counted)
    return folded
