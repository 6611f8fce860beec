"""Another way that evidence can have gone, where all that is unknown is which lot cards came from.

That is so where cards pass unseen only out of places that hold one lot, as in any game whose cards
were never marked unsure: then some deal fits exactly when the cards seen can be shared out to lots
(`domain.sharing`). It is asked in place of a search of worlds, and answers a hundred times faster.
"""

from collections.abc import Collection, Hashable, Sequence
from itertools import chain

from domain.cards import Cards, lowest
from domain.evidence import Evidence, Seen, Shuffled, Summed, Unseen
from domain.sharing import TRIES_MAX, FewChanges, settle
from domain.sightings import NOWHERE, Sightings
from domain.totals import possible
from domain.worlds import Pool, Total, World, refined, signature


class Lots:
    """The lots of some evidence and the cards seen to come from them, along a path of worlds.

    `made` holds the faces of the lots, and since which piece of evidence: on another path others of
    several equal cards would have been mixed in.
    """

    def __init__(self, evidence: Sequence[Evidence], path: Sequence[World]) -> None:
        self._evidence = evidence
        self._path = path
        self.refuted = False
        first = path[0]
        lots = list(dict.fromkeys(pool.may & first.unseen for pool in first.pools))
        self._made: list[tuple[int, list[Cards]]] = [(0, lots)]
        self.sightings = Sightings(lots)
        for pool in first.pools:
            self.sightings.come(pool.place, self._lot(pool.holds), pool.holds.bit_count())

    def read(self) -> bool:
        """Read the evidence but for its last piece; tell whether lots are all there is to it."""
        lots, path = self._made[0][1], self._path
        if sum(lot.bit_count() for lot in lots) > path[0].unseen.bit_count():
            return False  # some cards may be of several
        return all(
            self._read(at, piece, path[at], path[at + 1])
            for at, piece in enumerate(self._evidence[:-1])
        )

    def _read(self, at: int, piece: Evidence, before: World, after: World) -> bool:
        if isinstance(piece, Seen):
            face = before.unseen & ~after.unseen
            if face:
                self.sightings.see(at, piece.source, piece.copies, self._lot(face))
            return True
        if isinstance(piece, Unseen):
            there = [pool.holds for pool in before.pools if pool.place == piece.source]
            if len(there) != 1 or before.known.get(piece.source):
                return False
            lot = self._lot(there[0])
            self.sightings.come(piece.source, lot, -piece.count)
            self.sightings.come(piece.target, lot, piece.count)
            return True
        if isinstance(piece, Shuffled):
            if any(pool.place in (piece.source, piece.target) for pool in before.pools):
                return False
            cards = after.unseen & ~before.unseen
            self.sightings.mix(piece.target, cards)
            self._made.append((at + 1, _with_lot(self._made[-1][1], cards)))
            return True
        return isinstance(piece, Summed)

    def _lot(self, faces: Cards) -> int:
        """Return which lot some faces are of."""
        for lot, cards in enumerate(self._made[-1][1]):
            if cards & faces:
                return lot
        raise AssertionError("every unseen face is of a lot")

    def another_way(self) -> list[World] | None:
        """Return a world before each piece of evidence and after the last; None if none is found.

        `refuted` is set where none can be found.
        """
        before, last = list(self.sightings.lot), self._evidence[-1]
        if isinstance(last, Seen):
            self.sightings.see(len(self._path) - 1, last.source, last.copies, NOWHERE)
            settled = settle(self.sightings)
            self.refuted = settled is False
            if not settled:
                return None
        if not self._makes_totals():
            return None
        lots = zip(self.sightings.seen, before, self.sightings.lot, strict=False)
        changed = [seen.at for seen, was, lot in lots if was != lot]
        return self._followed(min(changed, default=len(self._path) - 1))

    def _makes_totals(self) -> bool:
        """Share the cards out in a way that makes the promised totals, if one is found."""
        end, last = self._path[-1], self._evidence[-1]
        totals = last.after(end)[0].totals if isinstance(last, Summed) else end.totals
        if not totals:
            return True
        counted = {place for total in totals for place in total.places}
        seen = enumerate(self.sightings.seen)
        held_first = sorted(seen, key=lambda one: (one[1].source not in counted, -one[0]))
        few = FewChanges(self.sightings, TRIES_MAX, [number for number, _ in held_first])
        tried: set[Hashable] = set()
        parts: Collection[Cards] = ()
        for total in totals:
            parts = refined(parts, total.told_apart)
        for _ in chain((None,), few.ways()):
            world = self._end(totals)
            like = signature(world, parts)
            if like not in tried and possible(world):
                return True
            tried.add(like)
        self.refuted = few.exhausted
        return False

    def _end(self, totals: tuple[Total, ...]) -> World:
        """Return the world in the end; it does not matter which of equal cards lies where."""
        before, last = self._path[-1], self._evidence[-1]
        faces = [cards & before.unseen for cards in self._made[-1][1]]
        for copies in self.sightings.cards_seen():
            rest = before.unseen & copies
            for lot, cards in enumerate(faces):
                mine = lowest(rest, self.sightings.faces(copies, lot))
                rest ^= mine
                faces[lot] = cards & ~copies | mine
        pools: list[Pool] = []
        for lot, may in enumerate(faces):
            rest = may
            for place in self.sightings.changes:
                if tokens := self.sightings.tokens(place, lot)[-1]:
                    holds = lowest(rest, tokens)
                    rest ^= holds
                    pools.append(Pool(place, may, holds))
        known, unseen = dict(before.known), sum(faces)
        if isinstance(last, Seen):
            known[last.target] = known.get(last.target, 0) | before.unseen & ~unseen
        return World(tuple(pools), known, unseen, totals)

    def _followed(self, since: int) -> list[World]:
        """Return the path with cards seen to come from their lots, from evidence `since` on new."""
        seen = zip(self.sightings.seen, self.sightings.lot, strict=True)
        lot_at = {sighting.at: lot for sighting, lot in seen}
        lots = next(lots for at, lots in reversed(self._made) if at <= since)
        path = list(self._path[: since + 1])
        for at in range(since, len(self._evidence)):
            piece, world = self._evidence[at], path[-1]
            after = piece.after(world)
            if len(after) > 1:
                cards = lots[lot_at[at]]
                after = [one for one in after if world.unseen & ~one.unseen & cards]
            path.append(after[0])
            if isinstance(piece, Shuffled):
                lots = _with_lot(lots, after[0].unseen & ~world.unseen)
        return path


def _with_lot(lots: Sequence[Cards], cards: Cards) -> list[Cards]:
    """Add a lot of cards, which are then in no other."""
    return [*(lot & ~cards for lot in lots), cards]
