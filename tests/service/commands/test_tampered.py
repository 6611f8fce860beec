"""`audit`, `verify` and `export` name a game whose rows a superuser changed, and go on."""

from typing import LiteralString
from uuid import UUID

import pytest

from tests.service.stored_club import Club, played

# One row of one game changed past privileges and triggers. Each must be named, also where the row
# can no longer be decoded.
TAMPERINGS: dict[str, LiteralString] = {
    "type": "UPDATE carnet.entry SET type = 'deal' WHERE game_id = %s AND version = 5",
    "type-unknown": "UPDATE carnet.entry SET type = 'dance' WHERE game_id = %s AND version = 5",
    "data": "UPDATE carnet.entry SET data = '{}' WHERE game_id = %s AND version = 5",
    "data-no-json": "UPDATE carnet.entry SET data = '\\xff' WHERE game_id = %s AND version = 5",
    "data-null": "UPDATE carnet.entry SET data = 'null' WHERE game_id = %s AND version = 2",
    "started": "UPDATE carnet.entry SET data = '{}' WHERE game_id = %s AND version = 1",
    "shape": "UPDATE carnet.entry SET schema_version = 9 WHERE game_id = %s AND version = 5",
    "text-apart": "UPDATE carnet.entry SET schema_version = 2 WHERE game_id = %s AND version = 5",
    "hash": "UPDATE carnet.entry SET hash = sha256('x') WHERE game_id = %s AND version = 5",
    "missing": "DELETE FROM carnet.entry WHERE game_id = %s AND version = 5",
    "first-missing": "DELETE FROM carnet.entry WHERE game_id = %s AND version = 1",
    "seat": "DELETE FROM carnet.seat WHERE game_id = %s AND seat = 1",
    "text": "UPDATE carnet.free_text SET text = '\\xff' WHERE game_id = %s",
}


async def tampered(club: Club, statement: LiteralString) -> tuple[UUID, UUID]:
    """Record two games and change the one that comes first by its id; return both."""
    first, second = sorted([await club.record(played()), await club.record(played())])
    club.carnet("rebuild")
    club.carnet("head")  # numbers both in the feed
    await club.spoil(
        "ALTER TABLE carnet.free_text DISABLE TRIGGER USER",
        "ALTER TABLE carnet.seat DISABLE TRIGGER USER",
        "ALTER TABLE carnet.feed DISABLE TRIGGER USER",
    )
    await club.execute(statement, first)
    return first, second


# An audit compares outcomes; hashes are for `verify`.
UNSEEN_BY_AUDIT = {"hash"}
SUMMARIES = {
    "verify": "2 games: 1 not whole",
    "audit": "2 games replayed",
    "export": "people exported",
}


@pytest.mark.parametrize("kind", TAMPERINGS)
@pytest.mark.parametrize("command", SUMMARIES)
async def test_a_changed_row_is_named_and_other_games_are_judged(
    club: Club, command: str, kind: str
) -> None:
    first, second = await tampered(club, TAMPERINGS[kind])
    run = club.carnet(command)
    if command == "audit" and kind in UNSEEN_BY_AUDIT:
        assert run.returncode == 0, run.stdout
        return
    assert run.returncode == 1, run.stderr
    assert "Traceback" not in run.stderr, run.stderr
    report = run.stdout if command != "export" else run.stderr
    assert f"game {first}:" in report, report
    assert f"game {second}:" not in report, report
    assert SUMMARIES[command] in report, report


async def test_a_removed_row_of_the_feed_is_named(club: Club) -> None:
    statement: LiteralString = "DELETE FROM carnet.feed WHERE game_id = %s AND version = 5"
    await tampered(club, statement)
    for command in ("verify", "audit", "export"):
        run = club.carnet(command)
        assert "Traceback" not in run.stderr, run.stderr
    assert "missing" in club.carnet("verify").stdout
