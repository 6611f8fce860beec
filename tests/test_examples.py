import doctest
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FILES = [
    str(file.relative_to(ROOT))
    for pattern in ("domain/**/*.py", "projections/**/*.py", "schemas/**/*.py", "docs/**/*.md")
    for file in sorted(ROOT.glob(pattern))
    if ">>> " in file.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("file", FILES)
def test_examples(file: str) -> None:
    if file.endswith(".md"):
        results = doctest.testfile(str(ROOT / file), module_relative=False)
    else:
        name = file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        results = doctest.testmod(import_module(name))
    assert results.attempted
    assert not results.failed
