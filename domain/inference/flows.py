"""Alternative flows, one for each way of satisfying disjunctive evidence."""

from collections.abc import Hashable, Iterable, Sequence

from domain.inference.evidence import EvidencePiece, RuledOut, Seen
from domain.inference.flow import Flow
from domain.inference.prices import Effort
from domain.inference.routes import ROUTES_MAX
from domain.inference.worlds import Place, World
from domain.table.cards import Cards

# Alternatives followed before the evidence counts as unreadable: each takes the time of one flow.
FLOWS_MAX = 24


class Flows:
    """A disjunction of flows: the evidence is feasible if one of them is."""

    def __init__(self, flows: Iterable[Flow]) -> None:
        self._flows = tuple(flows)

    def copy(self) -> "Flows":
        return Flows(flow.copy() for flow in self._flows)

    def read(self, piece: EvidencePiece) -> bool | None:
        """Add a piece to every flow, and drop those that it makes infeasible.

        Results as in `Flow.add_piece`.
        """
        alternatives = piece.alternatives()
        if not isinstance(piece, RuledOut) or len(alternatives) > 1:
            decided = self.decide()
            if not decided:
                return decided
        flows: list[Flow] = []
        for flow in self._flows:
            for pieces in alternatives:
                further = flow if len(alternatives) == 1 else flow.copy()
                read = further.add_pieces(pieces)
                if read is None:
                    return None
                if read:
                    flows.append(further)
        self._flows = tuple(flows)
        return bool(flows) if len(flows) <= FLOWS_MAX else None

    def decide(self) -> bool | None:
        """Branch on each card ruled out of some places until all are placed.

        Results as in `Flow.add_piece`.
        """
        decided_flows: list[Flow] = []
        waiting = list(self._flows)
        while waiting:
            flow = waiting.pop()
            undecided = flow.undecided()
            if undecided is None:
                decided_flows.append(flow)
                continue
            card, able = undecided
            for place in able:
                further = flow.copy()
                decided = further.decide(card, place)
                if decided is None:
                    return None
                if decided:
                    waiting.append(further)
            if len(decided_flows) + len(waiting) > FLOWS_MAX:
                return None
        self._flows = tuple(decided_flows)
        return bool(decided_flows)

    def all_flows(self) -> tuple[Flow, ...]:
        return self._flows

    def reachable(self) -> dict[Place, Cards]:
        cards_at: dict[Place, Cards] = {}
        for flow in self._flows:
            for place, cards in flow.reachable().items():
                cards_at[place] = cards_at.get(place, 0) | cards
        return cards_at

    def symmetry(self, copies: Cards) -> Hashable:
        return tuple([flow.symmetry(copies) for flow in self._flows])

    def can_leave(self, place: Place, copies: Cards, most: int = ROUTES_MAX) -> bool | None:
        """Return whether an unseen card can be seen to leave a place; None: unknown."""
        answer: bool | None = False
        for before, flow in zip((None, *self._flows), self._flows, strict=False):
            if before is not None:
                flow.suggest_proof(before.proof())
            allowed = flow.demand(place, copies, most)
            if allowed:
                flow.undo_demand(place)
                return True
            if allowed is None:
                answer = None
        return answer

    def can_all_leave(self, place: Place, cards: Sequence[Cards]) -> bool | None:
        """Return whether several unlike cards can all be seen to leave a place; None: unknown."""
        answer: bool | None = False
        for flow in self._flows:
            allowed = flow.copy().add_pieces([Seen(place, copies, place, 0) for copies in cards])
            if allowed:
                return True
            if allowed is None:
                answer = None
        return answer

    def share_effort(self, effort: Effort) -> None:
        for flow in self._flows:
            flow.share_effort(effort)


def begin(world: World) -> Flows | None:
    if len(world.pools) != 1 or world.totals or any(world.known.values()):
        return None
    return Flows([Flow(world.unseen, world.pools[0].place)])


def extend(flows: Flows | None, pieces: Sequence[EvidencePiece]) -> Flows | None:
    """Return a copy that has read more pieces; None if some piece cannot be read."""
    if flows is None:
        return None
    flows = flows.copy()
    return flows if all(map(flows.read, pieces)) else None
