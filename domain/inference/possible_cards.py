"""Which cards can be seen where, many asked at once: each answered just as it would be judged.

One deal that fits answers for every card that can be seen in it. So a deal that was looked for to
answer for one card is kept (a *witness*), and answers for others: only cards that no deal found so
far has where it is asked about are judged by themselves.
"""

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
        self._answers: dict[tuple[Place, Cards], bool] = {}

    def can_leave(self, source: Place, copies: Cards) -> bool:
        """Tell whether `Knowledge.learn` would let one of `copies` be seen to leave a place."""
        asked = (source, copies)
        if asked not in self._answers:
            self._answers[asked] = self._fits(Seen(source, copies, source, _ANY))
        return self._answers[asked]

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
