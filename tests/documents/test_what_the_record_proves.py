import re
from functools import lru_cache

import pytest

from domain.games import GAMES
from domain.inference import possible
from domain.notation import read
from domain.replay import opening
from domain.table.history import History
from schemas.entries import DERIVED
from tests.documents.blocks import ROOT

PAGE = (ROOT / "docs" / "what-the-record-proves.md").read_text("utf-8")
MOMENTS = re.findall(
    r"^\| \[(\d+)\]\(games/(\w+)\.carnet#L(\d+)\) \| .+ \| (\d+) \|$", PAGE, re.MULTILINE
)


@lru_cache
def played(ruleset: str) -> History:
    record = read((ROOT / "docs" / "games" / f"{ruleset}.carnet").read_text("utf-8")).record
    assert record is not None
    history = History(opening(record.ruleset, record.options, record.seats))
    for entry in record.log:
        if type(entry) not in DERIVED:
            assert isinstance(history.judge(entry), tuple), entry
    return history


def test_there_are_three_games_with_moments() -> None:
    assert {ruleset for _, ruleset, _, _ in MOMENTS} == {"euchre", "rami", "dutch"}
    assert len(MOMENTS) == PAGE.count("| [")


@pytest.mark.parametrize(("version", "ruleset", "line", "deals"), MOMENTS)
def test_as_many_deals_fit_as_the_page_says(
    version: str, ruleset: str, line: str, deals: str
) -> None:
    hidden = GAMES[ruleset].hidden(played(ruleset).at(int(version)))
    assert hidden is not None
    found = possible(hidden)
    assert (found.is_exact_count, found.deals) == (True, int(deals))
    lines = (ROOT / "docs" / "games" / f"{ruleset}.carnet").read_text("utf-8").splitlines()
    assert lines[int(line) - 1].startswith(f"{version}. ")
