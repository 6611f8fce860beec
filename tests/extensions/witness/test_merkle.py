from collections.abc import Sequence
from hashlib import sha256

import pytest

from service.extensions.witness.merkle import TILE, GrowingTree, Tree
from tests.extensions.witness.rfc9162 import is_consistent, is_included, leaf, node

# The leaves and roots of Certificate Transparency's own tests.
KNOWN = [
    "",
    "00",
    "10",
    "2021",
    "3031",
    "40414243",
    "5051525354555657",
    "606162636465666768696a6b6c6d6e6f",
]
ROOTS = {
    0: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    1: "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    2: "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    8: "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
}
LEAVES = [sha256(f"{number}".encode()).digest() for number in range(3 * TILE + 5)]
SIZES = [1, 2, 3, 7, 8, TILE - 1, TILE, TILE + 1, 2 * TILE, 2 * TILE + 130, 3 * TILE + 5]


def plain(leaves: Sequence[bytes]) -> bytes:
    if not leaves:
        return sha256(b"").digest()
    if len(leaves) == 1:
        return leaf(leaves[0])
    split = 1
    while split * 2 < len(leaves):
        split *= 2
    return node(plain(leaves[:split]), plain(leaves[split:]))


def tree(leaves: Sequence[bytes]) -> Tree:
    parts = [leaves[begin : begin + TILE] for begin in range(0, len(leaves), TILE)]
    tiles = [plain(part) for part in parts if len(part) == TILE]
    return Tree(tiles, dict(enumerate(parts)))


@pytest.mark.parametrize("size", ROOTS)
def test_roots_are_those_of_certificate_transparency(size: int) -> None:
    leaves = [bytes.fromhex(one) for one in KNOWN[:size]]
    growing = GrowingTree()
    for one in leaves:
        growing.add(one)
    assert growing.root().hex() == tree(leaves).root(size).hex() == ROOTS[size]


@pytest.mark.parametrize("size", SIZES)
def test_a_root_is_what_the_definition_says(size: int) -> None:
    growing = GrowingTree()
    for one in LEAVES[:size]:
        growing.add(one)
    assert growing.root() == tree(LEAVES).root(size) == plain(LEAVES[:size])


@pytest.mark.parametrize("size", SIZES)
def test_every_entry_is_proved_to_be_in_and_no_other(size: int) -> None:
    whole, root = tree(LEAVES[:size]), plain(LEAVES[:size])
    for index in {*range(min(size, 9)), size // 2, size - 1}:
        proof = whole.inclusion(index, size)
        assert is_included(LEAVES[index], index, size, proof, root)
        assert not is_included(b"another", index, size, proof, root)


@pytest.mark.parametrize("size", SIZES)
def test_what_was_there_before_is_proved_to_be_there_still(size: int) -> None:
    whole, root = tree(LEAVES[:size]), plain(LEAVES[:size])
    for first in {one for one in (*SIZES, size - 1) if 0 < one < size}:
        proof = whole.consistency(first, size)
        before = plain(LEAVES[:first])
        assert is_consistent(first, size, proof, before, root)
        forged = plain([*LEAVES[: first - 1], b"forged"])
        assert not is_consistent(first, size, proof, forged, root)
    assert whole.consistency(size, size) == whole.consistency(0, size) == []
