import re
import tomllib

from tests.documents.blocks import ROOT

README = (ROOT / "README.md").read_text("utf-8")
PROMISES = [row.rsplit("|", 2) for row in README.splitlines() if row.startswith("| **")]


def test_it_is_read_in_one_go() -> None:
    assert len(README.splitlines()) <= 150


def test_every_promise_names_a_test_or_a_measurement() -> None:
    assert len(PROMISES) >= 8
    for promise, held_by, _ in PROMISES:
        paths = re.findall(r"\]\(([^)]+)\)", held_by)
        assert paths, promise
        assert all((ROOT / path).exists() for path in paths), promise


def test_the_wheel_is_that_of_this_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert f"carnet-{project['version']}-py3-none-any.whl" in README
