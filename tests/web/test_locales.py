"""Days are written as where the reader lives; a text is told once in the file of its language."""

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

import service.web
from service.web.format.figures import FigureFormat
from service.web.format.preferences import locale_of

DAY = datetime(2026, 11, 22, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("language", "accepted", "locale"),
    [
        ("en", "en-GB,en;q=0.9", "en_GB"),
        ("en", "en-US,en;q=0.9", "en_US"),
        ("en", "de-AT, en-AU;q=0.5", "en_AU"),
        ("de", "de-AT, en-AU;q=0.5", "de_AT"),
        ("fr", "fr", "fr"),
        ("fr", "", "fr"),
        ("en", "en-ZZ", "en"),
        ("de", "en-GB", "de"),
    ],
)
def test_locale__is_the_first_region_of_the_language(
    language: str, accepted: str, locale: str
) -> None:
    assert locale_of(language, accepted) == locale


def test_day__is_written_as_in_britain_or_in_america() -> None:
    british = FigureFormat(language="en", zone=None, locale="en_GB").day(DAY)
    american = FigureFormat(language="en", zone=None, locale="en_US").day(DAY)
    assert british.startswith("22/11")
    assert american.startswith("11/22")


@pytest.mark.parametrize("language", ["de", "fr"])
def test_locale__tells_each_text_once(language: str) -> None:
    # The reader of these files takes the first of two translations, and says nothing of it.
    file = Path(str(service.web.__file__)).parent / "locale" / f"{language}.po"
    told = file.read_text("utf-8")
    assert re.search(r'^msgstr "', told, re.MULTILINE)
    assert not re.findall(r'^msgstr ".*"\nmsgstr .*$', told, re.MULTILINE)
