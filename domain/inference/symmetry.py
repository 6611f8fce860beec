"""Worlds that are alike: equal up to cards that nothing tells apart any more.

Those are the orbits of the cards under the exchanges that change no evidence; they are found by
partition refinement (Paige and Tarjan 1987), first by evidence, then by what pools may have.
"""

from collections.abc import Collection, Hashable, Iterable, Mapping

from domain.inference.worlds import World
from domain.table.cards import Cards

Cells = Mapping[int, Cards]  # unseen cards by the pools that may have them, a bit each


def signature(world: World, parts: Iterable[Cards]) -> Hashable:
    """Describe a world up to cards that nothing tells apart any more: equal means alike.

    `parts` are the disjoint sets of cards that are still told apart from others, not within.
    """
    return described(world, parts)[0]


def described(world: World, parts: Iterable[Cards]) -> tuple[Hashable, Cells]:
    """Return the signature of a world, and the cells it was made with: see `further`."""
    pools = sorted(
        world.pools,
        key=lambda pool: (
            pool.place,
            pool.assignment.bit_count(),
            (pool.candidates & world.unseen).bit_count(),
        ),
    )
    cells = {0: world.unseen}
    for bit, pool in enumerate(pools):
        for where, cards in [*cells.items()]:
            inside = cards & pool.candidates
            if inside:
                cells[where] = cards ^ inside
                cells[where | 1 << bit] = inside
    seen: list[tuple[int, int, int]] = []
    rest = world.unseen
    for number, part in enumerate(parts, start=1):
        left = part & rest
        rest ^= left
        seen += _counted(number, left, cells)
    seen += _counted(0, rest, cells)
    tokens = tuple((pool.place, pool.assignment.bit_count()) for pool in pools)
    return (tokens, tuple(sorted(seen))), cells


def further(cells: Cells, parts: Collection[Cards], cards: Cards) -> Hashable:
    """Return what a signature lacks if `cards` are told apart from others as well."""
    if cards in parts:
        return ()
    found: list[tuple[int, int, int]] = []
    for number, part in enumerate(parts, start=1):
        inside = part & cards
        if inside:
            found += _counted(number, inside, cells)
            cards ^= inside
    return tuple(sorted([*found, *_counted(0, cards, cells)]))


def _counted(number: int, part: Cards, cells: Cells) -> Iterable[tuple[int, int, int]]:
    for where, cards in cells.items():
        if not part:
            return
        inside = part & cards
        if inside:
            yield number, where, inside.bit_count()
            part ^= inside


def refined(parts: Collection[Cards], cards: Collection[Cards]) -> Collection[Cards]:
    """Split disjoint sets so that each is inside or outside of every one of `cards`.

    That is partition refinement: each of `cards` in turn is a splitter (Paige and Tarjan 1987).
    """
    for some in cards:
        if some in parts:
            continue
        inside = [part & some for part in parts]
        outside = [part & ~some for part in parts]
        rest = some
        for part in parts:
            rest &= ~part
        parts = tuple(part for part in (*inside, *outside, rest) if part)
    return parts
