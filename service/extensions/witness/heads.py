"""The signed head of a club's feed, and its proofs.

Promises: a head covers every entry of the feed up to its size, and each signed head is stored; the
same size is signed again only by keys that have not signed it together yet, so that machines with
different keys do not alternate. Assumes one event loop.
"""

import asyncio
from collections.abc import Sequence
from uuid import UUID

import structlog
from msgspec import Struct

from service.errors import NotFound
from service.extensions.witness.keys import HeadKeys
from service.extensions.witness.merkle import TILE, GrowingTree, Tree, tiles_of
from service.extensions.witness.signed_notes import Checkpoint, read_note, sign, vkey_of
from service.extensions.witness.store import HeadStore, StoredHead

# Leaves read at once if tiles are missing.
_TILES_AT_ONCE = 64

log = structlog.get_logger(__name__)


class SignedHead(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    checkpoint: Checkpoint
    note: str
    keys: tuple[str, ...]


class Inclusion(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A proof that a head covers an entry of this position and hash (RFC 9162 §2.1.3)."""

    position: int
    hash: bytes
    path: tuple[bytes, ...]
    head: SignedHead


class FeedHeads:
    def __init__(self, store: HeadStore, keys: HeadKeys, club_id: UUID) -> None:
        self._store = store
        self._keys = keys
        self._origin = f"carnet/{club_id}"
        self._tiles: list[bytes] = []
        self._signing = asyncio.Lock()
        self._learning = asyncio.Lock()

    async def current(self) -> SignedHead:
        """Return the signed head of the whole feed. Raises: StartupError (there are no keys)."""
        async with self._signing:
            size = await self._store.size()
            seeds = await asyncio.to_thread(self._keys.signing)
            vkeys = [vkey_of(self._origin, seed) for seed in seeds]
            known = await self._signed_already(size, vkeys)
            if known is None:
                root = (await self._tree(size)).root(size)
                checkpoint = Checkpoint(origin=self._origin, size=size, root=root)
                note = sign(checkpoint, seeds)
                others = await self._store.keys()
                await self._store.add_head(size, note, vkeys)
                if others and not set(vkeys) & set(others):
                    log.warning("heads.key_created", keys=vkeys, signed_before=others)
            else:
                note, checkpoint = known.note, read_note(known.note).checkpoint
            keys = await self._store.keys()
            return SignedHead(checkpoint=checkpoint, note=note, keys=tuple(keys))

    async def note(self) -> str | None:
        """Return the signed head as a note; None: the feed is empty. Raises: StartupError."""
        head = await self.current()
        return head.note if head.checkpoint.size else None

    async def consistency(self, first: int, size: int) -> tuple[bytes, ...]:
        """Prove that a tree of `size` extends one of `first` entries.

        Raises: NotFound (the feed is shorter)
        """
        if not 0 <= first <= size <= await self._store.size():
            raise NotFound("head", None)
        return tuple((await self._tree(first, size)).consistency(first, size))

    async def inclusion(self, game_id: UUID, version: int) -> Inclusion:
        """Prove that the head covers an entry.

        Raises: NotFound (no such entry, or not yet in the feed)
        """
        place = await self._store.place(game_id, version)
        if place is None:
            raise NotFound("entry", None)
        head = await self.current()
        position, hashed = place
        size = head.checkpoint.size
        tree = await self._tree(position, position - 1, size)
        path = tuple(tree.inclusion(position - 1, size))
        return Inclusion(position=position, hash=hashed, path=path, head=head)

    async def notes(self) -> list[StoredHead]:
        """Return every head that was signed."""
        return await self._store.heads()

    async def _signed_already(self, size: int, vkeys: Sequence[str]) -> StoredHead | None:
        for head in await self._store.of_size(size):
            if len(read_note(head.note).signed_by(vkeys)) == len(vkeys):
                return head
        return None

    async def _tree(self, *sizes: int) -> Tree:
        async with self._learning:
            await self._learn(max(sizes) // TILE)
        needed = tiles_of(*sizes) | {size // TILE for size in sizes if size < max(sizes)}
        leaves = {
            tile: await self._store.leaves(tile * TILE, min((tile + 1) * TILE, max(sizes)))
            for tile in sorted(needed)
        }
        return Tree(self._tiles, leaves)

    async def _learn(self, tiles: int) -> None:
        if len(self._tiles) < tiles:
            self._tiles += await self._store.tiles(len(self._tiles))
        while len(self._tiles) < tiles:
            first = len(self._tiles)
            until = min(tiles, first + _TILES_AT_ONCE)
            leaves = await self._store.leaves(first * TILE, until * TILE)
            roots = [_root(leaves[begin : begin + TILE]) for begin in range(0, len(leaves), TILE)]
            await self._store.add_tiles(first, roots)
            self._tiles += roots


def _root(leaves: Sequence[bytes]) -> bytes:
    tree = GrowingTree()
    for leaf in leaves:
        tree.add(leaf)
    return tree.root()
