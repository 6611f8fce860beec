import ast
import io
import re
import subprocess
import tokenize
from collections.abc import Iterator

from tests.documents.blocks import ROOT

PRODUCT = ("schemas", "domain", "projections", "service", "deploy")
VAGUE = re.compile(
    r"\b(who|whoever|whom|whose|what|whatever|where|told|tells?|said|says?|nobody|somebody|none"
    r"|nothing|stands?|goes|held|holds|gone|kept)\b",
    re.IGNORECASE,
)
TELL_OR_SAY = re.compile(r"\b(told|tells?|said|says?)\b", re.IGNORECASE)
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
SUBJECT_MAX = 72


def product_text() -> Iterator[str]:
    for path in (path for folder in PRODUCT for path in (ROOT / folder).rglob("*.py")):
        source = path.read_text("utf-8")
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, DOCUMENTED):
                yield ast.get_docstring(node) or ""
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.COMMENT:
                yield token.string


def test_docstrings_and_comments_use_precise_words() -> None:
    text = " ".join(product_text())
    words = len(text.split())
    assert 100 * len(VAGUE.findall(text)) / words <= 2.5
    assert 1000 * len(TELL_OR_SAY.findall(text)) / words <= 1.0


def test_the_last_subjects_fit_72_characters() -> None:
    log = ["git", "log", "--no-merges", "--format=%s", "-100"]
    subjects = subprocess.run(log, cwd=ROOT, capture_output=True, text=True, check=False).stdout
    assert [line for line in subjects.splitlines() if len(line) > SUBJECT_MAX] == []
