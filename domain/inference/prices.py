"""Networks, and prices of their resources that prove that some demand has no route."""

import sys
from collections.abc import Iterable
from typing import NamedTuple

from domain.table.cards import Cards, bit_numbers

Edge = int
Node = int
# What routes compete for: an edge, the faces of one kind at a supply, or the card of a pass.
Resource = tuple[Edge] | tuple[Node, Cards]
Prices = dict[Resource, int]
Tolls = dict[Edge, int]  # the prices of edges alone

UNREACHABLE = sys.maxsize
NOWHERE: Node = -1
PASSED_CARD: Cards = 0
PRICE_SCALE = 100  # integer steps of an ascent in one unit of a congestion price
# Routes searched in one ascent before it is given up; each visits at most all older nodes once.
ASCENT_ROUTES_MAX = 1_400
LACKING_MAX = 10**12  # an ascent that diverges stops here, long before `UNREACHABLE`


class Route(NamedTuple):
    """A demand, and the path from its supply: the edges, earliest first."""

    node: Node
    copies: Cards  # equal cards; of a pass, the unlike candidates
    passes: Node = NOWHERE  # the supply that a pass creates
    edges: tuple[Edge, ...] = ()
    supply: Node = NOWHERE
    kind: Cards = 0  # the face assigned to it
    supply_key: tuple[Node, Cards] = (NOWHERE, PASSED_CARD)  # the resource used at the supply

    def resources(self) -> Iterable[Resource]:
        return [*((edge,) for edge in self.edges), self.supply_key]


class Effort:
    """Nodes visited in searches of routes, and their limit; 100,000 take some 25 ms."""

    def __init__(self, limit: int = sys.maxsize) -> None:
        self.limit = limit
        self.visited = 0

    @property
    def spent(self) -> bool:
        return self.visited >= self.limit


class Network:
    """A time-expanded network of places, and the demands to be routed.

    A node is a place between two arrivals of unseen cards; an edge is the cards that stayed or
    moved there, with their number as its capacity. Edges lead from older to newer nodes. A *supply*
    is a node where faces begin; a *demand* is a card seen at a node. A *pass* is a demand of a card
    of which part of the face was seen; its node is then the supply of that one card.
    """

    def __init__(self) -> None:
        self.effort = Effort()  # shared by copies
        self.into: list[tuple[Edge, ...]] = []  # per node: its incoming edges
        self.tail: list[Node] = []  # per edge: its first node
        self.head: list[Node] = []  # per edge: its last node
        self.width: list[int] = []  # per edge: its capacity
        self.faces: dict[Node, Cards] = {}  # supplies; of a pass its candidates
        self.passing: dict[Node, int] = {}  # per supply of a pass: the number of its demand
        self.demands: list[Route] = []

    def room(self, resource: Resource) -> int:
        if len(resource) == 1:
            return self.width[resource[0]]
        node, kind = resource
        return (self.faces[node] & kind).bit_count() if kind else 1

    def cost(self, wanted: Route, prices: Prices, tolls: Tolls) -> int:
        """Return a lower bound of the cost of a demand's route, with all capacities ignored."""
        return self._cheapest_at(wanted, prices, tolls, {})[1]

    def cheapest_at(self, wanted: Route, prices: Prices, tolls: Tolls) -> tuple[Route, int]:
        """Return a cheapest route of a demand that has one, and its cost."""
        came: dict[Node, Edge] = {}
        supply, cheapest = self._cheapest_at(wanted, prices, tolls, came)
        edges: list[Edge] = []
        node = supply
        while node != wanted.node:
            edges.append(came[node])
            node = self.head[came[node]]
        supply_key = supply, self._price(supply, wanted, prices)[1]
        return wanted._replace(edges=tuple(edges), supply=supply, supply_key=supply_key), cheapest

    def _cheapest_at(
        self, wanted: Route, prices: Prices, tolls: Tolls, came: dict[Node, Edge]
    ) -> tuple[Node, int]:
        """Return the cheapest supply and its cost; `came` gets the edge that leads to each node."""
        copies, tails, faces = wanted.copies, self.tail, self.faces
        self.effort.visited += wanted.node
        costs = [UNREACHABLE] * wanted.node + [0]
        supply, cheapest = NOWHERE, UNREACHABLE
        for node in range(wanted.node, -1, -1):
            cost = costs[node]
            if cost >= cheapest:
                continue
            if node in faces and faces[node] & copies:
                whole = cost + self._price(node, wanted, prices)[0]
                if whole < cheapest:
                    supply, cheapest = node, whole
                    if not cheapest:
                        break
            for edge in self.into[node]:
                further = cost + tolls[edge] if edge in tolls else cost
                if further < costs[tails[edge]]:
                    costs[tails[edge]] = further
                    came[tails[edge]] = edge
        return supply, cheapest

    def _price(self, node: Node, wanted: Route, prices: Prices) -> tuple[int, Cards]:
        """Return the lowest price of a card that a supply node has for a demand, and the card."""
        if node in self.passing:
            return prices.get((node, PASSED_CARD), 0), PASSED_CARD
        if wanted.passes == NOWHERE:
            return prices.get((node, wanted.copies), 0), wanted.copies
        faces = [1 << bit for bit in bit_numbers(self.faces[node] & wanted.copies)]
        return min((prices.get((node, face), 0), face) for face in faces)


