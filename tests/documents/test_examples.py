"""Every example in a document is executed by a test.

Commands that cannot run in a test (a service, a container, a whole check) must at least exist.
"""

import json
import re
import subprocess
import sys
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
from psycopg import errors

from deploy.development.running import tool
from tests.documents.blocks import BLOCKS, DOCUMENTS, ROOT, Block
from tests.postgres import Cluster

# Which test executes the blocks of a document; the others are held here.
ELSEWHERE = {
    ("RULES.md", "json"): "tests/service/commands/test_rules_papers.py",
    **{
        ("adding-a-game.md", kind): "tests/deploy/test_new_game.py"
        for kind in ("edit", "record", "answer")
    },
    ("monitoring.md", "yaml"): "tests/http/test_monitoring.py",
    **{("programs.md", kind): "tests/documents/test_programs.py" for kind in ("python", "yaml")},
    ("NOTATION.md", ""): "tests/domain/notation/test_notation.py",
    ("NOTATION.md", "ebnf"): "tests/domain/notation/test_notation.py",
}
HERE = {"sh", "sql", "json"}
# Drawings and samples of prose, which nothing executes.
PROSE = {"text"}
SHELL = [block for block in BLOCKS if block.language == "sh"]
SQL = [block for block in BLOCKS if block.language == "sql"]
JUDGED = [block for block in SHELL if "carnet check" in block.code and "echo" in block.code]
SOURCES = [
    path
    for folder in ("schemas", "domain", "projections", "service", "deploy", "tests")
    for path in sorted((ROOT / folder).rglob("*.py"))
]
TEXT_BY_DOCUMENT = {
    **{name: (ROOT / name).read_text("utf-8") for name in DOCUMENTS},
    **{str(path.relative_to(ROOT)): path.read_text("utf-8") for path in SOURCES},
}


def place(block: Block) -> str:
    return f"{block.document}:{block.line}"


def test_every_block_is_executed_somewhere() -> None:
    for block in BLOCKS:
        elsewhere = ELSEWHERE.get((Path(block.document).name, block.language))
        if block.language == "python" and elsewhere is None:
            assert block.code.startswith(">>> "), block  # run by tests/test_examples.py
            continue
        assert elsewhere or block.language in HERE | PROSE, block
        named = Path(block.document).name
        assert elsewhere is None or named in (ROOT / elsewhere).read_text("utf-8"), elsewhere


def test_every_json_outside_the_rules_is_the_answer_to_a_command() -> None:
    for document in DOCUMENTS:
        if Path(document).name == "RULES.md":
            continue
        there = [block for block in BLOCKS if block.document == document]
        for before, block in zip([None, *there], there, strict=False):
            assert block.language != "json" or before in JUDGED, block


@pytest.mark.parametrize("block", JUDGED, ids=place)
def test_a_record_that_is_judged_gets_the_answer_that_is_shown(block: Block) -> None:
    shown = BLOCKS[BLOCKS.index(block) + 1]
    command = block.code.replace("python3 deploy/dev.py carnet", tool("carnet"))
    answer = shell(command)
    assert json.loads(answer.stdout) == json.loads(shown.code)


@pytest.mark.parametrize("block", SHELL, ids=place)
def test_shell__is_written_well(block: Block) -> None:
    command = ["/bin/bash", "-n", "-c", block.code]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stderr


@pytest.mark.parametrize("block", SQL, ids=place)
def test_sql__is_understood_by_postgresql(block: Block, embedded_cluster: Cluster) -> None:
    name = f"carnet_documents_{uuid4().hex}"
    code = block.code.replace("'…'", "'secret'")
    code = re.sub(r"\bcarnet\b", name, code)
    with psycopg.connect(embedded_cluster.url, autocommit=True) as conn:
        for statement in filter(str.strip, code.split(";")):
            try:
                conn.execute(statement.encode())
            except errors.DuplicateObject:
                assert "carnet_service" in statement  # the role of every database of a server
        conn.execute(f"DROP DATABASE {name}".encode())
        conn.execute(f"DROP ROLE {name}".encode())


def shell(code: str) -> subprocess.CompletedProcess[str]:
    command = ["/bin/bash", "-e", "-o", "pipefail", "-c", code]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)


def commands(program: list[str]) -> set[str]:
    answer = subprocess.run([*program, "--help"], capture_output=True, text=True, check=True)
    named = re.compile(r"^ +(?:python3 deploy/dev\.py )?([a-z]+)\b", re.MULTILINE)
    return set(named.findall(answer.stdout))


@pytest.fixture(scope="module")
def carnet() -> set[str]:
    return commands([tool("carnet")])


@pytest.fixture(scope="module")
def dev() -> set[str]:
    return commands([sys.executable, str(ROOT / "deploy" / "dev.py")])


def test_commands__that_are_told_of_are_there(carnet: set[str], dev: set[str]) -> None:
    of_carnet = re.compile(r"(?:`|/bin/|^    |dev\.py |^)carnet ([a-z]+)\b", re.MULTILINE)
    for name, text in TEXT_BY_DOCUMENT.items():
        assert set(re.findall(r"python3 deploy/dev\.py ([a-z]\w*)", text)) <= dev, name
        assert set(of_carnet.findall(text)) - {"args"} <= carnet, name


@pytest.mark.parametrize("name", DOCUMENTS)
def test_links__lead_to_files_and_headings_that_are_there(name: str) -> None:
    for target, _, heading in re.findall(r"\]\(([^)#:]*)(#([\w-]+))?\)", TEXT_BY_DOCUMENT[name]):
        path = (ROOT / name).parent / target if target else ROOT / name
        assert path.exists(), target
        if heading and path.suffix != ".md":
            lines = path.read_text("utf-8").splitlines()
            assert 1 <= int(heading.removeprefix("L")) <= len(lines), (target, heading)
        elif heading:
            titles = re.findall(r"^#+ (.*)$", path.read_text("utf-8"), re.MULTILINE)
            assert heading in {title.lower().replace(" ", "-") for title in titles}
