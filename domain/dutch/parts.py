"""The parts of a deal, as the list of entries tells them: the dealing, turns, the counting.

What others do between two turns (a card thrown on the pile, a queen, a jack) belongs to the turn
before.
"""

from domain.dutch.state import Deal
from domain.table.rules import Game
from schemas import dutch as entries
from schemas.entries import Entry

DEALING, TURN, COUNTING = "dealing", "turn", "counting"


def begins(game: Game, entry: Entry) -> str | None:
    """Tell which part an entry begins."""
    if isinstance(entry, entries.Deal):
        return DEALING
    if isinstance(entry, entries.Draw | entries.Take):
        return TURN
    deal: Deal | None = game.deal
    first = deal is not None and all(total is None for total in deal.totals)
    return COUNTING if isinstance(entry, entries.Reveal) and first else None
