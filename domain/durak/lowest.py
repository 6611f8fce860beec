"""The one conclusion of Durak with several ways to be true: a hand holds the lowest trump of all.

Where `lowest` names no card, it is one of the trumps, and no hand holds a lower one. Each trump it
can be is one world; the card stays an unseen one of that hand that can only be this trump.
"""

from domain.durak.state import LIMBO
from domain.inference import Place, Pool, RuledOut, World, rule_out, see
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
            for held in _held(world, self.place, card):
                found.extend(_without(held, self.hands, lower))
            lower |= card
        return found

    def relaxation(self, world: World) -> list[World]:
        """Return the world as it is: whoever holds the lowest trump, it can follow."""
        return [world]

    def told_apart(self) -> tuple[Cards, ...]:
        """Return the trumps, one by one."""
        return self.upward


def _held(world: World, place: Place, card: Cards) -> list[World]:
    """Return the worlds in which `place` holds a card, as unseen as before."""
    if world.known.get(place, 0) & card:
        return [world]
    found: list[World] = []
    for seen in see(world, place, card, LIMBO):
        known = {at: cards for at, cards in seen.known.items() if at != LIMBO}
        found.append(World((*seen.pools, Pool(place, card, card)), known, seen.unseen | card))
    return found


def _without(world: World, hands: tuple[Place, ...], cards: Cards) -> list[World]:
    """Return the world without certain cards in any hand, if there is one."""
    for place in hands:
        ruled_out = rule_out(world, place, cards)
        if not ruled_out:
            return []
        world = ruled_out[0]
    return [world]
