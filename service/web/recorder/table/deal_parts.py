"""Parts of a deal: its tricks, bouts or turns, with their headings."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from domain.games import GAMES
from domain.table.history import Step
from domain.table.rules import Game
from schemas.catalogue import type_of

OPENING = "deal"


class DealPart(Struct, frozen=True, kw_only=True):
    """A part of a deal. `number` counts the parts of a `kind`, from 1.

    `seat`: the seat of its first entry; `kind` "": the entries before the first part.
    """

    kind: str = ""
    number: int = 0
    seat: int | None = None

    def heading(self, game: Any, names: Sequence[str]) -> str:  # noqa: ANN401 a template's macros
        if not self.kind or not game.part:
            return ""
        name = names[self.seat] if self.seat is not None else ""
        return str(game.part(self.kind, self.number, name)).strip()


class PartFinder:
    """Finds the parts of deals among steps of a game, given in their order."""

    def __init__(self, opening: Game) -> None:
        self._opening = opening
        self._begins = GAMES[opening.rules.name].part_begun_by
        self._counts: dict[str, int] = {}

    def begun_by(self, step: Step) -> DealPart | None:
        """Return the part that a step begins; None if it continues one."""
        if type_of(step.entry) == OPENING:
            self._counts = {}
        before = step.before.game if step.before else self._opening
        kind = self._begins(before, step.entry) if self._begins else None
        if not kind:
            return None
        self._counts[kind] = self._counts.get(kind, 0) + 1
        seat = getattr(step.entry, "seat", None)
        return DealPart(
            kind=kind, number=self._counts[kind], seat=seat if isinstance(seat, int) else None
        )
