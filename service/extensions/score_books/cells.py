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
        match = _FRACTION.fullmatch(cell) if isinstance(cell, str) else None
        if match is not None and (len(match[2]) != _GROUP_LENGTH or whole_number(cell) is None):
            marks |= {match[1]} if match[2].strip("0") else set()
    return frozenset(marks)


def day_order(cells: Iterable[Cell]) -> DayOrder | None:
    """Return the order of day and month that most cells of a column prove; None if none does."""
    votes = {"dmy": 0, "mdy": 0}
    for cell in cells:
        match = _YEAR_LAST.fullmatch(_without_hour(str(cell))[0]) if isinstance(cell, str) else None
        if match is None:
            continue
        first, second = int(match[1]), int(match[3])
        if first > _MONTHS_IN_YEAR >= second:
            votes["dmy"] += 1
        elif second > _MONTHS_IN_YEAR >= first:
            votes["mdy"] += 1
        elif match[2] == "." and votes["dmy"] == 0:
            # Dates with points are never month first.
            votes["dmy"] += 1
    if not any(votes.values()):
        return None
    return "mdy" if votes["mdy"] > votes["dmy"] else "dmy"


def read_day(cell: Cell, order: DayOrder | None, latest_year: int) -> WrittenDay | None:
    """Parse a day; two-digit years end with `latest_year`. `order` None: unknown."""
    try:
        return _parse_day(cell, order, latest_year)
    except (ValueError, OverflowError):
        return None


def is_day(cell: Cell) -> bool:
    """Return whether a cell is written like a day, also like one that does not exist.

    >>> is_day("29. Mai 2024"), is_day("31.02.2024"), is_day("Runde 3")
    (True, True, False)
    """
    try:
        return _parse_day(cell, None, date.max.year) is not None
    except (ValueError, OverflowError):
        return True


def _parse_day(cell: Cell, order: DayOrder | None, latest_year: int) -> WrittenDay | None:
    """Parse a day. Raises: ValueError, OverflowError (such a day does not exist)."""
    if isinstance(cell, datetime):
        return WrittenDay(cell.date(), cell.time())
    if isinstance(cell, date):
        return WrittenDay(cell)
    if not isinstance(cell, str):
        return None
    text, hour = _without_hour(cell)
    if match := _YEAR_FIRST.fullmatch(text):
        return WrittenDay(date(int(match[1]), int(match[3]), int(match[4])), hour)
    if match := _YEAR_LAST.fullmatch(text):
        one, two, year = int(match[1]), int(match[3]), _year(match[4], latest_year)
        # Days with points are never written month first.
        either = match[2] != "." and one != two and max(one, two) <= _MONTHS_IN_YEAR
        day = date(year, one, two) if order == "mdy" else date(year, two, one)
        return WrittenDay(day, hour, order is None and either)
    named = _named_day(text, latest_year)
    return None if named is None else WrittenDay(named, hour)


_DAY_IN_TEXT = re.compile(
    r"\d{4}-\d{1,2}-\d{1,2}|\d{1,2}([-/.])\d{1,2}\1(?:\d{4}|\d{2})"
    r"|\d{1,2}\.?(?:st|nd|rd|th|er)?\s+[^\W\d_]{3,}\.?\s+\d{4}"
    r"|[^\W\d_]{3,}\.?\s+\d{1,2}(?:st|nd|rd|th)?,?\s+\d{4}"
)


def days_in_text(text: str) -> list[str]:
    """Return what is written like a day in a title.

    >>> days_in_text("Skyjo, 31.02.2024, 10 Runden 2024")
    ['31.02.2024']
    """
    return [found[0] for found in _DAY_IN_TEXT.finditer(text) if is_day(found[0])]


def words_without_day(text: str) -> str:
    """Return a title without its day.

    >>> words_without_day("Belote du samedi 8 février 2025")
    'Belote'
    """
    words = _DAY_IN_TEXT.sub(" ", text).split()
    fillers = _names()[1] | _ORDINALS | {""}
    while words and words[-1].casefold().strip(".,:()–-") in fillers:
        words.pop()
    return " ".join(words).strip(" ,:–-")


def _without_hour(text: str) -> tuple[str, time | None]:
    text = text.strip()
    match = _HOUR.search(text)
    if match is None or (match[2] is None and match[3] is None):
        return text, None
    hour, minute, half = int(match[1]), int(match[2] or 0), (match[3] or "").casefold()
    if half in {"am", "pm"}:
        hour = hour % _NOON_HOUR + (_NOON_HOUR if half == "pm" else 0)
    try:
        return text[: match.start()].strip(" ,"), time(hour, minute, tzinfo=_offset(match))
    except ValueError:
        return text, None


def _offset(match: re.Match[str]) -> timezone | None:
    if match[5] is None:
        return UTC if match[4] else None
    away = timedelta(hours=int(match[6]), minutes=int(match[7] or 0))
    return timezone(away if match[5] == "+" else -away)


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
