"""The skeleton of a new game, and the tests that a game must pass."""

from __future__ import annotations

import re
import subprocess
from typing import TYPE_CHECKING

from deploy.development.checks import GATES, Check
from deploy.development.running import ROOT, print_line, stop, tool

if TYPE_CHECKING:
    from collections.abc import Sequence

KINDS = ("--cards", "--results")
SAMPLE = "newgame"
CATALOGUE = ROOT / "schemas" / "catalogue.py"
README = ROOT / "README.md"
ANY_OTHER = "| any other game |"
SKELETONS = ROOT / "deploy" / "development" / "skeletons"
# What is made of a game's shapes and rules, once and after every change of them.
GENERATED = ("tests.generic.recorded", "tests.documents.event_catalogue")
GATE_NAMES = ("format", "lint", "imports", "mypy", "djlint", "biome", "tsc")
# What names no game: imports, translations, the contract, generated documents, links.
FOR_ALL_GAMES = (
    "tests/test_imports.py",
    "tests/browser/test_languages.py",
    "tests/documents/test_answers.py",
    "tests/documents/test_collection.py",
    "tests/documents/test_contract.py",
    "tests/documents/test_event_catalogue.py",
    "tests/documents/test_links.py",
)
TESTS = (
    "tests/domain",
    "tests/games",
    "tests/generation",
    "tests/generic",
    "tests/http/test_rules_pages.py",
    "tests/projections",
    "tests/schemas",
    "tests/service",
    "tests/web",
)


def write(arguments: Sequence[str]) -> int:
    """Write the files of a new game, enter its name in the catalogue, and generate the rest."""
    kinds = [argument for argument in arguments if argument in KINDS]
    names = [argument for argument in arguments if argument not in KINDS]
    if len(kinds) != 1 or len(names) != 1 or not re.fullmatch("[a-z]+", names[0]):
        stop("game takes a name of small letters, and --cards or --results")
    name, kind = names[0], kinds[0]
    if (ROOT / "domain" / name).exists():
        stop(f"there is a domain/{name} already")
    text = (SKELETONS / f"{kind[2:]}.txt").read_text("utf-8")
    text = text.replace(SAMPLE, name).replace(SAMPLE.capitalize(), name.capitalize())
    written: list[str] = []
    for section in re.split("^=== ", text, flags=re.MULTILINE)[1:]:
        path, _, content = section.partition("\n")
        file = ROOT / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content, "utf-8")
        written += [path] if path.endswith(".py") else []
    _enter_in_catalogue(name)
    _enter_in_readme(name)
    for module in GENERATED:
        subprocess.run([tool("python"), "-m", module], cwd=ROOT, check=True)
    # The order of imports and the length of lines depend on the name.
    for command in (["check", "--fix"], ["format"]):
        subprocess.run([tool("ruff"), *command, "--quiet", *written], cwd=ROOT, check=True)
    print_line(f"{name} is written; python3 deploy/dev.py test --game {name} checks it")
    return 0


def _enter_in_catalogue(name: str) -> None:
    text = CATALOGUE.read_text("utf-8")
    found = re.search(r"^GAMES = \((.*?)\)$", text, re.MULTILINE)
    if found is None:
        stop(f"there is no GAMES in {CATALOGUE}")
    *games, points = (one for one in re.findall(r'"(\w+)"', found[1]) if one != name)
    listed = ", ".join(f'"{one}"' for one in (*games, name, points))
    CATALOGUE.write_text(text.replace(found[0], f"GAMES = ({listed})"), "utf-8")


def _enter_in_readme(name: str) -> None:
    """Add the game to the table of games, above the game that stands for any other."""
    guides = ", ".join(f"[{one}](domain/{name}/guide.{one}.md)" for one in ("en", "fr", "de"))
    rules = f"[RULES.md](domain/{name}/RULES.md)"
    row = f"| {name.capitalize()} | two to six | {guides} | {rules} |\n"
    text = README.read_text("utf-8")
    if ANY_OTHER not in text:
        stop(f"there is no row {ANY_OTHER!r} in {README}")
    README.write_text(text.replace(ANY_OTHER, f"{row}{ANY_OTHER}"), "utf-8")


def refuse_incomplete(name: str) -> None:
    """Stop with a list of the files of every game that this one lacks."""
    if not re.fullmatch("[a-z]+", name):
        stop("--game takes the name of a game")
    needed = _needed(name)
    lacking = sorted(path for path in needed if not (ROOT / path).exists())
    if len(lacking) == len(needed):
        stop(f"there is no game {name!r}; python3 deploy/dev.py game {name} --cards writes one")
    if f'"{name}"' not in CATALOGUE.read_text("utf-8"):
        lacking.append(f'"{name}" in GAMES of schemas/catalogue.py')
    recorded = f"tests/games/{name}/walks.json"
    if not (ROOT / recorded).exists():
        lacking.append(f"{recorded}: .venv/bin/python -m tests.generic.recorded {name} writes it")
    if lacking:
        stop(f"{name} lacks " + "; ".join(lacking))


def _needed(name: str) -> set[str]:
    """Return the files that every game has, whichever way it is recorded."""
    return set.intersection(*(set(_paths(kind, name)) for kind in KINDS))


def _paths(kind: str, name: str) -> list[str]:
    text = (SKELETONS / f"{kind[2:]}.txt").read_text("utf-8")
    return re.findall("^=== (.*)$", text.replace(SAMPLE, name), re.MULTILINE)


def gates_of(name: str) -> list[Check]:
    """Return the static checks that a game must pass; pyright reads its own files alone."""
    own = [path for path in _needed(name) if path.endswith(".py")]
    files = "tests/generic/test_complete.py"
    complete = Check("complete", ("pytest", "-qq", "-n0", "--no-header", files, "-k", name))
    static = (one for one in GATES if one.name in GATE_NAMES)
    return [complete, *static, Check("pyright", ("pyright", *own))]


def tests_of(name: str) -> list[str]:
    """Return the arguments of pytest for exactly the tests that a game must pass."""
    also = " or ".join(path.rpartition("/")[2].removesuffix(".py") for path in FOR_ALL_GAMES)
    browser = f"tests/browser/test_{name}.py"
    return [*TESTS, *FOR_ALL_GAMES, browser, "-k", f"{name} or {also}"]
