"""Which cards can be seen where, many asked at once: each answered just as it would be judged.

One deal that fits answers for every card that can be seen in it. So a deal that was looked for to
answer for one card is kept (a *witness*), and answers for others; and of cards that nothing told
apart since the first doubt one answers for all. Only what neither tells is judged by itself.
"""

from collections.abc import Hashable, Sequence

from domain.inference.evidence import Seen
from domain.inference.knowledge import Knowledge
from domain.inference.search import Ways, follow
from domain.inference.worlds import Place, World
from domain.table.cards import Cards

_ANY = 2**31 - 1  # a version later than all: what is asked is never learnt


class Asked:
    """What was asked of some knowledge, and the deals found that answer it."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._known = knowledge
        self._witnesses: list[World] = [knowledge.world]
        self._ways: Ways | None = None
        self._answers: dict[tuple[Place, Hashable], bool] = {}

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
        pieces = [Seen(source, copies, source, _ANY) for copies in cards]
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

    def _alike(self, copies: Cards) -> Hashable:
        """Describe a card so far as anything told it apart since another world could be taken."""
        if not self._known.forked or self._known.loose:
            return copies
        self._ways = self._ways or self._known.ways()
        return self._ways.alike(copies)

    def _fits(self, piece: Seen) -> bool:
        loose = self._known.loose
        if any(follow(piece, world, loose=loose) for world in self._witnesses):
            return True
        self._ways = self._ways or self._known.ways()
        learnt = self._known.asked(piece, self._ways)
        if learnt is None:
            return False
        witness = learnt.before_last()
        if witness is not None:
            self._witnesses.append(witness)
        return True
