"""Score sheets by ruleset: each game's facts are in `projections/<game>.py`."""

from typing import Any

from domain.table.history import History
from projections.score_sheet import ScoreSheet, SheetFacts, score_sheet
from schemas.catalogue import SHAPES, part

FACTS: dict[str, SheetFacts[Any]] = {name: part(f"projections.{name}", "FACTS") for name in SHAPES}


def sheet_of(history: History) -> ScoreSheet:
    """Return the score sheet of a game of any ruleset."""
    return score_sheet(history, FACTS[history.game.rules.name])
