"""Where the unseen cards of Durak lie."""

from domain.durak.ranks import PACK
from domain.durak.state import STOCK, UNDER, Deal
from domain.table.hidden import Hidden, Location
from domain.table.rules import Game


def hidden(game: Game) -> Hidden | None:
    """Return what is known of the hands and of the stock, the trump card under it included."""
    deal: Deal | None = game.deal
    if deal is None or deal.knowledge is None:
        return None
    hands = [Location("hand", (seat,), seat) for seat in range(game.seats)]
    return Hidden(PACK, deal.knowledge, (*hands, Location("stock", (STOCK, UNDER))))
