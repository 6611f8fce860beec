"""Where the unseen cards of a deal in progress lie, as people say it."""

from typing import Any, Literal

from msgspec import Struct

from domain.table.cards import Pack

# A hand; a card of a row; what nobody has drawn; a card just drawn; laid away face down; cards that
# lie open elsewhere, of which one or more was marked unsure.
LocationKind = Literal["hand", "slot", "stock", "drawn", "away", "shown"]


class Location(Struct, frozen=True):
    """Where cards lie: the places of it, whose it is, and which card of a row, from 0."""

    kind: LocationKind
    places: tuple[int, ...]
    seat: int | None = None
    slot: int | None = None


class Hidden(Struct, frozen=True):
    """What is known of a deal in progress, and where its unseen cards can lie."""

    pack: Pack
    knowledge: Any  # of `domain.inference`
    locations: tuple[Location, ...]
