"""Routes of all demands through a network with capacities, found by negotiated congestion."""

from collections.abc import Collection, Iterable, Mapping

from domain.inference.prices import (
    NOWHERE,
    PASSED_CARD,
    UNREACHABLE,
    Edge,
    Network,
    Node,
    Prices,
    Resource,
    Route,
    Tolls,
    edge_tolls,
    refuting_prices,
)
from domain.table.cards import Cards, bit_numbers

# Limits that trade time for unknown answers, measured on 5,733 lists and 970 `possible` of the 25
# worst games known, where 42 lists and 32 `possible` contain a doubt.
# Routes searched for a demand of a list at first: the other questions get their share of effort,
# and up to `ROUTES_MAX` are searched only while half of it is left.
ROUTES_FIRST = 8
# Routes searched before the answer is unknown; each visits at most all older nodes once.
ROUTES_MAX = 120
# Counts of routes after which the prices are tried as a proof: an early proof saves searches, but
# each attempt searches all routes that the prices touch.
PROOFS_AT = frozenset({3, 8, 25, 50, ROUTES_MAX})
# A proof found as late as this twice at one node is tried for other cards there: without it 46
# lists and 37 `possible` contain a doubt.
LATE_AFTER = 25
# The count of routes after which a dual ascent is tried: without ascents 62 lists contain a doubt.
ASCENT_AT = 50
# Demands above which no ascent is tried, because one step takes as long as a quarter of them.
ASCENT_DEMANDS_MAX = 120


