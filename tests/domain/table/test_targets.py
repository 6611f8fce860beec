"""Why a correction cannot name an entry: what each version is that is no entry by hand."""

import pytest
from msgspec import Struct

from domain.table.targets import explain_no_target


class Step(Struct, frozen=True):
    version: int
    derived: tuple["Step", ...] = ()


def step(version: int, *derived: int) -> Step:
    return Step(version, tuple(map(Step, derived)))


# Entries 2 and 3, which caused 4; 5 was taken back; 6 is a splice of two moves; 8 amended 2; 9 was
# dropped by the splice 10.
STEPS = [step(2), step(3, 4), step(6), step(6, 7)]
STANDING = (1, 2, 3, 6, 8, 9, 10)


@pytest.mark.parametrize(
    ("version", "why"),
    [
        (-1, "unknown"),
        (0, "unknown"),
        (1, "first"),
        (4, "derived"),
        (5, "gone"),
        (6, "part"),
        (7, "derived"),
        (8, "correction"),
        (9, "gone"),
        (10, "correction"),
        (11, "unknown"),
    ],
)
def test_why_not__says_what_a_version_is(version: int, why: str) -> None:
    then = [*STEPS, step(9)] if version == 9 else STEPS
    assert (
        explain_no_target(version, last=10, take_back_targets=STANDING, steps=STEPS, then=then)
        == why
    )
