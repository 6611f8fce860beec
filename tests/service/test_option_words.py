from collections.abc import Iterator

import msgspec
import pytest
from msgspec import inspect

from schemas import durak, dutch, euchre
from schemas.catalogue import SHAPES, shapes
from service.language.sentence import LANGUAGES
from service.language.texts import texts

NUMBER = 4242


def values_of(of: inspect.Type) -> Iterator[object]:
    match of:
        case inspect.UnionType(types=types):
            for one in types:
                yield from values_of(one)
        case inspect.LiteralType(values=values):
            yield from values
        case inspect.BoolType():
            yield from (True, False)
        case inspect.NoneType():
            yield None
        case _:
            yield NUMBER


def choices(ruleset: str) -> Iterator[tuple[str, object]]:
    shape = inspect.type_info(shapes(ruleset).options)
    assert isinstance(shape, inspect.StructType)
    for field in shape.fields:
        for value in values_of(field.type):
            yield field.name, value


@pytest.mark.parametrize("ruleset", SHAPES)
def test_every_value_of_every_option_is_worded_in_every_language(ruleset: str) -> None:
    said = texts().option
    for name, value in choices(ruleset):
        worded = [said(ruleset, name, value, lang) for lang in LANGUAGES]
        assert len(set(worded)) == len(LANGUAGES), (name, value)
        assert all(not words.startswith(f"{name}: ") for words in worded), worded
        assert all(str(NUMBER) in words for words in worded) or value != NUMBER


def test_an_option_without_words_is_told_as_written() -> None:
    assert texts().option("euchre", "deck_of", None, "fr") == "deck_of: null"


def test_only_what_differs_from_the_usual_was_chosen() -> None:
    usual = euchre.Options()
    assert shapes("euchre").non_default_options(usual, 2) == {}
    assert shapes("euchre").non_default_options(msgspec.structs.replace(usual, deck=32), 2) == {
        "deck": 32
    }


def test_an_option_without_default_was_always_chosen() -> None:
    options = durak.complete_options(durak.Options(rules="de", transfer=False), 3)
    assert shapes("durak").non_default_options(options, 3) == {"rules": "de", "transfer": False}


def test_what_the_number_of_seats_decides_was_not_chosen() -> None:
    teams = durak.complete_options(durak.Options(rules="fr"), 4)
    assert teams.teams is True
    assert shapes("durak").non_default_options(teams, 4) == {"rules": "fr"}
    alone = durak.complete_options(durak.Options(rules="fr", teams=False), 4)
    assert shapes("durak").non_default_options(alone, 4) == {"rules": "fr", "teams": False}


def test_nothing_instead_of_a_number_was_chosen() -> None:
    assert shapes("dutch").non_default_options(dutch.Options(target=None), 3) == {"target": None}
