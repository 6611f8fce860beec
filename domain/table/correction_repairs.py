"""Repairs of a correction that makes later entries illegal, as entries ready to append."""

from collections.abc import Iterable, Sequence
from itertools import takewhile

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
    kept = [one.step for one in effects.survivors if one.step is not None]
    standing = {(step.version, step.part) for step in kept}
    fallen = [(step.version, step.part) not in standing for step in edit.later]
    gaps = [place for place, one in enumerate(effects.survivors) if one.gap is not None]
    if not gaps and any(fallen):
        return None
    last = max((place for place, gone in enumerate(fallen) if gone), default=-1)
    until = _splice_length(effects.survivors, edit.later, last, gaps)
    results = [_result_choice(one.gap) for one in effects.survivors if one.gap is not None]
    if not gaps:
        return Repair((*_waiving_amendments(effects.survivors), correction))
    moves = [move for _, _, move in edit.moves]
    spliced = [*moves, *(one.entry or UnknownResult() for one in effects.survivors[:until])]
    if len(spliced) > SPLICED_MAX:
        return _keep_by_several_splices(edit, correction, effects, fallen, results)
    target = (*edit.dropped, *edit.later)[0]
    drop = len(edit.dropped) + sum(1 for one in effects.survivors[:until] if one.step) + sum(fallen)
    splice = Splice[Entry](
        version=target.version, part=target.part, drop=drop, moves=tuple(spliced)
    )
    waived = _waiving_amendments(effects.survivors[until:])
    places = [
        Gap(len(waived), len(moves) + place, *one)
        for place, one in zip(gaps, results, strict=True)
        if one is not None
    ]
    return Repair((*waived, splice), tuple(places)) if len(places) == len(gaps) else None


def _keep_by_several_splices(
    edit: Edit,
    correction: Entry,
    effects: CorrectionEffects,
    fallen: Sequence[bool],
    results: Sequence[tuple[Choice, Game] | None],
) -> Repair | None:
    runs = [
        (place, len(tuple(run)))
        for place, gone in enumerate(fallen)
        if gone and not (place and fallen[place - 1])
        for run in [takewhile(bool, fallen[place:])]
    ]
    waived = _waiving_amendments(effects.survivors)
    if len(runs) != len(results):
        return None
    splices = [
        Splice[Entry](
            version=edit.later[place].version,
            part=edit.later[place].part,
            drop=length,
            moves=(UnknownResult(),),
        )
        for place, length in reversed(runs)
    ]
    gaps = [
        Gap(len(waived) + place, 0, *one)
        for place, one in enumerate(reversed(results))
        if one is not None
    ]
    whole = len(gaps) == len(results)
    return Repair((*waived, *splices, correction), tuple(gaps)) if whole else None


def _waiving_amendments(kept: Iterable[SurvivingEntry]) -> tuple[Entry, ...]:
    return tuple(
        Amend[Entry](version=one.step.version, part=one.step.part, move=one.entry)
        for one in kept
        if one.step is not None and one.entry is not None and one.entry is not one.step.entry
    )


def _splice_length(
    kept: Sequence[SurvivingEntry], later: Sequence[Step], last: int, gaps: Sequence[int]
) -> int:
    gone_before = {(step.version, step.part) for step in later[: last + 1]}
    behind = [
        place
        for place, one in enumerate(kept, 1)
        if one.step is not None and (one.step.version, one.step.part) in gone_before
    ]
    return max([*behind, *(place + 1 for place in gaps)], default=0)


def _result_choice(game: Game) -> tuple[Choice, Game] | None:
    results = [choice for choice in judgement.choices(game) if choice.type == "result"]
    return (results[0], game) if results else None
