"""What the log proves about unseen cards: evidence in, the deals that fit it out. Exact.

`Knowledge` is the trail of evidence of one deal and a `World` that fits all of it. `learn` adds a
piece of evidence and returns `None` when no deal of the unseen cards fits any more. Where evidence
does not say which of unlike tokens moved, the first world that fits is kept; if a later piece
contradicts it, all other ways are searched before anything is called impossible.

A conclusion (`RuledOut`) keeps the clause and the version it was drawn from, so that a refusal can
name the entry it cannot stand with, and so that a conclusion can be forgotten (`waive`).
"""

from collections.abc import Callable, Collection, Iterable, Iterator

from msgspec import Struct

from domain import worlds
from domain.cards import Cards, Pack
from domain.totals import possible
from domain.worlds import Place, Total, World


class Seen(Struct, frozen=True):
    """A card whose face is one of `copies` left `source`, seen, and lies known at `target`."""

    source: Place
    copies: Cards
    target: Place
    version: int

    def after(self, world: World) -> list[World]:
        """Return the worlds that can follow."""
        return worlds.see(world, self.source, self.copies, self.target)


class Unseen(Struct, frozen=True):
    """`count` cards passed from `source` to `target`, faces unseen."""

    source: Place
    target: Place
    count: int
    version: int

    def after(self, world: World) -> list[World]:
        """Return the worlds that can follow."""
        return worlds.move_unseen(world, self.source, self.target, self.count)


class RuledOut(Struct, frozen=True):
    """A conclusion from `clause` about a seat and topic: no card at `place` is one of `cards`."""

    place: Place
    cards: Cards
    clause: str
    about: tuple[int, str]
    version: int

    def after(self, world: World) -> list[World]:
        """Return the worlds that can follow."""
        return worlds.rule_out(world, self.place, self.cards)


class Carried(Struct, frozen=True):
    """Everything at `source` now lies at `target`, as well known as before."""

    source: Place
    target: Place
    version: int

    def after(self, world: World) -> list[World]:
        """Return the worlds that can follow."""
        return [worlds.carry(world, self.source, self.target)]


class Swapped(Struct, frozen=True):
    """The contents of two places changed places."""

    one: Place
    other: Place
    version: int

    def after(self, world: World) -> list[World]:
        """Return the worlds that can follow."""
        return [worlds.swap(world, self.one, self.other)]


class Shuffled(Struct, frozen=True):
    """Everything at `source` was shuffled and lies at `target`, in unknown order."""

    source: Place
    target: Place
    version: int

    def after(self, world: World) -> list[World]:
        """Return the worlds that can follow."""
        return [worlds.mix(worlds.carry(world, self.source, self.target), self.target)]


class Summed(Struct, frozen=True):
    """The cards at `places`, which change no more, are worth `worth`; `values` by a card's bit."""

    places: tuple[Place, ...]
    values: tuple[int, ...]
    worth: int
    version: int

    def after(self, world: World) -> list[World]:
        """Return the worlds that can follow."""
        total = Total(frozenset(self.places), self.values, self.worth)
        return [world._replace(totals=(*world.totals, total))]


Evidence = Summed | Seen | Unseen | RuledOut | Carried | Swapped | Shuffled
Trail = tuple[Evidence, "Trail"] | None


class Knowledge(Struct, frozen=True):
    """The evidence of one deal, newest first in `trail`, and a world that fits all of it.

    `forked`: somewhere on the trail another world could have been taken.
    """

    origin: World
    world: World
    trail: Trail = None
    forked: bool = False

    def learn(self, evidence: Evidence) -> "Knowledge | None":
        """Add a piece of evidence; `None` when no deal fits it and all before it."""
        follow = _follow(evidence, self.world)
        if follow:
            return Knowledge(
                self.origin, follow[0], (evidence, self.trail), self.forked or len(follow) > 1
            )
        if not self.forked:
            return None
        world = _search(self.origin, [*self.evidence(), evidence])
        return (
            None
            if world is None
            else Knowledge(self.origin, world, (evidence, self.trail), forked=True)
        )

    def learn_all(self, evidence: Iterable[Evidence]) -> "Knowledge | None":
        """Add several pieces in turn; `None` when no deal fits them all."""
        knowledge = self
        for piece in evidence:
            learnt = knowledge.learn(piece)
            if learnt is None:
                return None
            knowledge = learnt
        return knowledge

    def surely(self, *evidence: Evidence) -> "Knowledge":
        """Add evidence that fits whatever is known, such as an unseen card leaving a hand.

        Raises:
            AssertionError: it does not fit, so the caller was wrong about that.

        """
        learnt = self.learn_all(evidence)
        if learnt is None:
            raise AssertionError("no deal fits evidence that always fits")
        return learnt

    def evidence(self) -> list[Evidence]:
        """Return the trail, oldest first."""
        found: list[Evidence] = []
        trail = self.trail
        while trail is not None:
            piece, trail = trail
            found.append(piece)
        found.reverse()
        return found

    def conclusions(self) -> list[RuledOut]:
        """Return the conclusions drawn so far, oldest first."""
        return [piece for piece in self.evidence() if isinstance(piece, RuledOut)]

    def without(self, forgotten: Collection[RuledOut]) -> "Knowledge":
        """Return what is known when some conclusions are forgotten."""
        kept = [piece for piece in self.evidence() if piece not in forgotten]
        return Knowledge(self.origin, self.origin).surely(*kept)

    def last_named(self, copies: Cards) -> Seen | None:
        """Return the last evidence that named the card, if any did."""
        trail = self.trail
        while trail is not None:
            piece, trail = trail
            if isinstance(piece, Seen) and piece.copies == copies:
                return piece
        return None

    def place_of(self, copies: Cards) -> Place | None:
        """Return the place where a card is known to lie; of equal copies, the first such place."""
        for place, cards in self.world.known.items():
            if cards & copies:
                return place
        return None

    def known_at(self, place: Place) -> Cards:
        """Return the faces known to lie at a place."""
        return self.world.known.get(place, 0)


def nothing_seen(pack: Pack, stock: Place) -> Knowledge:
    """Return what is known before a deal: the whole pack lies unseen at `stock`."""
    world = worlds.all_unseen(pack.everything, stock)
    return Knowledge(world, world)


def _follow(evidence: Evidence, world: World) -> list[World]:
    """Return the worlds that can follow and in which every promised total can be made."""
    worlds_after = evidence.after(world)
    if not worlds_after or not worlds_after[0].totals:
        return worlds_after
    return [one for one in worlds_after if possible(one)]


def _search(world: World, evidence: list[Evidence]) -> World | None:
    """Find a world that fits all the evidence, trying every way each piece can have gone."""
    ways: list[Iterator[World]] = [iter((world,))]
    while ways:
        found = next(ways[-1], None)
        if found is None:
            ways.pop()
        elif len(ways) > len(evidence):
            return found
        else:
            ways.append(iter(_follow(evidence[len(ways) - 1], found)))
    return None


def culprits(knowledge: Knowledge, stands: Callable[[Knowledge], bool]) -> list[RuledOut]:
    """Find the earlier entries without whose conclusions, alone, a refused entry would stand.

    All that one entry proved by one clause goes together; one conclusion of each is returned.
    """
    drawn: dict[tuple[str, int], list[RuledOut]] = {}
    for one in knowledge.conclusions():
        drawn.setdefault((one.clause, one.version), []).append(one)
    return [group[0] for group in drawn.values() if stands(knowledge.without(group))]
