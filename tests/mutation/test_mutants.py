"""A fault is one change, told by where it stands; the list of survivors is of today."""

import subprocess
import sys
from pathlib import Path

import pytest
from msgspec import structs

from domain.dutch import score
from tests.mutation import covering, uncached
from tests.mutation.covering import ROOT, Covering
from tests.mutation.mutants import faults, mutants
from tests.mutation.runner import Survivor, Tried, justified, said, sample, survivors

BOTH = "class A:\n    def f(self, a):\n        if a < 1:\n            return 2\n\nb = c == d\n"


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
        ("Fact = str | int", []),
        ("Trail = tuple[A, b.C | None, 'Trail'] | None", []),
        ("ALL = LOW | HIGH", ["ALL = LOW & HIGH"]),
        ("a, b = c + d, e", ["a, b = (c - d, e)"]),
        ("Made = A(B | 1)", ["Made = A(B & 1)", "Made = A(B | 2)"]),
        ("Count = 1", ["Count = 2"]),
        ("class A(B, frozen=True):\n    a = zip(b, c, strict=True)", []),
        ("@lru_cache(maxsize=64)\ndef f():\n    return a", []),
    ],
)
def test_mutants__are_all_the_single_changes(source: str, faults: list[str]) -> None:
    assert [made.source.strip() for made in mutants(source)] == faults


def test_mutants__are_told_by_function_line_and_change() -> None:
    told = {(one.function, one.line, one.was, one.fault) for one in mutants(BOTH)}
    assert told == {
        ("", "b = c == d", "c == d", "c != d"),
        ("A.f", "if a < 1:", "a < 1", "not a < 1"),
        ("A.f", "if a < 1:", "a < 1", "a <= 1"),
        ("A.f", "if a < 1:", "1", "2"),
        ("A.f", "return 2", "2", "3"),
    }


@pytest.mark.parametrize("source", [BOTH, (ROOT / "domain/table/cards.py").read_text("utf-8")])
def test_faults__tell_every_mutant_and_make_none(source: str) -> None:
    made = list(mutants(source))
    told = [structs.asdict(one) for one in faults(source)]
    assert told == [
        {name: value for name, value in structs.asdict(one).items() if name != "source"}
        for one in made
    ]
    assert made


def test_sample__is_the_same_for_a_seed() -> None:
    assert sample(3, 1) == sample(3, 1)


def test_justified__is_whatever_the_list_says_word_for_word() -> None:
    module, one = sample(1, 1)[0]
    known = Survivor(str(module), one.function, one.line, one.was, one.fault, "it is the same")
    tried = Tried(module, one, noticed=False)
    assert justified(tried, [known])
    assert not justified(tried, [])
    assert f'module = "{module}"' in said(tried)


def test_covering__shows_a_fault_of_what_is_prepared_to_every_test_of_its_module() -> None:
    tests = {"a.py": {1: frozenset({"one"}), 2: frozenset({"slow", "two"})}}
    known = Covering(tests, {"a.py": frozenset({1})}, {"one": 1.0, "two": 2.0, "slow": 9.0})
    assert known.of("a.py", [(1, 1)]) == ["one", "two", "slow"]
    assert known.of("a.py", [(2, 2)]) == ["two", "slow"]
    assert known.of("a.py", [(7, 9), (1, 3)]) == ["one", "two", "slow"]
    assert known.of("b.py", [(1, 9)]) == []


def test_covering__shows_a_fault_of_what_is_prepared_to_the_tests_named_after_its_module() -> None:
    named = "tests/domain/table/test_a.py::test_it"
    beside = {"domain/table/a.py": frozenset({1})}
    known = Covering({"domain/table/a.py": {2: frozenset({"one"})}}, beside, {"one": 1, named: 2})
    assert known.of("domain/table/a.py", [(1, 1)]) == [named, "one"]
    assert known.of("domain/table/a.py", [(2, 2)]) == ["one"]


def test_covering__every_test_fills_the_caches_of_the_domain_anew() -> None:
    score.worth("hearts")
    uncached.pytest_runtest_setup()
    assert score.worth.cache_info().currsize == 0


def test_covering__what_hypothesis_runs_is_noted_as_its_tests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tests = "tests/domain/inference/test_counting.py"
    one = f"{tests}::test_counting__agrees_with_every_deal_enumerated"
    monkeypatch.setattr(covering, "TESTS", (one,))
    found = covering.measured(tmp_path)
    assert found.of("domain/inference/counting.py", [(1, covering.LINES_MAX)]) == [one]
    assert found.seconds[one] > 0


def test_survivors__are_faults_of_todays_sources_with_a_reason() -> None:
    known = survivors()
    for module in {one.module for one in known}:
        source = (ROOT / module).read_text("utf-8")
        told = {(one.function, one.line, one.was, one.fault) for one in faults(source)}
        for one in known:
            if one.module == module:
                assert (one.function, one.line, one.was, one.fault) in told, one
                assert one.why


@pytest.mark.parametrize(("fault", "noticed"), [("", False), ("raise ValueError", True)])
def test_planting__fails_for_a_fault_and_for_nothing_else(fault: str, *, noticed: bool) -> None:
    module = "domain/table/cards.py"
    source = (ROOT / module).read_text("utf-8") + fault
    tests = ["tests/domain/euchre/test_score.py"]
    lines = (
        "import os; from pathlib import Path; from tests.mutation import planting",
        "planting.prepare()",
        f"number = planting.start(Path({module!r}), {source!r}, {tests!r}, 60)",
        "raise SystemExit(os.waitpid(number, 0)[1] != planting.PASSED)",
    )
    command = [sys.executable, "-c", "\n".join(lines)]
    answer = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    assert answer.returncode == noticed, answer.stderr
