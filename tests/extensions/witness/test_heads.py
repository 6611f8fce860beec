from itertools import pairwise, repeat
from pathlib import Path
from typing import Any, LiteralString, TypeAlias
from uuid import UUID

import pytest
from psycopg import AsyncConnection
from structlog.testing import capture_logs

from service.extensions.witness.check import HeadCheck
from service.extensions.witness.heads import FeedHeads, SignedHead
from service.extensions.witness.keys import FILE, HeadKeys
from service.extensions.witness.merkle import TILE
from service.extensions.witness.signed_notes import read_note
from service.extensions.witness.store import HeadStore
from service.extensions.witness.walk import FeedWalk
from service.store.connection.pool import Pool, connection
from service.store.feed.positions import Feed
from tests.extensions.witness.rfc9162 import is_consistent, is_included
from tests.store.samples import SampleTable, play

Owner: TypeAlias = AsyncConnection[tuple[Any, ...]]

# In effect until the transaction is rolled back, on every node of a cluster too, unlike a setting
# of the session.
OPEN: tuple[LiteralString, ...] = tuple(
    f"ALTER TABLE carnet.{table} DISABLE TRIGGER USER"
    for table in ("entry", "feed", "game", "head", "seat")
)
# The last entry is another one, and its own hash fits.
FORGED: LiteralString = """
    UPDATE carnet.entry e SET type = 'pass', hash = carnet.entry_hash(
        club_id, game_id, version, command_id, ordinal, 'pass', schema_version, recorded_at,
        recorded_by, data, (SELECT b.hash FROM carnet.entry b
            WHERE b.club_id = e.club_id AND b.game_id = e.game_id AND b.version = e.version - 1))
    WHERE club_id = %(club)s AND game_id = %(game)s AND version = 3
"""
CUT: LiteralString = """
    DELETE FROM carnet.entry WHERE club_id = %(club)s AND game_id = %(game)s AND version = 3
"""
LISTED: LiteralString = """
    UPDATE carnet.game SET version = 2 WHERE club_id = %(club)s AND game_id = %(game)s
"""
UNFED: LiteralString = """
    DELETE FROM carnet.feed WHERE club_id = %(club)s AND game_id = %(game)s AND version = 3
"""
REFED: LiteralString = """
    UPDATE carnet.feed f SET hash = e.hash FROM carnet.entry e
    WHERE e.club_id = f.club_id AND e.game_id = f.game_id AND e.version = f.version
      AND f.club_id = %(club)s
"""
GONE: tuple[LiteralString, ...] = (
    "DELETE FROM carnet.entry WHERE club_id = %(club)s AND game_id = %(other)s",
    "DELETE FROM carnet.game WHERE club_id = %(club)s AND game_id = %(other)s",
    "DELETE FROM carnet.seat WHERE club_id = %(club)s AND game_id = %(other)s",
    "DELETE FROM carnet.feed WHERE club_id = %(club)s AND game_id = %(other)s",
)
CLOSED_UP: LiteralString = """
    UPDATE carnet.feed SET position = position - 1 WHERE club_id = %(club)s AND position > 1
"""
SEATED_ANEW: tuple[LiteralString, ...] = (
    """UPDATE carnet.seat SET player_id = (SELECT player_id FROM carnet.seat s
        WHERE s.club_id = %(club)s AND s.game_id = %(game)s AND s.seat = 1)
    WHERE club_id = %(club)s AND game_id = %(game)s AND seat = 0""",
    """UPDATE carnet.entry e SET hash = sha256('as if') WHERE club_id = %(club)s
        AND game_id = %(game)s""",
    REFED,
)
NO_HEADS: LiteralString = "DELETE FROM carnet.head WHERE club_id = %(club)s"


@pytest.fixture
def feed(pool: Pool, club_id: UUID) -> Feed:
    return Feed(pool, club_id)


@pytest.fixture
def keys(tmp_path: Path) -> HeadKeys:
    seeds = (bytes([number] * 32) for number in range(9))
    return HeadKeys(tmp_path, lambda: next(seeds))


@pytest.fixture
def heads(pool: Pool, club_id: UUID, keys: HeadKeys) -> FeedHeads:
    return FeedHeads(HeadStore(pool, club_id), keys, club_id)


@pytest.fixture
async def games(table: SampleTable, feed: Feed) -> dict[str, UUID]:
    """Play two games: the other one is first in the feed; the last entry is of `game`."""
    other, game = await table.start_game(), await table.start_game()
    await table.append(game, 1, play(0, "AH"))
    await table.append(game, 2, play(1, "9H"))
    await feed.extend()
    return {"other": other, "game": game}


