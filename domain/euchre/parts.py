"""The parts of a deal, as the list of entries tells them: the bidding, then trick by trick."""

from domain.euchre.state import Deal
from domain.table.rules import Game
from schemas import euchre as entries
from schemas.entries import Entry

BIDDING, TRICK = "bidding", "trick"


def begins(game: Game, entry: Entry) -> str | None:
    """Tell which part an entry begins."""
    if isinstance(entry, entries.Deal):
        return BIDDING
    deal: Deal | None = game.deal
    leads = isinstance(entry, entries.Play) and deal is not None and deal.led is None
    return TRICK if leads else None
