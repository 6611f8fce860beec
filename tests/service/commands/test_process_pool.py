import asyncio
from argparse import Namespace
from collections.abc import AsyncIterator
from pathlib import Path
from types import ModuleType
from typing import LiteralString
from uuid import UUID, uuid4

import psycopg
import pytest

from service.commands import audit, exporting, importing, rebuild, verify
from service.commands.support import process_pool
from service.store.connection.pool import connection, open_pool
from service.store.log.events import EventStore
from service.store.log.snapshot import Slice, slices
from service.store.read_models.rebuilding import differing
from service.store.records import DEFAULT_CLUB
from tests.service.stored_club import PLAYED_VERSIONS, Club, played

GAMES = 5
# Damages to read models; each must be found.
WRONG: list[LiteralString] = [
    "DELETE FROM carnet.game",
    "UPDATE carnet.game SET version = 3",
    "UPDATE carnet.game SET totals = '{9,9}'",
    "UPDATE carnet.game SET set_aside = true",
    "UPDATE carnet.game SET options = '{}'",
    "UPDATE carnet.game SET players = players[2:2] || players[1:1]",
    "UPDATE carnet.game SET started_at = started_at - interval '1 day'",
    "UPDATE carnet.game SET last_at = last_at - interval '1 day'",
    "DELETE FROM carnet.game_player WHERE seat = 1",
    "UPDATE carnet.game_player SET ruleset = 'rami' WHERE seat = 1",
    "DELETE FROM carnet.deal_score WHERE deal = 2",
    "UPDATE carnet.deal_score SET points = '{7,7}' WHERE deal = 2",
    "UPDATE carnet.deal_score SET detail = '{}' WHERE deal = 1",
    "UPDATE carnet.deal_score SET at = at - interval '1 day' WHERE deal = 1",
    """INSERT INTO carnet.deal_score
       SELECT club_id, game_id, 3, 4, points, detail, at FROM carnet.deal_score WHERE deal = 2""",
]


@pytest.fixture
def club(club: Club, monkeypatch: pytest.MonkeyPatch) -> Club:
    monkeypatch.setenv("CARNET_DATABASE_URL", club.url)
    return club


def ask(jobs: int, file: str = "-") -> Namespace:
    clubs = {"club": None, "all_clubs": False, "resume": False}
    return Namespace(jobs=jobs, file=file, records=None, head=None, lang="en", **clubs)


async def in_thread(command: ModuleType, arguments: Namespace) -> int:
    return int(await asyncio.to_thread(command.run, arguments))


@pytest.mark.parametrize("jobs", [1, 2])
async def test_commands__come_to_the_same_in_one_process_and_in_several(
    club: Club,
    jobs: int,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(process_pool, "_ALONE_MAX", 0)
    for _ in range(GAMES):
        await club.record(played())
    for command, said in (
        (rebuild, f"{GAMES} games rebuilt from their log; {GAMES} differed from it\n"),
        (rebuild, f"{GAMES} games rebuilt from their log; 0 differed from it\n"),
        (verify, f"{GAMES} games, {GAMES * PLAYED_VERSIONS} entries: all hash chains are intact\n"),
        (audit, f"{GAMES} games replayed under today's rules: none differs\n"),
    ):
        assert await in_thread(command, ask(jobs)) == 0
        assert capsys.readouterr().out.endswith(said)
    file = str(tmp_path / "all.jsonl")
    assert await in_thread(exporting, ask(jobs, file)) == 0
    assert await in_thread(importing, ask(jobs, file)) == 0
    assert f"{GAMES} games were here already" in capsys.readouterr().out


@pytest.mark.parametrize("wrong", WRONG)
async def test_rebuild__finds_whatever_is_not_as_the_log_says(
    club: Club, wrong: LiteralString
) -> None:
    game_id = await club.record(played())
    async with open_pool(club.url, "carnet_service", 1, 2) as pool:
        desk = process_pool.Desk(club_id=DEFAULT_CLUB, pool=pool)
        async with connection(pool, DEFAULT_CLUB) as conn:
            (everything,) = [one async for one in slices(conn, DEFAULT_CLUB)]
        assert (await rebuild.rebuild_games(desk, everything)).written == 1
        assert (await rebuild.rebuild_games(desk, everything)).written == 0
        with psycopg.connect(club.url) as owner:
            owner.execute(wrong)
        assert (await rebuild.rebuild_games(desk, everything)).written == 1
        assert (await rebuild.rebuild_games(desk, everything)).written == 0
        async with connection(pool, DEFAULT_CLUB) as conn:
            assert await differing(conn, DEFAULT_CLUB, []) == []
    assert everything.first == game_id


async def test_slices__hold_every_game_once(club: Club) -> None:
    games = sorted([await club.record(played()) for _ in range(GAMES)])
    async with connection(club.pool, DEFAULT_CLUB) as conn:
        parts = [one async for one in slices(conn, DEFAULT_CLUB, 2)]
        none = [one async for one in slices(conn, uuid4(), 2)]
    assert [(part.first, part.last) for part in parts] == [
        (games[0], games[1]),
        (games[2], games[3]),
        (games[4], games[4]),
    ]
    assert none == []


async def test_slices__are_found_along_the_index_and_read_no_payload(club: Club) -> None:
    await club.record(played())
    async with connection(club.pool, DEFAULT_CLUB) as conn:
        await conn.execute("SET enable_seqscan = off")
        plan = await conn.execute(
            "EXPLAIN SELECT e.game_id FROM carnet.entry e"
            " WHERE e.club_id = %s AND e.game_id > %s ORDER BY e.game_id LIMIT 1",
            [DEFAULT_CLUB, UUID(int=0)],
        )
        lines = "\n".join([row[0] async for row in plan])
        await conn.execute("RESET enable_seqscan")
    assert "Index Only Scan using entry_" in lines


async def test_work__that_is_told_of_a_moment_sees_no_later_entry(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process_pool, "_ALONE_MAX", 0)
    await club.record(played())
    async with process_pool.process_pool(2, fixed=True) as (shared, desk):
        assert await desk.fixed.entries() > 0
        await club.record(played())

        async def whole() -> AsyncIterator[Slice]:
            yield Slice(UUID(int=0), UUID(int=2**128 - 2))

        found = [one async for one in shared.over(verify.verify_slice, whole())]
    assert [one.games for one in found] == [1]
    assert len([one async for one in EventStore(club.pool, DEFAULT_CLUB).verify()]) == 2