async def test_what_nobody_touched_holds(
    games: dict[str, UUID], heads: FeedHeads, owner: Owner, club_id: UUID
) -> None:
    del games
    note = read_note((await heads.current()).note)
    found = await HeadCheck(FeedWalk(owner, club_id), [note]).run()
    assert found.lines == ("2 heads: the log holds all that they stood for",)
    assert found.faults == 0


@pytest.mark.parametrize(
    ("done", "told"),
    [
        ((CUT, LISTED), "entry 3 of game {game}, position 4, is missing"),
        ((CUT, LISTED, UNFED), "the feed ends at position 3"),
        ((CUT, LISTED, UNFED, NO_HEADS), "the feed ends at position 3"),
        (GONE, "position 1 is missing"),
        (GONE[3:], "position 1 is missing: the feed lacks entry 1 of game {other}"),
        ((UNFED,), "the feed ends at position 3: the feed lacks entry 3 of game {game}"),
        ((*GONE, CLOSED_UP), "the feed ends at position 3"),
        ((FORGED,), "entry 3 of game {game}, position 4, was changed"),
        ((FORGED, REFED), "one of its 4 entries was changed"),
        ((FORGED, REFED, NO_HEADS), "one of its 4 entries was changed"),
        (SEATED_ANEW, "one of its 4 entries was changed"),
    ],
    ids=[
        "the tail cut with the version",
        "and its place in the feed",
        "and all heads here",
        "a whole game",
        "the feed's row of an entry",
        "the feed's last row",
        "and the gap closed",
        "the last entry forged and rehashed",
        "and in the feed",
        "and no heads here",
        "other seats and all rehashed",
    ],
)
async def test_what_a_superuser_did_is_found_by_a_head_kept_elsewhere(
    done: tuple[LiteralString, ...],
    told: str,
    games: dict[str, UUID],
    heads: FeedHeads,
    owner: Owner,
    club_id: UUID,
) -> None:
    kept = read_note((await heads.current()).note)
    for barrier in OPEN:
        await owner.execute(barrier)
    for statement in done:
        await owner.execute(statement, {**games, "club": club_id})
    found = await HeadCheck(FeedWalk(owner, club_id), [kept]).run()
    assert found.faults == (1 if NO_HEADS in done else 2)
    assert told.format(**games) in found.lines[0]
    assert found.lines[0].startswith("the head of 4 entries does not match: ")


async def test_a_forged_tile_is_told_by_its_positions(
    table: SampleTable, feed: Feed, heads: FeedHeads, owner: Owner, club_id: UUID
) -> None:
    game = await table.start_game()
    await table.append(game, 1, *repeat(play(0, "AH"), TILE))
    await feed.extend()
    await heads.current()
    for barrier in OPEN:
        await owner.execute(barrier)
    for statement in (FORGED, REFED):
        await owner.execute(statement, {"club": club_id, "game": game})
    found = await HeadCheck(FeedWalk(owner, club_id), []).run()
    assert f"an entry between the positions 1 and {TILE} was changed" in found.lines[0]


async def test_a_head_that_is_stored_and_was_changed_is_told(
    games: dict[str, UUID], heads: FeedHeads, owner: Owner, club_id: UUID
) -> None:
    del games
    await heads.current()
    for barrier in OPEN:
        await owner.execute(barrier)
    await owner.execute(
        "UPDATE carnet.head SET note = replace(note, E'\\n4\\n', E'\\n3\\n') WHERE club_id = %s",
        [club_id],
    )
    found = await HeadCheck(FeedWalk(owner, club_id), []).run()
    assert found.lines == ("the head of 3 entries: no key of this club signed it",)


async def test_a_head_is_signed_once_a_size_and_anew_when_the_key_changes(
    games: dict[str, UUID], heads: FeedHeads, keys: HeadKeys, table: SampleTable, feed: Feed
) -> None:
    del games
    first = await heads.current()
    assert (await heads.current()).note == first.note
    assert len(first.keys) == 1
    keys.renew()
    renewed = await heads.current()
    assert renewed.checkpoint == first.checkpoint
    note = read_note(renewed.note)
    assert note.signed_by(renewed.keys) == list(renewed.keys)
    assert len(renewed.keys) == 2
    assert first.keys[0] in renewed.keys
    await table.start_game()
    await feed.extend()
    assert [head.size for head in await heads.notes()] == [4, 4]
    assert (await heads.current()).checkpoint.size == 5


