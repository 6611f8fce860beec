"""Lists of cards that can be seen at a place, each answered as it would be judged."""

from collections import Counter
from collections.abc import Hashable, Sequence
from functools import cached_property

from domain.inference.evidence import Seen, successors_with_totals
from domain.inference.flows import Flows
from domain.inference.knowledge import Knowledge
from domain.inference.prices import Effort
from domain.inference.routes import ROUTES_FIRST, ROUTES_MAX
from domain.inference.worlds import Place, World, exchangeable_cards
from domain.table.cards import Cards, bit_numbers

# Nodes visited for all questions of one list, some 60 ms: twice as many take 6 % more time on the
# 25 worst games known, and leave 33 of 5,733 lists with a doubt instead of 42.
VISITED_MAX = 240_000
# The time of one successor in nodes, per unseen card where totals count.
PIECE_COST = 80
_ANY = 2**31 - 1  # a version after all others: questions are never learnt

CardSets = tuple[Cards, ...]


class PossibleCards:
    """The cards that can be seen at each place after some knowledge.

    Each feasible world found proves many cards possible at once, so that few questions need a
    search. Where the effort is spent, the answer is yes and `is_unproved`.
    """

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        self._totals = bool(knowledge.world.totals)
        self._open = knowledge.forked and not knowledge.relaxed  # other branches may be feasible
        self._possible: dict[Place, Cards] = {}  # per place: proved possible
        self._complete = not (self._open or self._totals or knowledge.relaxed)
        self._answers: dict[Hashable, bool | None] = {}
        self._symmetry_keys: dict[Cards, Hashable] = {}
        self._effort = Effort(VISITED_MAX)
        self._listed = False  # whether all worlds were shown
        self._record_possible(knowledge.world)

    def can_leave(self, source: Place, copies: Cards) -> bool:
        """Return whether `Knowledge.learn` would accept that one of `copies` leaves a place.

        >>> from domain.inference import Unseen, knowledge_before_deal
        >>> from domain.table.cards import Pack
        >>> known = knowledge_before_deal(Pack(["AS", "KS"]), 0).learn_certain(Unseen(0, 1, 1, 1))
        >>> asked = PossibleCards(known)
        >>> asked.can_leave(1, 0b01), asked.can_all_leave(1, [0b01, 0b10])
        (True, False)
        """
        return self._answer(source, (copies,)) is not False

    def cards_that_can_leave(self, source: Place, cards: Cards) -> Cards:
        """Return those of `cards` that `can_leave` a place; no two of them may be equal."""
        possible = cards & self._possible.get(source, 0)
        if not self._complete:
            for bit in bit_numbers(cards & ~possible):
                if self.can_leave(source, 1 << bit):
                    possible |= 1 << bit
        return possible

    def can_all_leave(self, source: Place, cards: Sequence[Cards]) -> bool:
        """Return whether `Knowledge.learn_all` would accept that unlike cards all leave a place."""
        if not all(self.can_leave(source, copies) for copies in cards):
            return False
        return self._answer(source, tuple(cards)) is not False

    def is_unproved(self, source: Place, *cards: Cards) -> bool:
        """Return whether `can_leave` or `can_all_leave` answered yes without a proof."""
        asked = [*((copies,) for copies in cards), tuple(cards)]
        return any(
            self._answers.get(self._key(source, question), True) is None for question in asked
        )

    @property
    def has_unproved(self) -> bool:
        return None in self._answers.values()

    def _answer(self, source: Place, cards: CardSets) -> bool | None:
        if len(cards) == 1:
            if cards[0] & self._possible.get(source, 0):
                return True
            if self._complete:
                return False
        question = self._key(source, cards)
        if len(cards) == 1 and cards[0] & self._possible.get(source, 0):
            return True  # computing the key read the flows, which proved it
        if question not in self._answers:
            self._answers[question] = self._decide(source, cards)
        return self._answers[question]

    def _key(self, source: Place, cards: CardSets) -> Hashable:
        """Return a key that questions share whose cards are interchangeable."""
        for copies in cards:
            if copies not in self._symmetry_keys:
                world = self._knowledge.world
                alike: Hashable = copies
                if not copies & ~world.unseen:
                    card = copies.bit_length() - 1
                    worth = tuple([total.values[card] for total in world.totals])
                    if self._flows is not None:
                        alike = self._flows.symmetry(copies), worth
                    elif not self._open:
                        alike = _pools_by_card(world, copies), worth
                self._symmetry_keys[copies] = alike
        return source, frozenset(Counter([self._symmetry_keys[copies] for copies in cards]).items())

    def _decide(self, source: Place, cards: CardSets) -> bool | None:
        """Return whether all cards can leave a place together; None: it was not decided."""
        pieces = [Seen(source, copies, source, _ANY) for copies in cards]
        if self._open and self._effort.spent:
            return False if self._knowledge.refutes(pieces, with_totals=False) else None
        # Without totals, the exchanges in this world showed all single cards that fit it.
        shown_before = len(cards) == 1 and not (self._totals or self._knowledge.relaxed)
        if not shown_before and self._fits(self._knowledge.world, pieces):
            return True
        if not self._open or self._knowledge.refutes(pieces, with_totals=False):
            return False
        if self._flows is not None:
            routed = self._decide_by_flows(self._flows, source, cards)
            if routed is False or (routed and not self._totals):
                return routed
            if self._totals and not self._effort.spent:
                learnt, refuted = self._knowledge.reroute(pieces, self._effort)
                if learnt is not None:
                    self._record_possible(learnt.world)
                if learnt is not None or refuted:
                    return not refuted
        return self._decide_by_worlds(pieces)

    @cached_property
    def _flows(self) -> Flows | None:
        flows = self._knowledge.as_flows(self._effort) if self._open else None
        if flows is not None:
            self._sweep(flows)
        return flows

    def _decide_by_flows(self, flows: Flows, source: Place, cards: CardSets) -> bool | None:
        if len(cards) != 1:
            return flows.can_all_leave(source, cards)
        for most, limit in ((ROUTES_FIRST, VISITED_MAX), (ROUTES_MAX, VISITED_MAX // 2)):
            if self._effort.visited < limit:
                able = flows.can_leave(source, cards[0], most)
                if able:
                    self._sweep(flows)
                if able is not None:
                    return able
        return None

    def _sweep(self, flows: Flows) -> None:
        if not self._totals:
            for place, cards in flows.reachable().items():
                self._possible[place] = self._possible.get(place, 0) | cards

    def _decide_by_worlds(self, pieces: Sequence[Seen]) -> bool | None:
        every = self._knowledge.all_worlds()
        if every is None:
            return None
        source, copies = pieces[0].source, pieces[0].copies
        if not self._listed:
            self._listed = True
            for world in every:
                self._record_possible(world)
            self._complete = not self._totals
        if len(pieces) == 1:
            if copies & self._possible.get(source, 0):
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

    def _fits(self, world: World, pieces: Sequence[Seen]) -> bool:
        worlds = [world]
        self._effort.visited += PIECE_COST * world.unseen.bit_count() ** bool(world.totals)
        for piece in pieces:
            relaxed = self._knowledge.relaxed
            worlds = [
                after
                for world in worlds
                for after in successors_with_totals(piece, world, relaxed=relaxed)
            ]
        if worlds and not self._knowledge.relaxed:
            self._record_possible(worlds[0])
        return bool(worlds)

    def _record_possible(self, world: World) -> None:
        for place, cards in exchangeable_cards(world).items():
            self._possible[place] = self._possible.get(place, 0) | cards


def _may_lie(world: World, piece: Seen) -> bool:
    faces = world.known.get(piece.source, 0)
    for place, candidates, _ in world.pools:
        if place == piece.source:
            faces |= candidates & world.unseen
    return bool(faces & piece.copies)


def _pools_by_card(world: World, copies: Cards) -> Hashable:
    return tuple(
        sorted(
            tuple([at for at, pool in enumerate(world.pools) if pool.candidates >> face & 1])
            for face in bit_numbers(copies)
        )
    )
