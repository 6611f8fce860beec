"""A game's parts are found by its name, and a part that is missing is told by its file."""

import json
import re

import pytest

from domain.games import GAMES
from projections.games import FACTS
from schemas.catalogue import GAMES as NAMES
from schemas.catalogue import SHAPES, module_of, part, shapes
from service.http.documentation.components import entry_name, game_components


def test_every_layer_has_a_part_of_every_game() -> None:
    assert tuple(SHAPES) == tuple(GAMES) == tuple(FACTS) == NAMES


@pytest.mark.parametrize("game", NAMES)
def test_a_game_goes_by_one_name_everywhere(game: str) -> None:
    assert (shapes(game).name, GAMES[game].rules.name) == (game, game)


@pytest.mark.parametrize("path", ["domain.none.manifest", "domain.durak.none", "schemas.none"])
def test_a_missing_module_is_told_by_its_file(path: str) -> None:
    with pytest.raises(LookupError, match=f"{path.replace('.', '/')}.py is missing"):
        module_of(path)


def test_a_missing_name_is_told_with_its_file() -> None:
    with pytest.raises(LookupError, match=r"projections/durak\.py must define WHIST"):
        part("projections.durak", "WHIST")


@pytest.mark.parametrize("game", NAMES)
def test_what_a_game_says_of_examples_is_said_of_its_own_entries(game: str) -> None:
    shapes_of = game_components()
    shown = json.dumps(shapes_of[entry_name(game)])
    named = set(re.findall(r'"#/components/schemas/(\w+)"', shown))
    fields = {field for name in named for field in shapes_of[name].get("properties", {})}
    assert shapes(game).examples.keys() <= fields
    for field, value in shapes(game).examples.items():
        examples = [json.dumps(shapes_of[name].get("examples", [])) for name in named]
        assert any(field in one and json.dumps(value) in one for one in examples), field
