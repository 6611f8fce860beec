"""Prices of edges that prove that some demand of a network has no route beside the others."""

import sys
from collections.abc import Iterable
from typing import NamedTuple

from domain.table.cards import Cards, places

Edge = int
Node = int
# What routes fight over: an edge; the faces of one kind at a supply, or the one card of a pass (0).
Contested = tuple[Edge] | tuple[Node, Cards]
Prices = dict[Contested, int]
Tolls = dict[Edge, int]  # the prices of edges, by themselves

NO_WAY = sys.maxsize
NOWHERE: Node = -1
THE_CARD: Cards = 0
ROUTES_TRIED, FINE = 1_400, 100  # cheapest routes looked for in one ascent; parts of a price
FAR = 1_000_000_000_000  # where an ascent that goes astray is given up, long before `NO_WAY`


class Route(NamedTuple):
    """The way one demand's card came: its edges, the earliest first, and its supply."""

    node: Node  # where it was seen
    copies: Cards  # what it can be: equal cards, or of a pass any of these
    passes: Node = NOWHERE  # the supply that a pass is then
    edges: tuple[Edge, ...] = ()
    supply: Node = NOWHERE
    kind: Cards = 0  # what it is
    takes: tuple[Node, Cards] = (NOWHERE, THE_CARD)  # what of the supply

    def uses(self) -> Iterable[Contested]:
        """Return what it takes: edges, and something of a supply."""
        return [*((edge,) for edge in self.edges), self.takes]


class Effort:
    """The nodes visited in searches of routes, and how many may be (100,000 take some 25 ms)."""

    def __init__(self, limit: int = sys.maxsize) -> None:
        self.limit = limit
        self.visited = 0

    @property
    def spent(self) -> bool:
        """Whether no more may be visited."""
        return self.visited >= self.limit


class Network:
    """Places in time and the cards that passed between them; and the demands to be routed.

    A node is a place from one arrival of unseen cards to the next; an edge is the cards that stayed
    until then or moved there, and their number is its width. A *supply* is a node at which faces
    begin; a *demand* is a card seen at a node. A *pass* is a demand of a card of which a part of
    the face was seen, and then the supply of that card.
    """

    def __init__(self) -> None:
        self.effort = Effort()  # shared by copies
        self.into: list[tuple[Edge, ...]] = []  # per node: the edges that end there
        self.tail: list[Node] = []  # per edge: where it begins
        self.head: list[Node] = []  # per edge: where it ends
        self.width: list[int] = []  # per edge: how many cards it carries
        self.faces: dict[Node, Cards] = {}  # the faces supplied at a node; of a pass what it can be
        self.passing: dict[Node, int] = {}  # which demand is the pass that supplies at a node
        self.demands: list[Route] = []

    def room(self, contested: Contested) -> int:
        """Count how many routes can take something."""
        if len(contested) == 1:
            return self.width[contested[0]]
        node, kind = contested
        return (self.faces[node] & kind).bit_count() if kind else 1

    def cost(self, wanted: Route, prices: Prices, tolls: Tolls) -> int:
        """Return what any route costs at least if everything has its price, full or not."""
        return self._cheapest_at(wanted, prices, tolls, {})[1]

    def cheapest_at(self, wanted: Route, prices: Prices, tolls: Tolls) -> tuple[Route, int]:
        """Return a route that costs least at such prices, and what; there is one."""
        came: dict[Node, Edge] = {}
        supply, cheapest = self._cheapest_at(wanted, prices, tolls, came)
        edges: list[Edge] = []
        node = supply
        while node != wanted.node:
            edges.append(came[node])
            node = self.head[came[node]]
        takes = supply, self._price(supply, wanted, prices)[1]
        return wanted._replace(edges=tuple(edges), supply=supply, takes=takes), cheapest

    def _cheapest_at(
        self, wanted: Route, prices: Prices, tolls: Tolls, came: dict[Node, Edge]
    ) -> tuple[Node, int]:
        copies, tails, faces = wanted.copies, self.tail, self.faces
        self.effort.visited += wanted.node
        costs = [NO_WAY] * wanted.node + [0]
        supply, cheapest = NOWHERE, NO_WAY
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
        if node in self.passing:
            return prices.get((node, THE_CARD), 0), THE_CARD
        if wanted.passes == NOWHERE:
            return prices.get((node, wanted.copies), 0), wanted.copies
        able = [1 << bit for bit in places(self.faces[node] & wanted.copies)]
        return min((prices.get((node, face), 0), face) for face in able)


def tolls_of(prices: Prices) -> Tolls:
    """Return the prices of edges."""
    return {one[0]: price for one, price in prices.items() if len(one) == 1}


def refuting(network: Network, prices: Prices, before: Prices) -> Prices | None:
    """Look for prices that prove that not all demands have routes, from some prices on.

    Dual ascent (Held and Karp 1971): what has more routes than room costs more, what has fewer
    costs less, by steps of Polyak (1969) deflected towards the last (Camerini, Fratta and Maffioli
    1975). Weak duality: routes that cost more than all room is worth cannot all exist.
    """
    now: Prices = {one: price * FINE for one, price in prices.items()}
    for one, price in before.items():
        now[one] = now.get(one, 0) + price
    routes = network.demands[:]
    way: Prices = {}  # by what each price is to change, twice
    left = ROUTES_TRIED
    while left > 0:
        taken, lacking, tried = _taken(network, routes, now)
        if lacking < 0:
            return now
        left -= tried
        over = {one: taken.get(one, 0) - network.room(one) for one in {*taken, *now}}
        # What has no price cannot cost less.
        over = {one: by for one, by in over.items() if (by if one in now else max(by, 0))}
        way = {one: by // 2 for one, by in way.items()}
        for one, by in over.items():
            way[one] = way.get(one, 0) + 2 * by
        length = sum(by * by for by in way.values())
        if not length or lacking > FAR:
            return None
        for one, by in way.items():
            now[one] = now.get(one, 0) + 3 * (lacking + FINE) * by // length
            if now[one] <= 0:
                del now[one]
    return None


def _taken(
    network: Network, routes: list[Route], prices: Prices
) -> tuple[dict[Contested, int], int, int]:
    """Let each demand have a cheapest route; count what they take, and what they lack to cost more.

    Where a route costs nothing it stays; the others are looked for, and counted.
    """
    tried = 1 + len(routes) // 4
    taken: dict[Contested, int] = {}
    tolls = tolls_of(prices)
    lacking = sum(price * network.room(one) for one, price in prices.items())
    for number, route in enumerate(routes):
        cheapest = route
        nowhere = route.supply == NOWHERE
        if nowhere or route.takes in prices or not tolls.keys().isdisjoint(route.edges):
            cheapest, cost = network.cheapest_at(route, prices, tolls)
            routes[number] = cheapest
            tried += 1
            lacking -= cost
        for one in cheapest.uses():
            taken[one] = taken.get(one, 0) + 1
    return taken, lacking, tried
