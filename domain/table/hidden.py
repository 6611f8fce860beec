"""Locations of the unseen cards of a deal in progress."""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from domain.table.cards import Pack
from domain.table.rules import Game

# A hand, the stock, and open cards of which at least one entry was marked unsure.
COMMON_KINDS = ("hand", "stock", "shown")


class Location(Struct, frozen=True):
    """A location: its places, the owner's seat, and the index of a card in a row, from 0.

    `kind` is one of `COMMON_KINDS` or of the game's own (`Manifest.locations`).
    """

    kind: str
    places: tuple[int, ...]
    seat: int | None = None
    slot: int | None = None


class Hidden(Struct, frozen=True):
    """Knowledge of a deal in progress, with the locations of its unseen cards."""

    pack: Pack
    knowledge: Any  # of `domain.inference`
    locations: tuple[Location, ...]


def hand_locations(game: Game) -> tuple[Location, ...]:
    """Return the location of each seat's hand; the place number of a hand is its seat.

    >>> from domain.replay import opening
    >>> from schemas.euchre import Options
    >>> [location.places for location in hand_locations(opening("euchre", Options(), 4))]
    [(0,), (1,), (2,), (3,)]
    """
    return tuple(Location("hand", (seat,), seat) for seat in range(game.seats))


def make_hidden_finder(
    pack: Callable[[Game], Pack], locations: Callable[[Game], tuple[Location, ...]]
) -> Callable[[Game], Hidden | None]:
    """Return a function for `Manifest.hidden`; it returns None without a deal or without knowledge.

    Both are called only for a game with a deal in progress; a pack may depend on its seats.
    """

    def hidden(game: Game) -> Hidden | None:
        if game.deal is None or game.deal.knowledge is None:
            return None
        return Hidden(pack(game), game.deal.knowledge, locations(game))

    return hidden
