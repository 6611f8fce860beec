"""Every clause has tests of both sides, and every refusal cites a clause that exists."""

import re
import tomllib
from importlib.resources import files
from pathlib import Path
from random import Random

import pytest

from schemas.catalogue import shapes
from tests.answers import answer
from tests.generation.rami import PROFILES, true_game
from tests.generation.sizes import games

HERE = Path(__file__).parent
CLAUSES = sorted(shapes("rami").clauses)


def kinds() -> dict[str, str]:
    """Read the kind of each clause: P, R, D or S."""
    found: dict[str, str] = {}
    for name in ("clauses.toml", "rami/clauses.toml"):
        table = tomllib.loads((files("domain") / name).read_text(encoding="utf-8"))
        found |= {clause: entry["kind"] for clause, entry in table.items() if "kind" in entry}
    return found


def facts_about(clause: str) -> list[str]:
    """Return the facts tested about a clause: what follows its name in the tests' names."""
    game, name = clause.split(".")
    slug = (name if game == "rami" else f"{game}-{name}").replace("-", "_")
    text = "\n".join(path.read_text(encoding="utf-8") for path in sorted(HERE.glob("test_*.py")))
    return re.findall(rf"^def test_{slug}__(\w+)", text, flags=re.MULTILINE)


@pytest.mark.parametrize("clause", CLAUSES)
def test_clauses__each_has_a_test_of_either_side(clause: str) -> None:
    facts = facts_about(clause)
    if kinds()[clause] in "PR":
        assert any("accepted" in fact for fact in facts), facts
        assert any("refused" in fact for fact in facts), facts
    else:
        assert len(facts) >= 2, facts


def test_clauses__whatever_is_refused_is_refused_by_a_clause_that_exists() -> None:
    for seed in games(70_000):
        record = true_game(seed, PROFILES["unruly and doubtful"])
        chance = Random(seed)  # noqa: S311 games, not secrets
        chance.shuffle(record["log"])
        answered = answer(record)
        assert answered["ok"] or answered["rule"] in CLAUSES, answered
