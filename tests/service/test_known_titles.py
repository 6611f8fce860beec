"""The data of known games: names are unambiguous, values possible."""

import unicodedata

import pytest
from msgspec import json

from domain.games import TITLED
from schemas.catalogue import SHAPES, shapes
from schemas.names import NAME_LENGTH_MAX, read_name, similar_spellings
from schemas.strict_json import Malformed
from service.language.glossary import glossary
from service.language.known_titles import KnownTitle, find_known_title, known_titles

TITLES = pytest.mark.parametrize("title", known_titles().values(), ids=list(known_titles()))


def test_enough_games_are_known() -> None:
    assert len(known_titles()) >= 40


def test_no_two_games_share_a_name() -> None:
    owners: dict[str, set[str]] = {}
    for title in known_titles().values():
        for name in title.names:
            for spelling in similar_spellings(name):
                owners.setdefault(spelling, set()).add(title.id)
    for ruleset, game in glossary().games.items():
        for name in (game.en, game.fr, game.de, *game.also):
            for spelling in similar_spellings(name):
                owners.setdefault(spelling, set()).add(ruleset)
    assert {name: ids for name, ids in owners.items() if len(ids) > 1} == {}


@TITLES
def test_its_names_can_be_names_of_titles(title: KnownTitle) -> None:
    for name in title.names:
        assert read_name(name) is not None, name
        assert len(name) <= NAME_LENGTH_MAX
    spellings = [frozenset(similar_spellings(name)) for name in title.also]
    assert len({*spellings}) == len(spellings), "a name that only differs in signs is needless"


@TITLES
def test_its_values_are_possible(title: KnownTitle) -> None:
    least, most = title.players
    assert least <= most
    assert {least, most} <= {*SHAPES[TITLED].SEATS}
    if title.teams:
        seats = sum(map(len, title.teams))
        assert least <= seats <= most
    else:
        seats = least
    of = shapes(TITLED)
    options = of.decode_options(json.encode(title.options))
    assert not isinstance(options, Malformed)
    assert not isinstance(of.complete_options(options, seats), Malformed)
    if title.cooperative:
        assert title.wins == "highest"
        assert title.target is None


@pytest.mark.parametrize(
    ("typed", "known"),
    [
        ("Skyjo", "skyjo"),
        ("skyjo ", "skyjo"),
        ("YAM'S", "yahtzee"),
        ("Yam’s", "yahtzee"),
        ("kniffel", "yahtzee"),
        ("Mölkky", "molkky"),
        ("molkky", "molkky"),
        (unicodedata.normalize("NFD", "Pétanque"), "petanque"),
        ("Petanque", "petanque"),
        ("l'equipage", "the-crew"),
        ("Die Siedler von Catan", "catan"),
        ("Straight Skyjo", None),
        ("", None),
        ("Dutch", None),
    ],
)
def test_it_is_found_by_any_of_its_names(typed: str, known: str | None) -> None:
    found = find_known_title(typed)
    assert (found.id if found else None) == known


@pytest.mark.parametrize(
    ("name", "wins", "target"),
    [
        ("Skyjo", "lowest", 100),
        ("6 nimmt!", "lowest", 66),
        ("Phase 10", "lowest", None),
        ("Uno", "highest", 500),
        ("Hearts", "lowest", 100),
        ("Scrabble", "highest", None),
        ("Cribbage", "highest", 121),
        ("Pétanque", "highest", 13),
    ],
)
def test_known_facts(name: str, wins: str, target: int | None) -> None:
    found = find_known_title(name)
    assert found is not None
    assert (found.wins, found.target) == (wins, target)
