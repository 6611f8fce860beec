"""Games know nothing of each other, and nothing common knows a game: read off the imports.

The games are found by their folders, so that a new one is held to it without being listed.
"""

import re
from functools import lru_cache
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("schemas", "domain", "projections", "service")
GAMES = sorted(path.parent.name for path in (ROOT / "domain").glob("*/clauses.toml"))


@lru_cache
def graph() -> grimp.ImportGraph:
    """Read every import of the product."""
    return grimp.build_graph(*PACKAGES)


def game_of(module: str) -> str | None:
    """Name the game a module belongs to; None: it is common."""
    parts = re.split(r"[._]", module)
    return next((game for game in GAMES if game in parts), None)


def imports() -> list[tuple[str, str]]:
    """List every import of a game's module: who, what."""
    known = graph()
    return [
        (importer, module)
        for module in known.modules
        if game_of(module)
        for importer in known.find_modules_that_directly_import(module)
    ]


def test_games_are_found() -> None:
    assert len(GAMES) >= 4
    assert {game_of(module) for module in graph().modules} == {*GAMES, None}


@pytest.mark.parametrize("game", GAMES)
def test_a_game_imports_no_other(game: str) -> None:
    assert [
        (who, what) for who, what in imports() if game_of(who) == game and game_of(what) != game
    ] == []


def test_nothing_common_imports_a_game() -> None:
    assert {who for who, _ in imports() if game_of(who) is None} == set()
