"""Seen cards, put down to the lots they came from, and what is left of the lots then.

A *lot* is what one shuffle mixed: nothing tells its unseen cards apart, so any token of it may have
any face of it. A `Sighting` takes a face and a token out of a lot. All is well where nothing is
ever short: no card in a lot, no lot at a place, then or at any time since.
"""

from collections.abc import Iterable
from itertools import accumulate
from typing import NamedTuple

from domain.cards import Cards
from domain.worlds import Place

NOWHERE = -1


class Sighting(NamedTuple):
    """Evidence number `at`: a card seen to leave `source`, the `moment`th change of that place.

    `lots` is how many lots there were by then.
    """

    at: int
    source: Place
    moment: int
    copies: Cards
    lots: int


class Share(NamedTuple):
    """What a sighting takes: a card out of a lot, and a token of the lot at a place."""

    lot: int
    copies: Cards
    place: Place


class Sightings:
    """Sightings by number, and the `lot` of each; `whole` are the lots as they were mixed.

    `changes` holds, per place, of which lot how many tokens came or went, one change after another.
    """

    def __init__(self, lots: Iterable[Cards]) -> None:
        self.whole: list[Cards] = list(lots)
        self.seen: list[Sighting] = []
        self.lot: list[int] = []
        self.changes: dict[Place, list[tuple[int, int]]] = {}
        self.of_card: dict[Cards, list[int]] = {}
        self._at_place: dict[Place, list[int]] = {}
        self._tokens: dict[tuple[Place, int], list[int]] = {}

    def see(self, at: int, source: Place, copies: Cards, lot: int) -> None:
        """Add a sighting, put down to a lot, or to none yet (`NOWHERE`)."""
        changes = self.changes.setdefault(source, [])
        number = len(self.seen)
        self.seen.append(Sighting(at, source, len(changes), copies, len(self.whole)))
        self.lot.append(lot)
        changes.append((lot, -1))
        self._tokens.clear()
        self.of_card.setdefault(copies, []).append(number)
        self._at_place.setdefault(source, []).append(number)

    def come(self, place: Place, lot: int, count: int) -> None:
        """Let tokens of a lot come to a place unseen; a negative number goes."""
        self.changes.setdefault(place, []).append((lot, count))
        self._tokens.clear()

    def mix(self, place: Place, cards: Cards) -> None:
        """Make a new lot at a place."""
        self.come(place, len(self.whole), cards.bit_count())
        self.whole.append(cards)

    def put(self, number: int, lot: int) -> None:
        """Put a sighting down to another lot."""
        _, place, moment, _, _ = self.seen[number]
        for changed, by in ((self.lot[number], 1), (lot, -1)):
            tokens = self._tokens.get((place, changed))
            if tokens is not None:
                tokens[moment:] = [left + by for left in tokens[moment:]]
        self.changes[place][moment] = (lot, -1)
        self.lot[number] = lot

    def others(self, number: int) -> list[int]:
        """List the other lots a sighting can be put down to, the newest first."""
        _, _, _, copies, lots = self.seen[number]
        own, whole = self.lot[number], self.whole
        return [lot for lot in range(lots - 1, -1, -1) if lot != own and whole[lot] & copies]

    def faces(self, copies: Cards, lot: int) -> int:
        """Count what is left of a card in a lot; below 0 where it is short."""
        taken = [self.lot[number] for number in self.of_card.get(copies, ())]
        return (self.whole[lot] & copies).bit_count() - taken.count(lot)

    def tokens(self, place: Place, lot: int) -> list[int]:
        """Count what is left of a lot at a place, after each change of that place."""
        found = self._tokens.get((place, lot))
        if found is None:
            changes = self.changes.get(place, ())
            found = list(accumulate(by if of == lot else 0 for of, by in changes))
            self._tokens[place, lot] = found
        return found

    def short_of(self, number: int, lot: int) -> int:
        """Count what would be short if a sighting were put down to another lot."""
        _, place, moment, copies, _ = self.seen[number]
        least = min(self.tokens(place, lot)[moment:])
        return max(0, 1 - least) + max(0, 1 - self.faces(copies, lot))

    def share(self, number: int) -> Share:
        """Return what a sighting takes."""
        return Share(self.lot[number], self.seen[number].copies, self.seen[number].source)

    def short(self, share: Share) -> list[list[int]]:
        """List, for the card and for the tokens if they are short, the sightings that take them."""
        lot, copies, place = share
        found: list[list[int]] = []
        if self.faces(copies, lot) < 0:
            found.append([number for number in self.of_card[copies] if self.lot[number] == lot])
        tokens = self.tokens(place, lot)
        if min(tokens) < 0:
            first = next(moment for moment, left in enumerate(tokens) if left < 0)
            found.append(self._until(place, lot, first))
        return found

    def _until(self, place: Place, lot: int, moment: int) -> list[int]:
        """List the sightings that took tokens of a lot at a place until some moment."""
        return [
            number
            for number in self._at_place.get(place, ())
            if self.lot[number] == lot and self.seen[number].moment <= moment
        ]

    def cards_seen(self) -> Iterable[Cards]:
        """Return the cards that were seen, each as all its copies."""
        return self.of_card.keys()
