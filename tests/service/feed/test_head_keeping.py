"""Heads that are signed every hour, and the file that gets them."""

from pathlib import Path
from uuid import uuid4

from service.feed.head_keeping import feed_heads, keep
from service.feed.signed_notes import read_notes
from service.store.club.players import Players
from service.store.connection.pool import Pool
from service.store.feed.positions import Feed
from service.store.log.events import EventStore
from tests.store.samples import Table


async def test_the_file_gets_each_head_once(pool: Pool, tmp_path: Path) -> None:
    club, file = uuid4(), tmp_path / "heads"
    heads = feed_heads(pool, tmp_path, club, lambda: bytes(32))
    handed: list[str] = []

    async def hand_on(note: str) -> int:
        handed.append(note)
        return 1

    assert await keep(heads, file, hand_on) == 0
    assert not file.exists()  # nothing was recorded
    table = await Table.laid(EventStore(pool, club), Players(pool, club))
    for _ in range(2):
        await table.started()
        await Feed(pool, club).extend()
        for _ in range(2):  # the second hour brings nothing new
            assert await keep(heads, file, hand_on) == 1
    assert [note.checkpoint.size for note in read_notes(file.read_text())] == [1, 2]
    assert [note.checkpoint.size for note in read_notes("".join(handed))] == [1, 1, 2, 2]
