"""Cards and sentences as templates say them."""

import pytest

from service.web.catalogs import catalog
from service.web.words import Words, sentence, to_json


@pytest.mark.parametrize(("language", "letters"), [("en", "AKQJ"), ("fr", "ARDV"), ("de", "AKDB")])
def test_card_letters_are_those_of_the_country(language: str, letters: str) -> None:
    words = Words(language, catalog(language))
    assert "".join(words.letter(f"{rank}S") for rank in "AKQJ") == letters


@pytest.mark.parametrize("language", ["en", "fr", "de"])
def test_ten_is_written_out(language: str) -> None:
    assert Words(language, catalog(language)).letter("TS") == "10"


@pytest.mark.parametrize(("language", "suit"), [("en", "clubs"), ("fr", "trèfle"), ("de", "Kreuz")])
def test_suits_have_names(language: str, suit: str) -> None:
    assert Words(language, catalog(language)).suit("C") == suit


def test_sentence_begins_with_a_capital() -> None:
    assert sentence("élan") == "Élan"


def test_what_has_no_json_is_an_error() -> None:
    with pytest.raises(TypeError):
        to_json(object())
