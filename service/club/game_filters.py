"""Which games somebody asks for, read from the parameters of an address.

Promises: the API and the pages read the same words alike; what cannot be read is a `Malformed` that
says which parameter and what was expected, never a guess.
"""

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta
from typing import Literal, TypeVar
from uuid import UUID

import msgspec
from msgspec import UNSET, Struct, UnsetType

from schemas.catalogue import SHAPES
from schemas.entries import Moment
from schemas.malformed import Malformed, read_fault
from service.store.listing import GameFilter
from service.store.records import SetAside

T = TypeVar("T", bound=Struct)

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_MOMENT = "a day (2024-05-09) or a moment with its time zone (2024-05-09T20:37:00Z)"


class FilterQuery(
    Struct,
    frozen=True,
    forbid_unknown_fields=True,
    kw_only=True,
    rename={"started_from": "from", "started_to": "to"},
):
    """Which games: those that fit every parameter that is given.

    `from` and `to`: when they started, as a day in UTC (both days included) or as a moment with its
    time zone (`to` excluded). `set_aside`: games that are set aside are left out, told too, or the
    only ones told.
    """

    player: UUID | UnsetType = UNSET
    ruleset: str | UnsetType = UNSET
    status: Literal["open", "finished"] | UnsetType = UNSET
    started_from: str | UnsetType = UNSET
    started_to: str | UnsetType = UNSET
    set_aside: SetAside = "exclude"


def read_parameters(given: Mapping[str, str], shape: type[T]) -> T | Malformed:
    """Read the parameters of an address strictly."""
    try:
        return msgspec.convert(given, shape, strict=False)
    except msgspec.ValidationError as fault:
        found = read_fault(fault, msgspec.json.encode(given), shape)
        return Malformed(path=f"$.query{found.path[1:]}", expected=found.expected)


def game_filter(query: FilterQuery) -> GameFilter | Malformed:
    """Make of a query what the lists of games are filtered by."""
    begin = read_moment("from", query.started_from)
    if isinstance(begin, Malformed):
        return begin
    end = read_moment("to", query.started_to, ends=True)
    if isinstance(end, Malformed):
        return end
    ruleset = read_ruleset(query.ruleset)
    if isinstance(ruleset, Malformed):
        return ruleset
    return GameFilter(
        player=None if query.player is UNSET else query.player,
        ruleset=ruleset,
        status=None if query.status is UNSET else query.status,
        started_from=begin,
        started_before=end,
        set_aside=query.set_aside,
    )


def read_ruleset(name: str | UnsetType) -> str | Malformed | None:
    """Read which game is asked for."""
    if name is UNSET:
        return None
    known = Malformed(path="$.query.ruleset", expected=f"one of {', '.join(SHAPES)}")
    return name if name in SHAPES else known


def read_moment(
    name: str, text: str | UnsetType, *, ends: bool = False
) -> datetime | Malformed | None:
    """Read a limit in time: a moment, or a day in UTC, which begins, or `ends`, the interval."""
    if text is UNSET:
        return None
    # A plus sign that nobody escaped arrives as a space.
    text = text.strip().replace(" ", "+")
    try:
        if _DAY.fullmatch(text):
            return _edge(msgspec.convert(text, date), ends=ends)
        return msgspec.convert(text, Moment)
    except msgspec.ValidationError:
        return Malformed(path=f"$.query.{name}", expected=_MOMENT)


def _edge(day: date, *, ends: bool) -> datetime:
    """Return when a day begins or, where it `ends`, the next one: none follows the last of all."""
    if ends and day == date.max:
        return datetime.max.replace(tzinfo=UTC)
    return datetime.combine(day + timedelta(days=ends), time.min, UTC)
