import re
from importlib.resources import files

import pytest
from msgspec import json

from schemas.catalogue import SHAPES, shapes
from schemas.entries import COMMON_CLAUSES
from service.commands.support.recorded import differences

PAPERS = {
    game: paper.read_text("utf-8")
    for game in SHAPES
    if (paper := files(f"domain.{game}").joinpath("RULES.md")).is_file()
}
EXAMPLES = [
    example
    for paper in PAPERS.values()
    for example in re.findall(r"^```json\n(.*?)^```$", paper, re.DOTALL | re.MULTILINE)
]


def test_paper__there_is_one_for_every_game() -> None:
    assert set(PAPERS) == set(SHAPES)


@pytest.mark.parametrize("game", PAPERS)
def test_paper__cites_every_clause_of_its_game_and_no_other(game: str) -> None:
    cited = set(re.findall(rf"`((?:table|cards|{game})\.[a-z-]+)`", PAPERS[game]))
    assert cited <= shapes(game).clauses
    assert shapes(game).clauses - set(COMMON_CLAUSES) <= cited


@pytest.mark.parametrize("game", PAPERS)
def test_paper__names_every_option(game: str) -> None:
    options = json.schema(shapes(game).options)["$defs"]["Options"]["properties"]
    assert all(f"| `{option}` |" in PAPERS[game] for option in options)


@pytest.mark.parametrize("example", EXAMPLES)
def test_paper__its_examples_are_true(example: str) -> None:
    assert differences(example.replace("\n", " ").encode(), "en") == []
