"""Which cards can be seen where, many asked at once: each answered just as it would be judged."""

from collections import Counter
from collections.abc import Hashable, Sequence
from functools import cached_property

from domain.inference.evidence import Seen, follow
from domain.inference.flows import Either
from domain.inference.knowledge import Knowledge
from domain.inference.prices import Effort
from domain.inference.routes import ROUTES_FIRST, ROUTES_MAX
from domain.inference.worlds import Place, World, exchangeable
from domain.table.cards import Cards, places

# Effort for all questions together. More of it leaves fewer cards doubted and takes longer:
VISITED_MAX = 240_000  # nodes in searches of routes (some 60 ms)
FOLLOWED = 80  # nodes that could be visited while a piece is followed, a card where totals count
_ANY = 2**31 - 1  # a version later than all: what is asked is never learnt

Cards_ = tuple[Cards, ...]


class PossibleCards:
    """The cards that can be seen at each place, for one moment.

    A world that fits shows all cards that exchanges can bring to each place, so that few questions
    need a search. Where the effort is spent the answer is yes, and `doubted`.
    """

    def __init__(self, knowledge: Knowledge) -> None:
        self._known = knowledge
        self._totals = bool(knowledge.world.totals)
        self._open = knowledge.forked and not knowledge.relaxed  # other worlds may fit as well
        self._shown: dict[Place, Cards] = {}  # what can be seen there in some world that fits
        self._complete = not (self._open or self._totals or knowledge.relaxed)
        self._witnesses: list[World] = []
        self._answers: dict[Hashable, bool | None] = {}
        self._alike: dict[Cards, Hashable] = {}
        self._effort = Effort(VISITED_MAX)
        self._add(knowledge.world)

    def can_leave(self, source: Place, copies: Cards) -> bool:
        """Tell whether `Knowledge.learn` would let one of `copies` be seen to leave a place.

        >>> from domain.inference import Unseen, nothing_seen
        >>> from domain.table.cards import Pack
        >>> known = nothing_seen(Pack(["AS", "KS"]), 0).learn_certain(Unseen(0, 1, 1, 1))
        >>> asked = PossibleCards(known)
        >>> asked.can_leave(1, 0b01), asked.can_all_leave(1, [0b01, 0b10])
        (True, False)
        """
        return self._answer(source, (copies,)) is not False

    def that_can_leave(self, source: Place, cards: Cards) -> Cards:
        """Return those of `cards`, of which no two are equal, that `can_leave` a place."""
        found = cards & self._shown.get(source, 0)
        if not self._complete:
            for bit in places(cards & ~found):
                if self.can_leave(source, 1 << bit):
                    found |= 1 << bit
        return found

    def can_all_leave(self, source: Place, cards: Sequence[Cards]) -> bool:
        """Tell whether `learn_all` would let unlike cards be seen to leave a place, all of them."""
        if not all(self.can_leave(source, copies) for copies in cards):
            return False
        return self._answer(source, tuple(cards)) is not False

    def doubted(self, source: Place, *cards: Cards) -> bool:
        """Tell whether `can_leave`, or `can_all_leave`, said yes without a proof."""
        asked = [*((copies,) for copies in cards), tuple(cards)]
        return any(self._answers.get(self._key(source, one), True) is None for one in asked)

    @property
    def doubts(self) -> bool:
        """Whether anything was answered without a proof."""
        return None in self._answers.values()

    def _answer(self, source: Place, cards: Cards_) -> bool | None:
        if len(cards) == 1:
            if cards[0] & self._shown.get(source, 0):
                return True
            if self._complete:
                return False
        asked = self._key(source, cards)
        if len(cards) == 1 and cards[0] & self._shown.get(source, 0):
            return True  # the flows, read for the key, have shown it
        if asked not in self._answers:
            self._answers[asked] = self._ask(source, cards)
        return self._answers[asked]

    def _key(self, source: Place, cards: Cards_) -> Hashable:
        for copies in cards:
            if copies not in self._alike:
                world = self._known.world
                alike: Hashable = copies
                if not copies & ~world.unseen:
                    card = copies.bit_length() - 1
                    worth = tuple([total.values[card] for total in world.totals])
                    if self._flows is not None:
                        alike = self._flows.symmetry(copies), worth
                    elif not self._open:
                        alike = _pools_of(world, copies), worth
                self._alike[copies] = alike
        return source, frozenset(Counter([self._alike[copies] for copies in cards]).items())

    def _ask(self, source: Place, cards: Cards_) -> bool | None:
        pieces = [Seen(source, copies, source, _ANY) for copies in cards]
        # Of a single card a world without totals has shown everything already.
        if (len(cards) > 1 or self._totals or self._known.relaxed) and self._fits_any(pieces):
            return True
        if not self._open or any(map(self._known.refutes, pieces)):
            return False
        if self._flows is not None:
            routed = self._routed(self._flows, source, cards)
            if routed is False or (routed and not self._totals):
                return routed
            if self._totals and not self._effort.spent:
                learnt, refuted = self._known.rerouted(pieces, self._effort)
                if learnt is not None:
                    self._show(learnt.world)
                if learnt is not None or refuted:
                    return not refuted
        return self._in_every_world(pieces)

    @cached_property
    def _flows(self) -> Either | None:
        flows = self._known.as_flows(self._effort) if self._open else None
        if flows is not None:
            self._sweep(flows)
        return flows

    def _routed(self, flows: Either, source: Place, cards: Cards_) -> bool | None:
        if len(cards) > 1:
            return flows.can_all_leave(source, cards)
        for most, limit in ((ROUTES_FIRST, VISITED_MAX), (ROUTES_MAX, VISITED_MAX // 2)):
            if self._effort.visited < limit:
                found = flows.can_leave(source, cards[0], most)
                if found:
                    self._sweep(flows)
                if found is not None:
                    return found
        return None

    def _sweep(self, flows: Either) -> None:
        if not self._totals:
            for place, cards in flows.unblocked().items():
                self._shown[place] = self._shown.get(place, 0) | cards

    def _in_every_world(self, pieces: Sequence[Seen]) -> bool | None:
        every = self._known.every_world()
        if every is None:
            return None
        source, copies = pieces[0].source, pieces[0].copies
        if not self._listed:
            self._listed = True
            for world in every:
                self._show(world)
            self._complete = not self._totals
        if len(pieces) == 1:
            if copies & self._shown.get(source, 0):
                return True
            if self._complete:
                return False
        for world in every:
            if self._effort.spent:
                return None
            if not all(_may_lie(world, piece) for piece in pieces):
                continue
            if self._fits(world, pieces):
                return True
        return False

    _listed = False

    def _fits_any(self, pieces: Sequence[Seen]) -> bool:
        return any(self._fits(world, pieces) for world in self._witnesses)

    def _fits(self, world: World, pieces: Sequence[Seen]) -> bool:
        worlds = [world]
        self._effort.visited += FOLLOWED * world.unseen.bit_count() ** bool(world.totals)
        for piece in pieces:
            relaxed = self._known.relaxed
            worlds = [after for one in worlds for after in follow(piece, one, relaxed=relaxed)]
        if worlds and not self._known.relaxed:
            self._show(worlds[0])
        return bool(worlds)

    def _add(self, world: World) -> None:
        self._witnesses.append(world)
        self._show(world)

    def _show(self, world: World) -> None:
        for place, cards in exchangeable(world).items():
            self._shown[place] = self._shown.get(place, 0) | cards


def _may_lie(world: World, piece: Seen) -> bool:
    faces = world.known.get(piece.source, 0)
    for place, candidates, _ in world.pools:
        if place == piece.source:
            faces |= candidates & world.unseen
    return bool(faces & piece.copies)


def _pools_of(world: World, copies: Cards) -> Hashable:
    return tuple(
        sorted(
            tuple([at for at, pool in enumerate(world.pools) if pool.candidates >> face & 1])
            for face in places(copies)
        )
    )
