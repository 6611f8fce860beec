"""Caches a game by deals, so that a page reads the deals it shows and not the whole game."""

from threading import Lock

from domain.table.history import History
from projections.deals import Deals
from projections.games import game_by_deals


class DealIndex:
    """The newest fold of a game by deals; that of any version continues from it.

    One object is shared by all versions of a game in memory. Pages are built in threads.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._newest: Deals | None = None

    def at(self, history: History) -> Deals:
        with self._lock:
            newest = self._newest
            deals = game_by_deals(history, newest)
            if newest is None or newest.version <= deals.version:
                self._newest = deals
            return deals
