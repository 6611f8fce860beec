"""Timestamps that represent a day: games whose time of day is unknown."""

from datetime import MINYEAR, UTC, date, datetime, tzinfo

# Noon in UTC is the same day nearly everywhere. The microseconds are the mark: one moment of a
# clock in 86 million has them by chance.
_NOON = 12
_ORDER_MICROSECONDS = range(1, 1_000)


def timestamp_of_day(day: date, nth: int = 0) -> datetime:
    """Return the moment that stands for a day; `nth` keeps the games of a day in order.

    >>> timestamp_of_day(date(2019, 5, 4)).isoformat()
    '2019-05-04T12:00:00.000001+00:00'
    """
    mark = _ORDER_MICROSECONDS[min(nth, len(_ORDER_MICROSECONDS) - 1)]
    return datetime(day.year, day.month, day.day, _NOON, microsecond=mark, tzinfo=UTC)


def day_without_time(moment: datetime) -> date | None:
    """Return the day that a moment stands for; None: its hour is known."""
    there = in_zone(moment, UTC)
    noon = (there.hour, there.minute, there.second) == (_NOON, 0, 0)
    return there.date() if noon and there.microsecond in _ORDER_MICROSECONDS else None


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
