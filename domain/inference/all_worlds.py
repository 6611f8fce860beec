"""All worlds that fit, followed side by side while they are few."""

from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple

from domain.inference.evidence import (
    Evidence,
    Narrowed,
    RuledOut,
    Seen,
    Summed,
    Swapped,
    successors_with_totals,
)
from domain.inference.worlds import Place, World
from domain.table.cards import Cards

# Successors computed in one deal, over all worlds: a higher limit lists more deals completely, but
# costs some 15 ms a thousand where the worlds turn out to be too many.
FOLLOWED_MAX = 2_000


class WorldList(NamedTuple):
    """All worlds, None if they are too many, and the number of successors computed."""

    worlds: tuple[World, ...] | None
    successors_computed: int


def begin(world: World) -> WorldList:
    return WorldList((world,), 0)


def extend(listed: WorldList, pieces: Sequence[Evidence]) -> WorldList:
    """Apply pieces to every world, as the subset construction does (Rabin and Scott 1959).

    >>> from domain.inference import RuledOut, Unseen
    >>> from domain.inference.worlds import all_unseen
    >>> pieces = Unseen(0, 1, 1, 1), RuledOut(1, 0b1, "", (0, ""), 2), Unseen(0, 1, 1, 3)
    >>> before = extend(begin(all_unseen(0b111, 0)), pieces)
    >>> len(before.worlds), len(extend(before, [Unseen(1, 2, 1, 4)]).worlds)
    (1, 2)
    """
    worlds, followed = listed
    for piece in pieces:
        every: list[Sequence[World]] = []
        for world in worlds or ():
            every.append(successors_with_totals(piece, world))
            followed += len(every[-1])
            if followed > FOLLOWED_MAX:
                return WorldList(None, followed)
        if worlds is not None:
            worlds = _successors_of_all(piece, every)
    return WorldList(worlds, followed)


def _successors_of_all(piece: Evidence, successors: Sequence[Sequence[World]]) -> tuple[World, ...]:
    # Without merged pools and without branches hardly any two worlds become equal, so that
    # comparing them would cost more than it saves.
    keeps_pools = isinstance(piece, Seen | RuledOut | Narrowed | Swapped | Summed)
    if keeps_pools and all(len(after) <= 1 for after in successors):
        return tuple([world for after in successors for world in after])
    return _deduplicate(successors)


def _deduplicate(every: Iterable[Sequence[World]]) -> tuple[World, ...]:
    distinct: dict[Hashable, World] = {}
    for worlds in every:
        for world in worlds:
            distinct.setdefault(_key_of_deals(world), world)
    return tuple(distinct.values())


def _key_of_deals(world: World) -> Hashable:
    pools, places_known, unseen, totals = world
    known = frozenset([(place, cards) for place, cards in places_known.items() if cards])
    alike: dict[tuple[Place, Cards], int] = {}
    for place, candidates, assignment in pools:
        at = place, candidates & unseen
        alike[at] = alike.get(at, 0) + assignment.bit_count()
    return frozenset(alike.items()), known, unseen, totals
