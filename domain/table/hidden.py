"""Where the unseen cards of a deal in progress lie, as people say it."""

from typing import Any

from msgspec import Struct

from domain.table.cards import Pack

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
