"""The parts of a deal, as the list of entries tells them: the dealing, turns, the counting."""

from domain.rami.state import Deal
from domain.table.rules import Game
from schemas import rami as entries
from schemas.entries import Entry

DEALING, TURN, COUNTING = "dealing", "turn", "counting"


def begins(game: Game, entry: Entry) -> str | None:
    """Tell which part an entry begins."""
    if isinstance(entry, entries.Deal):
        return DEALING
    if isinstance(entry, entries.Draw | entries.Take):
        return TURN
    deal: Deal | None = game.deal
    if isinstance(entry, entries.Count) and deal is not None and not any(deal.counted):
        return COUNTING
    return None
