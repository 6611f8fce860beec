"""The legal entries of one Euchre deal, by enumerating all locations of the unseen cards.

Written from the rule text, independently of `domain`; a world is both hands and the turned card.
The reference for `domain.inference.knowledge`, `domain.inference.proof` and `domain.euchre.proof`
if there are few enough worlds.
"""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from math import comb
from typing import Any, NamedTuple

from tests.generation.euchre_cards import pack, suit_of

Entry = dict[str, Any]
FOLLOW = "euchre.follow-suit"
TAKING = {"exchange": "euchre.exchange", "accept": "euchre.accept"}


class World(NamedTuple):
    """One way the cards can lie: both hands and the card turned up, if it still is."""

    hands: tuple[frozenset[str], frozenset[str]]
    turned: str | None

    def without(self, seat: int, card: str) -> "World":
        return self.holding(seat, self.hands[seat] - {card})

    def holding(self, seat: int, hand: frozenset[str]) -> "World":
        hands = (hand, self.hands[1]) if seat == 0 else (self.hands[0], hand)
        return World(hands, self.turned)  # `_replace` takes five times as long


class TooManyWorlds(Exception):  # noqa: N818 not an error: the question is left to others
    """There are more worlds than the limit."""


@dataclass(frozen=True)
class Slough:
    """An entry (by its index) that proves a hand to hold nothing of a suit."""

    index: int
    seat: int
    suit: str


@dataclass(frozen=True)
class View:
    dealer: int
    turned: str
    turned_sure: bool
    trump: str
    led: Entry | None = None
    sloughs: tuple[Slough, ...] = ()


@dataclass(frozen=True)
class Oracle:
    """All worlds that fit the entries so far; `forgotten` sloughs (indexes) prove nothing."""

    deck: int
    log: tuple[Entry, ...]
    forgotten: frozenset[int]
    worlds: frozenset[World]
    view: View

    def after(self, entry: Entry) -> "Oracle | None":
        """Return the oracle after an entry; None if no world fits."""
        found = self.tried(entry)
        if found is None and FOLLOW in entry.get("waive", ()) and entry["type"] == "play":
            found = self.forgiven(entry)
        return found

    def tried(self, entry: Entry, *, concluding: bool = True) -> "Oracle | None":
        """Return the oracle after an entry without forgetting anything for it."""
        index = len(self.log)
        view = _seen(self.view, entry, index)
        worlds = self.worlds
        if entry["type"] == "play":
            concludes = concluding and len(view.sloughs) > len(self.view.sloughs)
            worlds = self.played(entry, concludes=concludes)
        elif entry["type"] == "accept" or entry.get("take"):
            worlds = self.taken(entry)
        grown = (*self.log, entry)
        return Oracle(self.deck, grown, self.forgotten, worlds, view) if worlds else None

    def forgiven(self, entry: Entry) -> "Oracle | None":
        """Forget the evidence that a waived revoke contradicts: of the suit, else of the seat."""
        suit = suit_of(entry["card"], self.view.trump)
        of_seat = [one for one in self.view.sloughs if one.seat == entry["seat"]]
        of_suit = [one for one in of_seat if one.suit == suit]
        for group in (of_suit, of_seat, list(self.view.sloughs)):
            again = enumerated(self.deck, self.log, self.forgotten | {one.index for one in group})
            found = again.tried(entry) if again else None
            if found is not None:
                return found
        return None

    def played(self, entry: Entry, *, concludes: bool) -> frozenset[World]:
        seat: int = entry["seat"]
        card: str = entry["card"]
        fits = [world.without(seat, card) for world in self.worlds if card in world.hands[seat]]
        if concludes and self.view.led is not None and len(self.log) not in self.forgotten:
            denied = suit_of(self.view.led["card"], self.view.trump)
            fits = [world for world in fits if not self.holds(world, seat, denied)]
        if not entry.get("unsure"):
            return frozenset(fits)
        if not fits:
            return frozenset()
        return frozenset(
            world.without(seat, one) for world in self.worlds for one in world.hands[seat]
        )

    def holds(self, world: World, seat: int, suit: str) -> bool:
        return any(suit_of(card, self.view.trump) == suit for card in world.hands[seat])

    def taken(self, entry: Entry) -> frozenset[World]:
        waived = TAKING[entry["type"]] in entry.get("waive", ())
        named, seat = entry.get("discard", "??"), self.view.dealer
        found: list[World] = []
        possible = False
        for world in self.worlds:
            held = world.hands[seat] | {world.turned or ""}
            layable = held if waived else world.hands[seat]
            possible |= named in layable
            after = World(world.hands, None)
            if named == "??" or entry.get("unsure"):
                found.extend(after.holding(seat, held - {card}) for card in layable)
            elif named in layable:
                found.append(after.holding(seat, held - {named}))
        return frozenset(found) if possible or named == "??" else frozenset()

    def dropping(self, sloughs: Collection[int]) -> "Oracle":
        found = enumerated(self.deck, self.log, self.forgotten | frozenset(sloughs))
        assert found is not None
        return found

    def conflicting(self, stands: Callable[["Oracle"], bool]) -> list[int]:
        live = [one.index for one in self.view.sloughs if one.index not in self.forgotten]
        return [index for index in live if stands(self.dropping([index]))]