async def test_proofs_hold_for_every_entry_and_every_earlier_size(
    table: SampleTable, feed: Feed, heads: FeedHeads, pool: Pool, club_id: UUID, keys: HeadKeys
) -> None:
    game = await table.start_game()
    await feed.extend()
    before = await heads.current()
    await table.append(game, 1, *repeat(play(0, "AH"), 2 * TILE + 3))
    await feed.extend()
    # A process without cached tiles.
    fresh = FeedHeads(HeadStore(pool, club_id), keys, club_id)
    for version in (1, 2, TILE, TILE + 1, 2 * TILE + 4):
        found = await fresh.inclusion(game, version)
        head = found.head.checkpoint
        place = found.position - 1
        assert is_included(found.hash, place, head.size, found.path, head.root)
    last = (await fresh.current()).checkpoint
    proof = await fresh.consistency(1, last.size)
    assert is_consistent(1, last.size, proof, before.checkpoint.root, last.root)


async def test_keys_are_made_once_and_for_nobody_else_to_read(tmp_path: Path) -> None:
    seeds = iter([bytes([1] * 32), bytes([2] * 32)])
    keys = HeadKeys(tmp_path / "data", lambda: next(seeds))
    assert keys.signing() == keys.signing() == [bytes([1] * 32)]
    (file,) = (tmp_path / "data").iterdir()
    assert file.stat().st_mode & 0o777 == 0o600


class Machine:
    """A machine that serves the database. `seed`: of its signing key."""

    def __init__(self, folder: Path, seed: int, pool: Pool, club_id: UUID) -> None:
        folder.mkdir()
        self.file = folder / FILE
        self.keys = HeadKeys(folder, lambda: bytes([seed] * 32))
        self.heads = FeedHeads(HeadStore(pool, club_id), self.keys, club_id)

    async def sign_head(self, feed: Feed) -> SignedHead:
        await feed.extend()
        return await self.heads.current()


@pytest.fixture
def machines(tmp_path: Path, pool: Pool, club_id: UUID) -> tuple[Machine, Machine]:
    return Machine(tmp_path / "1", 1, pool, club_id), Machine(tmp_path / "2", 2, pool, club_id)


async def test_with_the_key_of_the_first_the_second_signs_the_same_heads(
    machines: tuple[Machine, Machine], table: SampleTable, feed: Feed
) -> None:
    first, second = machines
    await table.start_game()
    head = await first.sign_head(feed)
    second.file.write_bytes(first.file.read_bytes())
    with capture_logs() as logged:
        assert await second.sign_head(feed) == head
        await table.start_game()
        assert (await second.sign_head(feed)).keys == head.keys
    assert logged == []
    assert len(await first.heads.notes()) == 2


async def test_with_a_key_of_its_own_the_second_signs_the_same_tree_and_says_so(
    machines: tuple[Machine, Machine], table: SampleTable, feed: Feed
) -> None:
    first, second = machines
    await table.start_game()
    head = await first.sign_head(feed)
    with capture_logs() as logged:
        other = await second.sign_head(feed)
    (said,) = [one for one in logged if one["event"] == "heads.key_created"]
    assert said["signed_before"] == list(head.keys)
    assert other.checkpoint == head.checkpoint
    assert set(other.keys) == {*head.keys, *said["keys"]}
    assert (
        read_note(other.note).signed_by(head.keys) == []
    )  # a client that knows only the first key
    with capture_logs() as logged:
        await table.start_game()
        await second.sign_head(feed)
    assert logged == []  # logged once


async def test_machines_with_other_keys_do_not_sign_the_same_head_in_turns(
    machines: tuple[Machine, Machine], table: SampleTable, feed: Feed
) -> None:
    await table.start_game()
    for _ in range(3):
        for machine in machines:
            await machine.sign_head(feed)
    assert [head.size for head in await machines[0].heads.notes()] == [1, 1]


async def test_heads_of_several_machines_are_of_one_log(
    machines: tuple[Machine, Machine], table: SampleTable, feed: Feed, pool: Pool, club_id: UUID
) -> None:
    signed: list[SignedHead] = []
    for number in range(6):
        await table.start_game()
        signed.append(await machines[number % 2].sign_head(feed))
    for before, after in pairwise(signed):
        sizes = before.checkpoint.size, after.checkpoint.size
        roots = before.checkpoint.root, after.checkpoint.root
        path = await machines[0].heads.consistency(*sizes)
        assert is_consistent(*sizes, path, *roots)
    async with connection(pool, club_id) as conn, conn.transaction():
        notes = [read_note(one.note) for one in signed]
        found = await HeadCheck(FeedWalk(conn, club_id), notes).run()
    assert found.faults == 0, found.lines
