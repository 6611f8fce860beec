"""The registry: ruleset name → what its score sheet tells. It alone imports all games."""

from typing import Any

from domain.table.history import History
from projections.durak import DurakFacts
from projections.dutch import DutchFacts
from projections.euchre import EuchreFacts
from projections.rami import RamiFacts
from projections.score_sheet import ScoreSheet, SheetFacts, score_sheet

FACTS: dict[str, SheetFacts[Any]] = {
    "durak": DurakFacts(),
    "dutch": DutchFacts(),
    "euchre": EuchreFacts(),
    "rami": RamiFacts(),
}


def sheet_of(history: History) -> ScoreSheet:
    """Return the score sheet of a game of any ruleset."""
    return score_sheet(history, FACTS[history.game.rules.name])
