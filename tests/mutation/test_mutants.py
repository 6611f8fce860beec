"""A fault is one change of the source, and nothing else."""

import pytest

from tests.mutation.mutants import mutants


@pytest.mark.parametrize(
    ("source", "faults"),
    [
        ("a < b", ["a <= b"]),
        ("a == b", ["a != b"]),
        ("a + 1", ["a - 1", "a + 2"]),
        ("a and b", ["a or b"]),
        ("a = True", ["a = False"]),
        ("if a:\n    b", ["if not a:\n    b"]),
        ("def f(a: int | None) -> int | None:\n    return a", []),
        ("a = 'text'", []),
    ],
)
def test_mutants__are_all_the_single_changes(source: str, faults: list[str]) -> None:
    assert [made.strip() for _line, made in mutants(source)] == faults


def test_mutants__are_told_by_their_lines() -> None:
    assert [line for line, _made in mutants("a = 1\nb = 'x'\nc = 2\n")] == [1, 3]
