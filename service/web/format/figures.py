"""Numbers and dates in a reader's language."""

from datetime import date, datetime
from zoneinfo import ZoneInfo

from babel.dates import format_date, format_skeleton
from babel.numbers import format_decimal, format_percent
from msgspec import Struct

from schemas.days import day_without_time, in_zone

UNKNOWN = "–"


class FigureFormat(Struct, frozen=True, kw_only=True):
    """Formats numbers and dates for one reader.

    `locale` adds the region, which decides date formats.
    """

    language: str
    zone: ZoneInfo | None
    locale: str = ""

    def number(self, value: float | None, digits: int = 0) -> str:
        """Format a number with exactly `digits` decimals; None as a dash."""
        if value is None:
            return UNKNOWN
        pattern = "#,##0" + ("." + "0" * digits if digits else "")
        # Adding 0.0 turns -0.0 into 0.0.
        rounded = round(value, digits) + 0.0
        return _with_minus_sign(format_decimal(rounded, format=pattern, locale=self.language))

    def gain(self, value: float) -> str:
        """Format a change with one decimal and always a sign."""
        return f"{'+' if round(value, 1) > 0 else ''}{self.number(value, 1)}"

    def short(self, value: float) -> str:
        """Format a number with at most three decimals."""
        return _with_minus_sign(format_decimal(round(value, 3), locale=self.language))

    def share(self, value: float | None) -> str:
        """Format a fraction of 1 as a percentage; None as a dash."""
        return UNKNOWN if value is None else format_percent(value, locale=self.language)

    def day(self, moment: datetime) -> str:
        here = day_without_time(moment) or in_zone(moment, self.zone)
        return format_date(here, "short", locale=self.locale or self.language)

    def month(self, key: str) -> str:
        """Format a month such as `2026-03`; a year stays as it is."""
        year, _, month = key.partition("-")
        if not month:
            return year
        return format_skeleton(
            "yMMM", date(int(year), int(month), 1), locale=self.locale or self.language
        )


def _with_minus_sign(text: str) -> str:
    return text.replace("-", "−")
