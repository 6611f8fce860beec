"""How proofs are verified, written down from RFC 9162 §2.1.3.2 and §2.1.4.2 by themselves."""

from collections.abc import Sequence
from hashlib import sha256


def node(left: bytes, right: bytes) -> bytes:
    return sha256(b"\x01" + left + right).digest()


def leaf(content: bytes) -> bytes:
    return sha256(b"\x00" + content).digest()


def is_included(content: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes) -> bool:
    """Verify an inclusion proof (§2.1.3.2)."""
    if index >= size:
        return False
    fn, sn, r = index, size - 1, leaf(content)
    for p in proof:
        if sn == 0:
            return False
        if fn & 1 or fn == sn:
            r = node(p, r)
            while not fn & 1 and fn:
                fn, sn = fn >> 1, sn >> 1
        else:
            r = node(r, p)
        fn, sn = fn >> 1, sn >> 1
    return sn == 0 and r == root


def is_consistent(
    first: int, size: int, proof: Sequence[bytes], first_root: bytes, root: bytes
) -> bool:
    """Verify a consistency proof (§2.1.4.2), 0 < first < size."""
    path = [first_root, *proof] if first & (first - 1) == 0 else list(proof)
    fn, sn = first - 1, size - 1
    while fn & 1:
        fn, sn = fn >> 1, sn >> 1
    if not path:
        return False
    fr = sr = path[0]
    for c in path[1:]:
        if sn == 0:
            return False
        if fn & 1 or fn == sn:
            fr, sr = node(c, fr), node(c, sr)
            while not fn & 1 and fn:
                fn, sn = fn >> 1, sn >> 1
        else:
            sr = node(sr, c)
        fn, sn = fn >> 1, sn >> 1
    return sn == 0 and (fr, sr) == (first_root, root)
