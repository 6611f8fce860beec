"""Erased texts of a game, and entries with a mark in their place."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from msgspec import json

from schemas.entries import Entry
from schemas.free_text import is_empty
from service.play.views import EntryView
from service.web.recorder.table.board import read_entry, without_text


def lost_texts(log: Sequence[EntryView]) -> set[int]:
    """Return the versions whose text, or the text that replaced it, was erased."""
    gone = [row for row in log if row.erased]
    amended = {read_entry(row)["version"] for row in gone if row.type == "amend"}
    return {row.version for row in gone} | amended


def standing_entry(version: int, now: Entry, lost: AbstractSet[int]) -> dict[str, Any]:
    """Return the effective entry at `version` as template data."""
    entry: dict[str, Any] = json.decode(json.encode(now))
    return without_text(entry) if version in lost and is_empty(now) else entry
