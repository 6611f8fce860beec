"""Every world that fits, where evidence does not say which of unlike tokens moved.

All that can be is followed at once, as the subset construction follows an automaton (Rabin and
Scott 1959). Worlds that admit the same deals are one, and so few of them are left at most tables
that they can be followed piece by piece. That answers any number of questions, exactly, with no
search. Those found last are remembered: a deal that goes on costs one step a piece. Where they come
to be more than `WORLDS_MAX` they are followed no longer in that deal, and whoever asks must search.
"""

from collections.abc import Hashable, Iterable, Sequence
from operator import is_
from typing import NamedTuple

from domain.inference.evidence import Evidence, Narrowed, RuledOut, Seen, Summed, Swapped
from domain.inference.search import follow
from domain.inference.worlds import Place, World
from domain.table.cards import Cards

WORLDS_MAX = 2_500
KEPT = 3  # moments of a deal: the one judged last, one before it, one only asked about


class _Moment(NamedTuple):
    """The worlds after some pieces; None: they were too many there, or before."""

    first: World
    pieces: Sequence[Evidence]
    worlds: tuple[World, ...] | None

    def comes_before(self, first: World, pieces: Sequence[Evidence]) -> bool:
        """Tell whether other pieces only go on from there."""
        own = self.pieces
        return self.first is first and len(own) <= len(pieces) and all(map(is_, own, pieces))


class AllWorlds:
    """The worlds of one deal, a few moments of it remembered (`domain.inference.memo`).

    `most`: so many are followed; none: `WORLDS_MAX`.
    """

    def __init__(self, most: int | None = None) -> None:
        self._kept: tuple[_Moment, ...] = ()
        self._most = most

    def after(self, first: World, pieces: Sequence[Evidence]) -> tuple[World, ...] | None:
        """Return every world that fits, from `first` on; None: they are too many."""
        known = self._latest_before(first, pieces)
        done, worlds = len(known.pieces), known.worlds
        while worlds is not None and done < len(pieces):
            worlds = _step(worlds, pieces[done], self._most or WORLDS_MAX)
            done += 1
        now = _Moment(first, pieces[:done], worlds)
        others = [one for one in self._kept if one is not known or len(known.pieces) < done]
        self._kept = (now, *others[: KEPT - 1])
        return worlds

    def _latest_before(self, first: World, pieces: Sequence[Evidence]) -> _Moment:
        found = _Moment(first, (), (first,))
        for one in self._kept:
            if len(one.pieces) >= len(found.pieces) and one.comes_before(first, pieces):
                found = one
        return found


def _step(worlds: Sequence[World], piece: Evidence, most: int) -> tuple[World, ...] | None:
    """Follow a piece from every world; None: there are too many then.

    Where every world goes on as one and no cards come to lie beside others, hardly any two become
    alike: then they are not compared, until some go several ways.
    """
    if isinstance(piece, Seen | RuledOut | Narrowed | Swapped | Summed):
        every = [follow(piece, world) for world in worlds]
        if all(len(after) <= 1 for after in every):
            return tuple([world for after in every for world in after])
        return _unlike(every, most)
    return _unlike((follow(piece, world) for world in worlds), most)


def _unlike(every: Iterable[Sequence[World]], most: int) -> tuple[World, ...] | None:
    found: dict[Hashable, World] = {}
    for worlds in every:
        for world in worlds:
            found.setdefault(_deals_of(world), world)
        if len(found) > most:
            return None
    return tuple(found.values())


def _deals_of(world: World) -> Hashable:
    pools, places_known, unseen, totals = world
    known = frozenset([(place, cards) for place, cards in places_known.items() if cards])
    tokens = frozenset(
        [
            (place, candidates & unseen, assignment.bit_count())
            for place, candidates, assignment in pools
        ]
    )
    if len(tokens) == len(pools):
        return tokens, known, unseen, totals
    alike: dict[tuple[Place, Cards], int] = {}  # some pools are: they are one
    for place, candidates, assignment in pools:
        at = place, candidates & unseen
        alike[at] = alike.get(at, 0) + assignment.bit_count()
    joined = frozenset([(*at, count) for at, count in alike.items()])
    return joined, known, unseen, totals
