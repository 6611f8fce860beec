"""The one earlier entry without whose cards a refused one would stand.

Leaving an entry out and folding a long deal anew for every entry there is takes minutes. So many
are left out at once first, in a world that admits more than can be (`Piece.relaxation`): where even
that has no room for what was refused, none of them is the reason.
"""

from collections.abc import Iterator, Sequence

from domain.dutch.state import STOCK
from domain.inference import Carried, Evidence, Knowledge, Narrowed, Seen, Summed, Unseen

EXACTLY = 8  # entries left out one by one and folded exactly, before nobody is named
Named = Seen | Narrowed | Summed


def conflicting_entry(known: Knowledge, pieces: Sequence[Evidence]) -> int | None:
    """Find that entry; None where none is, several are, or it would take too long to tell."""
    trail = known.evidence()
    versions = list(dict.fromkeys(one.version for one in trail if isinstance(one, Named)))
    found: int | None = None
    for tried, version in enumerate(_suspects(known, trail, pieces, versions[::-1])):
        if tried == EXACTLY:
            return None
        fresh = Knowledge(known.origin, known.origin).learn_all(_without(trail, {version}))
        if fresh is None or fresh.learn_all(pieces) is None:
            continue
        if found is not None:
            return None
        found = version
    return found


def _suspects(
    known: Knowledge, trail: Sequence[Evidence], pieces: Sequence[Evidence], versions: list[int]
) -> Iterator[int]:
    if not versions or not _room(known, (*_without(trail, set(versions)), *pieces)):
        return
    if len(versions) == 1:
        yield versions[0]
        return
    half = len(versions) // 2
    yield from _suspects(known, trail, pieces, versions[:half])
    yield from _suspects(known, trail, pieces, versions[half:])


def _room(known: Knowledge, pieces: Sequence[Evidence]) -> bool:
    world = known.origin
    for piece in pieces:
        after = piece.relaxation(world)
        if not after:
            return False
        world = after[0]
    return True


def _without(trail: Sequence[Evidence], versions: set[int]) -> list[Evidence]:
    return [kept for piece in trail for kept in unnamed(piece, versions)]


def unnamed(piece: Evidence, versions: set[int]) -> tuple[Evidence, ...]:
    """Return what is left of a piece of evidence if some entries named no card."""
    if piece.version not in versions or not isinstance(piece, Named):
        return (piece,)
    if not isinstance(piece, Seen) or piece.source == piece.target:
        return ()
    if piece.source == STOCK:
        return (Unseen(STOCK, piece.target, 1, piece.version),)
    return (Carried(piece.source, piece.target, piece.version),)
