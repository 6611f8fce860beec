"""Rooms stay small: files under 400 lines, functions under 40 (CONTRIBUTING.md)."""

import ast
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parent.parent
ROOMS = ("deploy", "domain", "projections", "schemas", "service", "tests")
WRITTEN = {".py", ".js", ".css", ".html", ".sql", ".typ", ".toml"}
# Sentences in three languages, each whole on its line: they are as long as there is to say.
SENTENCES = {
    "clauses.toml",
    "glossary.toml",
    "problems.toml",
    "survivors.toml",
    "texts.toml",
    "upload_problems.toml",
}
# A copy of the schema as first released, which nobody edits.
KEPT = {"tests/store/baseline.sql"}
PAGES = (".html", ".js", ".css")
COLUMNS_MAX = 120
LINES_MAX = 399
FUNCTION_LINES_MAX = 39
# What stands in service/ itself, outside its wings.
HALL_FILES_MAX = 11
# Modules of the product at one level: more are a corridor, and want rooms.
ROOM_FILES_MAX = 24

FILES = {
    str(path.relative_to(ROOT)): path.read_text("utf-8")
    for room in ROOMS
    for path in (ROOT / room).rglob("*")
    if path.suffix in WRITTEN
    and str(path.relative_to(ROOT)) not in KEPT
    and path.name not in SENTENCES
}


def functions(source: str) -> dict[str, int]:
    """Return the lines of every function of a module, by its name and where it begins."""
    return {
        f"{node.name}:{node.lineno}": (node.end_lineno or 0) - node.lineno + 1
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }


def test_every_room_is_looked_into() -> None:
    assert {Path(name).parts[0] for name in FILES} == set(ROOMS)
    assert {Path(name).suffix for name in FILES} | {".toml"} == WRITTEN


def test_a_function_hides_no_namesake() -> None:
    first = "class A:\n    def f(self):\n        pass\n        pass\n"
    assert sorted(functions(first + first.replace("A", "B")).values()) == [3, 3]


def test_sentences_are_in_files_of_their_own() -> None:
    told = {path.name for room in ROOMS for path in (ROOT / room).rglob("*.toml")}
    assert told == SENTENCES


def test_no_file_is_long() -> None:
    lengths = {name: len(source.splitlines()) for name, source in FILES.items()}
    assert {name: lines for name, lines in lengths.items() if lines > LINES_MAX} == {}


def test_service_has_wings_and_no_corridor() -> None:
    hall = {path.name for path in (ROOT / "service").glob("*.py")} - {"__init__.py"}
    assert "app.py" in hall
    assert len(hall) <= HALL_FILES_MAX


def test_no_room_is_a_corridor() -> None:
    rooms = Counter(
        str(Path(name).parent)
        for name in FILES
        if name.endswith(".py")
        and not name.endswith("__init__.py")
        and not name.startswith(("tests", "deploy"))
    )
    assert rooms["service/store"] > 0
    assert {room: files for room, files in rooms.items() if files > ROOM_FILES_MAX} == {}


def test_no_line_of_a_page_is_long() -> None:
    long = {
        f"{name}:{number}"
        for name, source in FILES.items()
        if name.endswith(PAGES)
        for number, line in enumerate(source.splitlines(), 1)
        if len(line) > COLUMNS_MAX
    }
    assert long == set()


def test_no_function_is_long() -> None:
    lengths = {
        f"{name}: {function}": lines
        for name, source in FILES.items()
        if name.endswith(".py")
        for function, lines in functions(source).items()
    }
    assert {where: lines for where, lines in lengths.items() if lines > FUNCTION_LINES_MAX} == {}


def test_the_order_of_suits_is_written_once() -> None:
    told = {name for name, source in FILES.items() if '"SHDC"' in source or "'SHDC'" in source}
    in_pages = {name for name in told if name.endswith((".html", ".py"))}
    assert {name for name in in_pages if not name.startswith("tests")} == {"domain/table/cards.py"}


def test_what_is_true_at_the_table_is_never_written_over() -> None:
    hidden = ("force_setattr", "object.__setattr__")
    rules = {name: source for name, source in FILES.items() if name.startswith("domain")}
    assert rules
    assert [name for name, source in rules.items() for way in hidden if way in source] == []
