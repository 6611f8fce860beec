"""Cells of score tables as days and whole numbers, in the spellings of three languages."""

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, time, timedelta, timezone
from functools import cache
from typing import Literal

from babel.dates import get_day_names, get_month_names
from msgspec import Struct

from service.extensions.score_books.tables import Cell
from service.transfer.games_from_points import whole_number

DayOrder = Literal["dmy", "mdy"]

_LANGUAGES = ("en", "fr", "de")
_CENTURY = 100
_MONTHS_IN_YEAR = 12
_NOON_HOUR = 12
_YEAR_FIRST = re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})")
_YEAR_LAST = re.compile(r"(\d{1,2})([-/.])\s?(\d{1,2})\2\s?(\d{4}|\d{2})")
_HOUR = re.compile(
    r"(?:[ ,T]+|\s+(?:um|at|à)\s+)(\d{1,2})(?:[:h.](\d{2})(?::\d{2}(?:[.,]\d+)?)?)?\s*"
    r"(am|pm|h|uhr)?\s*(z|utc|gmt|(?:utc|gmt)?([+\-\u2212])(\d{1,2})(?::?(\d{2}))?)?$",
    re.IGNORECASE,
)
_PARTS = re.compile(r"[^\W\d_]+|\d+")
_ORDINALS = frozenset({"st", "nd", "rd", "th", "er", "le", "the", "of", "den", "der", "am", "du"})
_MORE_MONTHS = {"mrz": 3, "maerz": 3, "sept": 9, "fevrier": 2, "aout": 8, "decembre": 12}

_FRACTION = re.compile(r"[+\-\u2212\u2013]?\d+([.,])(\d+)")
_GROUP_LENGTH = 3


class WrittenDay(Struct, frozen=True):
    """A day. `hour` None: not written; aware if its offset is written.

    `unclear`: day and month could be exchanged.
    """

    day: date
    hour: time | None = None
    unclear: bool = False


def decimal_marks(cells: Iterable[Cell]) -> frozenset[str]:
    """Return the marks that must be decimal ones, as in "10,5" or "0.500"."""
    marks: set[str] = set()
    for cell in cells:
        found = _FRACTION.fullmatch(cell) if isinstance(cell, str) else None
        if found is not None and (len(found[2]) != _GROUP_LENGTH or whole_number(cell) is None):
            marks |= {found[1]} if found[2].strip("0") else set()
    return frozenset(marks)


def day_order(cells: Iterable[Cell]) -> DayOrder | None:
    """Return the order of day and month that most cells of a column prove; None if none does."""
    votes = {"dmy": 0, "mdy": 0}
    for cell in cells:
        found = _YEAR_LAST.fullmatch(_without_hour(str(cell))[0]) if isinstance(cell, str) else None
        if found is None:
            continue
        first, second = int(found[1]), int(found[3])
        if first > _MONTHS_IN_YEAR >= second:
            votes["dmy"] += 1
        elif second > _MONTHS_IN_YEAR >= first:
            votes["mdy"] += 1
        elif found[2] == "." and votes["dmy"] == 0:
            # Dates with points are never month first.
            votes["dmy"] += 1
    if not any(votes.values()):
        return None
    return "mdy" if votes["mdy"] > votes["dmy"] else "dmy"


def read_day(cell: Cell, order: DayOrder | None, latest_year: int) -> WrittenDay | None:
    """Parse a day; two-digit years end with `latest_year`. `order` None: unknown."""
    if isinstance(cell, datetime):
        return WrittenDay(cell.date(), cell.time())
    if isinstance(cell, date):
        return WrittenDay(cell)
    if not isinstance(cell, str):
        return None
    text, hour = _without_hour(cell)
    try:
        if found := _YEAR_FIRST.fullmatch(text):
            return WrittenDay(date(int(found[1]), int(found[3]), int(found[4])), hour)
        if found := _YEAR_LAST.fullmatch(text):
            one, two, year = int(found[1]), int(found[3]), _year(found[4], latest_year)
            unclear = order is None and one != two and max(one, two) <= _MONTHS_IN_YEAR
            day = date(year, one, two) if order == "mdy" else date(year, two, one)
            return WrittenDay(day, hour, unclear)
        named = _named_day(text, latest_year)
    except (ValueError, OverflowError):
        return None
    return None if named is None else WrittenDay(named, hour)


def _without_hour(text: str) -> tuple[str, time | None]:
    text = text.strip()
    found = _HOUR.search(text)
    if found is None or (found[2] is None and found[3] is None):
        return text, None
    hour, minute, half = int(found[1]), int(found[2] or 0), (found[3] or "").casefold()
    if half in {"am", "pm"}:
        hour = hour % _NOON_HOUR + (_NOON_HOUR if half == "pm" else 0)
    try:
        return text[: found.start()].strip(" ,"), time(hour, minute, tzinfo=_offset(found))
    except ValueError:
        return text, None


def _offset(found: re.Match[str]) -> timezone | None:
    if found[5] is None:
        return UTC if found[4] else None
    away = timedelta(hours=int(found[6]), minutes=int(found[7] or 0))
    return timezone(away if found[5] == "+" else -away)


def _year(text: str, latest: int) -> int:
    year = int(text)
    if len(text) > 2:  # noqa: PLR2004 -- digits
        return year
    year += latest - latest % _CENTURY
    return year - _CENTURY if year > latest else year


def _named_day(text: str, latest: int) -> date | None:
    """Parse a day with a named month: "12. März 2020", "May 4th, 2019", "sam. 4 mai 19"."""
    months, days = _names()
    numbers: list[str] = []
    month: int | None = None
    for part in _PARTS.findall(text.casefold()):
        if part.isdigit():
            numbers.append(part)
        elif part in months and month is None:
            month = months[part]
        elif part not in days and part not in _ORDINALS:
            return None
    if month is None or len(numbers) != 2:  # noqa: PLR2004 -- a day and a year
        return None
    day, year = numbers if len(numbers[0]) <= 2 else reversed(numbers)  # noqa: PLR2004 -- digits
    return date(_year(year, latest), month, int(day))


@cache
def _names() -> tuple[Mapping[str, int], frozenset[str]]:
    months: dict[str, int] = dict(_MORE_MONTHS)
    days: set[str] = set()
    for language in _LANGUAGES:
        for width in ("wide", "abbreviated"):
            for context in ("format", "stand-alone"):
                named = get_month_names(width, context, language)
                months |= {name.casefold().strip("."): number for number, name in named.items()}
                weekdays = get_day_names(width, context, language).values()
                days |= {name.casefold().strip(".") for name in weekdays}
    return months, frozenset(days)
