import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest
from babel.messages.pofile import read_po

import domain
import service
from schemas.catalogue import SHAPES
from service.language.clause_files import Term
from service.language.glossary import glossary
from service.language.sentence import LANGUAGES
from service.language.texts import texts
from service.web.format.environments import environment

SERVICE, DOMAIN = Path(str(service.__file__)).parent, Path(str(domain.__file__)).parent
TABLES = {game: DOMAIN / game / "clauses.toml" for game in SHAPES} | {
    "": DOMAIN / "clauses.toml",
    **{path.stem: path for path in SERVICE.rglob("*.toml") if path.name != "glossary.toml"},
}


PLACEHOLDER = re.compile(r"%\(\w+\)s|\{\w+\}")


def said_in(value: object, lang: str) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in cast("dict[str, object]", value).items():
            if isinstance(inner, str) and key == lang:
                yield inner
            elif not isinstance(inner, str):
                yield from said_in(inner, lang)
    elif isinstance(value, list):
        for inner in cast("list[object]", value):
            yield from said_in(inner, lang)


def pages(lang: str) -> Iterator[str]:
    if lang == "en":
        lang, ids = "fr", True
    else:
        ids = False
    for path in (SERVICE / "web", *(SERVICE / "extensions").glob("*/")):
        source = path / "locale" / f"{lang}.po"
        if not source.exists():
            continue
        with source.open("rb") as file:
            for message in read_po(file):
                if not message.id:
                    continue
                said = message.id if ids else message.string
                yield from (said,) if isinstance(said, str) else said or ()


def texts_of(lang: str, game: str) -> list[str]:
    tables = [TABLES[game]] if game else list(TABLES.values())
    found = [
        one for path in tables for one in said_in(tomllib.loads(path.read_text("utf-8")), lang)
    ]
    return found if game else [*found, *pages(lang)]


TERMS = [
    pytest.param(lang, term, whose if term.own else "", id=f"{lang}-{whose}-{thing}")
    for lang in LANGUAGES
    for whose, thing, term in glossary().of(lang)
]


@pytest.mark.parametrize(("lang", "term", "game"), TERMS)
def test_glossary__no_text_uses_a_word_it_rejects(lang: str, term: Term, game: str) -> None:
    for word in term.never:
        whole = re.compile(rf"(?<![\w./-]){re.escape(word)}(?![\w/])", re.IGNORECASE)
        told = (PLACEHOLDER.sub("", said) for said in texts_of(lang, game))
        wrong = [said for said in told if whole.search(said)]
        assert not wrong, (word, wrong)


@pytest.mark.parametrize(("lang", "term", "game"), TERMS)
def test_glossary__the_word_it_gives_is_used(lang: str, term: Term, game: str) -> None:
    stem = term.say[:-2] if len(term.say) > 6 else term.say
    assert any(stem.lower() in said.lower() for said in texts_of(lang, game)), term.say


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", SHAPES)
def test_glossary__every_game_has_a_name_that_pages_and_files_use(game: str, lang: str) -> None:
    name = texts().game(game, lang)
    assert environment(lang).from_string("{{ game|game_name }}").render(game=game) == name
    assert name == glossary().games[game].of(lang)


def test_glossary__words_of_a_game_are_found_as_those_of_every_game_are() -> None:
    found = {(whose, term.say, term.own) for whose, _, term in glossary().of("de")}
    assert {("", "korrigieren", False), ("durak", "Deck", True), ("rami", "Stock", True)} <= found


def test_glossary__durak_is_spelt_one_way_in_a_language() -> None:
    assert [texts().game("durak", lang) for lang in LANGUAGES] == ["Durak", "Dourak", "Durak"]


def test_glossary__the_other_names_of_dutch_can_be_found() -> None:
    said = environment("en").from_string("{{ 'dutch'|other_names|together }}").render()
    assert said == "Tamalou, Cactus, and Pablo"


def test_glossary__the_name_of_this_language_is_no_other_name() -> None:
    said = [texts().other_names("durak", lang) for lang in LANGUAGES]
    assert said == [("Dourak",), ("Durak",), ("Dourak",)]


@pytest.mark.parametrize(
    ("sought", "found"),
    [
        ("tamalou", ("dutch",)),
        (" CACTUS", ("dutch",)),
        ("Päblo", ("dutch",)),
        ("dourak", ("durak",)),
        ("bridge", ()),
        ("", tuple(SHAPES)),
    ],
)
def test_glossary__a_game_is_found_by_any_of_its_names(sought: str, found: tuple[str, ...]) -> None:
    assert sorted(texts().games_called(sought)) == sorted(found)


def test_glossary__no_template_makes_a_name_of_a_game_by_itself() -> None:
    templates = SERVICE.rglob("*.html")
    wrong = [path.name for path in templates if "ruleset|capitalize" in path.read_text("utf-8")]
    assert not wrong
