"""Whether waiving a clause makes an entry acceptable."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from domain.table.history import History, Step
from domain.table.refusal import Refusal
from schemas.entries import Amend, Entry, is_amend, is_splice


def waiving_helps(history: History, earlier: Sequence[Entry], entry: Entry, rule: str) -> bool:
    """Return whether an entry is accepted after `earlier` ones if it waives a clause it breaks.

    Further clauses that it then breaks are waived too, since a user confirms them one at a time.
    """
    twin = history.copy()
    for move in earlier:
        if isinstance(twin.judge(move), Refusal):
            return False
    while rule not in _waived_clauses(entry):
        entry = _waiving(entry, rule)
        judged = twin.judge(entry)
        if not isinstance(judged, Refusal):
            return True
        rule = judged.rule
    return False


def waiver_of_earlier_entry(
    history: History, version: int, rule: str, entries: Sequence[Entry]
) -> Amend[Any] | None:
    """Return the correction that waives a clause for the entry at `version`, if `entries` then fit.

    A card that shows a revoke breaks no rule; the card of the revoke did.
    """
    steps: list[Step] = []
    step = history.head(history.version)
    while step is not None and step.game.deal is not None:
        if step.version == version:
            steps.append(step)
        step = step.before
    if len(steps) != 1 or rule in _waived_clauses(steps[0].entry):
        return None
    move = _waiving(steps[0].entry, rule)
    correction = Amend(version=version, part=steps[0].part, move=move)
    twin = history.copy()
    if any(isinstance(twin.judge(again), Refusal) for again in (correction, *entries)):
        return None
    return correction


def waiving_helps_correction(history: History, correction: Entry, rule: str) -> bool:
    """Return whether the moves of a correction are accepted if they waive a clause they break.

    Later entries that would become illegal do not count.
    """
    while rule not in _waived_clauses(correction):
        correction = _waiving(correction, rule)
        preview = history.preview(correction)
        if preview.refusal is None or preview.fallen:
            return True
        rule = preview.refusal.rule
    return False


def _waived_clauses(entry: Entry) -> tuple[str, ...]:
    if is_splice(entry) and entry.moves:
        first, *others = (move.waive for move in entry.moves)
        return tuple(clause for clause in first if all(clause in other for other in others))
    return entry.move.waive if is_amend(entry) else entry.waive


def _waiving(entry: Entry, rule: str) -> Entry:
    if is_amend(entry):
        return replace(entry, move=_waiving(entry.move, rule))
    if is_splice(entry) and entry.moves:
        return replace(entry, moves=tuple(_waiving(move, rule) for move in entry.moves))
    return replace(entry, waive=(*entry.waive, rule))
