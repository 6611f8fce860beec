"""Evidence about cards that moved unseen, as an integral flow through a time-expanded network."""

from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple

from domain.inference.evidence import (
    AllMoved,
    EvidencePiece,
    Held,
    Narrowed,
    RuledOut,
    Seen,
    Shuffled,
    Summed,
    Swapped,
    Unseen,
)
from domain.inference.prices import PASSED_CARD, Edge, Effort, Node, Prices
from domain.inference.routes import ROUTES_MAX, Routes
from domain.inference.worlds import Place, TokenPool, World
from domain.table.cards import Cards, bit_numbers, lowest, union


class Flow:
    """A time-expanded network of places, with a route for every card seen.

    A card is supplied where it becomes unknown and demanded where it is seen. The evidence is
    feasible if and only if all demands have routes within the capacities, which are the numbers of
    cards moved: cards that were never seen then fill the rest, because inflow equals outflow at
    every node. That is an integral multi-commodity flow, with one commodity per kind of card.
    Totals are not part of it (`flow_totals`).
    """

    def __init__(self, cards: Cards, place: Place) -> None:
        self._routes = Routes()
        supply = self._routes.node(faces=cards)
        self._at: dict[Place, Node] = {place: supply}  # the newest node of each place
        self._unseen_count: dict[Place, int] = {place: cards.bit_count()}
        self._known: dict[Place, Cards] = {}
        self._unseen = cards
        self._kinds: dict[Cards, None] = {}  # sets of equal cards that were named
        self._any_kind: Cards = 0
        self._ruled_out: dict[Place, Cards] = {}  # per place: cards that have several others left

    def copy(self) -> "Flow":
        twin: Flow = object.__new__(Flow)
        twin._routes, twin._kinds = self._routes.copy(), self._kinds.copy()
        twin._at, twin._unseen_count, twin._known = (
            self._at.copy(),
            self._unseen_count.copy(),
            self._known.copy(),
        )
        twin._unseen, twin._any_kind = self._unseen, self._any_kind
        twin._ruled_out = self._ruled_out.copy()
        return twin

    def add_piece(self, piece: EvidencePiece) -> bool | None:
        """Add a piece; False: infeasible. None: not expressible as a flow, or no route was found.

        After False or None the flow is invalid.
        """
        self._routes.clear_proofs()  # answers must not depend on earlier questions
        if type(piece) is RuledOut:
            return self._rule_out(piece.place, piece.cards)
        if self._ruled_out:
            return None
        match piece:
            case Seen(source=source, copies=copies, target=target):
                return self._see(source, copies, target)
            case Held(place=place, cards=cards):
                return bool(self._known.get(place, 0) & cards) or self._hold(place, cards)
            case Narrowed(place=place, cards=cards):
                return self._narrow(place, cards)
            case Unseen() | AllMoved() | Shuffled() | Swapped():
                return self._move(piece)
            case Summed():  # see `flow_totals`
                return True
            case _:
                return None

    def add_pieces(self, pieces: Iterable[EvidencePiece]) -> bool | None:
        for piece in pieces:
            read = self.add_piece(piece)
            if not read:
                return read
        return True

    def _move(self, piece: Unseen | AllMoved | Shuffled | Swapped) -> bool:
        match piece:
            case Unseen(source=source, target=target, count=count):
                self._mix(source)
                if self._unseen_count.get(source, 0) < count:
                    return False
                self._unseen_count[source] -= count
                self._add_node(target, [(self._at[source], count)])
            case AllMoved(source=source, target=target):
                self._carry(source, target)
            case Shuffled(source=source, target=target):
                self._carry(source, target)
                self._mix(target)
            case Swapped(one=one, other=other):
                for state in (self._at, self._unseen_count, self._known):
                    _swap(state, one, other)
        return True

    def _see(self, source: Place, copies: Cards, target: Place) -> bool | None:
        if not self._add_kind(copies):
            return None
        here = self._known.get(source, 0) & copies
        face = lowest(here or self._unseen & copies, 1)
        if here:
            self._known[source] ^= face
        else:
            allowed = self.demand(source, copies) if face else False
            if not allowed:
                return allowed
            self._unseen ^= face
        self._known[target] = self._known.get(target, 0) | face
        return True

    def _add_kind(self, copies: Cards) -> bool:
        if copies not in self._kinds:
            if copies & self._any_kind:
                return False  # a card would be of two kinds
            self._kinds[copies] = None
            self._any_kind |= copies
        return True

    def _narrow(self, place: Place, cards: Cards) -> bool | None:
        """Restrict the cards at a place to `cards`.

        None: a flow cannot express it, because unseen cards are there beside others, or because a
        card would be of two kinds.
        """
        known, unseen = self._known.get(place, 0), self._unseen_count.get(place, 0)
        if not unseen:
            return not known & ~cards
        if known or unseen > 1:
            return None
        if not all(self._add_kind(1 << bit) for bit in bit_numbers(cards)):
            return None
        allowed = self._routes.pass_through(self._at[place], cards)
        if allowed:
            self._at[place] = len(self._routes.into) - 1
        return allowed

    def _rule_out(self, place: Place, cards: Cards) -> bool | None:
        """Forbid cards at a place; cards with a single place left are held there."""
        if self._known.get(place, 0) & cards:
            return False
        if self._unseen_count.get(place, 0):
            self._ruled_out[place] = self._ruled_out.get(place, 0) | cards
        only_there: dict[Place, Cards] = {}
        for bit in bit_numbers(union(self._ruled_out.values()) & self._unseen):
            places = self._possible_places(1 << bit)
            if not places:
                return False
            if len(places) == 1:
                only_there[places[0]] = only_there.get(places[0], 0) | 1 << bit
        for at, held in only_there.items():
            allowed = self._hold(at, held)
            if not allowed:
                return allowed
        self._decided(union(only_there.values()))
        return True

    def _hold(self, place: Place, cards: Cards) -> bool | None:
        if cards & ~self._unseen or self._unseen_count.get(place, 0) < cards.bit_count():
            return False
        if not all(self._add_kind(1 << bit) for bit in bit_numbers(cards)):
            return None
        for bit in bit_numbers(cards):
            allowed = self._routes.demand(self._at[place], 1 << bit)
            if not allowed:
                return allowed
        self._unseen_count[place] -= cards.bit_count()
        self._add_node(place, [], cards)
        return True

    def _carry(self, source: Place, target: Place) -> None:
        cards, rest = self._known.pop(source, 0), self._unseen_count.pop(source, 0)
        if cards:
            self._known[target] = self._known.get(target, 0) | cards
        if rest and not self._unseen_count.get(target):
            self._at[target], self._unseen_count[target] = self._at[source], rest
        elif rest:
            self._add_node(target, [(self._at[source], rest)])

    def _mix(self, place: Place) -> None:
        cards = self._known.pop(place, 0)
        if cards:
            self._add_node(place, [], cards)
            self._unseen |= cards

    def _add_node(
        self, place: Place, inflows: Sequence[tuple[Node, int]], faces: Cards = 0
    ) -> None:
        rest = self._unseen_count.get(place, 0)
        inflows = [*inflows, (self._at[place], rest)] if rest else inflows
        self._at[place] = self._routes.node(inflows, faces)
        self._unseen_count[place] = sum(number for _, number in inflows) + faces.bit_count()

    def reachable(self) -> dict[Place, Cards]:
        """Return a lower bound of the cards that can be seen at each place: without rerouting."""
        routes = self._routes
        begin = self._faces_supplied()
        for node, number in routes.passing.items():
            begin[node] = routes.demands[number].kind if routes.left((node, PASSED_CARD)) else 0
        for key in routes.used:
            node, copies = key
            if copies != PASSED_CARD and routes.left(key) <= 0:
                begin[node] &= ~copies
        return self._by_place(routes.sweep(begin, free_only=True))

    def reachable_bound(self) -> dict[Place, Cards]:
        """Return an upper bound of the cards that can be seen at each place."""
        return self._by_place(self._routes.sweep(self._faces_supplied(), free_only=False))

    def _faces_supplied(self) -> dict[Node, Cards]:
        """Return the cards that each supply can have: any of the equal copies of what it supplies.

        Any of them may be the one seen elsewhere.
        """
        supplied: dict[Cards, Cards] = {}
        for faces in self._routes.faces.values():
            if faces not in supplied:
                supplied[faces] = faces | union(kind for kind in self._kinds if kind & faces)
        return {node: supplied[faces] for node, faces in self._routes.faces.items()}

    def symmetry(self, copies: Cards) -> Hashable:
        """Return a key of all supplies and demands of a card.

        Cards with equal keys are interchangeable.
        """
        routes = self._routes
        # A card without an equal was seen before its newest supply, so older demands are met.
        since = 0
        if copies & (copies - 1) == 0:
            since = max(
                at
                for at, faces in routes.faces.items()
                if faces & copies and at not in routes.passing
            )
        supplies = [
            (at, (faces & copies).bit_count())
            for at, faces in routes.faces.items()
            if faces & copies and at >= since
        ]
        named = [
            at
            for at, demand in enumerate(routes.demands)
            if demand.copies & copies and demand.node >= since
        ]
        return tuple(supplies), tuple(named)

    def _by_place(self, reached: Sequence[Cards]) -> dict[Place, Cards]:
        return {
            place: reached[self._at[place]] & self._unseen
            for place, rest in self._unseen_count.items()
            if rest
        }

    def demand(self, place: Place, copies: Cards, most: int = ROUTES_MAX) -> bool | None:
        """Demand an unseen card at a place; False: infeasible. None: unknown.

        The flow changes only after True. `most`: the limit of routes searched.
        """
        if not self._unseen_count.get(place, 0) or not copies & self._unseen:
            return False  # known cards are not part of the flow
        if not self._add_kind(copies):
            return None
        allowed = self._routes.demand(self._at[place], copies, most)
        if allowed:
            self._unseen_count[place] -= 1
        return allowed

    def undecided(self) -> tuple[Cards, tuple[Place, ...]] | None:
        """Return a card that is ruled out of some places, and the places left to branch on.

        While there is one, only `RuledOut` can be read.
        """
        barred = union(self._ruled_out.values())
        card = barred & -barred
        return (card, self._possible_places(card)) if card else None

    def _possible_places(self, card: Cards) -> tuple[Place, ...]:
        barred = self._ruled_out
        return tuple(
            [at for at, n in self._unseen_count.items() if n and not barred.get(at, 0) & card]
        )

    def decide(self, card: Cards, place: Place) -> bool | None:
        """Take the branch in which an undecided card is at a place, as `add_piece` does."""
        decided = self._hold(place, card)
        if decided:
            self._decided(card)
        return decided

    def _decided(self, cards: Cards) -> None:
        barred = {at: some & ~cards & self._unseen for at, some in self._ruled_out.items()}
        self._ruled_out = {at: some for at, some in barred.items() if some}

    def proof(self) -> Prices:
        return self._routes.proof

    def suggest_proof(self, prices: Prices) -> None:
        self._routes.suggest(prices)

    @property
    def effort(self) -> Effort:
        return self._routes.effort

    def share_effort(self, effort: Effort) -> None:
        self._routes.effort = effort

    def undo_demand(self, place: Place) -> None:
        self._routes.undo_demand()
        self._unseen_count[place] += 1

    def unseen_at(self, place: Place) -> int:
        return self._unseen_count.get(place, 0)

    def unseen_kinds(self) -> list[Cards]:
        """Return the unseen cards by kind: equal cards that were named are one kind."""
        named = [copies for copies in self._kinds if copies & self._unseen]
        return [*named, *(1 << bit for bit in bit_numbers(self._unseen & ~self._any_kind))]

    def world(self, like: World, back: Sequence[Place] = ()) -> World:
        """Return a world whose deals are those that these routes admit.

        `like` supplies the known faces, which may differ by exchanges of equal cards. The last
        demands, at the places `back`, are removed first; their cards are assigned to those places.
        """
        self.effort.visited += 30 * len(self._routes.into)
        tokens = self._tokens_by_supply()
        self._return_demands(back, tokens)
        passed = self._passed_cards()
        candidates = self._faces_left(like.unseen)
        unassigned = candidates.copy()
        for card in passed.values():
            candidates[card.root] |= card.face
            unassigned[card.root] &= ~card.face
        pools: list[TokenPool] = []
        for place, number in self._unseen_count.items():
            for supply, count in tokens[self._at[place]].items() if number else ():
                if supply in passed:
                    card = passed[supply]
                    pools.append(TokenPool(place, card.able & candidates[card.root], card.face))
                else:
                    assignment = lowest(unassigned[supply], count)
                    unassigned[supply] ^= assignment
                    pools.append(TokenPool(place, candidates[supply], assignment))
        return like._replace(pools=tuple(pools))

    def _return_demands(self, back: Sequence[Place], tokens: list[dict[Node, int]]) -> None:
        """Undo the last demands, at the places `back`, and put their tokens back there."""
        for place, route in zip(reversed(back), reversed(self._routes.demands), strict=False):
            there = tokens[self._at[place]]
            there[route.supply] = there.get(route.supply, 0) + 1
        for place in reversed(back):
            self.undo_demand(place)

    def _faces_left(self, unseen: Cards) -> dict[Node, Cards]:
        """Return, for each supply, which unseen cards its remaining tokens can be.

        Of equal cards each supply gets as many as it has left. Example: the deal and a shuffle each
        supplied kings of spades, two and one, and one of the deal's was seen. The deal then gets
        the lower of the two bits that are left, the shuffle the other one.
        """
        routes = self._routes
        supplies = {
            node: cards for node, cards in routes.faces.items() if node not in routes.passing
        }
        left = {node: cards & unseen & ~self._any_kind for node, cards in supplies.items()}
        for copies in self._kinds:
            unassigned = unseen & copies
            for node, cards in supplies.items():
                if cards & copies:
                    assigned = lowest(unassigned, routes.left((node, copies)))
                    unassigned ^= assigned
                    left[node] |= assigned
        return left

    def _passed_cards(self) -> "dict[Node, _PartlySeenCard]":
        routes = self._routes
        every: dict[Node, _PartlySeenCard] = {}
        passed: dict[Node, _PartlySeenCard] = {}
        for node, number in routes.passing.items():  # in topological order
            route = routes.demands[number]
            before = every.get(route.supply)
            root, able = (before.root, before.able) if before else (route.supply, -1)
            every[node] = _PartlySeenCard(root, able & route.copies, route.kind)
            if routes.left((node, 0)):
                passed[node] = every[node]
        return passed

    def _tokens_by_supply(self) -> list[dict[Node, int]]:
        """Return, per node, how many tokens of each supply lie there."""
        routes = self._routes
        lying: list[dict[Node, int]] = [{} for _ in routes.into]
        routed: dict[Node, int] = {}
        for (node, _), number in routes.used.items():
            routed[node] = routed.get(node, 0) + number
        leaving: list[list[Edge]] = [[] for _ in routes.into]
        for edge, tail in enumerate(routes.tail):
            leaving[tail].append(edge)
        for node, there in enumerate(lying):
            if node in routes.faces:
                number = 1 if node in routes.passing else routes.faces[node].bit_count()
                there[node] = number - routed.get(node, 0)
            for edge in leaving[node]:
                wanted = routes.free[edge]
                head = lying[routes.head[edge]]
                for supply, tokens in there.items():
                    taken = min(wanted, tokens)
                    if taken:
                        there[supply] -= taken
                        head[supply] = head.get(supply, 0) + taken
                        wanted -= taken
            lying[node] = {supply: tokens for supply, tokens in there.items() if tokens}
        return lying


class _PartlySeenCard(NamedTuple):
    """A card of which part of the face was seen.

    Its root supply, its candidates and its present face.
    """

    root: Node
    able: Cards
    face: Cards


def _swap(state: dict[Place, int], one: Place, other: Place) -> None:
    at, there = state.pop(one, 0), state.pop(other, 0)  # zero: an empty place without a node
    state[other], state[one] = at, there
