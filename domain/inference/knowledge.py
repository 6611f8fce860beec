"""What a record proves about unseen cards: evidence in, a deal that fits all of it out."""

from collections.abc import Collection, Iterable, Sequence

from msgspec import Struct, field

from domain.inference import worlds
from domain.inference.evidence import Evidence, Narrowed, RuledOut, Seen, Shuffled, Summed, follow
from domain.inference.flow_totals import world_that_makes
from domain.inference.flows import Either
from domain.inference.memo import Memo, Trail
from domain.inference.prices import Effort
from domain.inference.worlds import Place, World, seen
from domain.table.cards import Cards, Pack


class Knowledge(Struct, frozen=True, eq=False, gc=False):
    """The evidence of one deal, newest first in `trail`, and a `world` that fits all of it.

    Where evidence does not show which of unlike tokens moved, the first world that fits is taken;
    `certain` is the trail before the first such piece. Where a later piece does not fit the world
    taken, all others are considered before anything is refused. `relaxed`: they were too many;
    `world` then admits every deal that fits, and perhaps others. `memo` is a cache, shared by all
    knowledge of the deal. (No cycles: the garbage collector need not track it.)
    """

    origin: World
    world: World
    trail: Trail = None
    certain: Trail = None
    relaxed: bool = False
    memo: Memo = field(default_factory=Memo)

    def __eq__(self, other: object) -> bool:
        """Compare all but the cache."""
        if not isinstance(other, Knowledge):
            return NotImplemented
        return _without_memo(self) == _without_memo(other)

    def __hash__(self) -> int:
        raise TypeError("worlds hold dictionaries")

    @property
    def forked(self) -> bool:
        """Whether another world could have been taken somewhere on the trail."""
        return self.certain is not self.trail

    def learn(self, piece: Evidence) -> "Knowledge | None":
        """Add a piece of evidence; `None` when no deal fits it and all before it."""
        return self.learn_all((piece,))

    def learn_all(self, evidence: Iterable[Evidence]) -> "Knowledge | None":
        """Add several pieces in turn; `None` when no deal fits them all."""
        knowledge, pieces = self, tuple(evidence)
        for at, piece in enumerate(pieces):
            followed = knowledge._followed(piece)
            if followed is None:
                return knowledge._another_way(pieces[at:])
            knowledge = followed
        return knowledge

    def learn_certain(self, *evidence: Evidence) -> "Knowledge":
        """Add evidence that fits whatever is known, such as an unseen card leaving a hand.

        Raises:
            AssertionError: it does not fit, so the caller was wrong about that.

        """
        learnt = self.learn_all(evidence)
        if learnt is None:
            raise AssertionError("no deal fits evidence that always fits")
        return learnt

    def _followed(self, piece: Evidence) -> "Knowledge | None":
        after = follow(piece, self.world, relaxed=self.relaxed)
        if not after:
            return None
        trail = (piece, self.world, self.trail)
        certain = self.certain if self.forked or len(after) > 1 else trail
        return self._then(after[0], trail, certain, relaxed=self.relaxed)

    def _then(
        self, world: World, trail: Trail, certain: Trail, *, relaxed: bool = False
    ) -> "Knowledge":
        return Knowledge(self.origin, world, trail, certain, relaxed, self.memo)

    def _another_way(self, pieces: Sequence[Evidence]) -> "Knowledge | None":
        if not self.forked or self.relaxed:
            return None
        first, *rest = pieces
        if rest and not isinstance(first, Summed):  # totals are easier to make one by one
            found, refuted = self.rerouted(pieces)
            if found is not None or refuted:
                return found
        learnt, refuted = self.rerouted((first,))
        if learnt is None and not refuted and not self.refutes(first):
            learnt = self._in_another_world(first)
        return learnt and learnt.learn_all(rest)

    def rerouted(
        self, pieces: Sequence[Evidence], effort: Effort | None = None
    ) -> "tuple[Knowledge | None, bool]":
        """Read pieces into the flows: knowledge by other routes, or whether no deal fits them."""
        readable = all(isinstance(piece, Narrowed | Seen | Summed) for piece in pieces)
        flows = self.as_flows(effort) if readable else None
        if flows is None:
            return None, False
        trail, like = self.trail, self.world
        for piece in pieces:
            trail = (piece, like, trail)
            if isinstance(piece, Summed):
                like = piece.after(like)[0]
            elif isinstance(piece, Seen):
                like = seen(like, piece.source, piece.copies, piece.target)
        refuted = True
        for flow in flows.every():
            fits = flow.read_all(pieces)
            if fits:
                made = world_that_makes(flow, like)
                if made.world is not None:
                    return self._then(made.world, trail, self.certain), False
                fits = False if made.refuted else None
            refuted = refuted and fits is False
        return None, refuted

    def _in_another_world(self, piece: Evidence) -> "Knowledge | None":
        every = self.every_world()
        for world in every or ():
            for after in follow(piece, world):
                return self._then(after, (piece, world, self.trail), self.certain)
        if every is not None:
            return None
        trail = (piece, self.world, self.trail)
        for relaxed in follow(piece, self.relaxed_world(), relaxed=True):
            return self._then(relaxed, trail, self.certain, relaxed=True)
        return None

    def as_flows(self, effort: Effort | None = None) -> Either | None:
        """Return routes for all cards seen, to be changed freely; None: they cannot be read.

        `effort` counts what is spent on them.
        """
        flows = self.memo.flows.after(self.trail, None, self.world)
        if flows is None:
            return None
        flows = flows.copy()
        flows.count_in(effort or Effort())
        return flows if flows.decide() else None

    def every_world(self) -> tuple[World, ...] | None:
        """Return every world that fits, equivalent ones once; None where they are too many."""
        if self.relaxed:
            return None
        return self.memo.worlds.after(self.trail, self.certain, self.world).worlds

    def relaxed_world(self) -> World:
        """Return a world that admits every deal that fits, and perhaps others."""
        if self.relaxed:
            return self.world
        return self.memo.relaxed.after(self.trail, self.certain, self.world)

    def refutes(self, piece: Evidence) -> bool:
        """Tell whether a card seen does not fit even the relaxed world: then no deal fits."""
        return isinstance(piece, Seen) and not piece.relaxation(self.relaxed_world())

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


def _without_memo(knowledge: Knowledge) -> tuple[object, ...]:
    return tuple(getattr(knowledge, name) for name in knowledge.__struct_fields__ if name != "memo")


def nothing_seen(pack: Pack, stock: Place) -> Knowledge:
    """Return what is known before a deal: the whole pack lies unseen at `stock`.

    >>> from domain.inference import Seen, Unseen
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
