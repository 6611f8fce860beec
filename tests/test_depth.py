"""Every test runs with every commit; what is larger where a run goes deep stands in one list."""

import re
from pathlib import Path

from tests.depth import SIZES

TESTS = Path(__file__).parent
HERE = {TESTS / "depth.py", Path(__file__)}
SOURCES = {
    str(path.relative_to(TESTS)): path.read_text("utf-8")
    for path in TESTS.rglob("*.py")
    if path not in HERE
}
LEFT_OUT = re.compile(
    r"(mark|pytest)\.(skip|skipif|xfail)\b|\b(importorskip|skipTest|collect_ignore\w*)\b|__test__"
)
DEPTH_ASKED = re.compile(r"get_profile|load_profile|hypothesis-profile|current_profile|\bdeep\b\(")
SIZED = re.compile(r"(?<!depth\.)\bsized\(([^)]*)\)")


def saying(pattern: re.Pattern[str]) -> dict[str, list[str]]:
    """Return what the files of tests say of something."""
    found = {name: [match[0] for match in pattern.finditer(text)] for name, text in SOURCES.items()}
    return {name: said for name, said in found.items() if said}


def test_no_test_is_left_out_of_a_commit() -> None:
    assert saying(LEFT_OUT) == {}


def test_only_the_list_of_sizes_knows_how_deep_a_run_is() -> None:
    assert saying(DEPTH_ASKED) == {}


def test_every_size_is_in_the_list_and_asked_for() -> None:
    asked = {name for text in SOURCES.values() for name in SIZED.findall(text)}
    assert {f'"{name}"' for name in SIZES} - {'"examples of Hypothesis"'} == asked


def test_a_commit_takes_fewer_of_what_is_listed() -> None:
    assert {name for name, size in SIZES.items() if not 0 < size.commit < size.deep} == set()
