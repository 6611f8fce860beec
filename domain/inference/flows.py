"""The flow of one deal, or several where its evidence can be read several ways.

Some deal fits exactly where it fits one of them. Most evidence that comes later leaves one.
"""

from collections.abc import Iterable, Sequence

from domain.inference.evidence import Evidence, Piece, RuledOut, Seen
from domain.inference.flow import Flow, union
from domain.inference.routes import ROUTES_MAX
from domain.inference.worlds import Place, World
from domain.table.cards import Cards

Trail = tuple[Evidence, World, "Trail"] | None  # a piece and the world before it

KEPT = 3  # moments of a deal: the piece learnt last, one before it, one only asked about
FLOWS_MAX = 24  # so many are read side by side


class Either:
    """Flows of which one at least is what passed: all the ways the evidence can be read."""

    def __init__(self, flows: Iterable[Flow]) -> None:
        self._flows = tuple(flows)

    def copy(self) -> "Either":
        """Return flows that can be read on, and asked, apart from these."""
        return Either(flow.copy() for flow in self._flows)

    def read(self, piece: Piece) -> bool | None:
        """Read one more piece; false: no deal allows it. None: that cannot be told here."""
        readings = piece.readings()
        if not isinstance(piece, RuledOut) or len(readings) > 1:
            decided = self.decide()
            if not decided:
                return decided
        found: list[Flow] = []
        for flow in self._flows:
            for pieces in readings:
                further = flow if len(readings) == 1 else flow.copy()
                read = _read_all(further, pieces)
                if read is None:
                    return None
                if read:
                    found.append(further)
        self._flows = tuple(found)
        return bool(found) if len(found) <= FLOWS_MAX else None

    def decide(self) -> bool | None:
        """Read cards that were ruled out of some places as each that is left; as for `read`."""
        found: list[Flow] = []
        waiting = list(self._flows)
        while waiting:
            flow = waiting.pop()
            undecided = flow.undecided()
            if undecided is None:
                found.append(flow)
                continue
            card, able = undecided
            for place in able:
                further = flow.copy()
                decided = further.decide(card, place)
                if decided is None:
                    return None
                if decided:
                    waiting.append(further)
            if len(found) + len(waiting) > FLOWS_MAX:
                return None
        self._flows = tuple(found)
        return bool(found)

    def every(self) -> tuple[Flow, ...]:
        """Return the flows, one at least."""
        return self._flows

    # --- what is asked of them ------------------------------------------------------------------

    def plainly_at(self, place: Place) -> Cards:
        """Return cards that can be seen at a place as the routes are; others may be able to."""
        return union(flow.plainly_at(place) for flow in self._flows)

    def can_leave(self, place: Place, copies: Cards, most: int = ROUTES_MAX) -> bool | None:
        """Tell whether an unknown card can be seen to leave a place; None: not known."""
        answer: bool | None = False
        for before, flow in zip((None, *self._flows), self._flows, strict=False):
            if before is not None:
                flow.suggest(before.proof())
            found = flow.demand(place, copies, most)
            if found:
                flow.put_back(place)
                return True
            if found is None:
                answer = None
        return answer

    def can_all_leave(self, place: Place, cards: Sequence[Cards]) -> bool | None:
        """Tell whether all of some unlike cards can be seen to leave; None: not known."""
        answer: bool | None = False
        for flow in self._flows:
            found = _read_all(flow.copy(), [Seen(place, copies, place, 0) for copies in cards])
            if found:
                return True
            if found is None:
                answer = None
        return answer

    @property
    def taken(self) -> int:
        """How many routes were taken since they were copied."""
        return sum(flow.taken for flow in self._flows)


def _read_all(flow: Flow, pieces: Iterable[Piece]) -> bool | None:
    for piece in pieces:
        read = flow.read(piece)
        if not read:
            return read
    return True


class Flows:
    """The flows of one deal, a few moments of it remembered (`domain.inference.memo`)."""

    def __init__(self) -> None:
        self._kept: tuple[tuple[Trail, Either | None], ...] = ()

    def after(self, first: World, trail: Trail) -> Either | None:
        """Return the flows after a trail, to be copied before more is read; None: it is not one.

        `first`: all cards lie unseen at one place.
        """
        pieces: list[Evidence] = []
        back = trail
        flows: Either | None = None
        while back is not None:
            known = [one for one in self._kept if one[0] is back]
            if known:
                flows = known[0][1]
                break
            pieces.append(back[0])
            back = back[2]
        else:
            flows = Either([Flow(first.unseen, first.pools[0].place)])
        if pieces and flows is not None:
            flows = flows.copy()
            if not all(map(flows.read, reversed(pieces))):
                flows = None
        if pieces:
            self._kept = ((trail, flows), *self._kept[: KEPT - 1])
        return flows
