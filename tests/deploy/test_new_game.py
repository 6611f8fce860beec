import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree, ignore_patterns, rmtree

import pytest

from deploy.development.running import ROOT, tool
from tests.documents.blocks import BLOCKS

NAME, POINTS = "whist", "skat"
WHOLE = ignore_patterns(".*", "node_modules", "dist")
BYTECODE = ignore_patterns(".*", "*.pyc.*")  # those are being written
EDITS = [
    one for one in BLOCKS if one.document == "docs/adding-a-game.md" and one.language == "edit"
]
# What is generated for all games is generated once, after the second.
WRITE = f"""
from deploy.development import new_game
generated, new_game.GENERATED = new_game.GENERATED, ()
new_game.write(["{NAME}", "--cards"])
new_game.GENERATED = generated
new_game.write(["{POINTS}", "--results"])
"""
PYTEST = ("-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider")
# Some in English, one in French, one in German.
TAPPED = "(revoke and fr-) or (rounds and de-) or result or network"
# Not all that start a service or export files: they pass too, with `dev.py test --game`.
TESTS = ["tests/domain", "tests/generic", "tests/games", "tests/web/test_game_macros.py"]
DOCUMENTS = [f"tests/documents/test_{name}.py" for name in ("collection", "contract", "links")]
FOR_ALL_GAMES = "hundred_small or links_to_each or released_is_broken or reached_from_readme"


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Copy the project with its bytecode, and let `dev.py game` write both skeletons."""
    tree = tmp_path_factory.mktemp("new") / "carnet"
    copytree(ROOT, tree, ignore=WHOLE)
    (tree / ".venv").symlink_to(ROOT / ".venv")
    prefix = sys.pycache_prefix
    if prefix:
        copytree(bytecode(prefix, ROOT), bytecode(prefix, tree), ignore=BYTECODE)
    run(tree, "-c", WRITE)
    yield tree
    if prefix:
        rmtree(bytecode(prefix, tree))


def bytecode(prefix: str, folder: Path) -> Path:
    return Path(prefix, folder.relative_to(folder.anchor))


def run(tree: Path, *arguments: str, given: str = "", status: int = 0) -> str:
    done = subprocess.run(
        [tool("python"), *arguments],
        cwd=tree,
        input=given,
        env={**os.environ, "PYTHONPATH": str(tree)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == status, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def test_skeletons__pass_the_tests_of_their_games_and_are_recorded_by_tapping(copy: Path) -> None:
    # One run, because to collect tests takes most of the time.
    browser = [f"tests/browser/test_{name}.py" for name in (NAME, POINTS)]
    chosen = f"({NAME} or {POINTS}) and (not browser or {TAPPED}) or {FOR_ALL_GAMES}"
    run(copy, *PYTEST, *TESTS, *DOCUMENTS, *browser, "-k", chosen)


def test_skeleton__has_few_files_and_changes_one_common_one(copy: Path) -> None:
    own = [path for path in copy.rglob("*") if NAME in str(path.relative_to(copy))]
    by_hand = [path for path in own if path.is_file() and path.suffix not in {".pyc", ".json"}]
    by_hand = [path for path in by_hand if "games" not in path.parts or "web" in path.parts]
    assert len(by_hand) <= 15
    games = f'"rami", "{NAME}", "{POINTS}", "scores")'
    assert games in (copy / "schemas/catalogue.py").read_text("utf-8")
    assert f"| {NAME.capitalize()} | two to six |" in (copy / "README.md").read_text("utf-8")
    assert not [path for path in copy.iterdir() if " " in path.name]
    turns = copy / f"service/web/games/{NAME}_turns.js"
    assert turns.read_text("utf-8").endswith("});\n")
    assert sum(len(path.read_text("utf-8").splitlines()) for path in by_hand) <= 800


def test_document__makes_another_game_of_the_skeleton(copy: Path) -> None:
    assert EDITS
    for block in EDITS:
        path, _, code = block.code.partition("\n")
        old, _, new = code.partition("---\n")
        text = (copy / path).read_text("utf-8")
        assert old in text, f"{block.document}:{block.line} does not fit {path}"
        (copy / path).write_text(text.replace(old, new), "utf-8")
    shell = next(one.code for one in BLOCKS if one.code.startswith("sed"))
    subprocess.run(["/bin/bash", "-c", shell], cwd=copy, check=True)
    record, answer = (
        next(one.code for one in BLOCKS if one.language == kind) for kind in ("record", "answer")
    )
    check = "import sys; from service.cli import main; sys.exit(main())"
    given = record.replace("\n", "") + "\n"
    found = json.loads(run(copy, "-c", check, "check", given=given, status=1))
    assert {key: found[key] for key in json.loads(answer)} == json.loads(answer)
    rules = ["tests/domain/test_cases.py", "tests/generation/test_true_games.py"]
    page = ["tests/web/test_game_macros.py", "tests/web/test_every_entry.py"]
    run(copy, *PYTEST, *rules, *page, "-k", NAME)
