"""Flows side by side, where evidence can be read several ways."""

from collections.abc import Hashable, Iterable, Sequence

from domain.inference.evidence import Piece, RuledOut, Seen
from domain.inference.flow import Flow
from domain.inference.prices import Effort
from domain.inference.routes import ROUTES_MAX
from domain.inference.worlds import Place, World
from domain.table.cards import Cards

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
                read = further.read_all(pieces)
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

    def unblocked(self) -> dict[Place, Cards]:
        """Return the cards that can be seen at each place as the routes are; others may, too."""
        found: dict[Place, Cards] = {}
        for flow in self._flows:
            for place, cards in flow.unblocked().items():
                found[place] = found.get(place, 0) | cards
        return found

    def symmetry(self, copies: Cards) -> Hashable:
        """Describe a card: of equal descriptions, both or none can be seen at a place."""
        return tuple([flow.symmetry(copies) for flow in self._flows])

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
            found = flow.copy().read_all([Seen(place, copies, place, 0) for copies in cards])
            if found:
                return True
            if found is None:
                answer = None
        return answer

    def count_in(self, effort: Effort) -> None:
        """Count the effort of further searches together with others."""
        for flow in self._flows:
            flow.count_in(effort)


def begin(world: World) -> Either | None:
    """Return the flow before a deal; None where cards do not all lie unseen at one place."""
    if len(world.pools) != 1 or world.totals or any(world.known.values()):
        return None
    return Either([Flow(world.unseen, world.pools[0].place)])


def extend(flows: Either | None, pieces: Sequence[Piece]) -> Either | None:
    """Return flows that have read pieces, to be copied before more is read; None: unreadable."""
    if flows is None:
        return None
    flows = flows.copy()
    return flows if all(map(flows.read, pieces)) else None
