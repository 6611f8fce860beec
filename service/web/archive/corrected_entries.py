"""The entries that each correction replaced or removed."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from domain.table.history import Step
from schemas.entries import Entry
from service.play.snapshots import GameSnapshot
from service.store.records import StoredEntry
from service.web.recorder.table.timeline import CORRECTIONS, EntryPlace


class CorrectedEntry(Struct, frozen=True, kw_only=True):
    """An entry of the effective history before a correction that no longer counts after it."""

    place: EntryPlace
    entry: Entry


def entries_corrected_by(snapshot: GameSnapshot, version: int) -> list[CorrectedEntry]:
    """Return the entries that the correction at `version` removed or changed, oldest first.

    Return an empty list for any other entry.
    """
    if snapshot.loaded.rows[version - 1].type not in CORRECTIONS:
        return []
    history = snapshot.loaded.history
    before, after = _diverging_steps(history.head(version - 1), history.head(version))
    effective = {(step.version, step.part): step.entry for step in after}
    return [
        CorrectedEntry(place=place, entry=step.entry)
        for step in before
        if effective.get(place := (step.version, step.part)) != step.entry
    ]


def latest_corrections(snapshot: GameSnapshot) -> Mapping[EntryPlace, StoredEntry]:
    """Return, by place of a corrected entry, the latest correction of it."""
    return {
        one.place: row
        for row in snapshot.loaded.rows
        if row.type in CORRECTIONS
        for one in entries_corrected_by(snapshot, row.version)
    }


def _diverging_steps(one: Step | None, other: Step | None) -> tuple[Sequence[Step], Sequence[Step]]:
    ones: dict[int, Step] = {}
    others: dict[int, Step] = {}
    while one is not None or other is not None:
        if one is not None:
            ones[id(one)] = one
            if id(one) in others:
                break
            one = one.before
        if other is not None:
            others[id(other)] = other
            if id(other) in ones:
                break
            other = other.before
    shared = ones.keys() & others.keys()
    return _until_shared(ones, shared), _until_shared(others, shared)


def _until_shared(steps: Mapping[int, Step], shared: set[int]) -> list[Step]:
    own_steps: list[Step] = []
    for key, step in steps.items():
        if key in shared:
            break
        own_steps.append(step)
    return own_steps[::-1]
