"""The one conclusion of Durak with several ways to be true: a hand holds the lowest trump of all.

Where `lowest` names no card, it is one of the trumps, and no hand holds a lower one. Each trump it
can be is one world; the card stays an unseen one of that hand that can only be this trump.
"""

from domain.inference import Evidence, Held, Place, RuledOut, World, rule_out
from domain.table.cards import Cards


class LowestHeld(RuledOut, frozen=True, kw_only=True):
    """`place` holds the lowest trump that lies in any of `hands`; `upward`: lowest trump first."""

    hands: tuple[Place, ...]
    upward: tuple[Cards, ...]

    def after(self, world: World) -> list[World]:
        """Return the worlds that can follow."""
        found: list[World] = []
        lower: Cards = 0
        for card in self.upward:
            for held in Held(self.place, card, self.version).after(world):
                found.extend(_without(held, self.hands, lower))
            lower |= card
        return found

    def relaxation(self, world: World) -> list[World]:
        """Return the world as it is: whoever holds the lowest trump, it can follow."""
        return [world]

    def readings(self) -> tuple[tuple[Evidence, ...], ...]:
        """Return a way a trump: it is held, and each lower one in no hand."""
        found: list[tuple[Evidence, ...]] = []
        lower: Cards = 0
        for card in self.upward:
            none_lower = [
                RuledOut(hand, lower, self.clause, self.about, self.version)
                for hand in self.hands
                if lower
            ]
            found.append((Held(self.place, card, self.version), *none_lower))
            lower |= card
        return tuple(found)


def _without(world: World, hands: tuple[Place, ...], cards: Cards) -> list[World]:
    for place in hands:
        ruled_out = rule_out(world, place, cards)
        if not ruled_out:
            return []
        world = ruled_out[0]
    return [world]
