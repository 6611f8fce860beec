"""Cards that pass unseen as a flow, where nothing is known but what was seen and how many moved.

A card whose face was known and is no more (it was dealt from the pack, or mixed in) is supplied
where that happened; a card seen that was not known there is demanded. Some deal fits exactly when
each demand has a route of its own (`domain.inference.routes`) and no edge carries more than it can:
the cards nobody saw fill what is left, since as many come to each node as leave it. That is an
integral multi-commodity flow, each card a commodity.

Evidence that says what cards are not is not read here; of what they are worth together nothing is
proved here.
"""

from collections.abc import Sequence
from typing import NamedTuple

from domain.inference.evidence import (
    Carried,
    Evidence,
    Narrowed,
    Seen,
    Shuffled,
    Summed,
    Swapped,
    Unseen,
)
from domain.inference.routes import ROUTES_MAX, Edge, Node, Routes
from domain.inference.worlds import Place, Pool, World
from domain.table.cards import Cards, lowest, places

Trail = tuple[Evidence, World, "Trail"] | None  # a piece and the world before it

KEPT = 3  # flows of a deal: after the piece learnt last, one before it, one only asked about


class Flow:
    """What passed unseen in one deal so far, and a route for every card seen.

    Whatever it is after some evidence follows from that evidence alone, read piece by piece.
    """

    def __init__(self, cards: Cards, place: Place) -> None:
        self._routes = Routes()
        supply = self._routes.node(faces=cards)
        self._at: dict[Place, Node] = {place: supply}  # the newest node of each place
        self._rest: dict[Place, int] = {place: cards.bit_count()}  # the unseen cards there
        self._known: dict[Place, Cards] = {}
        self._unseen = cards
        self._kinds: dict[Cards, None] = {}  # sets of equal cards that were named, in order
        self._any_kind: Cards = 0

    def copy(self) -> "Flow":
        """Return a flow that can read on apart from this one."""
        twin: Flow = object.__new__(Flow)
        twin._routes, twin._kinds = self._routes.copy(), self._kinds.copy()
        twin._at, twin._rest, twin._known = self._at.copy(), self._rest.copy(), self._known.copy()
        twin._unseen, twin._any_kind = self._unseen, self._any_kind
        return twin

    # --- reading evidence -----------------------------------------------------------------------

    def read(self, piece: Evidence) -> bool | None:
        """Read one more piece; false: no deal allows it. None: that cannot be told here.

        That is where it is of another kind, or no way was found that it fits. Read on only if true.
        """
        match piece:
            case Seen(source=source, copies=copies, target=target):
                return self._see(source, copies, target)
            case Narrowed(place=place, cards=cards):
                return self._narrow(place, cards)
            case Unseen(source=source, target=target, count=count):
                self._mix(source)
                if self._rest.get(source, 0) < count:
                    return False
                self._rest[source] -= count
                self._arrive(target, [(self._at[source], count)])
            case Carried(source=source, target=target):
                self._carry(source, target)
            case Shuffled(source=source, target=target):
                self._carry(source, target)
                self._mix(target)
            case Swapped(one=one, other=other):
                for state in (self._at, self._rest, self._known):
                    _swap(state, one, other)
            case Summed():  # whoever asks holds what is found against what was counted
                pass
            case _:
                return None
        return True

    def _see(self, source: Place, copies: Cards, target: Place) -> bool | None:
        if not self._is_kind(copies):
            return None
        here = self._known.get(source, 0) & copies
        face = lowest(here or self._unseen & copies, 1)
        if here:
            self._known[source] ^= face
        else:
            found = self.demand(source, copies) if face else False
            if not found:
                return found
            self._unseen ^= face
        self._known[target] = self._known.get(target, 0) | face
        return True

    def _is_kind(self, copies: Cards) -> bool:
        """Tell whether cards are equal, as far as other cards named tell."""
        if copies not in self._kinds:
            if copies & self._any_kind:
                return False  # some would be of two kinds
            self._kinds[copies] = None
            self._any_kind |= copies
        return True

    def _narrow(self, place: Place, cards: Cards) -> bool | None:
        known, rest = self._known.get(place, 0), self._rest.get(place, 0)
        if not rest:
            return not known & ~cards
        if known or rest > 1 or not all(self._is_kind(1 << bit) for bit in places(cards)):
            return None
        found = self._routes.pass_through(self._at[place], cards)
        if found:
            self._at[place] = len(self._routes.into) - 1
        return found

    def _carry(self, source: Place, target: Place) -> None:
        cards, rest = self._known.pop(source, 0), self._rest.pop(source, 0)
        if cards:
            self._known[target] = self._known.get(target, 0) | cards
        if rest and not self._rest.get(target):
            self._at[target], self._rest[target] = self._at[source], rest
        elif rest:
            self._arrive(target, [(self._at[source], rest)])

    def _mix(self, place: Place) -> None:
        """Let the cards known at a place be known no more."""
        cards = self._known.pop(place, 0)
        if cards:
            self._arrive(place, [], cards)
            self._unseen |= cards

    def _arrive(self, place: Place, comers: Sequence[tuple[Node, int]], faces: Cards = 0) -> None:
        """Begin a node at a place: what is there, what comes from other nodes, and new faces."""
        rest = self._rest.get(place, 0)
        comers = [*comers, (self._at[place], rest)] if rest else comers
        self._at[place] = self._routes.node(comers, faces)
        self._rest[place] = sum(number for _, number in comers) + faces.bit_count()

    # --- what is asked of it --------------------------------------------------------------------

    def plainly_at(self, place: Place) -> Cards:
        """Return cards that can be seen at a place as the routes are; others may be able to."""
        found = 0
        routes = self._routes
        if self._rest.get(place, 0):
            for node in routes.reachable(self._at[place]):
                if node in routes.passing:
                    if routes.left((node, 0)):
                        found |= routes.demands[routes.passing[node]].kind
                    continue
                faces = routes.faces[node]
                found |= faces & ~self._any_kind
                for copies in self._kinds:
                    if faces & copies and routes.left((node, copies)) > 0:
                        found |= copies
        return found & self._unseen

    def may_come_to(self, place: Place) -> Cards:
        """Return the cards that an unseen one at a place can be at most, others having no route."""
        found = 0
        for node in self._routes.sources(self._at[place]) if self._rest.get(place, 0) else ():
            found |= self._routes.faces[node]
        return found & self._unseen

    def demand(self, place: Place, copies: Cards, most: int = ROUTES_MAX) -> bool | None:
        """Let an unknown card be seen to leave a place; false: no deal allows it; None: not known.

        Only where it is allowed anything changes. `most`: as for `Routes.demand`.
        """
        if not self._rest.get(place, 0):
            return False
        found = self._routes.demand(self._at[place], copies, most)
        if found:
            self._rest[place] -= 1
        return found

    @property
    def taken(self) -> int:
        """How many routes were taken since it was copied."""
        return self._routes.taken

    def put_back(self, place: Place) -> None:
        """Let the card demanded last be at the place where it was demanded from."""
        self._routes.put_back()
        self._rest[place] += 1

    def unseen_at(self, place: Place) -> int:
        """Count the unseen cards at a place."""
        return self._rest.get(place, 0)

    def kinds(self) -> list[Cards]:
        """List the unseen cards: equal ones together that were named, each other by itself."""
        named = [copies for copies in self._kinds if copies & self._unseen]
        return [*named, *(1 << bit for bit in places(self._unseen & ~self._any_kind))]

    def world(self, like: World, back: Sequence[Place] = ()) -> World:
        """Return a world of the deals that these routes admit.

        `like` has the same faces known, copies of one card exchanged at most. `back`: the cards
        demanded last are there again, and can be demanded in that world.
        """
        lying = self._lying()
        for place, route in zip(reversed(back), reversed(self._routes.demands), strict=False):
            there = lying[self._at[place]]
            there[route.supply] = there.get(route.supply, 0) + 1
        for place in reversed(back):
            self.put_back(place)
        left = self._faces_left(like.unseen)
        passed = self._passed()
        for one in passed.values():
            left[one.root] |= one.face
        rest = left.copy()
        for one in passed.values():
            rest[one.root] ^= one.face
        pools: list[Pool] = []
        for place, number in self._rest.items():
            for supply, tokens in lying[self._at[place]].items() if number else ():
                if supply in passed:
                    root, able, face = passed[supply]
                    pools.append(Pool(place, able & left[root], face))
                    continue
                assignment = lowest(rest[supply], tokens)
                rest[supply] ^= assignment
                pools.append(Pool(place, left[supply], assignment))
        return like._replace(pools=tuple(pools))

    def _faces_left(self, unseen: Cards) -> dict[Node, Cards]:
        """Return, per supply that is no pass, the faces that have no route."""
        routes = self._routes
        supplies = {
            node: cards for node, cards in routes.faces.items() if node not in routes.passing
        }
        left = {node: cards & unseen & ~self._any_kind for node, cards in supplies.items()}
        for copies in self._kinds:
            rest = unseen & copies
            for node, cards in supplies.items():
                if cards & copies:
                    mine = lowest(rest, routes.left((node, copies)))
                    rest ^= mine
                    left[node] |= mine
        return left

    def _passed(self) -> "dict[Node, _Passed]":
        """Return the passes whose card was not seen since, by where they supply it."""
        routes = self._routes
        every: dict[Node, _Passed] = {}
        found: dict[Node, _Passed] = {}
        for node, number in routes.passing.items():  # those before come before
            route = routes.demands[number]
            before = every.get(route.supply)
            root, able = (before.root, before.able) if before else (route.supply, -1)
            every[node] = _Passed(root, able & route.copies, route.kind)
            if routes.left((node, 0)):
                found[node] = every[node]
        return found

    def _lying(self) -> list[dict[Node, int]]:
        """Return, per node, how many cards of which supply stay there, if nobody prefers any."""
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


