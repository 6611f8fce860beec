"""Figures read as people of a language write them; what nobody knows is a dash."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from service.web.format.figures import FigureFormat

PARIS = ZoneInfo("Europe/Paris")


@pytest.mark.parametrize(
    ("language", "number", "share", "day"),
    [
        ("en", "−1,234.5", "67%", "1/1/27"),
        ("fr", "−1\u202f234,5", "67\u00a0%", "01/01/2027"),
        ("de", "−1.234,5", "67\u00a0%", "01.01.27"),
    ],
)
def test_figures_follow_the_language(language: str, number: str, share: str, day: str) -> None:
    say = FigureFormat(language=language, zone=PARIS)
    assert say.number(-1234.46, 1) == number
    assert say.share(2 / 3) == share
    assert say.day(datetime(2026, 12, 31, 23, 30, tzinfo=UTC)) == day


def test_what_nobody_knows_is_a_dash() -> None:
    say = FigureFormat(language="en", zone=None)
    assert say.number(None, 1) == say.share(None) == "–"


def test_nothing_is_never_less_than_nothing() -> None:
    assert FigureFormat(language="en", zone=None).number(-0.04, 1) == "0.0"


def test_a_tick_has_as_many_digits_as_it_takes() -> None:
    say = FigureFormat(language="fr", zone=None)
    assert [say.short(value) for value in (5.0, 0.5, -10)] == ["5", "0,5", "−10"]
