"""Moments that stand for a day: games of which nobody wrote down the hour."""

from datetime import MINYEAR, UTC, date, datetime, tzinfo

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
    there = in_zone(moment, UTC)
    noon = (there.hour, there.minute, there.second) == (_NOON, 0, 0)
    return there.date() if noon and there.microsecond in _MARKS else None


def in_zone(moment: datetime, zone: tzinfo | None) -> datetime:
    """Convert a moment to a zone (None: the machine's), within the years 1 to 9999 there.

    >>> from datetime import timedelta, timezone
    >>> first = datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=14)))
    >>> in_zone(first, UTC).isoformat()
    '0001-01-01T00:00:00+00:00'
    """
    try:
        return moment.astimezone(zone)
    except (OverflowError, ValueError):
        zone = zone or UTC
        if moment.year == MINYEAR:
            return datetime.min.replace(tzinfo=zone)
        return datetime.max.replace(tzinfo=zone)
