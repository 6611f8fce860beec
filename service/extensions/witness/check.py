"""Comparison of a feed with the heads that were signed of it."""

from collections.abc import Sequence

from msgspec import Struct

from service.extensions.witness.merkle import TILE, GrowingTree
from service.extensions.witness.signed_notes import BadNote, SignedNote, read_note
from service.extensions.witness.walk import FeedPlace, FeedWalk


class HeadsChecked(Struct, frozen=True):
    """The result: lines to print, and the number of heads that fail."""

    lines: tuple[str, ...]
    faults: int


class HeadCheck:
    """Checks one feed. `kept`: heads stored elsewhere."""

    def __init__(self, feed: FeedWalk, notes: Sequence[SignedNote]) -> None:
        self._feed = feed
        self._kept = notes
        self._told: list[str] = []
        self._first_fault: str | None = None
        self._unfed = ""

    async def run(self) -> HeadsChecked:
        keys = await self._feed.keys()
        faults = 0
        heads: list[SignedNote] = []
        for text in await self._feed.notes():
            try:
                heads.append(read_note(text))
            except BadNote:
                faults += 1
                self._told.append("a head that is stored cannot be read: it was changed")
        heads += self._kept
        origin = self._feed.origin
        wanted: list[SignedNote] = []
        for note in heads:
            if note.checkpoint.origin != origin or not note.signed_by(keys):
                faults += 1
                self._told.append(f"{_label(note)}: no key of this club signed it")
            else:
                wanted.append(note)
        faults += await self._check_heads(wanted)
        if heads and not faults:
            self._told.append(f"{len(heads)} heads: the log holds all that they stood for")
        return HeadsChecked(tuple(self._told), faults)

    async def _check_heads(self, wanted: Sequence[SignedNote]) -> int:
        """Compare heads with the tree of the feed as it grows; return the number of faults."""
        by_size: dict[int, list[SignedNote]] = {}
        for note in wanted:
            by_size.setdefault(note.checkpoint.size, []).append(note)
        tree, tile = GrowingTree(), GrowingTree()
        unfed = [f"entry {version} of game {game}" async for game, version in self._feed.unfed()]
        self._unfed = f": the feed lacks {', '.join(unfed)}" if unfed else ""
        tiles = await self._feed.tiles()
        failed = self._compare(by_size.pop(0, []), tree)
        async for place in self._feed.places():
            self._check_entry(place, tree.size + 1)
            hashed = place.stored or bytes(32)
            tree.add(hashed)
            tile.add(hashed)
            if tile.size == TILE:
                number = tree.size // TILE - 1
                if number < len(tiles) and tiles[number] != tile.root():
                    between = f"{number * TILE + 1} and {tree.size}"
                    self._fault(f"an entry between the positions {between} was changed")
                tile = GrowingTree()
            failed += self._compare(by_size.pop(tree.size, []), tree)
        if unfed and self._first_fault is None:
            self._fault(f"the feed ends at position {tree.size}{self._unfed}")
        beyond_end = [note for notes in by_size.values() for note in notes]
        if beyond_end:
            self._fault(f"the feed ends at position {tree.size}: what came after it is missing")
        for note in beyond_end:
            self._told.append(f"{_label(note)} does not match: {self._first_fault}")
        if self._first_fault is not None and not failed and not beyond_end:
            self._told.append(self._first_fault)
            return 1
        return failed + len(beyond_end)

    def _check_entry(self, place: FeedPlace, position: int) -> None:
        entry = f"entry {place.version} of game {place.game_id}"
        if place.position != position:
            self._fault(f"position {position} is missing{self._unfed}")
        elif place.stored is None:
            self._fault(f"{entry}, position {position}, is missing")
        elif place.stored != place.fed:
            self._fault(f"{entry}, position {position}, was changed")

    def _fault(self, lines: str) -> None:
        if self._first_fault is None:
            self._first_fault = lines

    def _compare(self, notes: Sequence[SignedNote], tree: GrowingTree) -> int:
        failed = [note for note in notes if note.checkpoint.root != tree.root()]
        for note in failed:
            why = self._first_fault or f"one of its {tree.size} entries was changed"
            self._told.append(f"{_label(note)} does not match: {why}")
        return len(failed)


def _label(note: SignedNote) -> str:
    return f"the head of {note.checkpoint.size} entries"
