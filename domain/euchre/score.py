"""Points of a deal and the end of the game."""

from msgspec import UNSET, UnsetType

from domain.euchre.state import CARDS_EACH
from domain.table.dealing import next_dealer
from domain.table.rules import Outcome
from schemas.euchre import Detail

TO_MAKE = 3
MADE, MARCH, EUCHRED = 1, 2, 2


def outcome(
    maker: int | None, trump: str | None, taken: int | UnsetType, dealer: int | None
) -> Outcome:
    """Score a deal in which the maker took `taken` tricks (`euchre.points`, `euchre.passed-out`).

    No maker: the deal was passed out, no points. `dealer` is None if unknown.
    """
    dealer_next = next_dealer(dealer, 2)
    if maker is None or taken is UNSET:
        detail = Detail(maker=None, trump=None, tricks=(0, 0), euchred=False)
        return Outcome((0, 0), detail, dealer_next)
    euchred = taken < TO_MAKE
    scorer = 1 - maker if euchred else maker
    made = MARCH if taken == CARDS_EACH else MADE
    won = EUCHRED if euchred else made
    tricks = (taken, CARDS_EACH - taken) if maker == 0 else (CARDS_EACH - taken, taken)
    detail = Detail(maker=maker, trump=trump, tricks=tricks, euchred=euchred)  # type: ignore[arg-type] # a seat and a suit
    return Outcome((won, 0) if scorer == 0 else (0, won), detail, dealer_next)
