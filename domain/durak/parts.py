"""The parts of a deal, as the list of entries tells them: the dealing, then bout by bout."""

from domain.durak.state import Deal
from domain.table.rules import Game
from schemas import durak as entries
from schemas.entries import Entry

DEALING, BOUT = "dealing", "bout"


def begins(game: Game, entry: Entry) -> str | None:
    """Tell which part an entry begins."""
    if isinstance(entry, entries.Deal):
        return DEALING
    deal: Deal | None = game.deal
    leads = isinstance(entry, entries.Attack) and deal is not None and deal.bout is None
    return BOUT if leads else None
