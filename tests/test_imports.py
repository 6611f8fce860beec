"""Games do not import each other, and shared files name no game; checked by imports and texts.

Games are found by their folders, so new ones are included.
"""

import ast
import io
import re
import tokenize
import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("schemas", "domain", "projections", "service")
# The only list of games.
REGISTRY = "schemas/catalogue.py"
COMMENTS = {
    ".html": r"\{#.*?#\}",
    ".css": r"/\*.*?\*/",
    ".js": r"/\*.*?\*/|(?<!:)//[^\n]*",
    ".sql": r"--[^\n]*",
    ".toml": r"(?m:^#[^\n]*)",
    ".typ": r"(?<!:)//[^\n]*",
}
GAMES = sorted(path.parent.name for path in (ROOT / "domain").glob("*/clauses.toml"))


@cache
def graph() -> grimp.ImportGraph:
    return grimp.build_graph(*PACKAGES)


def game_of(module: str) -> str | None:
    parts = [part.partition("_")[0] for part in re.split(r"[./]", module)]
    return next((game for game in GAMES if game in parts), None)


def imports() -> list[tuple[str, str]]:
    known = graph()
    return [
        (importer, module)
        for module in known.modules
        if game_of(module)
        for importer in known.find_modules_that_directly_import(module)
    ]


@pytest.mark.parametrize("game", GAMES)
def test_a_game_imports_no_other(game: str) -> None:
    assert [
        (who, what) for who, what in imports() if game_of(who) == game and game_of(what) != game
    ] == []


def test_nothing_common_imports_a_game() -> None:
    assert {who for who, _ in imports() if game_of(who) is None} == set()


def contract(container: str) -> list[str]:
    told = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    (found,) = (
        one["layers"]
        for one in told["tool"]["importlinter"]["contracts"]
        if one.get("containers") == [container]
    )
    return list(found)


def test_what_is_in_no_layer_of_domain_is_a_game() -> None:
    layered = re.findall(r"\w+", " ".join(contract("domain")))
    children = {module.rpartition(".")[2] for module in graph().find_children("domain")}
    assert children - set(layered) == set(GAMES)
    assert set(layered) < children


def without_comments(text: str, suffix: str) -> str:
    if suffix != ".py":
        return re.sub(COMMENTS[suffix], "", text, flags=re.DOTALL)
    said = {
        body[0].value
        for node in ast.walk(ast.parse(text))
        if isinstance(body := getattr(node, "body", None), list)
        and body
        and isinstance(body[0], ast.Expr)
        and isinstance(body[0].value, ast.Constant)
    }
    docstrings = {(one.lineno, one.col_offset) for one in said}
    return " ".join(
        token.string
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type != tokenize.COMMENT and token.start not in docstrings
    )


def common_files() -> list[Path]:
    files = (path for room in PACKAGES for path in sorted((ROOT / room).rglob("*.*")))
    return [
        path
        for path in files
        if path.suffix in {".py", *COMMENTS}
        and not game_of(str(path.relative_to(ROOT)))
        and str(path.relative_to(ROOT)) != REGISTRY
    ]


def games_named(text: str, suffix: str, games: Sequence[str] = GAMES) -> list[str]:
    """Find names of rulesets: strings of their own, ids of clauses, files and modules of a game.

    A game may be called by an ordinary word: neither a suit, nor a text, nor a key is its name.
    """
    name = rf"[\"'](?:{'|'.join(games)})[\"']"
    other = rf"[SHDC][\"']?\s*[=:]\s*{name}|(?:gettext|_)\s*\(\s*{name}|[{{,]\s*{name}\s*:"
    part = r"[\"']({0})\.[a-z]|(?:games/|(?:domain|schemas|projections)[./])({0})\b"
    named = rf"{other}|[\"']({{0}})[\"']|{part}".replace("{0}", "|".join(games))
    found = re.finditer(named, without_comments(text, suffix))
    return [game for match in found for game in match.groups() if game]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ('suits = {"H": "hearts"}', []),
        ('H = "hearts"', []),
        ('label = gettext("hearts")', []),
        ('title = _("hearts")', []),
        ('row = {"hearts": 3}', []),
        ('text = "the ace of hearts"', []),
        ('if ruleset == "hearts": pass', ["hearts"]),
        ('games = ("euchre", "hearts")', ["hearts"]),
        ('rule = "hearts.follow-suit"', ["hearts"]),
        ('page = "games/hearts.html"', ["hearts"]),
    ],
)
def test_games_named__a_suit_is_no_game(text: str, named: list[str]) -> None:
    assert games_named(text, ".py", ["hearts"]) == named


def test_common_files_name_no_game() -> None:
    found = {
        str(path.relative_to(ROOT)): games_named(path.read_text("utf-8"), path.suffix)
        for path in common_files()
    }
    assert len(found) > 200
    named = {path: games for path, games in found.items() if games}
    assert not named, f"common files name games, which must describe themselves: {named}"
