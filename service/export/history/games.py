"""The data of one game that exports of many games share."""

from msgspec import Struct

from projections.summary import decided
from schemas.history import PastGame
from service.export.game.game import LogLine


class PlayedGame(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    game: PastGame
    deals: int
    log: tuple[LogLine, ...] = ()

    @property
    def decided(self) -> bool:
        return decided(self.game.status, self.deals, self.game.totals)

    @property
    def names(self) -> tuple[str | None, ...]:
        return tuple(player.name for player in self.game.players)
