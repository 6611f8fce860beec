"""What a deal left to complete: entries nobody was sure of, cards nobody saw, and missing moves."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from schemas.cards import UNSEEN
from service.play.views import EntryView
from service.web.recorder.table.board import read_entry


class Doubt(Struct, frozen=True, kw_only=True):
    """An entry to complete, where it stands; `sure` is the entry that says it was right."""

    version: int
    part: int
    entry: dict[str, Any]

    @property
    def gap(self) -> bool:
        """Tell whether something is missing before it."""
        return bool(self.entry["type"] == "note")

    @property
    def unseen(self) -> bool:
        """Tell whether it names no card: it cannot be said to have been so."""
        return not self.entry.get("unsure")

    @property
    def sure(self) -> dict[str, Any]:
        """Return the correction that leaves all as it was noted, and sure."""
        move = {name: value for name, value in self.entry.items() if name != "unsure"}
        return {"type": "amend", "version": self.version, "part": self.part, "move": move}


def doubts(
    deal: Sequence[EntryView], laid_open: Mapping[str, Sequence[str]] | None = None
) -> list[Doubt]:
    """List what a deal left to complete; `deal` is what stands of it.

    `laid_open`: by type of entry, the fields whose cards everybody could see.
    """
    return [
        Doubt(version=line.version, part=line.part, entry=entry)
        for line in deal
        if (entry := read_entry(line)).get("unsure")
        or _misses_a_card(entry, (laid_open or {}).get(line.type, ()))
    ]


def _misses_a_card(entry: Mapping[str, Any], fields: Sequence[str]) -> bool:
    return any(UNSEEN in (entry.get(field) or ()) for field in fields)
