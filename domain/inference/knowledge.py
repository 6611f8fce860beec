"""What the log proves about unseen cards: evidence in, the deals that fit it out. Exact.

`Knowledge` is the trail of evidence of one deal and a `World` that fits all of it. `learn` adds a
piece of evidence and returns `None` when no deal of the unseen cards fits any more. Where evidence
does not say which of unlike tokens moved, the first world that fits is kept; if a later piece
contradicts it, all other ways are searched before anything is called impossible. A search that
finds the ways too many keeps a relaxed one: what is possible is then still never refused.

A conclusion (`RuledOut`) keeps the clause and the version it was drawn from, so that a refusal can
name the entry it cannot stand with, and so that a conclusion can be forgotten (`waive`).
"""

from collections.abc import Collection, Iterable, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from domain.inference import worlds
from domain.inference.evidence import (
    Carried,
    Evidence,
    Narrowed,
    RuledOut,
    Seen,
    Shuffled,
    Summed,
    Swapped,
    Unseen,
)
from domain.inference.flows import Either
from domain.inference.lots import Lots
from domain.inference.memo import Memo
from domain.inference.rerouting import readable, rerouted
from domain.inference.search import PIECES_FIRST, Relaxation, Search, Ways, follow
from domain.inference.worlds import Place, World
from domain.table.cards import Cards, Pack

__all__ = [
    "Carried",
    "Evidence",
    "Knowledge",
    "Narrowed",
    "RuledOut",
    "Seen",
    "Shuffled",
    "Summed",
    "Swapped",
    "Unseen",
    "nothing_seen",
]

PIECES_NEAR = 16  # so few are sooner followed by all worlds than searched

Trail = tuple[Evidence, World, "Trail"] | None  # a piece and the world before it


