"""A route through a network of places in time for every card that was seen."""

from collections.abc import Collection, Iterable, Mapping

from domain.inference.prices import (
    NO_WAY,
    NOWHERE,
    THE_CARD,
    Contested,
    Edge,
    Network,
    Node,
    Prices,
    Route,
    Tolls,
    refuting,
    tolls_of,
)
from domain.table.cards import Cards, places

# Routes taken for one demand: before something else is asked, and at most.
ROUTES_FIRST, ROUTES_MAX = 8, 120
PROVED_AFTER = frozenset({3, 8, 25, 50, ROUTES_MAX})  # when it is asked whether there can be none
TOLD_AFTER = 25  # and how late two proofs must have come to be tried for other cards there
ASCENDED_AFTER, DEMANDS_MAX = 50, 120  # and when better prices are looked for, of how many


class Routes(Network):
    """The network, and the routes found so far.

    A path is taken over what is in its way, the routes there are searched again, and what is fought
    over costs more each time (negotiated congestion, McMurchie and Ebeling 1995). The costs in the
    end are the prices that prove that there is none (`prices`).
    """

    def __init__(self) -> None:
        super().__init__()
        self.free: list[int] = []  # per edge: how many of its cards have no route
        self.used: dict[tuple[Node, Cards], int] = {}  # how much of a supply has routes
        self._takes_pass: dict[Node, tuple[int, ...]] = {}  # whose routes begin at a pass
        self.forget()

    def forget(self) -> None:
        """Forget what was found out about demands that were refused; routes stay."""
        self._proofs: list[
            tuple[tuple[Prices, Tolls], int]
        ] = []  # what refutes a demand that costs more
        self._suggested: Prices = {}
        self._told: tuple[Route, Prices] | None = None  # what was refuted last, and by what prices
        self._late: Node = NOWHERE  # where a proof came late
        self._ascends = True  # better prices were found whenever they were looked for

    def copy(self) -> "Routes":
        """Return routes that can be taken and added to apart from these."""
        twin = Routes()
        twin.effort = self.effort
        twin.into, twin.tail, twin.head = self.into[:], self.tail[:], self.head[:]
        twin.width, twin.free = self.width[:], self.free[:]
        twin.faces, twin.passing = self.faces.copy(), self.passing.copy()
        twin.used, twin.demands = self.used.copy(), self.demands[:]
        twin._takes_pass = self._takes_pass.copy()
        return twin

    def node(self, comers: Iterable[tuple[Node, int]] = (), faces: Cards = 0) -> Node:
        """Add a node: how many cards come from which nodes, and the faces supplied."""
        self._proofs, self._told, self._late = [], None, NOWHERE
        node = len(self.into)
        edges: list[Edge] = []
        for tail, number in comers:
            edges.append(len(self.tail))
            self.tail.append(tail)
            self.head.append(node)
            self.width.append(number)
            self.free.append(number)
        self.into.append(tuple(edges))
        if faces:
            self.faces[node] = faces
        return node

    def left(self, takes: tuple[Node, Cards]) -> int:
        """Count the faces of a supply that have no route yet; of a pass whether its card has."""
        return self.room(takes) - self.used.get(takes, 0)

    def sweep(self, begin: Mapping[Node, Cards], *, free_only: bool) -> list[Cards]:
        """Return the faces that come to each node from those that begin at some.

        One pass in topological order: edges lead from older to newer nodes. `free_only`: along
        edges that are not full.
        """
        self.effort.visited += 4 * len(self.into)
        reached: list[Cards] = []
        for node, edges in enumerate(self.into):
            faces = begin.get(node, 0)
            for edge in edges:
                if self.free[edge] > 0 or not free_only:
                    faces |= reached[self.tail[edge]]
            reached.append(faces)
        return reached

    def demand(self, node: Node, copies: Cards, most: int = ROUTES_MAX) -> bool | None:
        """Let one of equal cards be seen at a node; false: no deal allows it; None: not known.

        Only where it is allowed anything changes. `most`: so many routes are taken for it.
        """
        return self._allowed(Route(node, copies), most)

    def pass_through(self, node: Node, cards: Cards) -> bool | None:
        """Let the card at a node be one of some, each unlike all others; as for `demand`.

        A new, last node supplies it again.
        """
        supply = len(self.into)
        allowed = self._allowed(Route(node, cards, supply))
        if allowed:
            self.passing[self.node(faces=cards)] = len(self.demands) - 1
        return allowed

    @property
    def proof(self) -> Prices:
        """The prices that refuted a demand last; none: no demand was."""
        return self._proofs[-1][0][0] if self._proofs else {}

    def suggest(self, prices: Prices) -> None:
        """Let prices that refuted a demand of a network like this one be tried here as well."""
        self._suggested = {
            one: price
            for one, price in prices.items()
            if (one[0] < len(self.tail) if len(one) == 1 else one[0] in self.faces)
        }

    def put_back(self) -> Node:
        """Forget the last demand; return where it was."""
        self._release(len(self.demands) - 1)
        return self.demands.pop().node

    def _allowed(self, wanted: Route, most: int = ROUTES_MAX) -> bool | None:
        if any(self.cost(wanted, *paid) > enough for paid, enough in self._proofs):
            return False
        before = self.free[:], self.used.copy(), self.demands[:], self._takes_pass.copy()
        self.demands.append(wanted)
        settled = self._settled(len(self.demands) - 1, most)
        if not settled:
            self.free, self.used, self.demands, self._takes_pass = before
        return settled

    def _settled(self, number: int, most: int) -> bool | None:
        waiting = [number]
        prices: Prices = {}
        earlier: Prices = {}  # prices when it was asked last: what was fought over since tells more
        for taken in range(most + 1):
            if not waiting:
                return True
            if taken in PROVED_AFTER:
                since = {of: price - earlier.get(of, 1) for of, price in prices.items()}
                told = self._told_before(self.demands[number]) if not earlier else ()
                better = taken == ASCENDED_AFTER and self._refuted_by_better
                if any(map(self._refuted, (prices, since, *told))) or (better and better(prices)):
                    self._tell(self.demands[number], late=taken >= TOLD_AFTER, again=bool(told))
                    return False
                earlier = prices.copy()
            one = waiting.pop(0)
            route, _ = self._cheapest(one, waiting, prices)
            if route is None:
                return False
            self._take(one, route)
            while pushed := self._pushed(one, waiting, prices):
                self._release(pushed[0])
                waiting += pushed
        return None

    def _take(self, number: int, route: Route) -> None:
        for edge in route.edges:
            self.free[edge] -= 1
        self.used[route.takes] = self.used.get(route.takes, 0) + 1
        self.demands[number] = route
        if route.supply in self.passing:
            self._takes_pass[route.supply] = (*self._takes_pass.get(route.supply, ()), number)

    def _release(self, number: int) -> None:
        route = self.demands[number]
        for edge in route.edges:
            self.free[edge] += 1
        self.used[route.takes] -= 1
        if route.supply in self.passing:
            others = self._takes_pass[route.supply]
            self._takes_pass[route.supply] = tuple(one for one in others if one != number)

    def _pushed(self, one: int, waiting: Collection[int], prices: Prices) -> tuple[int, ...]:
        route = self.demands[one]
        contested: Contested | None = route.takes if self.left(route.takes) < 0 else None
        for edge in route.edges:
            if self.free[edge] < 0:
                contested = (edge,)
                break
        if contested is not None:
            prices[contested] = prices.get(contested, 1) + 1
            return (self._gives_way(contested, one, waiting, prices),)
        for other, card in self._bound(route):
            if other not in waiting and self.demands[other].kind != route.kind:
                prices[card] = prices.get(card, 1) + 1
                return (other,)
        return ()

    def _bound(self, route: Route) -> list[tuple[int, tuple[Node, Cards]]]:
        found = [
            (number, self.demands[number].takes)
            for number in self._takes_pass.get(route.passes, ())
        ]
        if route.supply in self.passing:
            found.insert(0, (self.passing[route.supply], route.takes))
        return found

    def _gives_way(
        self, contested: Contested, one: int, waiting: Collection[int], prices: Prices
    ) -> int:
        found: tuple[int, int] | None = None
        for number in self._takers(contested):
            if number == one or number in waiting:
                continue
            route = self.demands[number]
            self._release(number)
            _, cost = self._cheapest(number, waiting, prices)
            self._take(number, route)
            if found is None or cost < found[0]:
                found = cost, number
            if not cost:
                break
        if found is None:
            raise AssertionError("what is overused is used by another")
        return found[1]

    def _takers(self, contested: Contested) -> list[int]:
        if len(contested) == 1:
            edge = contested[0]
            return [number for number, route in enumerate(self.demands) if edge in route.edges]
        return [number for number, route in enumerate(self.demands) if route.takes == contested]

    def _cheapest(
        self, number: int, waiting: Collection[int], prices: Prices
    ) -> tuple[Route | None, int]:
        """Return the route over the fewest full edges, and its cost; None: there is none at all.

        Edges lead from older to newer nodes, so the newest first is an order of the paths back.
        """
        wanted = self.demands[number]
        copies, free, tails, faces = wanted.copies, self.free, self.tail, self.faces
        self.effort.visited += wanted.node
        costs = [NO_WAY] * wanted.node + [0]
        came: dict[Node, Edge] = {}
        supply, kind, cheapest = NOWHERE, copies, NO_WAY
        pin = self._pin(wanted, waiting, prices)
        for node in range(wanted.node, -1, -1):
            cost = costs[node]
            if cost >= cheapest:
                continue
            if node in faces and faces[node] & copies:
                more, face = self._at_supply(node, wanted, pin, waiting, prices)
                if cost + more < cheapest:
                    supply, kind, cheapest = node, face, cost + more
                    if not cheapest:
                        break
            for edge in self.into[node]:
                further = cost if free[edge] > 0 else cost + prices.get((edge,), 1)
                if further < costs[tails[edge]]:
                    costs[tails[edge]] = further
                    came[tails[edge]] = edge
        if supply == NOWHERE:
            return None, cheapest
        edges: list[Edge] = []
        node = supply
        while node != wanted.node:
            edges.append(came[node])
            node = self.head[came[node]]
        takes = (supply, THE_CARD if supply in self.passing else kind)
        route = Route(wanted.node, copies, wanted.passes, tuple(edges), supply, kind, takes)
        return route, cheapest

    def _pin(
        self, wanted: Route, waiting: Collection[int], prices: Prices
    ) -> tuple[Cards, int] | None:
        for other in self._takes_pass.get(wanted.passes, ()):
            if other not in waiting:
                return self.demands[other].kind, prices.get(self.demands[other].takes, 1)
        return None

    def _at_supply(
        self,
        node: Node,
        wanted: Route,
        pin: tuple[Cards, int] | None,
        waiting: Collection[int],
        prices: Prices,
    ) -> tuple[int, Cards]:
        able = self.faces[node] & wanted.copies
        extra = now = 0
        if node in self.passing:
            key = (node, THE_CARD)
            extra = 0 if self.left(key) > 0 else prices.get(key, 1)
            passed = self.passing[node]
            now = 0 if passed in waiting else self.demands[passed].kind
        cheapest, kind = NO_WAY, able
        alike = wanted.passes == NOWHERE
        for face in [wanted.copies] if alike else [1 << bit for bit in places(able)]:
            cost = extra
            if node not in self.passing:
                cost += 0 if self.left((node, face)) > 0 else prices.get((node, face), 1)
            elif now and face != now:
                cost += prices.get((node, THE_CARD), 1)
            if pin and face != pin[0]:
                cost += pin[1]
            if cost < cheapest:
                cheapest, kind = cost, face
        return cheapest, kind

    def _refuted(self, prices: Prices) -> bool:
        most = sum(price * self.room(contested) for contested, price in prices.items())
        tolls = tolls_of(prices)
        *others, last = self.demands
        for route in others:  # one whose route has no price costs nothing
            if route.takes in prices or not tolls.keys().isdisjoint(route.edges):
                most -= self.cost(route, prices, tolls)
        if self.cost(last, prices, tolls) <= most:
            return False
        self._proofs.append(((prices, tolls), most))
        return True

    def _tell(self, refuted: Route, *, late: bool, again: bool) -> None:
        if again or (late and self._late == refuted.node):
            self._told = refuted, self.proof
        if late:
            self._late = refuted.node

    def _told_before(self, wanted: Route) -> list[Prices]:
        """Return prices that may refute a demand: suggested ones, and what refuted another there.

        Cards as scarce as those are refuted by the same, with each in the other's place.
        """
        found = [self._suggested] if self._suggested else []
        if self._told is not None and self._told[0].node == wanted.node:
            (other, prices), self._told = self._told, None  # told again where it refutes this too
            instead = {wanted.copies: other.copies, other.copies: wanted.copies}
            found.append(
                {
                    of if len(of) == 1 else (of[0], instead.get(of[1], of[1])): price
                    for of, price in prices.items()
                }
            )
        return found

    def _refuted_by_better(self, prices: Prices) -> bool:
        if not self._ascends or len(self.demands) > DEMANDS_MAX:
            return False
        better = refuting(self, prices, self.proof)
        self._ascends = better is not None
        return better is not None and self._refuted(better)