def enumerated(
    deck: int, log: tuple[Entry, ...], forgotten: frozenset[int] = frozenset(), limit: int = 20_000
) -> Oracle | None:
    """List the worlds that fit a log of one deal; None when none does.

    Raises:
        TooManyWorlds: there may be more than `limit`.

    """
    deal = log[0]
    view = View(
        deal["dealer"],
        deal["turn_up"],
        not deal.get("unsure", False),
        deal.get("turn_up_suit", deal["turn_up"][1]),
    )
    worlds = frozenset(_deal_cards(deck, log, limit))
    now: Oracle | None = Oracle(deck, log[:1], forgotten, worlds, view) if worlds else None
    for entry in log[1:]:
        now = within(now.tried(entry), limit) if now is not None else None
    return now


def within(now: Oracle | None, limit: int) -> Oracle | None:
    """Return an oracle unchanged.

    Raises:
        TooManyWorlds: there are more than `limit`.
    """
    if now is not None and len(now.worlds) > limit:
        raise TooManyWorlds
    return now


def _seen(view: View, entry: Entry, index: int) -> View:
    if entry["type"] == "name":
        return replace(view, trump=entry["suit"])
    if entry["type"] != "play":
        return view
    if view.led is None:
        return replace(view, led=entry)
    led = suit_of(view.led["card"], view.trump)
    concludes = not view.led.get("unsure") and FOLLOW not in entry.get("waive", ())
    sloughs = view.sloughs
    if concludes and suit_of(entry["card"], view.trump) != led:
        sloughs = (*sloughs, Slough(index, entry["seat"], led))
    return replace(view, led=None, sloughs=sloughs)


def _deal_cards(deck: int, log: tuple[Entry, ...], limit: int) -> Iterator[World]:
    deal = log[0]
    dealer: int = deal["dealer"]
    cards = pack(deck)
    given: list[list[str] | None] = deal.get("hands") or [None, None]
    turned = [card for card in cards if card not in [*(given[0] or ()), *(given[1] or ())]]
    if not deal.get("unsure"):
        turned = [deal["turn_up"]]
    taken = any(entry["type"] == "accept" or entry.get("take") for entry in log)
    for card in turned:
        came = [_came_from(log, seat) for seat in (0, 1)]
        if taken:
            came[dealer].discard(card)
        sure = [set(given[seat] or came[seat]) for seat in (0, 1)]
        free = [one for one in cards if one not in sure[0] | sure[1] | {card}]
        if card in sure[0] | sure[1] or sure[0] & sure[1] or max(map(len, sure)) > 5:
            continue
        lacking = [5 - len(one) for one in sure]
        ways = comb(len(free), lacking[0]) * comb(len(free) - lacking[0], lacking[1])
        if ways * len(turned) > limit:
            raise TooManyWorlds
        for first in combinations(free, lacking[0]):
            rest = [one for one in free if one not in first]
            for second in combinations(rest, lacking[1]):
                hands = (frozenset(sure[0]) | set(first), frozenset(sure[1]) | set(second))
                yield World(hands, card)


def _came_from(log: tuple[Entry, ...], seat: int) -> set[str]:
    found: set[str] = set()
    for entry in log[1:]:
        if entry.get("unsure"):
            continue
        if entry["type"] == "play" and entry["seat"] == seat:
            found.add(entry["card"])
        if entry.get("discard", "??") != "??" and entry["seat"] == seat:
            found.add(entry["discard"])
    return found
