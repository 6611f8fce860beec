import ast
import re
from importlib import import_module
from pathlib import Path
from random import Random

import pytest

from schemas.catalogue import SHAPES, shapes
from service.language.clause_files import COMMON, clause_files
from service.language.texts import texts
from tests.answers import answer
from tests.domain.cases import CASES
from tests.generation.sizes import games

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
CLAUSES = [(game, clause) for game in SHAPES for clause in sorted(shapes(game).clauses)]


def facts_in_tests(game: str, clause: str) -> list[str]:
    of, name = clause.split(".")
    slug = (name if of == game else f"{of}-{name}").replace("-", "_")
    files = sorted(HERE.glob(f"{game if of == game else '*'}/test_*.py"))
    text = "\n".join(path.read_text(encoding="utf-8") for path in files)
    return re.findall(rf"^def test_{slug}__(\w+)", text, flags=re.MULTILINE)


@pytest.mark.parametrize(("game", "clause"), CLAUSES)
def test_clauses__each_has_cases_of_both_sides(game: str, clause: str) -> None:
    own = clause.startswith(f"{game}.")
    cases = [one for one in CASES if one.clause == clause and (not own or one.ruleset == game)]
    facts = facts_in_tests(game, clause)
    where = f"domain/{game}/cases.jsonl needs cases whose id begins with “{clause}: ”:"
    if texts().clauses[clause].kind in "PR":
        accepted = [one for one in cases if one.expect["ok"]]
        refused = [one for one in cases if "rule" in one.expect]
        assert accepted or any("accepted" in fact for fact in facts), f"{where} one accepted"
        assert refused or any("refused" in fact for fact in facts), f"{where} one refused"
    else:
        assert len(cases) + len(facts) >= 2, f"{where} two, and there is {len(cases)}"


@pytest.mark.parametrize("game", SHAPES)
def test_clauses__whatever_is_refused_is_refused_by_a_clause_that_exists(game: str) -> None:
    generation = import_module(f"tests.generation.{game}")
    profiles = generation.PROFILES
    unruly = [habits for name, habits in profiles.items() if name.startswith("unruly")]
    habits = (unruly or [*profiles.values()])[-1]
    for seed in games(70_000, share=2):
        record = generation.true_game(seed, habits)
        chance = Random(seed)  # noqa: S311 games, not secrets
        cut = record["log"][: chance.randint(min(1, len(record["log"])), len(record["log"]))]
        chance.shuffle(cut)
        for log in (cut, record["log"][: len(cut)] + cut):
            answered = answer({**record, "log": log})
            assert answered["ok"] or answered["rule"] in shapes(game).clauses, answered


def test_clauses__what_one_game_alone_says_stands_with_that_game() -> None:
    common = [form for clause in clause_files()[COMMON].clauses.values() for form in clause.refused]
    reasons = {form.when["why"] for form in common if "why" in form.when}
    said = constants()
    givers = {
        reason: {folder for folder, words in said.items() if reason in words} for reason in reasons
    }
    assert len(reasons) > 5
    alone = {
        why: given for why, given in givers.items() if len(given) == 1 and given <= set(SHAPES)
    }
    assert alone == {}
    assert all(givers.values())


def constants() -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for path in (ROOT / "domain").glob("*/*.py"):
        words = found.setdefault(path.parent.name, set())
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                words.add(node.value)
    return found
