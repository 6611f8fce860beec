"""Cards and sentences as templates say them."""

import pytest

from service.web.format.catalogs import catalog
from service.web.format.preferences import Preferences
from service.web.format.render import environment
from service.web.format.template_filters import TemplateFilters, sentence, to_json


@pytest.mark.parametrize(("language", "letters"), [("en", "AKQJ"), ("fr", "ARDV"), ("de", "AKDB")])
def test_card_letters_are_those_of_the_country(language: str, letters: str) -> None:
    words = TemplateFilters(language, catalog(language))
    assert "".join(words.letter(f"{rank}S") for rank in "AKQJ") == letters


@pytest.mark.parametrize("language", ["en", "fr", "de"])
def test_ten_is_written_out(language: str) -> None:
    assert TemplateFilters(language, catalog(language)).letter("TS") == "10"


@pytest.mark.parametrize(("language", "suit"), [("en", "clubs"), ("fr", "trèfle"), ("de", "Kreuz")])
def test_suits_have_names(language: str, suit: str) -> None:
    assert TemplateFilters(language, catalog(language)).suit("C") == suit


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ["45 min", "2 hr", "1 hr 15 min"]),
        ("fr", ["45 min", "2 h", "1 h 15 min"]),
        ("de", ["45 Min.", "2 Std.", "1 Std. 15 Min."]),
    ],
)
def test_time_that_passed_is_said_in_hours_and_minutes(language: str, said: list[str]) -> None:
    words = TemplateFilters(language, catalog(language))
    told = [words.duration(minutes).replace("\xa0", " ") for minutes in (45, 120, 75)]
    assert [one.replace("\u202f", " ") for one in told] == said


def test_sentence_begins_with_a_capital() -> None:
    assert sentence("élan") == "Élan"


@pytest.mark.parametrize(
    ("locale", "day"),
    [
        ("en_US", "Dec 31, 2026"),
        ("en_GB", "31 Dec 2026"),
        ("fr", "31 déc. 2026"),
        ("de", "31. Dez. 2026"),
    ],
)
def test_day_is_written_as_where_the_reader_lives(locale: str, day: str) -> None:
    said = environment(locale[:2]).from_string("{{ typed|day }}")
    look = Preferences(language=locale[:2], locale=locale, chosen=True, theme="auto", suits="two")
    assert said.render(typed="2026-12-31", look=look) == day
    assert said.render(typed="the 31st", look=look) == "the 31st"


@pytest.mark.parametrize(
    ("language", "said", "number"),
    [("en", "Ann and Bob", "1,000"), ("fr", "Ann et Bob", "1 000"), ("de", "Ann und Bob", "1.000")],
)
def test_names_and_numbers_follow_the_language(language: str, said: str, number: str) -> None:
    words = TemplateFilters(language, catalog(language))
    assert words.together(["Ann", "Bob"]) == said
    assert words.counted(1000).replace("\u202f", " ") == number


def test_what_has_no_json_is_an_error() -> None:
    with pytest.raises(TypeError):
        to_json(object())
