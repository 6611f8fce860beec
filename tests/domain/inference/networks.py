"""Small networks by chance, and whether routes exist in them by trying every one: slow, obvious."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from domain.inference.prices import Edge, Node
from domain.inference.routes import Routes
from domain.table.cards import Cards, bit_numbers

PAIR: Cards = 0b11  # two cards that are equal; all others are unlike
UNLIKE: Sequence[Cards] = tuple(1 << bit for bit in range(2, 6))
KINDS: Sequence[Cards] = (PAIR, *UNLIKE)


class Asked(NamedTuple):
    """A demand of a card at a node, and the node that supplies the card afterwards, if any."""

    node: Node
    copies: Cards
    passes: Node = -1


class Twin:
    def __init__(self, chance: Random) -> None:
        self.chance = chance
        self.routes = Routes()
        self.edges: list[tuple[Node, Node, int]] = []  # from where, to where, how many cards
        self.faces: dict[Node, Cards] = {}
        self.nodes = 0
        self.asked: list[Asked] = []

    def grow(self) -> None:
        """Add a node with edges from one to three others; some nodes supply faces."""
        tails = self.chance.sample(range(self.nodes), min(self.nodes, self.chance.randint(1, 3)))
        comers = [(tail, self.chance.randint(1, 2)) for tail in tails]
        faces = self.chance.randrange(64) if not tails or not self.chance.randrange(5) else 0
        self.edges += [(tail, self.nodes, number) for tail, number in comers]
        assert self.routes.node(comers, faces) == self.nodes
        if faces:
            self.faces[self.nodes] = faces
        self.nodes += 1

    def ask(self, *, pass_on: bool) -> tuple[Asked, bool | None]:
        """Demand a route to a node; return the demand and the answer."""
        node = self.chance.randrange(self.nodes)
        if pass_on:
            some = self.chance.sample(UNLIKE, self.chance.randint(1, 3))
            return self.ask_pass(node, sum(some))
        asked = Asked(node, self.chance.choice(KINDS))
        allowed = self.routes.demand(node, asked.copies)
        if allowed:
            self.asked.append(asked)
        return asked, allowed

    def ask_pass(self, node: Node, cards: Cards) -> tuple[Asked, bool | None]:
        """Ask whether one of some cards can pass a node; a new node supplies it again."""
        asked = Asked(node, cards, self.nodes)
        allowed = self.routes.pass_through(node, cards)
        if allowed:
            self.asked.append(asked)
            self.nodes += 1
        return asked, allowed

    def paths(self, node: Node) -> Iterator[tuple[Node, tuple[Edge, ...]]]:
        yield node, ()
        for edge, (tail, head, _) in enumerate(self.edges):
            if head == node:
                for begin, path in self.paths(tail):
                    yield begin, (edge, *path)

    def fit(self, asked: Sequence[Asked]) -> bool:
        return self._fit(tuple(asked), [width for _, _, width in self.edges], {}, {})

    def _fit(
        self,
        asked: Sequence[Asked],
        room: list[int],
        used: dict[tuple[Node, Cards], int],
        is_now: dict[Node, Cards],
    ) -> bool:
        if not asked:
            return True
        (node, copies, passes), *rest = asked
        for begin, path in self.paths(node):
            if any(not room[edge] for edge in path):
                continue
            free = [number - (edge in path) for edge, number in enumerate(room)]
            for kind in self.of_supply(begin, copies, used, is_now):
                taken = {**used, (begin, kind): used.get((begin, kind), 0) + 1}
                if self._fit(rest, free, taken, {**is_now, passes: kind}):
                    return True
        return False

    def of_supply(
        self,
        begin: Node,
        copies: Cards,
        used: dict[tuple[Node, Cards], int],
        is_now: dict[Node, Cards],
    ) -> list[Cards]:
        if begin in is_now and begin >= 0:
            kind = is_now[begin]
            return [kind] if kind & copies and (begin, kind) not in used else []
        faces = self.faces.get(begin, 0)
        return [
            kind
            for kind in KINDS
            if kind & copies and used.get((begin, kind), 0) < (faces & kind).bit_count()
        ]

    def keeps_routes(self) -> bool:
        routes = self.routes
        free = [width for _, _, width in self.edges]
        used: dict[tuple[Node, Cards], int] = {}
        kind_of: dict[Node, Cards] = {}
        for asked, route in zip(self.asked, routes.demands, strict=True):
            at = asked.node
            for edge in reversed(route.edges):
                assert self.edges[edge][1] == at
                at = self.edges[edge][0]
                free[edge] -= 1
            assert (route.node, route.copies, route.passes) == asked
            assert (at, route.kind & ~asked.copies) == (route.supply, 0)
            supplied = kind_of.get(at, 0) or self.faces.get(at, 0)
            assert route.kind & supplied
            used[route.supply_key] = used.get(route.supply_key, 0) + 1
            assert route.supply_key == (at, 0 if at in kind_of else route.kind)
            if asked.passes >= 0:
                kind_of[asked.passes] = route.kind
            if at in kind_of:
                assert kind_of[at] == route.kind
        left = {takes: 1 if not takes[1] else self._supplied(*takes) for takes in used}
        assert all(number <= left[takes] for takes, number in used.items())
        assert used == {takes: number for takes, number in routes.used.items() if number}
        return routes.free == free and min(free, default=0) >= 0

    def _supplied(self, node: Node, kind: Cards) -> int:
        return sum(self.faces[node] >> bit & 1 for bit in bit_numbers(kind))


def told(seed: int) -> Iterator[tuple[Twin, Asked, bool | None]]:
    """Ask nine questions of a growing network; yield each with the answer."""
    chance = Random(seed)  # noqa: S311 networks, not secrets
    twin = Twin(chance)
    for _ in range(3):
        twin.grow()
    for _ in range(9):
        if chance.random() < 0.4 and twin.nodes < 9:
            twin.grow()
        yield (twin, *twin.ask(pass_on=chance.random() < 0.3))


class Crowd:
    CARDS, PLACES, STEPS, MOVES, PASSES = 24, 6, 200, 0.8, 0.3

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)  # noqa: S311 networks, not secrets
        self.routes = Routes()
        self.at = {0: self.routes.node(faces=(1 << self.CARDS) - 1)}
        self.rest = {0: self.CARDS}
        for hand in range(1, self.PLACES):
            self.move(0, hand, 3)

    def move(self, source: int, target: int, count: int) -> None:
        comers = [(self.at[source], count)]
        if self.rest.get(target):
            comers.append((self.at[target], self.rest[target]))
        self.at[target] = self.routes.node(comers)
        self.rest[target] = self.rest.get(target, 0) + count
        self.rest[source] -= count

    def asked(self) -> Iterator[tuple[Node, Cards]]:
        """Yield the next question: node and card; the caller confirms by `took`."""
        for _ in range(self.STEPS):
            able = [place for place, rest in self.rest.items() if rest]
            if not able:
                return
            place = self.chance.choice(able)
            if self.chance.random() < self.MOVES:
                others = [other for other in range(self.PLACES) if other != place]
                self.move(place, self.chance.choice(others), 1)
            elif self.rest[place] == 1 and self.chance.random() < self.PASSES:
                bits = self.chance.sample(range(self.CARDS), 3)
                cards = sum(1 << bit for bit in bits)
                if self.routes.pass_through(self.at[place], cards):
                    self.at[place] = len(self.routes.into) - 1
            else:
                self.place = place
                yield self.at[place], 1 << self.chance.randrange(self.CARDS)

    def took(self) -> None:
        self.rest[self.place] -= 1
