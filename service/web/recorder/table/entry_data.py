"""Entries of a log as template data."""

from collections.abc import Set as AbstractSet
from typing import Any

from msgspec import json

from schemas.entries import Entry
from schemas.free_text import is_empty
from service.play.views import EntryView

DERIVED = frozenset({"started", "deal_ended", "game_ended"})


def to_plain(value: object) -> Any:  # noqa: ANN401 JSON
    """Return structs as they are read from JSON: dicts and lists, which equal decoded ones."""
    return json.decode(json.encode(value))


def read_entry(entry: EntryView) -> dict[str, Any]:
    """Decode an entry for a template; `erased` marks an erased text."""
    found: dict[str, Any] = json.decode(entry.entry)
    return without_text(found) if entry.erased else found


def without_text(entry: dict[str, Any]) -> dict[str, Any]:
    """Mark an entry, or the moves of a correction, as erased."""
    if entry["type"] == "amend":
        return entry | {"move": without_text(entry["move"])}
    if entry["type"] == "splice":
        return entry | {"moves": [without_text(move) for move in entry["moves"]]}
    return entry | {"erased": True}


def standing_entry(version: int, now: Entry, lost: AbstractSet[int]) -> dict[str, Any]:
    """Return the effective entry at `version` as template data."""
    entry: dict[str, Any] = to_plain(now)
    return without_text(entry) if version in lost and is_empty(now) else entry
