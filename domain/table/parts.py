"""Parts of a deal, such as the dealing, bouts and turns, for grouping its entries."""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from domain.table.rules import Game
from schemas.entries import Entry


class Part(Struct, frozen=True):
    """A kind of part with the types of entries that begin it.

    If `when` is given, an entry begins the part only if `when` is true for the deal before it.
    """

    kind: str
    entries: tuple[type[Entry], ...]
    when: Callable[[Any], bool] | None = None


def make_part_finder(*parts: Part) -> Callable[[Game, Entry], str | None]:
    """Return a function for `Manifest.part_begun_by`."""
    of = {entry: part for part in parts for entry in part.entries}

    def begins(game: Game, entry: Entry) -> str | None:
        part = of.get(type(entry))
        if part is None or (part.when and (game.deal is None or not part.when(game.deal))):
            return None
        return part.kind

    return begins
