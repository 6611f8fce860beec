"""The Merkle tree over a feed (RFC 9162 §2.1): roots and proofs.

Promises: pure; a root or a proof needs the roots of full tiles of `TILE` leaves, and the leaves of
the tiles it cuts. A leaf's input is the hash of an entry.
"""

from collections.abc import Mapping, Sequence
from hashlib import sha256

TILE = 256

EMPTY_ROOT = sha256(b"").digest()


def leaf_hash(entry_hash: bytes) -> bytes:
    return sha256(b"\x00" + entry_hash).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    return sha256(b"\x01" + left + right).digest()


def tiles_of(*sizes: int) -> set[int]:
    """Return the tiles whose leaves are needed for trees of these sizes."""
    return {size // TILE for size in sizes if size % TILE}


class Tree:
    def __init__(self, tiles: Sequence[bytes], leaves: Mapping[int, Sequence[bytes]]) -> None:
        self._tiles = tiles
        self._leaves = leaves

    def root(self, size: int) -> bytes:
        """Return the root of the first `size` leaves."""
        return self._hash(0, size) if size else EMPTY_ROOT

    def inclusion(self, index: int, size: int) -> list[bytes]:
        """Prove that a leaf (from 0) is among the first `size` (RFC 9162 §2.1.3.1)."""
        return self._path(index, 0, size)

    def consistency(self, first: int, size: int) -> list[bytes]:
        """Prove that the first `first` leaves are those of `size` (RFC 9162 §2.1.4.1)."""
        return self._subproof(first, 0, size, whole=True) if first else []

    def _path(self, index: int, begin: int, end: int) -> list[bytes]:
        if end - begin == 1:
            return []
        middle = begin + _split(end - begin)
        if index < middle:
            return [*self._path(index, begin, middle), self._hash(middle, end)]
        return [*self._path(index, middle, end), self._hash(begin, middle)]

    def _subproof(self, first: int, begin: int, end: int, *, whole: bool) -> list[bytes]:
        """Return SUBPROOF of the RFC; `whole`: the verifier knows the hash of all entries."""
        if first == end:
            return [] if whole else [self._hash(begin, end)]
        middle = begin + _split(end - begin)
        if first <= middle:
            proof = self._subproof(first, begin, middle, whole=whole)
            return [*proof, self._hash(middle, end)]
        return [*self._subproof(first, middle, end, whole=False), self._hash(begin, middle)]

    def _hash(self, begin: int, end: int) -> bytes:
        tile, within = divmod(begin, TILE)
        if end - begin == TILE and not within and tile < len(self._tiles):
            return self._tiles[tile]
        if end - begin == 1:
            return leaf_hash(self._leaves[tile][within])
        middle = begin + _split(end - begin)
        return node_hash(self._hash(begin, middle), self._hash(middle, end))


class GrowingTree:
    """A tree that grows leaf by leaf, with its current root."""

    def __init__(self) -> None:
        self.size = 0
        self._full: list[tuple[int, bytes]] = []

    def add(self, entry_hash: bytes) -> None:
        height, hashed = 0, leaf_hash(entry_hash)
        while self._full and self._full[-1][0] == height:
            hashed = node_hash(self._full.pop()[1], hashed)
            height += 1
        self._full.append((height, hashed))
        self.size += 1

    def root(self) -> bytes:
        if not self._full:
            return EMPTY_ROOT
        (_, root), *others = reversed(self._full)
        for _, left in others:
            root = node_hash(left, root)
        return root


def _split(leaves: int) -> int:
    return 1 << (leaves - 1).bit_length() - 1
