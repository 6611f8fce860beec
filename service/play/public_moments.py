"""A game as anybody may see it: up to a moment, and of the deal in progress what everybody saw."""

from collections.abc import Sequence

from msgspec.structs import replace

from domain.games import GAMES
from domain.table.manifest import Manifest
from domain.table.viewpoint import masked
from schemas.catalogue import encode
from schemas.entries import Entry, is_amend, is_splice
from schemas.upcast import WHOLE
from service.play.game_cache import Folded, decoded
from service.play.game_rows import Rows
from service.play.moments import Moment
from service.play.possibilities import over_until
from service.store.records import StoredEntry


def for_anybody(now: Moment, until: int | None) -> Moment:
    """Return the game up to a version (None, or one that is not reached: as it stands)."""
    shown = now.at(now.version if until is None else max(1, min(until, now.version)))
    over = over_until(now)
    if shown.version <= over:
        return shown
    folded = without_private(shown.folded, over, GAMES[now.ruleset])
    return replace(shown, folded=folded)


def without_private(folded: Folded, after: int, manifest: Manifest) -> Folded:
    """Fold a log anew, the entries later than version `after` without what only one seat saw."""
    rows = folded.rows[after:]
    entries = decoded(folded.shapes, rows)
    shown = [_masked(manifest, entry) for entry in entries]
    if shown == entries:
        return folded
    history = folded.history.until(after)
    history.restore(shown)
    told = [_row(row, was, now) for row, was, now in zip(rows, entries, shown, strict=True)]
    return replace(folded, rows=Rows.of([*folded.rows[:after], *told]), history=history)


def _masked(manifest: Manifest, entry: Entry) -> Entry:
    if is_amend(entry):
        return replace(entry, move=_one(manifest, entry.move))
    if is_splice(entry):
        return replace(entry, moves=_all(manifest, entry.moves))
    return _one(manifest, entry)


def _all(manifest: Manifest, moves: Sequence[Entry]) -> tuple[Entry, ...]:
    return tuple(_one(manifest, move) for move in moves)


def _one(manifest: Manifest, entry: Entry) -> Entry:
    return masked(manifest.private, entry, None, hand_seen=manifest.hand_seen)


def _row(row: StoredEntry, was: Entry, now: Entry) -> StoredEntry:
    if was == now:
        return row
    return replace(row, schema_version=WHOLE, data=encode(now), text=None)
