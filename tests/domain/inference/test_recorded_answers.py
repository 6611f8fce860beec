"""The kernel answers what it did, finds what it did and takes as much effort: see `recorded`."""

import pytest

from tests.domain.inference.recorded import kept, problems, recorded

PROBLEMS = problems()


@pytest.mark.parametrize("about", PROBLEMS)
def test_recorded_answers__are_what_they_were_and_take_no_other_effort(about: str) -> None:
    wanted = kept()[about]
    assert wanted.keys() == PROBLEMS[about].keys()
    for name, problem in PROBLEMS[about].items():
        then, now = wanted[name], recorded(problem)
        assert then.answer == now.answer, f"{name}: another ANSWER, which is wrong"
        assert then == now, (
            f"{name}: another way to the same answer, or other effort;"
            " if that was meant: .venv/bin/python -m tests.domain.inference.recorded"
        )
