"""Where the unseen cards of Euchre lie."""

from domain.euchre.state import AWAY, STOCK, TURNED, Deal
from domain.euchre.trumps import pack
from domain.table.hidden import Hidden, Location
from domain.table.rules import Game


def hidden(game: Game) -> Hidden | None:
    """Return what is known of the hands, the stock, the turned card and the one laid away."""
    deal: Deal | None = game.deal
    if deal is None or deal.knowledge is None:
        return None
    hands = [Location("hand", (seat,), seat) for seat in range(game.seats)]
    rest = (Location("stock", (STOCK, TURNED)), Location("away", (AWAY,), deal.dealer))
    return Hidden(pack(game.options.deck), deal.knowledge, (*hands, *rest))
