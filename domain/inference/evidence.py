"""What an entry shows about unseen cards, piece by piece.

Each piece says what worlds can follow one (`after`): none if no deal explains it, several where it
cannot be told which of unlike tokens moved. `version` is the entry it comes from.
"""

from msgspec import Struct

from domain.inference import worlds
from domain.inference.worlds import Place, Total, World
from domain.table.cards import Cards


class Piece(Struct, frozen=True, gc=False):
    """What every piece of evidence answers; a game may add a kind of its own."""

    def after(self, world: World) -> list[World]:
        """Return the worlds that can follow."""
        raise NotImplementedError

    def relaxation(self, world: World) -> list[World]:
        """Return at most one world, which admits every deal that can follow, and perhaps more."""
        return self.after(world)

    def told_apart(self) -> tuple[Cards, ...]:
        """Return the sets of cards that this piece tells apart from others."""
        return ()

    def readings(self) -> "tuple[tuple[Piece, ...], ...]":
        """Return the piece as evidence of the kernel alone; if it can be read several ways, each.

        A deal fits it where it fits all the pieces of one way.
        """
        return ((self,),)


class Seen(Piece, frozen=True):
    """A card whose face is one of `copies` left `source`, seen, and lies known at `target`."""

    source: Place
    copies: Cards
    target: Place
    version: int

    def after(self, world: World) -> list[World]:
        """Return the worlds that can follow."""
        return worlds.see(world, self.source, self.copies, self.target)

    def relaxation(self, world: World) -> list[World]:
        """Return at most one world, which admits every deal that can follow, and perhaps more."""
        return worlds.see(world, self.source, self.copies, self.target, relaxed=True)

    def told_apart(self) -> tuple[Cards, ...]:
        """Return the one set of cards seen."""
        return (self.copies,)


class Unseen(Piece, frozen=True):
    """`count` cards passed from `source` to `target`, faces unseen."""

    source: Place
    target: Place
    count: int
    version: int

    def after(self, world: World) -> list[World]:
        """Return the worlds that can follow."""
        return worlds.move_unseen(world, self.source, self.target, self.count)

    def relaxation(self, world: World) -> list[World]:
        """Return at most one world, which admits every deal that can follow, and perhaps more."""
        return worlds.move_unseen(world, self.source, self.target, self.count, relaxed=True)


class RuledOut(Piece, frozen=True):
    """A conclusion from `clause` about a seat and topic: no card at `place` is one of `cards`."""

    place: Place
    cards: Cards
    clause: str
    about: tuple[int, str]
    version: int

    def after(self, world: World) -> list[World]:
        """Return the worlds that can follow."""
        return worlds.rule_out(world, self.place, self.cards)

    def told_apart(self) -> tuple[Cards, ...]:
        """Return the one set of cards ruled out."""
        return (self.cards,)


class Narrowed(Piece, frozen=True):
    """The one card that lies at `place` is one of `cards`, and stays there; which, nobody saw."""

    place: Place
    cards: Cards
    version: int

    def after(self, world: World) -> list[World]:
        """Return the worlds that can follow."""
        return worlds.rule_out(world, self.place, ~self.cards)

    def told_apart(self) -> tuple[Cards, ...]:
        """Return the one set of cards it can be."""
        return (self.cards,)


class Held(Piece, frozen=True):
    """The one card `cards` lies at `place`, and stays there as unseen as it was."""

    place: Place
    cards: Cards
    version: int

    def after(self, world: World) -> list[World]:
        """Return the worlds that can follow."""
        return worlds.hold(world, self.place, self.cards)

    def relaxation(self, world: World) -> list[World]:
        """Return at most one world, which admits every deal that can follow, and perhaps more."""
        return worlds.see(world, self.place, self.cards, self.place, relaxed=True)

    def told_apart(self) -> tuple[Cards, ...]:
        """Return the one card."""
        return (self.cards,)


class Carried(Piece, frozen=True):
    """Everything at `source` now lies at `target`, as well known as before."""

    source: Place
    target: Place
    version: int

    def after(self, world: World) -> list[World]:
        """Return the worlds that can follow."""
        return [worlds.carry(world, self.source, self.target)]


class Swapped(Piece, frozen=True):
    """The contents of two places changed places."""

    one: Place
    other: Place
    version: int

    def after(self, world: World) -> list[World]:
        """Return the worlds that can follow."""
        return [worlds.swap(world, self.one, self.other)]


class Shuffled(Piece, frozen=True):
    """Everything at `source` was shuffled and lies at `target`, in unknown order."""

    source: Place
    target: Place
    version: int

    def after(self, world: World) -> list[World]:
        """Return the worlds that can follow."""
        return [worlds.mix(worlds.carry(world, self.source, self.target), self.target)]


class Summed(Piece, frozen=True):
    """The cards at `places`, which change no more, are worth `worth`; `values` by a card's bit."""

    places: tuple[Place, ...]
    values: tuple[int, ...]
    worth: int
    version: int

    def after(self, world: World) -> list[World]:
        """Return the worlds that can follow."""
        return [world._replace(totals=(*world.totals, self._total()))]

    def told_apart(self) -> tuple[Cards, ...]:
        """Return the sets of cards of one value each."""
        return self._total().told_apart

    def _total(self) -> Total:
        return Total(frozenset(self.places), self.values, self.worth)


Evidence = Summed | Seen | Held | Narrowed | Unseen | RuledOut | Carried | Swapped | Shuffled
