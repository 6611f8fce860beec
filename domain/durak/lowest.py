"""The only conclusion of Durak with several possible reasons: a hand has the lowest trump.

If `lowest` names no card, it is any trump for which no hand has a lower one. Each candidate is
one world; the card stays an unseen card of that hand which can only be this trump.
"""

from domain.inference import Evidence, Held, Place, RuledOut, World, rule_out
from domain.table.cards import Cards


class LowestHeld(RuledOut, frozen=True, kw_only=True):
    """Conclude that `place` has the lowest trump of all `hands`. `upward`: trumps, lowest first."""

    hands: tuple[Place, ...]
    upward: tuple[Cards, ...]

    def successors(self, world: World) -> list[World]:
        worlds: list[World] = []
        lower: Cards = 0
        for card in self.upward:
            for held in Held(self.place, card, self.version).successors(world):
                worlds.extend(_without(held, self.hands, lower))
            lower |= card
        return worlds

    def relaxation(self, world: World) -> list[World]:
        """Return the world unchanged: every holder of the lowest trump is possible in it."""
        return [world]

    def alternatives(self) -> tuple[tuple[Evidence, ...], ...]:
        """Return one reading per trump: it is in the hand, and each lower one is in no hand."""
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