def edge_tolls(prices: Prices) -> Tolls:
    return {resource[0]: price for resource, price in prices.items() if len(resource) == 1}


def refuting_prices(network: Network, prices: Prices, before: Prices) -> Prices | None:
    """Search for prices that prove that not all demands have routes, from some prices on.

    Weak duality: if cheapest routes cost more in total than all capacity is worth, they cannot all
    exist. Dual ascent (Held and Karp 1971): prices rise where demand exceeds capacity and fall
    where it does not, in steps of Polyak (1969) deflected by the last step (Camerini, Fratta and
    Maffioli 1975).
    """
    now: Prices = {resource: price * PRICE_SCALE for resource, price in prices.items()}
    for resource, price in before.items():
        now[resource] = now.get(resource, 0) + price
    routes = network.demands[:]
    step: Prices = {}  # of each price, doubled
    routes_left = ASCENT_ROUTES_MAX
    while routes_left > 0:
        taken, lacking, tried = _usage(network, routes, now)
        if lacking < 0:
            return now
        routes_left -= tried
        step = {resource: by // 2 for resource, by in step.items()}
        for resource in {*taken, *now}:
            excess = taken.get(resource, 0) - network.room(resource)
            # A price cannot fall below zero.
            if excess > 0 or (excess < 0 and resource in now):
                step[resource] = step.get(resource, 0) + 2 * excess
        length = sum(by * by for by in step.values())
        if not length or lacking > LACKING_MAX:
            return None
        for resource, by in step.items():
            now[resource] = now.get(resource, 0) + 3 * (lacking + PRICE_SCALE) * by // length
            if now[resource] <= 0:
                del now[resource]
    return None


def _usage(
    network: Network, routes: list[Route], prices: Prices
) -> tuple[dict[Resource, int], int, int]:
    """Return the use of resources by cheapest routes, the gap to a proof, and the searches made.

    The gap is negative where the prices are a proof. A route without cost is not searched again.
    """
    tried = 1 + len(routes) // 4
    taken: dict[Resource, int] = {}
    tolls = edge_tolls(prices)
    lacking = sum(price * network.room(resource) for resource, price in prices.items())
    for number, route in enumerate(routes):
        cheapest = route
        nowhere = route.supply == NOWHERE
        if nowhere or route.supply_key in prices or not tolls.keys().isdisjoint(route.edges):
            cheapest, cost = network.cheapest_at(route, prices, tolls)
            routes[number] = cheapest
            tried += 1
            lacking -= cost
        for resource in cheapest.resources():
            taken[resource] = taken.get(resource, 0) + 1
    return taken, lacking, tried
