"""Cards that pass unseen, as a flow through a network of places in time."""

from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple

from domain.inference.evidence import (
    Carried,
    Held,
    Narrowed,
    Piece,
    RuledOut,
    Seen,
    Shuffled,
    Summed,
    Swapped,
    Unseen,
)
from domain.inference.prices import Edge, Effort, Node, Prices
from domain.inference.routes import ROUTES_MAX, Routes
from domain.inference.worlds import Place, TokenPool, World
from domain.table.cards import Cards, lowest, places


class Flow:
    """What passed unseen in a deal, and a route for every card seen.

    Where a card becomes unknown it is supplied, where it is seen it is demanded. A deal fits
    exactly when every demand has a route and no edge carries more than moved there: cards nobody
    saw fill what is left, because as many come to each node as leave it. That is an integral
    multi-commodity flow. Promised totals are not read (`flow_totals`).
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
        self._barred: dict[Place, Cards] = {}  # ruled out there, and still possible at several

    def copy(self) -> "Flow":
        """Return a flow that can read on apart from this one."""
        twin: Flow = object.__new__(Flow)
        twin._routes, twin._kinds = self._routes.copy(), self._kinds.copy()
        twin._at, twin._rest, twin._known = self._at.copy(), self._rest.copy(), self._known.copy()
        twin._unseen, twin._any_kind = self._unseen, self._any_kind
        twin._barred = self._barred.copy()
        return twin

    def read(self, piece: Piece) -> bool | None:
        """Read one more piece; false: no deal allows it. None: that cannot be told here.

        That is where it is of another kind, or no way was found that it fits. Read on only if true.
        """
        self._routes.forget()  # what was asked before, or copied, changes nothing
        if type(piece) is RuledOut:
            return self._rule_out(piece.place, piece.cards)
        if self._barred:
            return None
        match piece:
            case Seen(source=source, copies=copies, target=target):
                return self._see(source, copies, target)
            case Held(place=place, cards=cards):
                return bool(self._known.get(place, 0) & cards) or self._hold(place, cards)
            case Narrowed(place=place, cards=cards):
                return self._narrow(place, cards)
            case Unseen() | Carried() | Shuffled() | Swapped():
                return self._move(piece)
            case Summed():  # whoever asks holds what is found against what was counted
                return True
            case _:
                return None

    def read_all(self, pieces: Iterable[Piece]) -> bool | None:
        """Read several pieces; as for `read`."""
        for piece in pieces:
            read = self.read(piece)
            if not read:
                return read
        return True

    def _move(self, piece: Unseen | Carried | Shuffled | Swapped) -> bool:
        match piece:
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

    def _rule_out(self, place: Place, cards: Cards) -> bool | None:
        if self._known.get(place, 0) & cards:
            return False
        if self._rest.get(place, 0):
            self._barred[place] = self._barred.get(place, 0) | cards
        left: dict[Place, Cards] = {}
        for bit in places(union(self._barred.values()) & self._unseen):
            able = self._able(1 << bit)
            if not able:
                return False
            if len(able) == 1:
                left[able[0]] = left.get(able[0], 0) | 1 << bit
        for at, held in left.items():
            found = self._hold(at, held)
            if not found:
                return found
        self._decided(union(left.values()))
        return True

    def _hold(self, place: Place, cards: Cards) -> bool | None:
        if cards & ~self._unseen or self._rest.get(place, 0) < cards.bit_count():
            return False
        if not all(self._is_kind(1 << bit) for bit in places(cards)):
            return None
        for bit in places(cards):
            found = self._routes.demand(self._at[place], 1 << bit)
            if not found:
                return found
        self._rest[place] -= cards.bit_count()
        self._arrive(place, [], cards)
        return True

    def _carry(self, source: Place, target: Place) -> None:
        cards, rest = self._known.pop(source, 0), self._rest.pop(source, 0)
        if cards:
            self._known[target] = self._known.get(target, 0) | cards
        if rest and not self._rest.get(target):
            self._at[target], self._rest[target] = self._at[source], rest
        elif rest:
            self._arrive(target, [(self._at[source], rest)])

    def _mix(self, place: Place) -> None:
        cards = self._known.pop(place, 0)
        if cards:
            self._arrive(place, [], cards)
            self._unseen |= cards

    def _arrive(self, place: Place, comers: Sequence[tuple[Node, int]], faces: Cards = 0) -> None:
        rest = self._rest.get(place, 0)
        comers = [*comers, (self._at[place], rest)] if rest else comers
        self._at[place] = self._routes.node(comers, faces)
        self._rest[place] = sum(number for _, number in comers) + faces.bit_count()

    def unblocked(self) -> dict[Place, Cards]:
        """Return the cards that can be seen at each place as the routes are; others may, too."""
        routes = self._routes
        begin: dict[Node, Cards] = {}
        for node, faces in routes.faces.items():
            if node in routes.passing:
                free = routes.left((node, 0))
                begin[node] = routes.demands[routes.passing[node]].kind if free else 0
                continue
            begin[node] = faces & ~self._any_kind
            for copies in self._kinds:
                if faces & copies and routes.left((node, copies)) > 0:
                    begin[node] |= copies
        return self._arrived(routes.sweep(begin, free_only=True))

    def upstream(self) -> dict[Place, Cards]:
        """Return the cards that could be at each place if no other card had a route."""
        begin: dict[Node, Cards] = {}
        for node, faces in self._routes.faces.items():
            begin[node] = faces & ~self._any_kind
            for copies in self._kinds:  # which of equal cards was seen elsewhere nobody can tell
                if faces & copies:
                    begin[node] |= copies
        return self._arrived(self._routes.sweep(begin, free_only=False))

    def symmetry(self, copies: Cards) -> Hashable:
        """Describe a card by all that names it: of equal descriptions, both or none can be seen.

        Such cards can be exchanged in every deal that fits.
        """
        routes = self._routes
        # A card unlike all others that is supplied anew was seen before; older demands are met.
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

    def _arrived(self, reached: Sequence[Cards]) -> dict[Place, Cards]:
        return {
            place: reached[self._at[place]] & self._unseen
            for place, rest in self._rest.items()
            if rest
        }

    def demand(self, place: Place, copies: Cards, most: int = ROUTES_MAX) -> bool | None:
        """Let an unknown card be seen to leave a place; false: no deal allows it; None: not known.

        Only where it is allowed anything changes. `most`: as for `Routes.demand`.
        """
        if not self._rest.get(place, 0) or not copies & self._unseen:
            return False  # what lies known somewhere would take a search to be refuted
        if not self._is_kind(copies):
            return None
        found = self._routes.demand(self._at[place], copies, most)
        if found:
            self._rest[place] -= 1
        return found

    def undecided(self) -> tuple[Cards, tuple[Place, ...]] | None:
        """Return a card ruled out of some places, and where it can be; it is to be decided first.

        Until then only what rules more out is read.
        """
        barred = union(self._barred.values())
        card = barred & -barred
        return (card, self._able(card)) if card else None

    def _able(self, card: Cards) -> tuple[Place, ...]:
        barred = self._barred
        return tuple([at for at, n in self._rest.items() if n and not barred.get(at, 0) & card])

    def decide(self, card: Cards, place: Place) -> bool | None:
        """Hold an undecided card at a place; as for `read`."""
        found = self._hold(place, card)
        if found:
            self._decided(card)
        return found

    def _decided(self, cards: Cards) -> None:
        barred = {at: some & ~cards & self._unseen for at, some in self._barred.items()}
        self._barred = {at: some for at, some in barred.items() if some}

    def proof(self) -> Prices:
        """Return the prices that refuted a demand last."""
        return self._routes.proof

    def suggest(self, prices: Prices) -> None:
        """Try here as well what refuted a demand of a flow like this one."""
        self._routes.suggest(prices)

    @property
    def effort(self) -> Effort:
        """The effort of all searches so far, in this flow and its copies."""
        return self._routes.effort

    def count_in(self, effort: Effort) -> None:
        """Count the effort of further searches together with others."""
        self._routes.effort = effort

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
        self.effort.visited += 30 * len(self._routes.into)
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
        pools: list[TokenPool] = []
        for place, number in self._rest.items():
            for supply, tokens in lying[self._at[place]].items() if number else ():
                if supply in passed:
                    root, able, face = passed[supply]
                    pools.append(TokenPool(place, able & left[root], face))
                    continue
                assignment = lowest(rest[supply], tokens)
                rest[supply] ^= assignment
                pools.append(TokenPool(place, left[supply], assignment))
        return like._replace(pools=tuple(pools))

    def _faces_left(self, unseen: Cards) -> dict[Node, Cards]:
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


class _Passed(NamedTuple):
    """A card of which a part of the face was seen: where from, what it can be, what it is here."""

    root: Node
    able: Cards
    face: Cards


def union(every: Iterable[Cards]) -> Cards:
    """Return the cards that are in any of some sets."""
    found = 0
    for cards in every:
        found |= cards
    return found


def _swap(state: dict[Place, int], one: Place, other: Place) -> None:
    at, there = state.pop(one, 0), state.pop(other, 0)  # nothing there: no cards, and of no node
    state[other], state[one] = at, there
