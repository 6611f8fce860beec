"""The deal in progress, and its phases."""

from enum import Enum

from domain.table.tricks import TrickDeal

# Places beside those of `domain.inference.tricks`.
TURNED, AWAY = 10, 11

CARDS_EACH = 5


class Phase(Enum):
    ROUND_ONE = "round-one"
    EXCHANGE = "exchange"
    ROUND_TWO = "round-two"
    PLAY = "play"


class Deal(TrickDeal, frozen=True, kw_only=True):
    """One deal.

    `turned`, `turned_suit`: the turned card and its suit; `turned_sure`: it was not marked unsure.
    `passed`: the seats that passed in this round. `maker` and `trump` are None until the bidding
    ends.
    """

    phase: Phase
    turned: str
    turned_suit: str
    turned_sure: bool
    passed: tuple[int, ...] = ()
    taken: bool = False
    maker: int | None = None
    trump: str | None = None

    @property
    def elder(self) -> int:
        return 1 - self.dealer

    @property
    def to_act(self) -> int:
        match self.phase:
            case Phase.EXCHANGE:
                return self.dealer
            case Phase.PLAY:
                return self.trick.to_act(len(self.counts))
            case _:
                return self.dealer if self.elder in self.passed else self.elder
