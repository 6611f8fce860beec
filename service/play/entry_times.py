"""Checks the times that entries claim (`at`)."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

from msgspec import UNSET, UnsetType

from schemas.entries import Entry, is_splice, moves_in
from schemas.strict_json import Malformed

AHEAD_MAX = timedelta(days=1)
BEHIND_MAX = timedelta(days=366)
# A correction may insert moves of an imported game.
EARLIEST = datetime(1900, 1, 1, tzinfo=UTC)


def check_times(entries: Sequence[Entry], now: datetime, root: str) -> Malformed | None:
    """Refuse times of a wrong clock; `root`: the JSON path of the entries.

    An entry may be a year late and a day early; moves of a correction start in 1900.
    """
    for index, entry in enumerate(entries):
        for path, at, earliest in _times(entry, now - BEHIND_MAX):
            if not isinstance(at, UnsetType) and not earliest <= at <= now + AHEAD_MAX:
                expected = f"a moment from {earliest:%Y-%m-%d} to {now + AHEAD_MAX:%Y-%m-%d}"
                return Malformed(path=f"{root}[{index}].{path}", expected=expected)
    return None


def _times(
    entry: Entry, earliest: datetime
) -> Iterator[tuple[str, datetime | UnsetType, datetime]]:
    if entry.at is not UNSET:
        yield "at", entry.at, earliest
    for place, move in enumerate(moves_in(entry)):
        yield f"moves[{place}].at" if is_splice(entry) else "move.at", move.at, EARLIEST
