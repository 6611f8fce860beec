"""The parts a deal falls into, as the list of entries tells them: the dealing, bouts, turns."""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from domain.table.rules import Game
from schemas.entries import Entry


class Part(Struct, frozen=True):
    """A kind of part, and which types of entries begin it.

    `when` takes the deal before the entry: only then does it begin one; None: always.
    """

    kind: str
    entries: tuple[type[Entry], ...]
    when: Callable[[Any], bool] | None = None


def begun(*parts: Part) -> Callable[[Game, Entry], str | None]:
    """Return what tells, given the game before an entry, the kind of the part it begins."""
    of = {entry: part for part in parts for entry in part.entries}

    def begins(game: Game, entry: Entry) -> str | None:
        part = of.get(type(entry))
        if part is None or (part.when and (game.deal is None or not part.when(game.deal))):
            return None
        return part.kind

    return begins
