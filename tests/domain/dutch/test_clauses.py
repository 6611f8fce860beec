"""Every clause has tests of both sides, and every refusal cites a clause that exists."""

import re
from pathlib import Path
from random import Random

import pytest

from schemas.catalogue import shapes
from service.texts import texts
from tests.answers import answer
from tests.generation.dutch import PROFILES, true_game
from tests.generation.sizes import games

HERE = Path(__file__).parent
CLAUSES = sorted(shapes("dutch").clauses)


def facts_about(clause: str) -> list[str]:
    """Return the facts tested about a clause: what follows its name in the tests' names."""
    game, name = clause.split(".")
    slug = (name if game == "dutch" else f"{game}-{name}").replace("-", "_")
    text = "\n".join(path.read_text(encoding="utf-8") for path in sorted(HERE.glob("test_*.py")))
    return re.findall(rf"^def test_{slug}__(\w+)", text, flags=re.MULTILINE)


@pytest.mark.parametrize("clause", CLAUSES)
def test_clauses__each_has_a_test_of_either_side(clause: str) -> None:
    facts = facts_about(clause)
    if texts().clauses[clause].kind in "PR":
        assert any("accepted" in fact for fact in facts), facts
        assert any("refused" in fact for fact in facts), facts
    else:
        assert len(facts) >= 2, facts


@pytest.mark.parametrize("profile", ["unruly and unsure", "open hands"])
def test_clauses__whatever_is_refused_is_refused_by_a_clause_that_exists(profile: str) -> None:
    for seed in games(70_000, share=2):
        record = true_game(seed, PROFILES[profile])
        chance = Random(seed)  # noqa: S311 games, not secrets
        cut = record["log"][: chance.randrange(len(record["log"])) + 1]
        chance.shuffle(cut)
        for log in (cut, record["log"][: len(cut)] + cut):
            answered = answer({**record, "log": log})
            assert answered["ok"] or answered["rule"] in CLAUSES, answered
