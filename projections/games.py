"""Score sheets by ruleset: each game's facts are in `projections/<game>.py`."""

from collections.abc import Iterable
from typing import Any

from domain.table.history import History
from projections.deals import Deals, deals_of
from projections.score_sheet import AnyRow, ScoreSheet, SheetFacts, score_sheet
from schemas.catalogue import SHAPES, game_attribute

FACTS: dict[str, SheetFacts[Any]] = {
    name: game_attribute(f"projections.{name}", "FACTS") for name in SHAPES
}


def sheet_of(history: History, rows: Iterable[AnyRow] | None = None) -> ScoreSheet:
    """Return the score sheet of a game of any ruleset, with all rows or those given."""
    shown = game_by_deals(history).rows if rows is None else rows
    return score_sheet(history, FACTS[history.game.rules.name], shown)


def game_by_deals(history: History, known: Deals | None = None) -> Deals:
    """Return a game of any ruleset by deals; see `deals_of`."""
    return deals_of(history, FACTS[history.game.rules.name], known)
