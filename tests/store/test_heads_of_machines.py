"""Heads of one feed, signed on several machines: with the key of the first, or each its own."""

from itertools import pairwise
from pathlib import Path
from uuid import UUID

import pytest
from structlog.testing import capture_logs

from service.feed.head_check import HeadCheck
from service.feed.head_keys import FILE, HeadKeys
from service.feed.heads import FeedHeads, SignedHead
from service.feed.signed_notes import read_note
from service.store.connection.pool import Pool, connection
from service.store.feed.heads import HeadStore
from service.store.feed.positions import Feed
from service.store.feed.walk import FeedWalk
from tests.service.feed.rfc9162 import is_consistent
from tests.store.samples import Table


@pytest.fixture
def feed(pool: Pool, club_id: UUID) -> Feed:
    return Feed(pool, club_id)


class Machine:
    """A machine that serves the database. `seed`: what its own key would be made of."""

    def __init__(self, folder: Path, seed: int, pool: Pool, club_id: UUID) -> None:
        folder.mkdir()
        self.file = folder / FILE
        self.keys = HeadKeys(folder, lambda: bytes([seed] * 32))
        self.heads = FeedHeads(HeadStore(pool, club_id), self.keys, club_id)

    async def signed(self, feed: Feed) -> SignedHead:
        await feed.extend()
        return await self.heads.current()


@pytest.fixture
def machines(tmp_path: Path, pool: Pool, club_id: UUID) -> tuple[Machine, Machine]:
    return Machine(tmp_path / "1", 1, pool, club_id), Machine(tmp_path / "2", 2, pool, club_id)


async def test_with_the_key_of_the_first_the_second_signs_the_same_heads(
    machines: tuple[Machine, Machine], table: Table, feed: Feed
) -> None:
    first, second = machines
    await table.started()
    head = await first.signed(feed)
    second.file.write_bytes(first.file.read_bytes())
    with capture_logs() as logged:
        assert await second.signed(feed) == head
        await table.started()
        assert (await second.signed(feed)).keys == head.keys
    assert logged == []
    assert len(await first.heads.notes()) == 2


async def test_with_a_key_of_its_own_the_second_signs_the_same_tree_and_says_so(
    machines: tuple[Machine, Machine], table: Table, feed: Feed
) -> None:
    first, second = machines
    await table.started()
    head = await first.signed(feed)
    with capture_logs() as logged:
        other = await second.signed(feed)
    (said,) = [one for one in logged if one["event"] == "heads.new_key"]
    assert said["signed_before"] == list(head.keys)
    assert other.checkpoint == head.checkpoint
    assert set(other.keys) == {*head.keys, *said["keys"]}
    assert read_note(other.note).signed_by(head.keys) == []  # who knows the first key alone asks
    with capture_logs() as logged:
        await table.started()
        await second.signed(feed)
    assert logged == []  # it is said once


async def test_machines_with_other_keys_do_not_sign_the_same_head_in_turns(
    machines: tuple[Machine, Machine], table: Table, feed: Feed
) -> None:
    await table.started()
    for _ in range(3):
        for machine in machines:
            await machine.signed(feed)
    assert [head.size for head in await machines[0].heads.notes()] == [1, 1]


async def test_heads_of_several_machines_are_of_one_log(
    machines: tuple[Machine, Machine], table: Table, feed: Feed, pool: Pool, club_id: UUID
) -> None:
    signed: list[SignedHead] = []
    for number in range(6):
        await table.started()
        signed.append(await machines[number % 2].signed(feed))
    for before, after in pairwise(signed):
        sizes = before.checkpoint.size, after.checkpoint.size
        roots = before.checkpoint.root, after.checkpoint.root
        path = await machines[0].heads.consistency(*sizes)
        assert is_consistent(*sizes, path, *roots)
    async with connection(pool, club_id) as conn, conn.transaction():
        notes = [read_note(one.note) for one in signed]
        found = await HeadCheck(FeedWalk(conn, club_id), notes).run()
    assert found.faults == 0, found.lines
