"""Every world that fits, followed side by side while they are few."""

from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple

from domain.inference.evidence import Evidence, Narrowed, RuledOut, Seen, Summed, Swapped, follow
from domain.inference.worlds import Place, World
from domain.table.cards import Cards

# Pieces followed in one deal, over all worlds: more lists more deals completely, and takes longer
# (some 15 ms a thousand) where the worlds turn out to be too many.
FOLLOWED_MAX = 2_000


class Listed(NamedTuple):
    """The worlds after some pieces, None once they took too long; and how many were followed."""

    worlds: tuple[World, ...] | None
    followed: int


def begin(world: World) -> Listed:
    """Return the one world there is at the start."""
    return Listed((world,), 0)


def extend(listed: Listed, pieces: Sequence[Evidence]) -> Listed:
    """Follow pieces from every world.

    >>> from domain.inference import RuledOut, Unseen
    >>> from domain.inference.worlds import all_unseen
    >>> pieces = Unseen(0, 1, 1, 1), RuledOut(1, 0b1, "", (0, ""), 2), Unseen(0, 1, 1, 3)
    >>> before = extend(begin(all_unseen(0b111, 0)), pieces)
    >>> len(before.worlds), len(extend(before, [Unseen(1, 2, 1, 4)]).worlds)
    (1, 2)
    """
    worlds, followed = listed
    for piece in pieces:
        if worlds is None:
            break
        followed += len(worlds)
        worlds = _step(worlds, piece) if followed <= FOLLOWED_MAX else None
    return Listed(worlds, followed)


def _step(worlds: Sequence[World], piece: Evidence) -> tuple[World, ...]:
    every = [follow(piece, world) for world in worlds]
    # Where no cards come to lie beside others and no world goes several ways, hardly any two
    # become alike: comparing them would cost more than it saves.
    alone = isinstance(piece, Seen | RuledOut | Narrowed | Swapped | Summed)
    if alone and all(len(after) <= 1 for after in every):
        return tuple([world for after in every for world in after])
    return _unlike(every)


def _unlike(every: Iterable[Sequence[World]]) -> tuple[World, ...]:
    found: dict[Hashable, World] = {}
    for worlds in every:
        for world in worlds:
            found.setdefault(_deals_of(world), world)
    return tuple(found.values())


def _deals_of(world: World) -> Hashable:
    pools, places_known, unseen, totals = world
    known = frozenset([(place, cards) for place, cards in places_known.items() if cards])
    alike: dict[tuple[Place, Cards], int] = {}
    for place, candidates, assignment in pools:
        at = place, candidates & unseen
        alike[at] = alike.get(at, 0) + assignment.bit_count()
    return frozenset(alike.items()), known, unseen, totals
