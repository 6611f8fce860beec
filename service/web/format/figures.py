"""Figures in a reader's language: decimals, shares, days."""

from datetime import datetime
from zoneinfo import ZoneInfo

from babel.dates import format_date
from babel.numbers import format_decimal, format_percent
from msgspec import Struct

UNKNOWN = "–"


class Say(Struct, frozen=True, kw_only=True):
    """Says figures to one reader; `locale`: how days are written where the reader lives."""

    language: str
    zone: ZoneInfo | None
    locale: str = ""

    def number(self, value: float | None, digits: int = 0) -> str:
        """Say a number, rounded to some digits after the point, all of them shown."""
        if value is None:
            return UNKNOWN
        pattern = "#,##0" + ("." + "0" * digits if digits else "")
        # A zero has no sign, whichever side it was rounded from.
        rounded = round(value, digits) + 0.0
        return _signed(format_decimal(rounded, format=pattern, locale=self.language))

    def short(self, value: float) -> str:
        """Say a number with as many digits as it takes, three at most."""
        return _signed(format_decimal(round(value, 3), locale=self.language))

    def share(self, value: float | None) -> str:
        """Say a share, 1 being the whole."""
        return UNKNOWN if value is None else format_percent(value, locale=self.language)

    def day(self, moment: datetime) -> str:
        """Say a day, short."""
        here = moment.astimezone(self.zone)
        return format_date(here, "short", locale=self.locale or self.language)


def _signed(said: str) -> str:
    return said.replace("-", "−")
