"""Games know nothing of each other, and nothing common knows a game: read off imports and texts.

The games are found by their folders, so that a new one is held to it without being listed.
"""

import ast
import io
import re
import tokenize
import tomllib
from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import grimp
import pytest
from msgspec.inspect import type_info

from domain.games import GAMES as MANIFESTS
from schemas.catalogue import SHAPES

ROOT = Path(__file__).parent.parent
WEB = ROOT / "service" / "web"
# What a template says to people, whose words are no names of classes.
SAID = re.compile(r"""\b(?:_|gettext|ngettext|pgettext)\([^()]*""")
STRINGS = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'")
PACKAGES = ("schemas", "domain", "projections", "service")
# Where games are named: the only list of them.
REGISTRY = "schemas/catalogue.py"
COMMENTS = {
    ".html": r"\{#.*?#\}",
    ".css": r"/\*.*?\*/",
    ".js": r"/\*.*?\*/|(?<!:)//[^\n]*",
    ".sql": r"--[^\n]*",
    ".toml": r"(?m:^#[^\n]*)",
    ".typ": r"(?<!:)//[^\n]*",
}
# An English word, too: it names the game only where it is a string of its own.
ORDINARY = "scores"
GAMES = sorted(path.parent.name for path in (ROOT / "domain").glob("*/clauses.toml"))


@cache
def graph() -> grimp.ImportGraph:
    return grimp.build_graph(*PACKAGES)


def game_of(module: str) -> str | None:
    """Name the game a module belongs to; None: it is common."""
    parts = [part.partition("_")[0] for part in re.split(r"[./]", module)]
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


@pytest.mark.parametrize("game", GAMES)
def test_a_game_stands_between_the_registry_and_the_kernel(game: str) -> None:
    layers = contract("domain")
    below = set(re.findall(r"\w+", " ".join(layers[layers.index("(games)") + 1 :])))
    known = graph()
    used = {
        what.split(".")[1]
        for who in known.find_descendants(f"domain.{game}")
        for what in known.find_modules_directly_imported_by(who)
        if what.startswith("domain.")
    }
    assert used <= {game, *below}


@cache  # files are read by several tests
def without_comments(text: str, suffix: str) -> str:
    """Return what a file of the product says to a machine or to people, comments left out."""
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


def games_named(text: str, suffix: str) -> list[str]:
    names = "|".join(game for game in GAMES if game != ORDINARY)
    ordinary = rf"(?-i:[\"']{ORDINARY}[\"'](?!\s*:))"
    named = re.compile(rf"(?<![a-z])(?:{names})|{ordinary}", re.IGNORECASE)
    return named.findall(without_comments(text, suffix))


def test_common_files_name_no_game() -> None:
    found = {
        str(path.relative_to(ROOT)): games_named(path.read_text("utf-8"), path.suffix)
        for path in common_files()
    }
    assert len(found) > 200
    assert {path: games for path, games in found.items() if games} == {}


def classes(path: Path) -> set[str]:
    rules = re.sub(r"\{[^{}]*\}", " ", without_comments(path.read_text("utf-8"), ".css"))
    return set(re.findall(r"\.([a-z][a-z-]*)", rules))


def users(rooms: Iterable[Path], pattern: str) -> dict[str, set[str]]:
    used: dict[str, set[str]] = {}
    for path in rooms:
        for word in re.findall(pattern, path.read_text("utf-8")):
            used.setdefault(word, set()).add(re.split(r"[._]", path.name)[0])
    return used


def pages(*suffixes: str) -> tuple[list[Path], list[Path]]:
    """List the files of pages: those of games, and the others."""
    files = [path for path in WEB.rglob("*") if path.suffix in suffixes]
    games = [path for path in files if path.parent.name == "games"]
    return games, [path for path in files if path not in games]


def names_in(path: Path) -> str:
    """Return what of a file can name a class: of Python its strings, of others no sentence."""
    text = without_comments(path.read_text("utf-8"), path.suffix)
    return " ".join(STRINGS.findall(text)) if path.suffix == ".py" else SAID.sub("", text)


def test_common_styles_speak_of_no_class_that_one_game_alone_uses() -> None:
    games, common = pages(".html", ".js", ".py")
    shared = " ".join(map(names_in, common))
    used, words = users(games, r"[\w-]+"), set(re.findall(r"[\w-]+", shared))
    found = {
        (path.name, name)
        for path in common_files()
        if path.suffix == ".css"
        for name in classes(path) - words
        if len(used.get(name, ())) == 1
    }
    assert found == set()


def test_common_templates_define_nothing_that_one_game_alone_calls() -> None:
    games, common = pages(".html")
    used = users(games, r"\bc\.(\w+)\(")
    shared = " ".join(path.read_text("utf-8") for path in common)
    defined = set(re.findall(r"macro (\w+)\(", shared))
    called = set(re.findall(r"(?<!macro )\b(\w+)\(", shared))
    assert len(defined & used.keys()) > 10
    assert {name for name in defined - called if len(used.get(name, ())) == 1} == set()


def own_words() -> dict[str, set[str]]:
    """Return, by game, what it declares: entries, their fields, kinds of places, shapes."""
    found: dict[str, set[str]] = {}
    for name, manifest in MANIFESTS.items():
        kinds: Any = type_info(SHAPES[name].Submitted)
        entries = {str(kind.tag) for kind in kinds.types}
        fields = {field.encode_name for kind in kinds.types for field in kind.fields}
        shapes = getattr(SHAPES[name], "FREE_SHAPES", ())
        found[name] = {*entries, *fields, *manifest.locations, *shapes}
    return found


def test_what_is_common_at_the_table_says_no_word_of_one_game_alone() -> None:
    counted = Counter(word for words in own_words().values() for word in words if len(word) > 1)
    alone = {word for word, games in counted.items() if games == 1}
    assert {"slot", "melds", "maker", "beat"} <= alone
    found = {
        (path.name, node.value)
        for path in common_files()
        if path.suffix == ".py" and path.parent in {ROOT / "schemas", ROOT / "domain" / "table"}
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and node.value in alone
    }
    assert found == {("rules.py", "with")}, "a card may be laid with another in any game"


def test_the_kernel_is_used_by_its_face_alone() -> None:
    known = graph()
    kernel = {one for one in known.modules if one.startswith("domain.inference.")}
    assert len(kernel) > 5
    assert [
        (who, what)
        for what in sorted(kernel)
        for who in sorted(known.find_modules_that_directly_import(what))
        if who not in {*kernel, "domain.inference"}
    ] == []