class Flows:
    """The flow of one deal; it remembers a few moments of it, and promises nothing by that."""

    def __init__(self) -> None:
        self._kept: tuple[tuple[Trail, Flow | None], ...] = ()

    def __eq__(self, other: object) -> bool:
        """Hold any two alike: what is remembered makes no difference to what is known."""
        return isinstance(other, Flows)

    def __hash__(self) -> int:
        return hash(Flows)

    def after(self, first: World, trail: Trail) -> Flow | None:
        """Return the flow after a trail, to be copied before more is read; None: it is not one.

        `first`: all cards lie unseen at one place.
        """
        pieces: list[Evidence] = []
        back = trail
        flow: Flow | None = None
        while back is not None:
            known = [one for one in self._kept if one[0] is back]
            if known:
                flow = known[0][1]
                break
            pieces.append(back[0])
            back = back[2]
        else:
            flow = Flow(first.unseen, first.pools[0].place)
        if pieces and flow is not None:
            flow = flow.copy()
            if not all(map(flow.read, reversed(pieces))):
                flow = None
        if pieces:
            self._kept = ((trail, flow), *self._kept[: KEPT - 1])
        return flow


class _Passed(NamedTuple):
    """A card of which a part of the face was seen: where from, what it can be, what it is here."""

    root: Node
    able: Cards
    face: Cards


def _swap(state: dict[Place, int], one: Place, other: Place) -> None:
    at, there = state.pop(one, None), state.pop(other, None)
    if at is not None:
        state[other] = at
    if there is not None:
        state[one] = there
