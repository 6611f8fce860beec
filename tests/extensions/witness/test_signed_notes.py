from base64 import b64encode
from pathlib import Path
from uuid import uuid4

import pytest

from service.extensions.witness.signed_notes import (
    BadNote,
    Checkpoint,
    read_note,
    read_notes,
    read_vkey,
    sign,
    vkey_of,
)
from service.extensions.witness.signing import feed_heads, keep
from service.store.club.players import Players
from service.store.connection.pool import Pool
from service.store.feed.positions import Feed
from service.store.log.events import EventStore
from tests.store.samples import SampleTable

ORIGIN = "carnet/5e0e1b5c-63a2-4d0f-9a51-c0a2e7ca24e7"
HEAD = Checkpoint(origin=ORIGIN, size=7, root=bytes(range(32)))
OLD, NEW = bytes(32), bytes([1] * 32)
NOTE = sign(HEAD, [NEW, OLD])


def test_a_note_is_a_checkpoint_and_a_line_a_key() -> None:
    root = b64encode(HEAD.root).decode()
    head, old, new, end = NOTE.partition("\n\n")[0], *NOTE.partition("\n\n")[2].split("\n")
    assert head == f"{ORIGIN}\n7\n{root}"
    assert old.startswith(f"— {ORIGIN} ")
    assert new.startswith(f"— {ORIGIN} ")
    assert end == ""


def test_it_is_read_as_it_was_signed_and_by_whom() -> None:
    note = read_note(NOTE)
    assert note.checkpoint == HEAD
    keys = [vkey_of(ORIGIN, seed) for seed in (NEW, OLD, bytes([2] * 32))]
    assert note.signed_by(keys) == keys[:2]


@pytest.mark.parametrize(
    ("before", "after"), [("\n7\n", "\n8\n"), ("carnet/5", "carnet/6"), ("AAEC", "BAEC")]
)
def test_what_was_changed_is_signed_by_nobody(before: str, after: str) -> None:
    changed = NOTE.replace(before, after, 1)
    assert changed != NOTE
    assert read_note(changed).signed_by([vkey_of(ORIGIN, NEW)]) == []


def test_notes_stand_one_after_the_other() -> None:
    later = sign(Checkpoint(origin=ORIGIN, size=9, root=bytes(32)), [NEW])
    for between in ("", "\n", "\n\n"):
        assert [one.checkpoint.size for one in read_notes(NOTE + between + later)] == [7, 9]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello",
        NOTE.replace("\n7\n", "\n07\n"),
        NOTE.replace("\n7\n", "\n-7\n"),
        NOTE.replace("\n7\n", "\nseven\n"),
        NOTE.partition("\n\n")[0],
        NOTE.replace("AAEC", "AAE"),
        NOTE.replace("\n\n", "\nmore\n\n"),
    ],
)
def test_what_is_no_note_is_told(text: str) -> None:
    with pytest.raises(BadNote):
        read_notes(text)


def test_keys_are_named_as_by_others() -> None:
    # The key of Go's golang.org/x/mod/sumdb/note.
    vkey = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
    assert read_vkey(vkey)[0] == "PeterNeumann"
    for wrong in ("PeterNeumann", vkey.replace("c74f", "c74e"), vkey.replace("+AR", "+BR")):
        with pytest.raises(BadNote):
            read_vkey(wrong)


async def test_the_file_gets_each_head_once(pool: Pool, tmp_path: Path) -> None:
    club, file = uuid4(), tmp_path / "heads"
    heads = feed_heads(pool, tmp_path, club, lambda: bytes(32))
    await keep(heads, file)
    assert not file.exists()  # nothing was recorded
    table = await SampleTable.with_players(EventStore(pool, club), Players(pool, club))
    for _ in range(2):
        await table.start_game()
        await Feed(pool, club).extend()
        for _ in range(2):  # the second hour brings nothing new
            await keep(heads, file)
    assert [note.checkpoint.size for note in read_notes(file.read_text())] == [1, 2]
