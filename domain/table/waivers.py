"""Whether waiving a clause helps: a table can let only that pass which has a meaning afterwards."""

from collections.abc import Sequence

from msgspec.structs import replace

from domain.table.history import History
from domain.table.refusal import Refusal
from schemas.entries import Entry, is_amend, is_splice


def helps(history: History, earlier: Sequence[Entry], entry: Entry, rule: str) -> bool:
    """Tell whether an entry would stand after `earlier` ones if it waived a clause that it breaks.

    Other clauses it breaks then are waived too, for somebody can be asked about one at a time.
    """
    twin = history.copy()
    for one in earlier:
        if isinstance(twin.judge(one), Refusal):
            return False
    while rule not in _waived(entry):
        entry = _waiving(entry, rule)
        judged = twin.judge(entry)
        if not isinstance(judged, Refusal):
            return True
        rule = judged.rule
    return False


def helps_correct(history: History, correction: Entry, rule: str) -> bool:
    """Tell whether what a correction puts in place would stand if it waived a clause it breaks.

    What falls later is another question, and asked where all consequences are shown.
    """
    while rule not in _waived(correction):
        correction = _waiving(correction, rule)
        preview = history.preview(correction)
        if preview.refusal is None or preview.fallen:
            return True
        rule = preview.refusal.rule
    return False


def _waived(entry: Entry) -> tuple[str, ...]:
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
