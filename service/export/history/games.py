"""A game as exports of many games are told it: among others, with what the export asks for."""

from msgspec import Struct

from projections.summary import decided
from schemas.history import PastGame
from service.export.game.game import LogLine


class PlayedGame(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One game. `log`: its entries, `started` first, where they were asked for."""

    game: PastGame
    deals: int
    log: tuple[LogLine, ...] = ()

    @property
    def decided(self) -> bool:
        """Whether places say who won."""
        return decided(self.game.status, self.deals, self.game.totals)

    @property
    def names(self) -> tuple[str | None, ...]:
        """What the players are called, seat 0 first; None: forgotten on request."""
        return tuple(player.name for player in self.game.players)
