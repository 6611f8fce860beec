"""Where the unseen cards of a deal in progress lie, as people say it."""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from domain.table.cards import Pack
from domain.table.rules import Game

# A hand; what nobody has drawn; cards that lie open elsewhere, of which one or more was marked
# unsure.
COMMON_KINDS = ("hand", "stock", "shown")


class Location(Struct, frozen=True):
    """Where cards lie: the places of it, whose it is, and which card of a row, from 0.

    `kind`: one of all games, or of its own (`Manifest.locations`).
    """

    kind: str
    places: tuple[int, ...]
    seat: int | None = None
    slot: int | None = None


class Hidden(Struct, frozen=True):
    """What is known of a deal in progress, and where its unseen cards can lie."""

    pack: Pack
    knowledge: Any  # of `domain.inference`
    locations: tuple[Location, ...]


def hands(game: Game) -> tuple[Location, ...]:
    """Return the hand of each seat, whose cards lie at the place of its number."""
    return tuple(Location("hand", (seat,), seat) for seat in range(game.seats))


def followed(
    pack: Callable[[Any], Pack], locations: Callable[[Game], tuple[Location, ...]]
) -> Callable[[Game], Hidden | None]:
    """Return what tells where unseen cards lie; None without a deal, or without knowledge of it.

    `pack` takes the options; `locations` is asked of a game with a deal in progress.
    """

    def hidden(game: Game) -> Hidden | None:
        if game.deal is None or game.deal.knowledge is None:
            return None
        return Hidden(pack(game.options), game.deal.knowledge, locations(game))

    return hidden
