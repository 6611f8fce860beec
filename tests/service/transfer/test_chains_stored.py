"""Games that go on from one another: verified, audited, rebuilt, exported and imported."""

from pathlib import Path
from typing import LiteralString

import pytest
from msgspec import json

from service.play.snapshots import GameSnapshot
from service.store.log.events import EventStore
from service.store.records import DEFAULT_CLUB
from tests.service.play.chains import ChainTable
from tests.service.stored_club import Club
from tests.service.transfer.test_export_import import games_of, log_of

_INTACT = "all hash chains are intact\n"


async def _three_games(club: Club) -> GameSnapshot:
    """Store a chain of three, and a fourth that was undone."""
    table = ChainTable.of(club.pool, DEFAULT_CLUB)
    ann, bob, zoe, kim = await table.people(4)
    first = await table.rounds(await table.begin([ann, bob], wins="lowest"), [7, 9])
    undone = await table.go_on(first, [ann, zoe])
    await table.undo(undone)
    second = await table.go_on(first, [ann, bob, zoe], {zoe: 8})
    second = await table.rounds(second, [1, 2, 3], [None, 1, 1])
    third = await table.go_on(second, [zoe, ann, kim], wins="highest")
    return await table.rounds(third, [4, 5, 6])


async def test_chains_are_intact_and_rebuilt_as_they_were(club: Club) -> None:
    last = await _three_games(club)
    games = await games_of(club)
    assert [(game.game_id, game.deals) for game in games.values()] == [(last.id, 4)]
    assert club.carnet("verify").stdout.endswith(_INTACT)
    assert club.carnet("audit").stdout.endswith("none differs\n")
    await club.tamper(
        "UPDATE carnet.game SET deals_before = 0, continued = false, detached = false,"
        " continues = NULL, started_at = last_at",
    )
    assert club.carnet("audit").returncode == 1
    assert club.carnet("rebuild").returncode == 0
    assert await games_of(club) == games
    await club.tamper("DELETE FROM carnet.game", "DELETE FROM carnet.game_player")
    assert club.carnet("rebuild").returncode == 0
    assert await games_of(club) == games
    assert club.carnet("audit").stdout.endswith("none differs\n")


@pytest.mark.parametrize(
    "change",
    [
        "DELETE FROM carnet.continuation",
        "UPDATE carnet.continuation SET version = version + 1",
        "UPDATE carnet.continuation SET continues = club_id",
    ],
)
async def test_what_continues_what_is_hashed(change: LiteralString, club: Club) -> None:
    await _three_games(club)
    await club.tamper(change)
    run = club.carnet("verify")
    assert (run.returncode, run.stdout.splitlines()[-1]) == (1, "4 games: 3 broken")


async def test_chains_come_back_whole(here: Club, elsewhere: Club, tmp_path: Path) -> None:
    await _three_games(here)
    file, again = tmp_path / "everything.jsonl", tmp_path / "again.jsonl"
    assert here.carnet("export", str(file)).returncode == 0
    # Games come in any order.
    assert elsewhere.carnet("import", str(file)).returncode == 0
    assert await log_of(elsewhere) == await log_of(here)
    assert await games_of(elsewhere) == await games_of(here)
    assert elsewhere.carnet("verify").stdout.endswith(_INTACT)
    assert elsewhere.carnet("audit").stdout.endswith("none differs\n")
    assert elsewhere.carnet("export", str(again)).returncode == 0
    assert again.read_bytes() == file.read_bytes()


async def test_an_export_whose_link_was_changed_keeps_its_game_out(
    here: Club, elsewhere: Club, tmp_path: Path
) -> None:
    last = await _three_games(here)
    file = tmp_path / "everything.jsonl"
    here.carnet("export", str(file))
    lines = [json.decode(line) for line in file.read_bytes().splitlines()]
    line = next(line for line in lines if line.get("id") == str(last.id))
    del line["continues"]
    file.write_bytes(b"".join(json.encode(line) + b"\n" for line in lines))
    run = elsewhere.carnet("import", str(file))
    assert f"game {last.id} was not imported" in run.stdout
    assert await EventStore(elsewhere.pool, DEFAULT_CLUB).read(last.id) == []