class Routes(Network):
    """A network and the routes of its demands, none of which exceeds a capacity.

    A new route may overuse resources. Then another route there is searched again, and the price of
    the resource grows (negotiated congestion, McMurchie and Ebeling 1995). The prices in the end
    are tried as a proof that no routes exist (`prices`).
    """

    def __init__(self) -> None:
        super().__init__()
        self.free: list[int] = []  # per edge: its free capacity
        self.used: dict[tuple[Node, Cards], int] = {}  # the use of each supply
        self._pass_users: dict[Node, tuple[int, ...]] = {}  # demands routed from a pass
        self.clear_proofs()

    def clear_proofs(self) -> None:
        self._proofs: list[
            tuple[tuple[Prices, Tolls], int]
        ] = []  # prices, and the least cost that a demand must exceed to be refuted
        self._suggested: Prices = {}
        self._late_proof: tuple[Route, Prices] | None = None  # refuted late, and its proof
        self._late_node: Node = NOWHERE
        self._ascends = True  # until an ascent fails

    def copy(self) -> "Routes":
        twin = Routes()
        twin.effort = self.effort
        twin.into, twin.tail, twin.head = self.into[:], self.tail[:], self.head[:]
        twin.width, twin.free = self.width[:], self.free[:]
        twin.faces, twin.passing = self.faces.copy(), self.passing.copy()
        twin.used, twin.demands = self.used.copy(), self.demands[:]
        twin._pass_users = self._pass_users.copy()
        return twin

    def node(self, inflows: Iterable[tuple[Node, int]] = (), faces: Cards = 0) -> Node:
        """Add a node, with the capacities of edges from other nodes, and the faces supplied."""
        self._proofs, self._late_proof, self._late_node = [], None, NOWHERE
        node = len(self.into)
        edges: list[Edge] = []
        for tail, number in inflows:
            edges.append(len(self.tail))
            self.tail.append(tail)
            self.head.append(node)
            self.width.append(number)
            self.free.append(number)
        self.into.append(tuple(edges))
        if faces:
            self.faces[node] = faces
        return node

    def left(self, supply_key: tuple[Node, Cards]) -> int:
        return self.room(supply_key) - self.used.get(supply_key, 0)

    def sweep(self, begin: Mapping[Node, Cards], *, free_only: bool) -> list[Cards]:
        """Return the faces that reach each node from those that begin at some.

        One pass in topological order, because edges lead from older to newer nodes. `free_only`:
        only along edges with free capacity.
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
        """Route one of equal cards to a node; False: infeasible. None: unknown.

        Routes change only after True. `most`: the limit of routes searched.
        """
        return self._try_demand(Route(node, copies), most)

    def pass_through(self, node: Node, cards: Cards) -> bool | None:
        """Route a card to a node that is one of some unlike `cards`; results as in `demand`.

        A new node, the last one, supplies the card again.
        """
        supply = len(self.into)
        allowed = self._try_demand(Route(node, cards, supply))
        if allowed:
            self.passing[self.node(faces=cards)] = len(self.demands) - 1
        return allowed

    @property
    def proof(self) -> Prices:
        """The prices that refuted the last demand; empty if it was not refuted."""
        return self._proofs[-1][0][0] if self._proofs else {}

    def suggest(self, prices: Prices) -> None:
        """Try prices that refuted a demand of a similar network on the next demand."""
        self._suggested = {
            resource: price
            for resource, price in prices.items()
            if (resource[0] < len(self.tail) if len(resource) == 1 else resource[0] in self.faces)
        }

    def undo_demand(self) -> Node:
        self._remove_route(len(self.demands) - 1)
        return self.demands.pop().node

    def _try_demand(self, wanted: Route, most: int = ROUTES_MAX) -> bool | None:
        if any(self.cost(wanted, *paid) > enough for paid, enough in self._proofs):
            return False
        before = self.free[:], self.used.copy(), self.demands[:], self._pass_users.copy()
        self.demands.append(wanted)
        allowed = self._find_routes(len(self.demands) - 1, most)
        if not allowed:
            self.free, self.used, self.demands, self._pass_users = before
        return allowed

    def _find_routes(self, number: int, most: int) -> bool | None:
        """Route a demand and those it displaces; None: undecided after `most` searches."""
        waiting = [number]
        prices: Prices = {}
        earlier: Prices = {}  # at the last attempt: the congestion since then is a better proof
        for searched in range(most + 1):
            if not waiting:
                return True
            if searched in PROOFS_AT:
                since_then = {of: price - earlier.get(of, 1) for of, price in prices.items()}
                likely = self._proofs_to_try(self.demands[number]) if not earlier else ()
                ascent = self._refuted_by_better if searched == ASCENT_AT else None
                proved = any(map(self._refuted, (prices, since_then, *likely)))
                if proved or (ascent and ascent(prices)):
                    self._remember_proof(
                        self.demands[number], late=searched >= LATE_AFTER, again=bool(likely)
                    )
                    return False
                earlier = prices.copy()
            current = waiting.pop(0)
            route, _ = self._cheapest(current, waiting, prices)
            if route is None:
                return False
            self._add_route(current, route)
            while pushed := self._displaced(current, waiting, prices):
                self._remove_route(pushed[0])
                waiting += pushed
        return None

    def _add_route(self, number: int, route: Route) -> None:
        for edge in route.edges:
            self.free[edge] -= 1
        self.used[route.supply_key] = self.used.get(route.supply_key, 0) + 1
        self.demands[number] = route
        if route.supply in self.passing:
            self._pass_users[route.supply] = (*self._pass_users.get(route.supply, ()), number)

    def _remove_route(self, number: int) -> None:
        route = self.demands[number]
        for edge in route.edges:
            self.free[edge] += 1
        self.used[route.supply_key] -= 1
        if route.supply in self.passing:
            others = self._pass_users[route.supply]
            self._pass_users[route.supply] = tuple(other for other in others if other != number)

    def _displaced(self, current: int, waiting: Collection[int], prices: Prices) -> tuple[int, ...]:
        """Return the demand that gives way to a new route, () for none; its price rises."""
        route = self.demands[current]
        resource: Resource | None = route.supply_key if self.left(route.supply_key) < 0 else None
        for edge in route.edges:
            if self.free[edge] < 0:
                resource = (edge,)
                break
        if resource is not None:
            prices[resource] = prices.get(resource, 1) + 1
            return (self._cheapest_to_reroute(resource, current, waiting, prices),)
        for other, card in self._linked(route):
            if other not in waiting and self.demands[other].kind != route.kind:
                prices[card] = prices.get(card, 1) + 1
                return (other,)
        return ()

    def _linked(self, route: Route) -> list[tuple[int, tuple[Node, Cards]]]:
        linked = [
            (number, self.demands[number].supply_key)
            for number in self._pass_users.get(route.passes, ())
        ]
        if route.supply in self.passing:
            linked.insert(0, (self.passing[route.supply], route.supply_key))
        return linked

    def _cheapest_to_reroute(
        self, resource: Resource, one: int, waiting: Collection[int], prices: Prices
    ) -> int:
        cheapest: tuple[int, int] | None = None
        for number in self._users(resource):
            if number == one or number in waiting:
                continue
            route = self.demands[number]
            self._remove_route(number)
            _, cost = self._cheapest(number, waiting, prices)
            self._add_route(number, route)
            if cheapest is None or cost < cheapest[0]:
                cheapest = cost, number
            if not cost:
                break
        if cheapest is None:
            raise AssertionError("an overused resource has another user")
        return cheapest[1]

    def _users(self, resource: Resource) -> list[int]:
        if len(resource) == 1:
            edge = resource[0]
            return [number for number, route in enumerate(self.demands) if edge in route.edges]
        return [number for number, route in enumerate(self.demands) if route.supply_key == resource]

    def _cheapest(
        self, number: int, waiting: Collection[int], prices: Prices
    ) -> tuple[Route | None, int]:
        wanted = self.demands[number]
        copies, free, tails, faces = wanted.copies, self.free, self.tail, self.faces
        self.effort.visited += wanted.node
        costs = [UNREACHABLE] * wanted.node + [0]
        came: dict[Node, Edge] = {}
        supply, kind, cheapest = NOWHERE, copies, UNREACHABLE
        pin = self._pin(wanted, waiting, prices)
        for node in range(wanted.node, -1, -1):
            cost = costs[node]
            if cost >= cheapest:
                continue
            if node in faces and faces[node] & copies:
                more, face = self._supply_cost(node, wanted, pin, waiting, prices)
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
        supply_key = (supply, PASSED_CARD if supply in self.passing else kind)
        route = Route(wanted.node, copies, wanted.passes, tuple(edges), supply, kind, supply_key)
        return route, cheapest

    def _pin(
        self, wanted: Route, waiting: Collection[int], prices: Prices
    ) -> tuple[Cards, int] | None:
        for other in self._pass_users.get(wanted.passes, ()):
            if other not in waiting:
                return self.demands[other].kind, prices.get(self.demands[other].supply_key, 1)
        return None

    def _supply_cost(
        self,
        node: Node,
        wanted: Route,
        pin: tuple[Cards, int] | None,
        waiting: Collection[int],
        prices: Prices,
    ) -> tuple[int, Cards]:
        faces = self.faces[node] & wanted.copies
        extra = now = 0
        if node in self.passing:
            key = (node, PASSED_CARD)
            extra = 0 if self.left(key) > 0 else prices.get(key, 1)
            passed = self.passing[node]
            now = 0 if passed in waiting else self.demands[passed].kind
        cheapest, kind = UNREACHABLE, faces
        alike = wanted.passes == NOWHERE
        for face in [wanted.copies] if alike else [1 << bit for bit in bit_numbers(faces)]:
            cost = extra
            if node not in self.passing:
                cost += 0 if self.left((node, face)) > 0 else prices.get((node, face), 1)
            elif now and face != now:
                cost += prices.get((node, PASSED_CARD), 1)
            if pin and face != pin[0]:
                cost += pin[1]
            if cost < cheapest:
                cheapest, kind = cost, face
        return cheapest, kind

    def _refuted(self, prices: Prices) -> bool:
        """Return whether these prices prove that the last demand has no route; keep the proof."""
        tolls = edge_tolls(prices)
        *others, last = self.demands
        needed = self.cost(last, prices, tolls)
        worth = sum(price * self.room(resource) for resource, price in prices.items())
        # A route over resources without a price costs nothing.
        paying = [
            route
            for route in others
            if route.supply_key in prices or not tolls.keys().isdisjoint(route.edges)
        ]
        # The routes found cost at least as much as the cheapest: most searches are not needed.
        if needed <= worth - sum(_paid(route, prices, tolls) for route in paying):
            return False
        worth -= sum(self.cost(route, prices, tolls) for route in paying)
        if needed <= worth:
            return False
        self._proofs.append(((prices, tolls), worth))
        return True

    def _remember_proof(self, refuted: Route, *, late: bool, again: bool) -> None:
        if again or (late and self._late_node == refuted.node):
            self._late_proof = refuted, self.proof
        if late:
            self._late_node = refuted.node

    def _proofs_to_try(self, wanted: Route) -> list[Prices]:
        proofs = [self._suggested] if self._suggested else []
        if self._late_proof is not None and self._late_proof[0].node == wanted.node:
            (other, prices), self._late_proof = self._late_proof, None
            # The other card may be refuted by symmetry: exchange the two in the prices.
            instead = {wanted.copies: other.copies, other.copies: wanted.copies}
            proofs.append(
                {
                    of if len(of) == 1 else (of[0], instead.get(of[1], of[1])): price
                    for of, price in prices.items()
                }
            )
        return proofs

    def _refuted_by_better(self, prices: Prices) -> bool:
        if not self._ascends or len(self.demands) > ASCENT_DEMANDS_MAX:
            return False
        better = refuting_prices(self, prices, self.proof)
        self._ascends = better is not None
        return better is not None and self._refuted(better)


def _paid(route: Route, prices: Prices, tolls: Tolls) -> int:
    return prices.get(route.supply_key, 0) + sum([tolls.get(edge, 0) for edge in route.edges])
