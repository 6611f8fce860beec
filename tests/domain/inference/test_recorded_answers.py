import pytest

from tests.domain.inference.recorded import problems, recorded, stored

PROBLEMS = problems()


@pytest.mark.parametrize("about", PROBLEMS)
def test_recorded_answers_do_not_change(about: str) -> None:
    wanted = stored()[about]
    assert wanted.keys() == PROBLEMS[about].keys()
    for name, problem in PROBLEMS[about].items():
        assert recorded(problem(), wanted[name].unknown) == wanted[name], name
