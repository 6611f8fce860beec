"""What an entry would do, told before it is stored: to the entries, to the deals, and the ways out.

Promises: pure; what is shown is what judging the entry, or a way out, would do.
"""

from msgspec import Struct

from domain.table.casualties import DealFate, course
from domain.table.history import History, Preview
from domain.table.ways_out import WaysOut, ways_out
from schemas.entries import Entry, TakeBack


class Consequences(Struct, frozen=True, kw_only=True):
    """A preview, what becomes of the deals (of a correction that can stand), and the ways out."""

    preview: Preview
    deals: tuple[DealFate, ...] = ()
    ways: WaysOut | None = None


def consequences(history: History, entry: Entry) -> Consequences:
    """Find out what an entry would do."""
    preview = history.preview(entry)
    refused = preview.refusal is not None and not preview.fallen
    if isinstance(entry, TakeBack) and not refused:
        return Consequences(preview=preview, deals=_taken_back(history, preview))
    if preview.edit is None or refused:
        return Consequences(preview=preview)
    followed = course(history.opening, preview.edit)
    ways = ways_out(history.opening, preview.edit, entry, followed)
    return Consequences(preview=preview, deals=followed.deals, ways=ways)


def _taken_back(history: History, preview: Preview) -> tuple[DealFate, ...]:
    """Tell which deals are left after a taking back."""
    left = preview.game.deals
    return tuple(
        DealFate(number, "stands", points, points)
        if left[:number] == history.game.deals[:number]
        else DealFate(number, "dropped", points)
        for number, points in enumerate(history.game.deals, 1)
    )
