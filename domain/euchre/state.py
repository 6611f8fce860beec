"""The deal in progress, and its phases."""

from enum import Enum

from msgspec import Struct

from domain.inference import Knowledge

# Places for knowledge: a seat's hand has the seat's number.
STOCK, TURNED, AWAY, TABLE = 10, 11, 12, 13

CARDS_EACH = 5


class Phase(Enum):
    ROUND_ONE = "round-one"
    EXCHANGE = "exchange"
    ROUND_TWO = "round-two"
    PLAY = "play"


class Deal(Struct, frozen=True):
    """One deal.

    `turned`, `turned_suit`: the turned card and its suit; `turned_sure`: it was not marked unsure.
    `passed`: the seats that passed in this round. `led`: the card led to the trick by `leader`,
    None between tricks; `led_sure`: it was not marked unsure. `counts` and `tricks` are per seat.
    `maker` and `trump` are None until the bidding ends.
    """

    phase: Phase
    version: int
    dealer: int
    turned: str
    turned_suit: str
    turned_sure: bool
    knowledge: Knowledge | None
    passed: tuple[int, ...] = ()
    taken: bool = False
    maker: int | None = None
    trump: str | None = None
    counts: tuple[int, int] = (CARDS_EACH, CARDS_EACH)
    tricks: tuple[int, int] = (0, 0)
    leader: int = 0
    led: str | None = None
    led_sure: bool = True

    @property
    def elder(self) -> int:
        return 1 - self.dealer

    @property
    def to_act(self) -> int:
        match self.phase:
            case Phase.EXCHANGE:
                return self.dealer
            case Phase.PLAY:
                return self.leader if self.led is None else 1 - self.leader
            case _:
                return self.dealer if self.elder in self.passed else self.elder
