"""Moments that stand for a day: games of which nobody wrote down the hour."""

from datetime import UTC, date, datetime

# Noon in UTC is the same day nearly everywhere. The microseconds are the mark: one moment of a
# clock in 86 million has them by chance.
_NOON = 12
_MARKS = range(1, 1_000)


def moment_of_day(day: date, nth: int = 0) -> datetime:
    """Return the moment that stands for a day; `nth` keeps the games of a day in order.

    >>> moment_of_day(date(2019, 5, 4)).isoformat()
    '2019-05-04T12:00:00.000001+00:00'
    """
    mark = _MARKS[min(nth, len(_MARKS) - 1)]
    return datetime(day.year, day.month, day.day, _NOON, microsecond=mark, tzinfo=UTC)


def day_alone(moment: datetime) -> date | None:
    """Return the day that a moment stands for; None: its hour is known."""
    try:
        there = moment.astimezone(UTC)
    except OverflowError:  # in UTC it lies outside the years 1 to 9999
        return None
    noon = (there.hour, there.minute, there.second) == (_NOON, 0, 0)
    return there.date() if noon and there.microsecond in _MARKS else None
