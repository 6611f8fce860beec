"""The effects of an entry before it is stored."""

from msgspec import Struct

from domain.games import GAMES
from domain.table.correction_effects import DealFate, follow_correction
from domain.table.correction_repairs import Repairs, find_repairs
from domain.table.history import History, Preview
from domain.table.waivers import waiving_helps, waiving_helps_correction
from schemas.entries import Entry, TakeBack, is_amend, is_splice


class Consequences(Struct, frozen=True, kw_only=True):
    """A preview, the fate of the deals (of a legal correction), and repairs.

    `waivable`: a refused entry would be legal if it waived the clause.
    """

    preview: Preview
    waivable: bool = False
    deals: tuple[DealFate, ...] = ()
    ways: Repairs | None = None


def consequences(history: History, entry: Entry) -> Consequences:
    """Compute the effects of an entry."""
    preview = history.preview(entry)
    refused = preview.refusal is not None and not preview.fallen
    if isinstance(entry, TakeBack) and not refused:
        return Consequences(preview=preview, deals=_taken_back(history, preview))
    if preview.edit is None or refused:
        return Consequences(
            preview=preview, waivable=refused and _waivable(history, entry, preview)
        )
    followed = follow_correction(history.opening, preview.edit)
    turns = GAMES[history.opening.rules.name].turns
    ways = find_repairs(history.opening, preview.edit, entry, followed, turns)
    return Consequences(preview=preview, deals=followed.deals, ways=ways)


def _waivable(history: History, entry: Entry, preview: Preview) -> bool:
    if preview.refusal is None:
        return False
    if is_amend(entry) or is_splice(entry):
        return waiving_helps_correction(history, entry, preview.refusal.rule)
    return waiving_helps(history, (), entry, preview.refusal.rule)


def _taken_back(history: History, preview: Preview) -> tuple[DealFate, ...]:
    left, again = preview.game.deals, preview.game.deal is not None
    found: list[DealFate] = []
    for number, points in enumerate(history.game.deals, 1):
        if left[:number] == history.game.deals[:number]:
            found.append(DealFate(number, "stands", points, points))
        else:
            goes_on = again and number == len(left) + 1
            found.append(DealFate(number, "changes" if goes_on else "dropped", points))
    return tuple(found)
