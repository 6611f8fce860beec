"""What a record proves about unseen cards: evidence in, a feasible deal or a refutation out."""

from collections.abc import Collection, Iterable, Sequence

from msgspec import Struct, field

from domain.inference import worlds
from domain.inference.evidence import (
    Evidence,
    Narrowed,
    RuledOut,
    Seen,
    Shuffled,
    Summed,
    successors_with_totals,
)
from domain.inference.flow_totals import solve_in_flow
from domain.inference.flows import Flows
from domain.inference.memo import DealCaches, Trail
from domain.inference.prices import Effort
from domain.inference.worlds import Place, World, mark_seen
from domain.table.cards import Cards, Pack


class Knowledge(Struct, frozen=True, eq=False, gc=False):
    """The evidence of one deal, newest first in `trail`, and a `world` that satisfies all of it.

    Where a piece has several successors, the first feasible one is taken; `certain_trail` is the
    trail before the first such piece. If a later piece is infeasible in that world, all other
    branches are considered before the piece is refused. `relaxed`: there were too many; `world`
    then admits every feasible deal and perhaps others. `caches` is a cache shared by all knowledge
    of the deal. The struct is never part of a cycle, so that the garbage collector need not track
    it.
    """

    origin: World
    world: World
    trail: Trail = None
    certain_trail: Trail = None
    relaxed: bool = False
    caches: DealCaches = field(default_factory=DealCaches)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Knowledge):
            return NotImplemented
        return _without_memo(self) == _without_memo(other)

    def __hash__(self) -> int:
        raise TypeError("unhashable: worlds contain dictionaries")

    @property
    def forked(self) -> bool:
        """Whether some piece of the trail had several successors."""
        return self.certain_trail is not self.trail

    def learn(self, piece: Evidence) -> "Knowledge | None":
        """Add a piece; `None` proves that no deal satisfies it and the evidence so far."""
        return self.learn_all((piece,))

    def learn_all(self, evidence: Iterable[Evidence]) -> "Knowledge | None":
        """Add several pieces in turn; `None` proves that no deal satisfies them all."""
        knowledge, pieces = self, tuple(evidence)
        for at, piece in enumerate(pieces):
            relaxed = knowledge.relaxed
            after = successors_with_totals(piece, knowledge.world, relaxed=relaxed)
            if not after:
                return knowledge._learn_by_search(pieces[at:])
            trail = (piece, knowledge.world, knowledge.trail)
            forked = knowledge.forked or len(after) > 1
            certain = knowledge.certain_trail if forked else trail
            knowledge = knowledge._with_world(after[0], trail, certain, relaxed=relaxed)
        return knowledge

    def learn_certain(self, *evidence: Evidence) -> "Knowledge":
        """Add evidence that is feasible whatever is known, such as an unseen card leaving a hand.

        Raises:
            AssertionError: no deal satisfies it, which is an error of the caller.
        """
        learnt = self.learn_all(evidence)
        if learnt is None:
            raise AssertionError("no deal fits evidence that always fits")
        return learnt

    def _with_world(
        self, world: World, trail: Trail, certain: Trail, *, relaxed: bool = False
    ) -> "Knowledge":
        return Knowledge(self.origin, world, trail, certain, relaxed, self.caches)

    def _learn_by_search(self, pieces: Sequence[Evidence]) -> "Knowledge | None":
        if not self.forked or self.relaxed:
            return None
        first, *rest = pieces
        if rest and not isinstance(first, Summed):  # totals are easier to satisfy one by one
            found, refuted = self.reroute(pieces)
            if found is not None or refuted:
                return found
        learnt, refuted = self.reroute((first,))
        seen = isinstance(first, Seen)
        if learnt is None and not refuted and not (seen and self.refutes((first,))):
            learnt = self._take_other_world(first)
        return learnt and learnt.learn_all(rest)

    def reroute(
        self, pieces: Sequence[Evidence], effort: Effort | None = None
    ) -> "tuple[Knowledge | None, bool]":
        """Look for routes that admit pieces as well.

        Return (knowledge with these routes, False); (None, True) if the pieces are refuted; or
        (None, False) if the flows cannot decide it. `effort` as in `as_flows`: one that many
        questions of a list share.
        """
        readable = all(isinstance(piece, Narrowed | Seen | Summed) for piece in pieces)
        flows = self.as_flows(effort) if readable else None
        if flows is None:
            return None, False
        like, trail = self._marked(pieces)
        refuted = True
        for flow in flows.all_flows():
            fits = flow.add_pieces(pieces)
            if not fits:
                refuted = refuted and fits is False
                continue
            # A list asks of many cards, whose relaxed worlds would cost more than they save.
            made = solve_in_flow(flow, like, lambda: not effort and self.refutes(pieces))
            if made.world is not None:
                return self._with_world(made.world, trail, self.certain_trail), False
            refuted = refuted and made.refuted
        return None, refuted

    def _marked(self, pieces: Iterable[Evidence]) -> tuple[World, Trail]:
        """Return the world with the cards and totals of pieces marked, and its trail."""
        world, trail = self.world, self.trail
        for piece in pieces:
            trail = (piece, world, trail)
            if isinstance(piece, Summed):
                world = piece.successors(world)[0]
            elif isinstance(piece, Seen):
                world = mark_seen(world, piece.source, piece.copies, piece.target)
        return world, trail

    def _take_other_world(self, piece: Evidence) -> "Knowledge | None":
        """Return the knowledge in another world that admits the piece, in a relaxed one at last."""
        every = self.all_worlds()
        for world in every or ():
            for after in successors_with_totals(piece, world):
                return self._with_world(after, (piece, world, self.trail), self.certain_trail)
        if every is not None:
            return None
        trail = (piece, self.world, self.trail)
        for relaxed in successors_with_totals(piece, self.relaxed_world(), relaxed=True):
            return self._with_world(relaxed, trail, self.certain_trail, relaxed=True)
        return None

    def as_flows(self, effort: Effort | None = None) -> Flows | None:
        """Return a copy of the flows; None where the evidence cannot be expressed as flows.

        `effort` counts the work of their searches; without it, that of the deal does.
        """
        flows = self.caches.flows.value_at(self.trail, None, self.world)
        if flows is None:
            return None
        flows = flows.copy()
        flows.share_effort(effort or self.caches.effort)
        return flows if flows.decide() else None

    def all_worlds(self) -> tuple[World, ...] | None:
        """Return all worlds that fit, without duplicates; None where they are too many."""
        if self.relaxed:
            return None
        return self.caches.worlds.value_at(self.trail, self.certain_trail, self.world).worlds

    def relaxed_world(self) -> World:
        if self.relaxed:
            return self.world
        return self.caches.relaxed.value_at(self.trail, self.certain_trail, self.world)

    def refutes(self, pieces: Iterable[Evidence], *, with_totals: bool = True) -> bool:
        """Return whether pieces are infeasible even in the relaxed world; totals cost the most."""
        world = self.relaxed_world()
        for piece in pieces:
            after = (
                successors_with_totals(piece, world, relaxed=True)
                if with_totals
                else piece.relaxation(world)
            )
            if not after:
                return True
            world = after[0]
        return False

    def evidence(self) -> list[Evidence]:
        evidence: list[Evidence] = []
        trail = self.trail
        while trail is not None:
            piece, _, trail = trail
            evidence.append(piece)
        evidence.reverse()
        return evidence

    def conclusions(self) -> list[RuledOut]:
        return [piece for piece in self.evidence() if isinstance(piece, RuledOut)]

    def without(self, forgotten: Collection[Evidence]) -> "Knowledge":
        """Return the knowledge without some pieces, none of which moved a card."""
        kept = [piece for piece in self.evidence() if piece not in forgotten]
        return Knowledge(self.origin, self.origin).learn_certain(*kept)

    def last_named_unmixed(self, copies: Cards) -> Seen | None:
        """Return the last piece in which the card was seen, or None if it was shuffled since.

        Moves of the known card do not matter.
        """
        trail = self.trail
        while trail is not None:
            piece, before, trail = trail
            if isinstance(piece, Seen) and piece.copies == copies:
                return piece
            if isinstance(piece, Shuffled) and before.known.get(piece.source, 0) & copies:
                return None
        return None

    def known_at(self, place: Place) -> Cards:
        return self.world.known.get(place, 0)


def _without_memo(knowledge: Knowledge) -> tuple[object, ...]:
    return tuple(
        getattr(knowledge, name) for name in knowledge.__struct_fields__ if name != "caches"
    )


def knowledge_before_deal(pack: Pack, stock: Place) -> Knowledge:
    """Return the knowledge before a deal: the whole pack is unseen at `stock`.

    >>> from domain.inference import Seen, Unseen
    >>> pack = Pack(["AS", "KS", "QS"])
    >>> dealt = knowledge_before_deal(pack, 0).learn_certain(Unseen(0, 1, count=2, version=1))
    >>> played = dealt.learn(Seen(1, pack.copies["KS"], target=2, version=2))
    >>> pack.named(played.known_at(2))
    ('KS',)
    >>> played.learn(Seen(0, pack.copies["KS"], target=2, version=3)) is None
    True
    """
    world = worlds.all_unseen(pack.everything, stock)
    return Knowledge(world, world)
