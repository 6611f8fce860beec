"""Open doubts of a deal: unsure entries, unseen cards and missing moves."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from schemas.cards import UNSEEN
from service.play.views import EntryView
from service.web.recorder.table.entry_data import read_entry


class Doubt(Struct, frozen=True, kw_only=True):
    """An entry to complete, with its place."""

    version: int
    part: int
    entry: dict[str, Any]

    @property
    def gap(self) -> bool:
        return bool(self.entry["type"] == "note")

    @property
    def unseen(self) -> bool:
        """Whether it names no card, so that it cannot be confirmed."""
        return not self.entry.get("unsure")

    @property
    def sure(self) -> dict[str, Any]:
        """The correction that confirms the entry unchanged."""
        move = {name: value for name, value in self.entry.items() if name != "unsure"}
        return {"type": "amend", "version": self.version, "part": self.part, "move": move}


def doubts(
    deal: Sequence[EntryView], laid_open: Mapping[str, Sequence[str]] | None = None
) -> list[Doubt]:
    """Return the open doubts of the last ended deal; `log` is the effective history.

    `laid_open`: fields whose cards are visible to all, by entry type.
    """
    return [
        Doubt(version=line.version, part=line.part, entry=entry)
        for line in deal
        if (entry := read_entry(line)).get("unsure")
        or _misses_a_card(entry, (laid_open or {}).get(line.type, ()))
    ]


def _misses_a_card(entry: Mapping[str, Any], fields: Sequence[str]) -> bool:
    return any(UNSEEN in (entry.get(field) or ()) for field in fields)
