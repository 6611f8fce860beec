"""Seen cards, put down to the lots they came from, and what is left of the lots then.

A *lot* is what one shuffle mixed: nothing tells its unseen cards apart, so any token of it may have
any face of it. A `Sighting` takes a face and a token out of a lot. All is well where nothing is
ever short: no card in a lot, no lot at a place, then or at any time since.
"""

from collections.abc import Iterable
from typing import NamedTuple

from domain.inference.worlds import Place
from domain.table.cards import Cards

NOWHERE = -1


class Sighting(NamedTuple):
    """A card seen to leave `source`, the `moment`th change of that place.

    `lots`: those that had such a card by then, the newest first.
    """

    source: Place
    moment: int
    copies: Cards
    lots: tuple[int, ...]


class SightingShare(NamedTuple):
    """What a sighting takes: a card out of a lot, and a token of the lot at a place."""

    lot: int
    copies: Cards
    place: Place


class Sightings:
    """Sightings by number, and the `lot` of each; `whole` are the lots as they were mixed.

    `left` holds, per card seen, how many of each lot are left; `tokens`, per place and lot, how
    many were there at first and after each change of that place. Below 0 they are short.
    """

    def __init__(self, lots: Iterable[Cards] = ()) -> None:
        self.whole: list[Cards] = list(lots)
        self.seen: list[Sighting] = []
        self.lot: list[int] = []
        self.left: dict[Cards, list[int]] = {}
        self.tokens: dict[Place, list[list[int]]] = {}
        self._of_card: dict[Cards, list[int]] = {}
        self._at_place: dict[Place, list[tuple[int, int]]] = {}  # a sighting and its moment

    def copy(self) -> "Sightings":
        """Return sightings that can be shared out apart from these."""
        twin = Sightings(self.whole)
        twin.seen, twin.lot = self.seen.copy(), self.lot.copy()
        twin.left = {copies: left.copy() for copies, left in self.left.items()}
        twin.tokens = {at: [row.copy() for row in rows] for at, rows in self.tokens.items()}
        twin._of_card = {copies: numbers.copy() for copies, numbers in self._of_card.items()}
        twin._at_place = {place: numbers.copy() for place, numbers in self._at_place.items()}
        return twin

    def see(self, source: Place, copies: Cards, lot: int) -> None:
        """Add a sighting, put down to a lot, or to none yet (`NOWHERE`)."""
        number = len(self.seen)
        if copies not in self.left:
            self.left[copies] = [(cards & copies).bit_count() for cards in self.whole]
        newest_first = reversed(range(len(self.whole)))
        lots = tuple([one for one in newest_first if self.whole[one] & copies])
        moment = self._change(source, lot, -1)
        self.seen.append(Sighting(source, moment, copies, lots))
        self.lot.append(lot)
        if lot != NOWHERE:
            self.left[copies][lot] -= 1
        self._of_card.setdefault(copies, []).append(number)
        self._at_place.setdefault(source, []).append((number, moment))

    def come(self, place: Place, lot: int, count: int) -> None:
        """Let tokens of a lot come to a place unseen; a negative number goes."""
        self._change(place, lot, count)

    def _change(self, place: Place, lot: int, by: int) -> int:
        rows = self.tokens.setdefault(place, [[0] for _ in self.whole])
        for of, row in enumerate(rows):
            row.append(row[-1] + by if of == lot else row[-1])
        return len(rows[0]) - 1

    def mix(self, place: Place, cards: Cards) -> None:
        """Make a new lot at a place."""
        for copies, left in self.left.items():
            left.append((cards & copies).bit_count())
        for rows in self.tokens.values():
            rows.append([0] * len(rows[0]))
        self.whole.append(cards)
        self.come(place, len(self.whole) - 1, cards.bit_count())

    def put(self, number: int, lot: int) -> None:
        """Put a sighting down to another lot."""
        place, moment, copies, _ = self.seen[number]
        rows, left, before = self.tokens[place], self.left[copies], self.lot[number]
        if before != NOWHERE:
            left[before] += 1
            rows[before][moment:] = [tokens + 1 for tokens in rows[before][moment:]]
        if lot != NOWHERE:
            left[lot] -= 1
            rows[lot][moment:] = [tokens - 1 for tokens in rows[lot][moment:]]
        self.lot[number] = lot

    def others(self, number: int) -> list[int]:
        """List the other lots a sighting can be put down to, the newest first."""
        own = self.lot[number]
        return [lot for lot in self.seen[number].lots if lot != own]

    def short_of(self, number: int, lot: int) -> int:
        """Count what would be short if a sighting were put down to another lot."""
        place, moment, copies, _ = self.seen[number]
        tokens, cards = min(self.tokens[place][lot][moment:]), self.left[copies][lot]
        return max(0, 1 - tokens) + max(0, 1 - cards)

    def share(self, number: int) -> SightingShare:
        """Return what a sighting takes."""
        return SightingShare(self.lot[number], self.seen[number].copies, self.seen[number].source)

    def short(self, share: SightingShare) -> list[list[int]]:
        """List, for the card and for the tokens if they are short, the sightings that take them."""
        lot, copies, place = share
        found: list[list[int]] = []
        if self.left[copies][lot] < 0:
            found.append([number for number in self._of_card[copies] if self.lot[number] == lot])
        row = self.tokens[place][lot]
        least = min(row)
        if least < 0:
            first = row.index(least)
            if least < -1:
                first = next(moment for moment, left in enumerate(row) if left < 0)
            found.append(self._until(place, lot, first))
        return found

    def _until(self, place: Place, lot: int, moment: int) -> list[int]:
        put_down = self.lot
        return [
            number
            for number, seen_at in self._at_place.get(place, ())
            if put_down[number] == lot and seen_at <= moment
        ]
