import re
from datetime import UTC, datetime
from pathlib import Path
from typing import cast
from zoneinfo import ZoneInfo

import pytest
from jinja2 import BaseLoader, Environment

import service
from service.language.sentence import LANGUAGES
from service.web.format.catalogs import alphabetical_key, catalog
from service.web.format.chart import clip, clusters
from service.web.format.environments import environment, faces_environment
from service.web.format.figures import FigureFormat
from service.web.format.preferences import Preferences, locale_of
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
    ("started", "said"),
    [
        (datetime(2026, 11, 29, 19, 10, tzinfo=UTC), "20:10"),
        (datetime(2026, 11, 29, 23, 20, tzinfo=UTC), "30. Nov. 2026, 00:20"),
    ],
    ids=["that-day", "after-midnight"],
)
def test_below_the_day_of_an_evening_a_game_has_its_time_alone(
    started: datetime, said: str
) -> None:
    zone = ZoneInfo("Europe/Zurich")
    look = Preferences(
        language="de", locale="de_CH", chosen=True, theme="auto", suits="two", zone=zone
    )
    row = environment("de").from_string("{{ started|played_on('recorded', heading) }}")
    heading = datetime(2026, 11, 29, 17, 30, tzinfo=UTC)
    html = row.render(started=started, heading=heading, look=look)
    assert html.endswith(f">{said}</time>")


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


FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
THUMB = "\U0001f44d\U0001f3fd"
FRANCE, GERMANY = "\U0001f1eb\U0001f1f7", "\U0001f1e9\U0001f1ea"


def test_joined_signs_are_one_character() -> None:
    signs = ["a", "e\u0301", FAMILY, THUMB, FRANCE, GERMANY, "\u2764\ufe0f", "z"]
    assert list(clusters("".join(signs))) == signs


@pytest.mark.parametrize(
    ("name", "width", "cut"),
    [
        ("Ann", 10, "Ann"),
        ("Maximiliane", 10, "Maximilia…"),
        ("Anne Marie", 6, "Anne…"),
        (f"ab{FAMILY}cd", 4, "ab…"),
        (f"ab{FAMILY}cd", 5, f"ab{FAMILY}…"),
        ("李小龍李小龍", 6, "李小…"),
        ("", 3, ""),
    ],
)
def test_a_name_is_cut_to_a_width(name: str, width: int, cut: str) -> None:
    assert clip(name, width) == cut


def test_accents_count_only_between_names_that_are_otherwise_alike() -> None:
    names = ["Ebba", "Eliot", "Éliot", "Élodie", "Emma", "Zoe", "Zoë", "Zoé"]
    ordered = sorted([*names[1::2], *names[::2]], key=alphabetical_key)
    assert ordered[:5] == names[:5]
    assert ordered[5] == "Zoe"


def test_ligatures_are_the_letters_they_are_made_of() -> None:
    names = ["Odile", "Œdipe", "Olaf", "Østen", "Otto", "Straßer", "Strasser", "Strauß"]
    ordered = sorted([*names[1::2], *names[::2]], key=alphabetical_key)
    assert ordered[:5] == names[:5]
    assert {*ordered[5:7]} == {"Straßer", "Strasser"}


def test_case_does_not_part_names() -> None:
    assert sorted(["Zoé", "anna", "Bob"], key=alphabetical_key) == ["anna", "Bob", "Zoé"]


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
    # The reader of these files silently takes the first of two translations.
    files = [*Path(str(service.__file__)).parent.glob(f"**/locale/{language}.po")]
    assert len(files) > 1
    for file in files:
        told = file.read_text("utf-8")
        assert re.search(r'^msgstr "', told, re.MULTILINE)
        assert not re.findall(r'^msgstr ".*"\nmsgstr .*$', told, re.MULTILINE)


# Each is found below its folder's path too.
TEMPLATES = [
    name
    for name in environment("en").list_templates(extensions=["html"])
    if "/templates/" not in name
]


def compiled(env: Environment, name: str) -> str:
    source, path, _ = cast("BaseLoader", env.loader).get_source(env, name)
    return env.compile(source, name, path, raw=True)


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_template_is_compiled_to_the_same_whatever_the_language(name: str) -> None:
    ways = (environment("en"), environment("fr"), faces_environment("de", spoken_too=True))
    assert len({compiled(env, name) for env in ways}) == 1


@pytest.mark.parametrize("name", ["entries_page.html", "games/euchre.html"])
def test_what_was_compiled_for_one_language_is_not_compiled_for_another(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment("en").get_template(name)
    fresh = environment.__wrapped__("de")

    def refuse(*_: object, **__: object) -> None:
        pytest.fail("compiled again")

    monkeypatch.setattr(fresh, "compile", refuse)
    assert fresh.get_template(name).name == name


def test_words_of_every_language_stay_apart() -> None:
    told = {
        language: environment(language)
        .from_string("{{ 'erased'|word }} {{ _('unsure') }}")
        .render()
        for language in LANGUAGES
    }
    assert len(set(told.values())) == len(LANGUAGES)
