"""Which cards can be seen where, many asked at once: each answered just as it would be judged.

Where every world that fits is listed, they answer. Else one deal that fits answers for every card
that can be seen in it: a deal that was looked for to answer for one card is kept (a *witness*), and
answers for others; what none of them tells is judged by itself. Of cards that nothing told apart
since the first doubt one answers for all.
"""

from collections.abc import Hashable, Sequence

from domain.inference.evidence import Seen
from domain.inference.knowledge import Knowledge
from domain.inference.search import follow
from domain.inference.worlds import Place, World
from domain.table.cards import Cards

_ANY = 2**31 - 1  # a version later than all: what is asked is never learnt


class Asked:
    """What was asked of some knowledge, and the deals found that answer it."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._known = knowledge
        self._ways = knowledge.ways() if knowledge.forked and not knowledge.loose else None
        every = None if self._ways is None else knowledge.every_world()
        self._every = None if every is None else _Every(every)
        self._witnesses: list[World] = [knowledge.world]
        self._answers: dict[Hashable, bool] = {}
        self._like: dict[Cards, Hashable] = {}

    def can_leave(self, source: Place, copies: Cards) -> bool:
        """Tell whether `Knowledge.learn` would let one of `copies` be seen to leave a place."""
        asked = (source, self._alike(copies))
        if asked not in self._answers:
            self._answers[asked] = self._fits(Seen(source, copies, source, _ANY))
        return self._answers[asked]

    def can_all_leave(self, source: Place, cards: Sequence[Cards]) -> bool:
        """Tell whether `learn_all` would let unlike cards be seen to leave a place, all of them."""
        if not all(self.can_leave(source, copies) for copies in cards):
            return False
        asked = (source, frozenset(map(self._alike, cards)), len(cards))
        if asked not in self._answers:
            pieces = [Seen(source, copies, source, _ANY) for copies in cards]
            self._answers[asked] = self._fit_all(pieces)
        return self._answers[asked]

    def _alike(self, copies: Cards) -> Hashable:
        """Describe a card so far as anything told it apart since another world could be taken."""
        if self._ways is None:
            return copies
        if copies not in self._like:
            self._like[copies] = self._ways.alike(copies)
        return self._like[copies]

    def _fits(self, piece: Seen) -> bool:
        if self._every is not None:
            return self._every.fits((piece,))
        loose = self._known.loose
        if any(follow(piece, world, loose=loose) for world in self._witnesses):
            return True
        if self._ways is None:  # there is no other way
            return False
        learnt = self._known.learn(piece, self._ways)
        if learnt is None:
            return False
        witness = learnt.before_last()
        if witness is not None:
            self._witnesses.append(witness)
        return True

    def _fit_all(self, pieces: Sequence[Seen]) -> bool:
        if self._every is not None:
            return self._every.fits(pieces)
        if any(self._shown_in(world, pieces) for world in self._witnesses):
            return True
        return self._known.learn_all(pieces) is not None

    def _shown_in(self, world: World, pieces: Sequence[Seen]) -> bool:
        """Tell whether all of some cards can be seen in one world, taking the first way always."""
        for piece in pieces:
            after = follow(piece, world, loose=self._known.loose)
            if not after:
                return False
            world = after[0]
        return True


class _Every:
    """Every world that fits, asked whether cards can be seen in one of them."""

    def __init__(self, worlds: Sequence[World]) -> None:
        self._worlds = worlds
        self._may = _may_lie(worlds)

    def fits(self, pieces: Sequence[Seen]) -> bool:
        """Tell whether all of some cards can be seen, one after another."""
        if not all(piece.copies & self._may.get(piece.source, 0) for piece in pieces):
            return False
        return any(_can_follow(world, pieces) for world in self._worlds)


def _can_follow(world: World, pieces: Sequence[Seen]) -> bool:
    """Tell whether all of some cards can be seen to leave one place, one after another."""
    if not pieces:
        return True
    if not _may_follow(world, pieces):
        return False
    first, *rest = pieces
    return any(_can_follow(after, rest) for after in follow(first, world))


def _may_follow(world: World, pieces: Sequence[Seen]) -> bool:
    """Tell whether each card is known there or has tokens that may be it, and all have enough."""
    source = pieces[0].source
    known = world.known.get(source, 0)
    wanted = [piece.copies & world.unseen for piece in pieces if not piece.copies & known]
    pools = [(may, holds) for place, may, holds in world.pools if place == source]
    for copies in wanted:
        if not any(may & copies for may, _ in pools):
            return False
    union = 0
    for copies in wanted:
        union |= copies
    return len(wanted) <= sum(holds.bit_count() for may, holds in pools if may & union)


def _may_lie(worlds: Sequence[World]) -> dict[Place, Cards]:
    """Return, per place, the cards that some token there may be in some world."""
    found: dict[Place, Cards] = {}
    for world in worlds:
        for place, may, _ in world.pools:
            found[place] = found.get(place, 0) | may & world.unseen
        for place, cards in world.known.items():
            found[place] = found.get(place, 0) | cards
    return found
