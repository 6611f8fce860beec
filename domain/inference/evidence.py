"""What an entry shows about unseen cards, piece by piece."""

from collections.abc import Sequence

from msgspec import Struct

from domain.inference import worlds
from domain.inference.sum_constraints import solved
from domain.inference.worlds import Place, Total, World
from domain.table.cards import Cards


class Piece(Struct, frozen=True, gc=False):
    """A piece of evidence; a game may add a kind of its own. `version` is the entry it is from."""

    def after(self, world: World) -> list[World]:
        """Return the worlds that can follow: none if no deal explains the piece.

        Several follow where it cannot be known which of unlike tokens moved.
        """
        raise NotImplementedError

    def relaxation(self, world: World) -> list[World]:
        """Return at most one world, which admits every deal that can follow, and perhaps more."""
        return self.after(world)

    def readings(self) -> "tuple[tuple[Piece, ...], ...]":
        """Return the piece as alternatives, each of them pieces that this package defines.

        A deal fits the piece where it fits all the pieces of one alternative.
        """
        return ((self,),)


class Seen(Piece, frozen=True):
    """A card whose face is one of `copies` left `source`, seen, and lies known at `target`."""

    source: Place
    copies: Cards
    target: Place
    version: int

    def after(self, world: World) -> list[World]:
        return worlds.see(world, self.source, self.copies, self.target)

    def relaxation(self, world: World) -> list[World]:
        return worlds.see(world, self.source, self.copies, self.target, relaxed=True)


class Unseen(Piece, frozen=True):
    """`count` cards passed from `source` to `target`, faces unseen."""

    source: Place
    target: Place
    count: int
    version: int

    def after(self, world: World) -> list[World]:
        return worlds.move_unseen(world, self.source, self.target, self.count)

    def relaxation(self, world: World) -> list[World]:
        return worlds.move_unseen(world, self.source, self.target, self.count, relaxed=True)


class RuledOut(Piece, frozen=True):
    """A conclusion from `clause` about a seat and topic: no card at `place` is one of `cards`."""

    place: Place
    cards: Cards
    clause: str
    about: tuple[int, str]
    version: int

    def after(self, world: World) -> list[World]:
        return worlds.rule_out(world, self.place, self.cards)


class Narrowed(Piece, frozen=True):
    """The one card at `place` is one of `cards` and stays there; nobody saw which."""

    place: Place
    cards: Cards
    version: int

    def after(self, world: World) -> list[World]:
        return worlds.rule_out(world, self.place, ~self.cards)


class Held(Piece, frozen=True):
    """The one card `cards`, unlike all others, lies at `place`, and stays as unseen as it was."""

    place: Place
    cards: Cards
    version: int

    def after(self, world: World) -> list[World]:
        return worlds.hold(world, self.place, self.cards)

    def relaxation(self, world: World) -> list[World]:
        return worlds.see(world, self.place, self.cards, self.place, relaxed=True)


class Carried(Piece, frozen=True):
    """Everything at `source` now lies at `target`, as well known as before."""

    source: Place
    target: Place
    version: int

    def after(self, world: World) -> list[World]:
        return [worlds.carry(world, self.source, self.target)]


class Swapped(Piece, frozen=True):
    """The contents of two places changed places."""

    one: Place
    other: Place
    version: int

    def after(self, world: World) -> list[World]:
        return [worlds.swap(world, self.one, self.other)]


class Shuffled(Piece, frozen=True):
    """Everything at `source` was shuffled and lies at `target`, in unknown order."""

    source: Place
    target: Place
    version: int

    def after(self, world: World) -> list[World]:
        return [worlds.mix(worlds.carry(world, self.source, self.target), self.target)]


class Summed(Piece, frozen=True):
    """The cards at `places`, which change no more, are worth `worth`; `values` by a card's bit."""

    places: tuple[Place, ...]
    values: tuple[int, ...]
    worth: int
    version: int

    def after(self, world: World) -> list[World]:
        total = Total(frozenset(self.places), self.values, self.worth)
        return [world._replace(totals=(*world.totals, total))]


Evidence = Summed | Seen | Held | Narrowed | Unseen | RuledOut | Carried | Swapped | Shuffled


def follow(piece: Piece, world: World, *, relaxed: bool = False) -> list[World]:
    """Return the worlds that can follow, each with a deal that makes every promised total.

    >>> follow(Seen(1, 0b01, 2, 1), worlds.all_unseen(0b11, 0))  # nothing lies at 1
    []
    """
    after = piece.relaxation(world) if relaxed else piece.after(world)
    if not after or not after[0].totals:
        return after
    return [made for one in after if (made := solved(one)) is not None]


def relaxed(world: World, pieces: Sequence[Piece]) -> World:
    """Return a world that admits every deal in which pieces fit a world; some deal must."""
    for piece in pieces:
        world = piece.relaxation(world)[0]
    return world
