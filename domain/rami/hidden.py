"""Where the unseen cards of Rami lie."""

from domain.rami.state import STOCK, Deal, pack
from domain.table.hidden import Hidden, Location
from domain.table.rules import Game


def hidden(game: Game) -> Hidden | None:
    """Return what is known of the hands and of the stock."""
    deal: Deal | None = game.deal
    if deal is None or deal.knowledge is None:
        return None
    hands = [Location("hand", (seat,), seat) for seat in range(game.seats)]
    return Hidden(pack(), deal.knowledge, (*hands, Location("stock", (STOCK,))))
