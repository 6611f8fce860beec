"""Pieces of evidence: constraints on the unseen cards that an entry adds."""

from collections.abc import Sequence

from msgspec import Struct

from domain.inference import worlds
from domain.inference.sum_constraints import solve_totals
from domain.inference.worlds import Place, Total, World
from domain.table.cards import Cards


class EvidencePiece(Struct, frozen=True, gc=False):
    """A constraint on the deal, from the entry `version`; a game may define a subclass."""

    def successors(self, world: World) -> list[World]:
        """Return the worlds that can follow; empty if the piece is infeasible.

        There are several where unlike tokens could have moved.
        """
        raise NotImplementedError

    def relaxation(self, world: World) -> list[World]:
        """Return at most one world, which admits every deal that can follow, and perhaps others."""
        return self.successors(world)

    def alternatives(self) -> "tuple[tuple[EvidencePiece, ...], ...]":
        """Return a disjunction of conjunctions of the pieces that this module defines.

        A deal satisfies the piece if it satisfies all pieces of one alternative.
        """
        return ((self,),)


class Seen(EvidencePiece, frozen=True):
    """A card whose face is one of `copies` moved from `source` to `target` and was seen."""

    source: Place
    copies: Cards
    target: Place
    version: int

    def successors(self, world: World) -> list[World]:
        return worlds.move_seen(world, self.source, self.copies, self.target)

    def relaxation(self, world: World) -> list[World]:
        return worlds.move_seen(world, self.source, self.copies, self.target, relaxed=True)


class Unseen(EvidencePiece, frozen=True):
    """`count` cards moved from `source` to `target` face down."""

    source: Place
    target: Place
    count: int
    version: int

    def successors(self, world: World) -> list[World]:
        return worlds.move_unseen(world, self.source, self.target, self.count)

    def relaxation(self, world: World) -> list[World]:
        return worlds.move_unseen(world, self.source, self.target, self.count, relaxed=True)


class RuledOut(EvidencePiece, frozen=True):
    """No card at `place` is one of `cards`: a conclusion from a clause.

    `about` is the seat and the topic (such as a suit) that the conclusion belongs to.
    """

    place: Place
    cards: Cards
    clause: str
    about: tuple[int, str]
    version: int

    def successors(self, world: World) -> list[World]:
        return worlds.rule_out(world, self.place, self.cards)


class Narrowed(EvidencePiece, frozen=True):
    """The only card at `place` is one of `cards`; it stays unseen and in place."""

    place: Place
    cards: Cards
    version: int

    def successors(self, world: World) -> list[World]:
        return worlds.rule_out(world, self.place, ~self.cards)


class Held(EvidencePiece, frozen=True):
    """The card `cards`, which has no equal, is at `place` and stays unseen."""

    place: Place
    cards: Cards
    version: int

    def successors(self, world: World) -> list[World]:
        return worlds.fix_card(world, self.place, self.cards)

    def relaxation(self, world: World) -> list[World]:
        return worlds.move_seen(world, self.place, self.cards, self.place, relaxed=True)


class AllMoved(EvidencePiece, frozen=True):
    """All cards at `source` moved to `target`; known cards stay known."""

    source: Place
    target: Place
    version: int

    def successors(self, world: World) -> list[World]:
        return [worlds.move_all(world, self.source, self.target)]


class Swapped(EvidencePiece, frozen=True):
    one: Place
    other: Place
    version: int

    def successors(self, world: World) -> list[World]:
        return [worlds.swap(world, self.one, self.other)]


class Shuffled(EvidencePiece, frozen=True):
    """All cards at `source` moved to `target` and were shuffled."""

    source: Place
    target: Place
    version: int

    def successors(self, world: World) -> list[World]:
        return [worlds.shuffle_in(worlds.move_all(world, self.source, self.target), self.target)]


class Summed(EvidencePiece, frozen=True):
    """The cards at `places` are worth `worth` in total, and do not move any more.

    `values` gives the worth of each card, by the position of its bit.
    """

    places: tuple[Place, ...]
    values: tuple[int, ...]
    worth: int
    version: int

    def successors(self, world: World) -> list[World]:
        total = Total(frozenset(self.places), self.values, self.worth)
        return [world._replace(totals=(*world.totals, total))]


Evidence = Summed | Seen | Held | Narrowed | Unseen | RuledOut | AllMoved | Swapped | Shuffled


def successors_with_totals(
    piece: EvidencePiece, world: World, *, relaxed: bool = False
) -> list[World]:
    """Return the worlds that can follow, each with a deal that satisfies every total.

    >>> successors_with_totals(Seen(1, 0b01, 2, 1), worlds.all_unseen(0b11, 0))  # no card there
    []
    """
    after = piece.relaxation(world) if relaxed else piece.successors(world)
    if not after or not after[0].totals:
        return after
    return [made for world in after if (made := solve_totals(world)) is not None]


def relax(world: World, pieces: Sequence[EvidencePiece]) -> World:
    for piece in pieces:
        world = piece.relaxation(world)[0]
    return world
