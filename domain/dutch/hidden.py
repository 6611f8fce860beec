"""Where the unseen cards of Dutch lie."""

from domain.dutch.state import HAND, PACK, STOCK, Deal, slot_place
from domain.table.cards import places
from domain.table.hidden import Hidden, Location
from domain.table.rules import Game


def hidden(game: Game) -> Hidden | None:
    """Return what is known of every slot, of the stock and of a card just drawn."""
    deal: Deal | None = game.deal
    if deal is None or deal.knowledge is None:
        return None
    slots = [
        Location("slot", (slot_place(seat, slot),), seat, slot)
        for seat, row in enumerate(deal.rows)
        for slot in places(row)
    ]
    drawn = () if deal.held is None else (Location("drawn", (HAND,), deal.turn),)
    return Hidden(PACK, deal.knowledge, (*slots, *drawn, Location("stock", (STOCK,))))
