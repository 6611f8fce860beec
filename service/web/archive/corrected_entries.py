"""What corrections struck out: which entries of the log each of them changed."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from domain.table.history import Step
from schemas.entries import Entry
from service.play.moments import Moment
from service.store.records import StoredEntry
from service.web.recorder.entries.timeline import CORRECTIONS, EntryPlace


class CorrectedEntry(Struct, frozen=True, kw_only=True):
    """An entry that stood at a place of the log before a correction, and does so no more."""

    place: EntryPlace
    entry: Entry


def struck_by(moment: Moment, version: int) -> list[CorrectedEntry]:
    """Return what the entry at `version` struck out, the first one first; nothing, mostly."""
    if moment.folded.rows[version - 1].type not in CORRECTIONS:
        return []
    history = moment.folded.history
    before, after = _apart(history.head(version - 1), history.head(version))
    stands = {(step.version, step.part): step.entry for step in after}
    return [
        CorrectedEntry(place=place, entry=step.entry)
        for step in before
        if stands.get(place := (step.version, step.part)) != step.entry
    ]


def put_right(moment: Moment) -> Mapping[EntryPlace, StoredEntry]:
    """Return, by the place of an entry that was struck out, the correction that did so last."""
    return {
        one.place: row
        for row in moment.folded.rows
        if row.type in CORRECTIONS
        for one in struck_by(moment, row.version)
    }


def _apart(one: Step | None, other: Step | None) -> tuple[Sequence[Step], Sequence[Step]]:
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
    return _before(ones, shared), _before(others, shared)


def _before(steps: Mapping[int, Step], shared: set[int]) -> list[Step]:
    found: list[Step] = []
    for key, step in steps.items():
        if key in shared:
            break
        found.append(step)
    return found[::-1]
