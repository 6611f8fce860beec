"""Imports the signed heads of an export, with the feed that they sign."""

from collections.abc import Sequence

from service.errors import CarnetError
from service.feed.merkle import GrowingTree
from service.feed.signed_notes import SignedNote, read_note, read_vkey
from service.store.feed.restore import FeedRestore
from service.transfer.export_lines import HeadsLine


async def import_heads(feed: FeedRestore, origin: str, line: HeadsLine | None) -> int:
    """Restore feed positions and store the heads that match; return how many were stored."""
    if not await feed.place() or line is None:
        return 0
    keys = [vkey for vkey in line.keys if _usable(vkey, origin)]
    notes = [(text, note) for text in line.notes if (note := _verified_note(text, origin, keys))]
    roots = await _roots(feed, {note.checkpoint.size for _, note in notes})
    kept = [
        (note.checkpoint.size, text)
        for text, note in notes
        if roots.get(note.checkpoint.size) == note.checkpoint.root
    ]
    await feed.keep(kept, keys)
    return len(kept)


async def _roots(feed: FeedRestore, sizes: set[int]) -> dict[int, bytes]:
    tree = GrowingTree()
    roots = {0: tree.root()}
    async for leaf in feed.leaves():
        tree.add(leaf)
        if tree.size in sizes:
            roots[tree.size] = tree.root()
    return roots


def _usable(vkey: str, origin: str) -> bool:
    try:
        return read_vkey(vkey)[0] == origin
    except CarnetError:
        return False


def _verified_note(text: str, origin: str, keys: Sequence[str]) -> SignedNote | None:
    try:
        note = read_note(text)
    except CarnetError:
        return None
    return note if note.checkpoint.origin == origin and note.signed_by(keys) else None
