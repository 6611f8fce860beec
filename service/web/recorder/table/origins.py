"""The entries behind the cards on the table."""

from collections.abc import Iterable, Iterator
from typing import Any, cast
from uuid import UUID

from msgspec import UNSET, to_builtins

from domain.games import GAMES, is_mistaken
from domain.table.history import Step
from schemas.catalogue import type_of
from schemas.entries import Entry

OPENING = "deal"


def of_this_deal(head: Step | None) -> Iterator[Step]:
    """Yield the steps of the last started deal, newest first."""
    ended = False
    while head is not None and not (ended and head.derived):
        yield head
        if type_of(head.entry) == OPENING:
            return
        ended = ended or bool(head.derived)
        head = head.before


def last_part(ruleset: str, head: Step | None) -> list[Entry]:
    """Return the steps of the last trick, bout or turn, oldest first."""
    begins = GAMES[ruleset].begins
    found: list[Entry] = []
    for step in of_this_deal(head) if begins else ():
        found.insert(0, step.entry)
        if step.before and begins and begins(step.before.game, step.entry):
            break
    return found


def laid_by(head: Step | None, card: str, fields: tuple[str, ...]) -> Step | None:
    """Return the last step that names a card, in one of these fields if any are given."""
    return next((step for step in of_this_deal(head) if _names(step.entry, card, fields)), None)


def doubtful(head: Step | None) -> Step | None:
    """Return `head` if an entry of its deal is unsure; else None."""
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


def entry_fields(step: Step) -> dict[str, Any]:
    """Return the fields of an entry for a template, with `wrong` if it is a punished mistake."""
    fields: dict[str, Any] = to_builtins(step.entry)
    return fields | {"wrong": True} if is_mistaken(step) else fields


def correction_url(game_id: UUID, step: Step) -> str:
    at = f"?part={step.part}" if step.part else ""
    return f"/games/{game_id}/correct/{step.version}{at}"
