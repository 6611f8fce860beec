"""Another way that evidence can have gone, where all that is unknown is which lot cards came from.

That is so where cards pass unseen only out of places that hold one lot, as in any game whose cards
were never marked unsure: then some deal fits exactly when the cards seen can be shared out to lots
(`domain.inference.assignment`). It is asked in place of a search of worlds, and answers a hundred
times faster.
"""

from collections.abc import Callable, Collection, Hashable, Sequence
from itertools import chain

from domain.inference.assignment import TRIES_MAX, FewChanges, settle
from domain.inference.evidence import Evidence, Seen, Shuffled, Summed, Unseen
from domain.inference.sightings import NOWHERE, Sightings
from domain.inference.sum_constraints import possible
from domain.inference.symmetry import refined, signature
from domain.inference.worlds import Place, TokenPool, World
from domain.table.cards import Cards, lowest


class Lots:
    """The lots of the evidence read so far, and the cards seen to come from them.

    What is read once holds on every way: only which lot a sighting is put down to, and so which of
    several equal faces are in which lot, is taken another way. `refuted`: there is no other way.
    """

    def __init__(self, first: World) -> None:
        self.refuted = False
        self._faces = list(dict.fromkeys(pool.candidates & first.unseen for pool in first.pools))
        self._sightings = Sightings(self._faces)
        self._only: dict[Place, int] = {}  # the one lot there, or `NOWHERE` if there may be several
        self._count: dict[Place, int] = {}
        for pool in first.pools:
            self._come(pool.place, self._lot(pool.assignment), pool.assignment.bit_count())

    def copy(self) -> "Lots":
        """Return lots that can read on, and be shared out, apart from these."""
        twin: Lots = object.__new__(Lots)
        twin.refuted, twin._faces = self.refuted, self._faces.copy()
        twin._sightings = self._sightings.copy()
        twin._only, twin._count = self._only.copy(), self._count.copy()
        return twin

    def read(self, pieces: Sequence[Evidence], path: Sequence[World]) -> bool:
        """Read evidence with the worlds before each piece and after; tell whether lots are all."""
        if sum(lot.bit_count() for lot in self._faces) > path[0].unseen.bit_count():
            return False  # some cards may be of several
        return all(map(self._read, pieces, path, path[1:]))

    def _read(self, piece: Evidence, before: World, after: World) -> bool:
        if isinstance(piece, Seen):
            face = before.unseen & ~after.unseen
            if face:
                self._see(piece, self._lot(face))
            return True
        if isinstance(piece, Unseen):
            lot = self._only.get(piece.source, NOWHERE)
            if lot == NOWHERE or before.known.get(piece.source):
                return False
            self._come(piece.source, lot, -piece.count)
            self._come(piece.target, lot, piece.count)
            return True
        if isinstance(piece, Shuffled):
            if self._count.get(piece.source) or self._count.get(piece.target):
                return False
            self._mix(piece.target, after.unseen & ~before.unseen)
            return True
        return isinstance(piece, Summed)

    def _see(self, piece: Seen, lot: int) -> None:
        self._count[piece.source] = self._count.get(piece.source, 0) - 1
        self._sightings.see(piece.source, piece.copies, lot)

    def _come(self, place: Place, lot: int, count: int) -> None:
        there = self._count.get(place, 0)
        self._only[place] = lot if not there or self._only[place] == lot else NOWHERE
        self._count[place] = there + count
        self._sightings.come(place, lot, count)

    def _mix(self, place: Place, cards: Cards) -> None:
        self._faces = [*(lot & ~cards for lot in self._faces), cards]
        self._sightings.mix(place, cards)
        self._only[place], self._count[place] = len(self._faces) - 1, cards.bit_count()

    def _lot(self, faces: Cards) -> int:
        for lot, cards in enumerate(self._faces):
            if cards & faces:
                return lot
        raise AssertionError("every unseen face is of a lot")

    def another_way(
        self, last: Seen | Summed, before: World, hopeless: Callable[[], bool]
    ) -> World | None:
        """Return a world after one more piece of evidence; None if none is found.

        `before`: the world before it on the way read, in which it does not fit. `hopeless` tells
        whether there can be none, if that takes long to find out.
        """
        if isinstance(last, Summed):
            return self._that_makes(last.after(before)[0])
        self._see(last, NOWHERE)
        settled = settle(self._sightings, hopeless)
        self.refuted = settled is False
        if not settled:
            return None
        face = lowest(before.unseen & last.copies, 1)
        known = {**before.known, last.target: before.known.get(last.target, 0) | face}
        return self._that_makes(before._replace(known=known, unseen=before.unseen ^ face))

    def put_back(self, before: World) -> World:
        """Put the card seen last back into its lot, and return a world in which that is so.

        `before`: the world before it on the way read, which holds the same cards otherwise.
        """
        self._sightings.put(len(self._sightings.lot) - 1, NOWHERE)
        return self._shared_out(before)

    def _that_makes(self, world: World) -> World | None:
        if not world.totals:
            return self._shared_out(world)
        counted = {place for total in world.totals for place in total.places}
        seen = enumerate(self._sightings.seen)
        held_first = sorted(seen, key=lambda one: (one[1].source not in counted, -one[0]))
        few = FewChanges(self._sightings, TRIES_MAX, [number for number, _ in held_first])
        tried: set[Hashable] = set()
        parts: Collection[Cards] = ()
        for total in world.totals:
            parts = refined(parts, total.told_apart)
        for _ in chain((None,), few.ways()):
            shared = self._shared_out(world)
            like = signature(shared, parts)
            if like not in tried and possible(shared):
                return shared
            tried.add(like)
        self.refuted = few.exhausted
        return None

    def _shared_out(self, world: World) -> World:
        """Return a world with its unseen cards as they are shared out now.

        Which of equal cards are in which lot is settled anew; it does not matter which.
        """
        faces = [cards & world.unseen for cards in self._faces]
        for copies, left in self._sightings.left.items():
            rest = world.unseen & copies
            for lot, number in enumerate(left):
                mine = lowest(rest, number)
                rest ^= mine
                faces[lot] = faces[lot] & ~copies | mine
        pools: list[TokenPool] = []
        for lot, candidates in enumerate(faces):
            rest = candidates
            for place, rows in self._sightings.tokens.items():
                if tokens := rows[lot][-1]:
                    assignment = lowest(rest, tokens)
                    rest ^= assignment
                    pools.append(TokenPool(place, candidates, assignment))
        self._faces = faces
        return world._replace(pools=tuple(pools))