class Knowledge(Struct, frozen=True, eq=False, gc=False):
    """The evidence of one deal, newest first in `trail`, and a world that fits all of it.

    `certain` is the trail up to the first piece after which another world could have been taken.
    `relaxed`: the ways were too many to be searched; `world` then admits every deal that fits, and
    perhaps others. `lots` are those read last, and the trail then; worlds on it may have gone a way
    that was wrong later. `relaxed_world` admits every deal that fits the trail beside it, and more.
    `memo`, shared by all knowledge of the deal, is no part of what is known. Nothing refers back to
    it, so the collector of cycles need not look.
    """

    origin: World
    world: World
    trail: Trail = None
    certain: Trail = None
    relaxed: bool = False
    lots: tuple[Lots, Trail] | None = None
    relaxed_world: tuple[World, Trail] | None = None
    memo: Memo = field(default_factory=Memo)

    def __eq__(self, other: object) -> bool:
        """Compare what is known, whatever was worked out of it."""
        if not isinstance(other, Knowledge):
            return NotImplemented
        return _known(self) == _known(other)

    def __hash__(self) -> int:
        raise TypeError("worlds hold dictionaries")

    @property
    def forked(self) -> bool:
        """Whether another world could have been taken somewhere on the trail."""
        return self.certain is not self.trail

    def ways(self) -> Ways:
        """Return what remembers what can follow what since the first fork; see `learn`."""
        pieces, path = self._since(self.certain)
        return Ways(pieces, path[0], Relaxation(self._relaxation))

    def learn(self, evidence: Evidence, ways: Ways | None = None) -> "Knowledge | None":
        """Add a piece of evidence; `None` when no deal fits it and all before it.

        `ways`, of this knowledge, may serve many times, where many pieces are asked about.
        """
        followed = self._followed(evidence)
        if followed is not None or not self.forked or self.relaxed:
            return followed
        return self._another_way(evidence, ways)

    def _followed(self, evidence: Evidence) -> "Knowledge | None":
        after = follow(evidence, self.world, relaxed=self.relaxed)
        if not after:
            return None
        trail = (evidence, self.world, self.trail)
        certain = self.certain if self.forked or len(after) > 1 else trail
        return self._then(after[0], trail, certain, relaxed=self.relaxed, lots=self.lots)

    def _another_way(self, evidence: Evidence, ways: Ways | None) -> "Knowledge | None":
        relaxation = (
            Relaxation(self._relaxation) if ways is None or ways.whole is None else ways.whole
        )
        if ways is not None and relaxation.refutes(evidence):
            return None
        lots = self._as_lots()
        if lots is None or not isinstance(evidence, Seen | Summed):
            found, refuted = self._routed((evidence,))
            if found is not None or refuted or relaxation.refutes(evidence):
                return found
            return self._searched(evidence, ways)
        world = lots.another_way(evidence, self.world, lambda: relaxation.refutes(evidence))
        if world is None and lots.refuted:
            return None
        trail = (evidence, self.world, self.trail)
        if world is not None:
            routed = self._then(world, trail, self.certain, lots=(lots, trail))
            made = relaxation.made
            return routed if made is None else replace(routed, relaxed_world=(made, self.trail))
        for relaxed in follow(evidence, relaxation.world, relaxed=True):
            return self._then(relaxed, trail, self.certain, relaxed=True)
        return None

    def _then(
        self,
        world: World,
        trail: Trail,
        certain: Trail,
        *,
        relaxed: bool = False,
        lots: tuple[Lots, Trail] | None = None,
    ) -> "Knowledge":
        return Knowledge(
            self.origin,
            world,
            trail,
            certain,
            relaxed,
            lots,
            self.relaxed_world,
            self.memo,
        )

    def _relaxation(self) -> World:
        world, read = self.relaxed_world or (None, self.certain)
        pieces, path = self._since(read)
        world = world or path[0]
        for piece in pieces:
            world = piece.relaxation(world)[0]
        return world

    def _as_lots(self) -> Lots | None:
        lots, read = self.lots or (None, self.certain)
        pieces, path = self._since(read)
        lots = lots.copy() if lots else Lots(path[0])
        return lots if lots.read(pieces, path) else None

    def as_flows(self) -> Either | None:
        """Return routes for all cards seen; None where that is not all there is to it."""
        flows = self.memo.flows.after(self.origin, self.trail)
        flows = flows and flows.copy()
        return flows if flows is not None and flows.decide() else None

    def _routed(self, pieces: Sequence[Evidence]) -> "tuple[Knowledge | None, bool]":
        """Return what is known if cards that passed unseen took other routes; or that none fits.

        The pieces, together, do not fit the world kept.
        """
        if not readable(pieces):
            return None, False
        found = rerouted(self.as_flows(), self.world, pieces)
        if found.world is None:
            return None, found.refuted
        trail = self.trail
        for piece, before in found.steps:
            trail = (piece, before, trail)
        return self._then(found.world, trail, self.certain), False

    def every_world(self) -> tuple[World, ...] | None:
        """Return every world that fits, alike ones once; None where they are not to be listed.

        That is where lots are all that is unknown, or they are too many.
        """
        if self.relaxed or self._as_lots() is not None:
            return None
        pieces, path = self._since(self.certain)
        return self.memo.worlds.after(path[0], pieces)

    def few_worlds(self) -> tuple[World, ...] | None:
        """Return every world that fits, as `every_world`; None where they ever were many."""
        if self.relaxed or self._as_lots() is not None:
            return None
        pieces, path = self._since(self.certain)
        return self.memo.few.after(path[0], pieces)

    def _searched(self, evidence: Evidence, ways: Ways | None) -> "Knowledge | None":
        """Look at all worlds since the first fork: a short search, then all of them, then a long.

        After few pieces, at all of them first.
        """
        pieces, path = self._since(self.certain)
        tried = [*pieces, evidence]
        if len(pieces) > PIECES_NEAR:
            way, relaxed = Search(tried, ways, PIECES_FIRST).run(path)
            if not relaxed:
                return self._gone(tried, way)
        every = self.memo.worlds.after(path[0], pieces)
        if every is None:
            way, relaxed = Search(tried, ways).run(path)
            return self._gone(tried, way, relaxed=relaxed)
        for world in every:
            for after in follow(evidence, world):
                return self._then(after, (evidence, world, self.trail), self.certain)
        return None

    def _gone(
        self, pieces: Sequence[Evidence], way: Sequence[World] | None, *, relaxed: bool = False
    ) -> "Knowledge | None":
        if way is None:
            return None
        trail = self.certain
        for piece, world in zip(pieces, way, strict=False):
            trail = (piece, world, trail)
        return Knowledge(self.origin, way[-1], trail, self.certain, relaxed, memo=self.memo)

    def _since(self, until: Trail) -> tuple[list[Evidence], list[World]]:
        pieces: list[Evidence] = []
        path = [self.world]
        trail = self.trail
        while trail is not None and trail is not until:
            piece, world, trail = trail
            pieces.append(piece)
            path.append(world)
        return pieces[::-1], path[::-1]

    def learn_all(self, evidence: Iterable[Evidence]) -> "Knowledge | None":
        """Add several pieces in turn; `None` when no deal fits them all."""
        knowledge, pieces = self, tuple(evidence)
        for at, piece in enumerate(pieces):
            learnt = knowledge._followed(piece)
            if learnt is None:
                return knowledge._another_way_for_all(pieces[at:])
            knowledge = learnt
        return knowledge

    def _another_way_for_all(self, pieces: Sequence[Evidence]) -> "Knowledge | None":
        """Add several pieces, of which the first does not fit the world kept.

        Cards are read together with all that was told of them; totals alone, one after another,
        are more easily made.
        """
        if self.relaxed or not self.forked:
            return None
        several = len(pieces) > 1 and not isinstance(pieces[0], Summed)
        if several and self._as_lots() is None:
            found, refuted = self._routed(pieces)
            if found is not None or refuted:
                return found
        learnt = self._another_way(pieces[0], None)
        for piece in pieces[1:]:
            learnt = learnt and learnt.learn(piece)
        return learnt

    def learn_certain(self, *evidence: Evidence) -> "Knowledge":
        """Add evidence that fits whatever is known, such as an unseen card leaving a hand.

        Raises:
            AssertionError: it does not fit, so the caller was wrong about that.

        """
        learnt = self.learn_all(evidence)
        if learnt is None:
            raise AssertionError("no deal fits evidence that always fits")
        return learnt

    def before_last(self) -> World | None:
        """Return a world that fits the evidence before the card seen last; None if relaxed."""
        if self.relaxed or self.trail is None:
            return None
        lots, read = self.lots or (None, None)
        before = self.trail[1]
        return lots.copy().put_back(before) if lots and read is self.trail else before

    def evidence(self) -> list[Evidence]:
        """Return the trail, oldest first."""
        found: list[Evidence] = []
        trail = self.trail
        while trail is not None:
            piece, _, trail = trail
            found.append(piece)
        found.reverse()
        return found

    def conclusions(self) -> list[RuledOut]:
        """Return the conclusions drawn so far, oldest first."""
        return [piece for piece in self.evidence() if isinstance(piece, RuledOut)]

    def without(self, forgotten: Collection[Evidence]) -> "Knowledge":
        """Return what is known when some evidence that moved no card is forgotten."""
        kept = [piece for piece in self.evidence() if piece not in forgotten]
        return Knowledge(self.origin, self.origin).learn_certain(*kept)

    def last_named(self, copies: Cards) -> Seen | None:
        """Return the last evidence that named the card, if any did."""
        trail = self.trail
        while trail is not None:
            piece, _, trail = trail
            if isinstance(piece, Seen) and piece.copies == copies:
                return piece
        return None

    def naming(self, copies: Cards) -> Seen | None:
        """Return the last evidence that named the card, unless the card was mixed in unseen since.

        It may have been taken up and moved, as long as its place was certain.
        """
        trail = self.trail
        while trail is not None:
            piece, before, trail = trail
            if isinstance(piece, Seen) and piece.copies == copies:
                return piece
            if isinstance(piece, Shuffled) and before.known.get(piece.source, 0) & copies:
                return None
        return None

    def place_of(self, copies: Cards) -> Place | None:
        """Return the place where a card is known to lie; of equal copies, the first such place."""
        for place, cards in self.world.known.items():
            if cards & copies:
                return place
        return None

    def known_at(self, place: Place) -> Cards:
        """Return the faces known to lie at a place."""
        return self.world.known.get(place, 0)


def _known(knowledge: Knowledge) -> tuple[object, ...]:
    return tuple(getattr(knowledge, name) for name in knowledge.__struct_fields__ if name != "memo")


def nothing_seen(pack: Pack, stock: Place) -> Knowledge:
    """Return what is known before a deal: the whole pack lies unseen at `stock`.

    >>> pack = Pack(["AS", "KS", "QS"])
    >>> dealt = nothing_seen(pack, 0).learn_certain(Unseen(0, 1, count=2, version=1))
    >>> played = dealt.learn(Seen(1, pack.copies["KS"], target=2, version=2))
    >>> pack.named(played.known_at(2))
    ('KS',)
    >>> played.learn(Seen(0, pack.copies["KS"], target=2, version=3)) is None
    True
    """
    world = worlds.all_unseen(pack.everything, stock)
    return Knowledge(world, world)
