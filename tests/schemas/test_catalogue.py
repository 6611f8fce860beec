import json
from typing import Any

import pytest

from domain.games import GAMES
from projections.games import FACTS
from schemas.catalogue import GAMES as NAMES
from schemas.catalogue import SHAPES, game_attribute, module_of, shapes
from service.http.documentation.openapi import entry_name, game_components


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
        game_attribute("projections.durak", "WHIST")


@pytest.mark.parametrize("game", NAMES)
def test_what_a_game_says_of_examples_is_said_of_its_own_entries(game: str) -> None:
    shown = entry_examples(game)
    types = {one["type"] for one in shown}
    for name, value in shapes(game).examples.items():
        if name in types:
            assert any(one["type"] == name and value.items() <= one.items() for one in shown), name
        else:
            told = f'"{name}":', json.dumps(value)
            assert any(all(part in json.dumps(one) for part in told) for one in shown), name


@pytest.mark.parametrize("game", NAMES)
def test_an_example_of_an_entry_is_one_that_its_game_reads(game: str) -> None:
    for one in entry_examples(game):
        assert isinstance(shapes(game).decode_submitted(json.dumps([one]).encode()), tuple), one


def entry_examples(game: str) -> list[dict[str, Any]]:
    components = game_components()
    named = [one["$ref"].rpartition("/")[2] for one in components[entry_name(game)]["anyOf"]]
    return [example for name in named for example in components[name]["examples"]]
