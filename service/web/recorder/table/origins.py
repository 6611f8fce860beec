"""Where on the table an entry lies: which entry laid a card that is in view."""

from collections.abc import Iterable, Iterator
from typing import cast
from uuid import UUID

from msgspec import UNSET

from domain.games import GAMES
from domain.table.history import Step
from schemas.catalogue import type_of
from schemas.entries import Entry

OPENING = "deal"


def of_this_deal(head: Step | None) -> Iterator[Step]:
    """Yield the steps of the last deal that was begun, the newest first.

    A deal that was entered by its result has no opening: the end of the one before bounds it.
    """
    ended = False
    while head is not None and not (ended and head.derived):
        yield head
        if type_of(head.entry) == OPENING:
            return
        ended = ended or bool(head.derived)
        head = head.before


def last_part(ruleset: str, head: Step | None) -> list[Entry]:
    """List what the last part of the deal is made of (a trick, a bout, a turn), oldest first."""
    begins = GAMES[ruleset].begins
    found: list[Entry] = []
    for step in of_this_deal(head) if begins else ():
        found.insert(0, step.entry)
        if step.before and begins and begins(step.before.game, step.entry):
            break
    return found


def laid_by(head: Step | None, card: str, fields: tuple[str, ...]) -> Step | None:
    """Find the last entry that names a card, in one of these fields where any are given."""
    return next((step for step in of_this_deal(head) if _names(step.entry, card, fields)), None)


def doubtful(head: Step | None) -> Step | None:
    """Return `head` if some entry of its deal was marked unsure; None: nobody doubts any."""
    return head if any(step.entry.unsure for step in of_this_deal(head)) else None


def _names(entry: Entry, card: str, fields: tuple[str, ...]) -> bool:
    encoded = zip(entry.__struct_encode_fields__, entry.__struct_fields__, strict=True)
    return any(
        _holds(getattr(entry, own), card) for told, own in encoded if not fields or told in fields
    )


def _holds(value: object, card: str) -> bool:
    if value is UNSET or not isinstance(value, str | tuple | list):
        return False
    if isinstance(value, str):
        return value == card
    return any(_holds(one, card) for one in cast("Iterable[object]", value))


def correcting(game_id: UUID, step: Step) -> str:
    """Return where an entry is corrected."""
    at = f"?part={step.part}" if step.part else ""
    return f"/games/{game_id}/correct/{step.version}{at}"
