"""Repairs of a correction that makes later entries illegal, as entries ready to append."""

from collections.abc import Iterable, Sequence
from itertools import groupby

from msgspec import Struct

from domain.table import judgement
from domain.table.correction_effects import CorrectionEffects, SurvivingEntry
from domain.table.history import Edit, Step, edit_order, move_number
from domain.table.refusal import Refusal
from domain.table.rules import Choice, Game
from domain.table.turn_shift import Turns, TurnShift, find_turn_shift
from schemas.entries import SPLICED_MAX, Amend, Entry, Splice


class UnknownResult(Entry, frozen=True, tag="result"):
    """Placeholder for the result of a broken deal; the user fills in its fields."""


class Gap(Struct, frozen=True):
    """Position of a result to fill in.

    Index of the entry, index of its move, and the choice of values.
    """

    entry: int
    move: int
    choice: Choice
    game: Game


class Repair(Struct, frozen=True):
    """One repair: entries to append after the gaps are filled in."""

    entries: tuple[Entry, ...]
    gaps: tuple[Gap, ...] = ()


class Repairs(Struct, frozen=True):
    """The possible repairs; None for one that does not fit.

    `keep` keeps the later deals and replaces each broken one by its result. `back` removes
    everything from the first illegal entry on. `shift` gives the later moves to other players, for
    a turn that was forgotten or recorded twice.
    """

    keep: Repair | None
    back: Repair
    shift: TurnShift | None = None


def find_repairs(
    opening: Game,
    edit: Edit,
    correction: Entry,
    effects: CorrectionEffects,
    turns: Turns | None = None,
) -> Repairs | None:
    """Return the repairs, or None if no later entry becomes illegal."""
    first = _first_illegal(opening, edit)
    if first is None:
        return None
    return Repairs(
        _keep_later_deals(edit, correction, effects),
        _remove_later_entries(edit, correction, first),
        find_turn_shift(opening, edit, turns) if turns else None,
    )


def _first_illegal(opening: Game, edit: Edit) -> int | None:
    """Return the index of the first later entry that is illegal; negative: one of the moves."""
    game = edit.before.game if edit.before else opening
    for place, (version, part, entry, _) in enumerate(edit_order(edit), -len(edit.moves)):
        judged = judgement.judge(game, entry, move_number(version, part))
        if isinstance(judged, Refusal):
            return place
        while (caused := judgement.next_derived(judged)) is not None:
            judged = judgement.apply_derived(judged, caused)
        game = judged
    return None


def _remove_later_entries(edit: Edit, correction: Entry, first: int) -> Repair:
    falls = edit.later[first]
    gone = Splice[Entry](
        version=falls.version, part=falls.part, drop=len(edit.later) - first, moves=()
    )
    if edit.dropped or first:
        return Repair((gone, correction))
    # The entry in front of which the moves belong is removed too, so they are appended at the end.
    return Repair((gone, *(move for _, _, move in edit.moves)))


def _keep_later_deals(edit: Edit, correction: Entry, effects: CorrectionEffects) -> Repair | None:
    survivors = effects.survivors
    kept = {(kept.step.version, kept.step.part) for kept in survivors if kept.step is not None}
    fallen = [(step.version, step.part) not in kept for step in edit.later]
    gaps = {at: survivor.gap for at, survivor in enumerate(survivors) if survivor.gap is not None}
    if not gaps:
        if any(fallen):
            return None
        return Repair((*_waiving_amendments(survivors), correction))
    results = [_result_choice(game) for game in gaps.values()]
    last_fallen = max((place for place, falls in enumerate(fallen) if falls), default=-1)
    until = _splice_length(survivors, edit.later, last_fallen, [*gaps])
    moves = [move for _, _, move in edit.moves]
    spliced = [*moves, *(survivor.entry or UnknownResult() for survivor in survivors[:until])]
    if len(spliced) > SPLICED_MAX:
        return _keep_by_several_splices(edit, correction, effects, fallen, results)
    target = (*edit.dropped, *edit.later)[0]
    kept_before = sum(1 for survivor in survivors[:until] if survivor.step)
    drop = len(edit.dropped) + kept_before + sum(fallen)
    splice = Splice[Entry](
        version=target.version, part=target.part, drop=drop, moves=tuple(spliced)
    )
    waived = _waiving_amendments(survivors[until:])
    places = [
        Gap(len(waived), len(moves) + place, *result)
        for place, result in zip(gaps, results, strict=True)
        if result is not None
    ]
    return Repair((*waived, splice), tuple(places)) if len(places) == len(gaps) else None


def _keep_by_several_splices(
    edit: Edit,
    correction: Entry,
    effects: CorrectionEffects,
    fallen: Sequence[bool],
    results: Sequence[tuple[Choice, Game] | None],
) -> Repair | None:
    runs = [tuple(run) for falls, run in groupby(range(len(fallen)), fallen.__getitem__) if falls]
    if len(runs) != len(results):
        return None
    waived = _waiving_amendments(effects.survivors)
    splices = [
        Splice[Entry](
            version=edit.later[run[0]].version,
            part=edit.later[run[0]].part,
            drop=len(run),
            moves=(UnknownResult(),),
        )
        for run in reversed(runs)
    ]
    gaps = [
        Gap(len(waived) + place, 0, *result)
        for place, result in enumerate(reversed(results))
        if result is not None
    ]
    if len(gaps) < len(results):
        return None
    return Repair((*waived, *splices, correction), tuple(gaps))


def _waiving_amendments(kept: Iterable[SurvivingEntry]) -> tuple[Entry, ...]:
    return tuple(
        Amend[Entry](version=survivor.step.version, part=survivor.step.part, move=survivor.entry)
        for survivor in kept
        if survivor.step is not None
        and survivor.entry is not None
        and survivor.entry is not survivor.step.entry
    )


def _splice_length(
    kept: Sequence[SurvivingEntry], later: Sequence[Step], last: int, gaps: Sequence[int]
) -> int:
    """Return how many survivors a splice must replace: up to the last gap or fallen entry."""
    gone_before = {(step.version, step.part) for step in later[: last + 1]}
    behind = [
        place
        for place, survivor in enumerate(kept, 1)
        if survivor.step is not None and (survivor.step.version, survivor.step.part) in gone_before
    ]
    return max([*behind, *(place + 1 for place in gaps)], default=0)


def _result_choice(game: Game) -> tuple[Choice, Game] | None:
    results = [choice for choice in judgement.choices(game) if choice.type == "result"]
    return (results[0], game) if results else None
