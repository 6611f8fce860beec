"""All deals of Durak that explain the entries so far: a slow and obvious reference.

A world is the location of every card. All worlds that fit the given hands are enumerated; each
entry moves cards in every world and removes worlds that it contradicts. An unsure entry may have
moved any card of the hand. Independent of `domain`: no pools, trails or conclusions.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import NamedTuple

from tests.generation.durak_cards import PACK, UPWARD, Entry
from tests.generation.durak_deal import Happened

Hand = frozenset[str]


class TooManyWorlds(Exception):  # noqa: N818 no error: the test passes on
    """Listing them all would take too long."""


class World(NamedTuple):
    """Where every card lies; the last of the stock is the one shown."""

    hands: tuple[Hand, ...]
    table: Hand
    stock: tuple[str, ...]


def with_hand(world: World, seat: int, hand: Hand, table: Hand) -> World:
    return World(_hands(world, seat, hand), table, world.stock)


def _hands(world: World, seat: int, hand: Hand) -> tuple[Hand, ...]:
    return (*world.hands[:seat], hand, *world.hands[seat + 1 :])


def deal_cards(deal: Entry, seats: int) -> Iterator[World]:
    given: list[list[str] | None] = deal.get("hands") or [None] * seats
    shown = {deal["trump"]}
    known = [set(hand or ()) for hand in given]
    if seats == 6:
        known[deal["dealer"]] |= shown
    free = [card for card in PACK if card not in set().union(*known, shown)]
    for hands in _fill([frozenset(hand) for hand in known], free):
        left = [card for card in free if not any(card in hand for hand in hands)]
        for order in permutations(left):
            yield World(hands, frozenset(), (*order, *(shown if seats < 6 else ())))


def _fill(hands: list[Hand], free: list[str]) -> Iterator[tuple[Hand, ...]]:
    seat = next((seat for seat, hand in enumerate(hands) if len(hand) < 6), None)
    if seat is None:
        yield tuple(hands)
        return
    for more in combinations(free, 6 - len(hands[seat])):
        rest = [card for card in free if card not in more]
        yield from _fill([*hands[:seat], hands[seat] | set(more), *hands[seat + 1 :]], rest)


@dataclass
class Oracle:
    """The worlds that fit, and those that fit without the evidence of `lowest`."""

    trump: str
    fitting: set[World]
    loosely: set[World]
    limit: int = 4_000

    @classmethod
    def opened(cls, deal: Entry, seats: int) -> "Oracle":
        worlds = set(deal_cards(deal, seats))
        return cls(deal["trump"][1], worlds, set(worlds))

    def lowest_is(self, world: World, seat: int, card: str | None) -> bool:
        """Return whether a seat has the lowest trump of all hands, and whether it is `card`."""
        trumps = [rank + self.trump for rank in UPWARD]
        held = next((one for one in trumps if any(one in hand for hand in world.hands)), None)
        return held is not None and held in world.hands[seat] and card in {None, held}

    def no_trump(self, world: World) -> bool:
        return not any(card[1] == self.trump for hand in world.hands for card in hand)

    def long_suit(self, world: World, seat: int, suit: str) -> bool:
        suits = [card[1] for card in world.hands[seat]]
        return suits.count(suit) >= 5 and self.trump not in suits

    def follow(self, happened: Happened, *, leads_unasked: bool) -> None:
        """Move the cards an entry moves, in every world; strike out those it does not fit."""
        entry = happened.entry
        sure = not entry.get("unsure")
        if entry["type"] == "lowest" and sure:
            seat, card = entry["seat"], entry.get("card")
            if "durak.first-lead" not in entry.get("waive", ()):
                self.fitting = {w for w in self.fitting if self.lowest_is(w, seat, card)}
            elif card:
                self.fitting = {w for w in self.fitting if card in w.hands[seat]}
            if card:
                self.loosely = {w for w in self.loosely if card in w.hands[seat]}
        if leads_unasked and sure:
            self.fitting = {w for w in self.fitting if self.no_trump(w)}
        alike = self.fitting == self.loosely
        self.fitting = self.moved(self.fitting, happened)
        self.loosely = self.fitting if alike else self.moved(self.loosely, happened)
        if not self.fitting:
            raise AssertionError(f"no deal explains {entry}")

    def moved(self, worlds: Iterable[World], happened: Happened) -> set[World]:
        entry = happened.entry
        found: set[World] = set()
        for world in worlds:
            for after in laid(world, entry):
                found.add(flown(after, happened))
                if len(found) > self.limit:
                    raise TooManyWorlds
        return found


def laid(world: World, entry: Entry) -> Iterator[World]:
    cards: list[str] = entry.get("cards") or ([entry["with"]] if "with" in entry else [])
    if not cards:
        yield world
        return
    seat: int = entry["seat"]
    hand = world.hands[seat]
    away = entry["type"] == "away"
    ways: Iterable[tuple[str, ...]] = [tuple(cards)]
    if entry.get("unsure"):
        ways = combinations(sorted(hand), len(cards))
    for way in ways:
        if hand.issuperset(way):
            table = world.table if away else world.table | set(way)
            yield with_hand(world, seat, hand - set(way), table)


def flown(world: World, happened: Happened) -> World:
    """Return a world after the automatic consequences: table cleared, cards drawn."""
    for what, seat in happened.flow:
        if what == "draw":
            hand = world.hands[seat] | {world.stock[0]}
            world = World(_hands(world, seat, hand), world.table, world.stock[1:])
        elif what == "take":
            world = with_hand(world, seat, world.hands[seat] | world.table, frozenset())
        else:
            world = World(world.hands, frozenset(), world.stock)
    return world
