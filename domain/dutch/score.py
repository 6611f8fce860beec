"""Card values, the points of a deal, and the end of the game."""

from collections.abc import Iterable
from functools import lru_cache

from domain.dutch.state import PACK
from domain.table.cards import RANKS
from domain.table.dealing import next_dealer
from domain.table.rules import Game, Outcome
from schemas.dutch import Detail, Options

_ANY_SUIT = "S"


@lru_cache
def worth(red_kings: str) -> dict[str, int]:
    """Return the value of each card (`dutch.values`) under the option `red_kings`."""
    values = {card: RANKS.index(card[0]) + 1 for card in PACK.codes}
    values["KH"] = 0
    if red_kings == "both":
        values["KD"] = 0
    return values


@lru_cache
def values(red_kings: str) -> tuple[int, ...]:
    return tuple(worth(red_kings)[card] for card in PACK.codes)


def total(cards: Iterable[str], red_kings: str) -> int:
    each = worth(red_kings)
    return sum(each[card if card in each else card[0] + _ANY_SUIT] for card in cards)


def points(
    options: Options, caller: int | None, counter: int | None, totals: tuple[int, ...]
) -> tuple[int, ...]:
    """Score rows (`dutch.score-empty`, `dutch.score-counter`, `dutch.score-caller`)."""
    won = list(totals)
    if caller is None:
        return totals
    mine = totals[caller]
    if counter is not None:
        beaten = totals[counter] < mine
        won[counter] = 0 if beaten else 2 * totals[counter]
        won[caller] = 2 * mine if beaten else 0
        return tuple(won)
    others = min(value for seat, value in enumerate(totals) if seat != caller)
    lowest = mine <= others if options.tie == "caller" else mine < others
    won[caller] = 0 if lowest else 2 * mine
    return tuple(won)


def outcome(
    game: Game, caller: int | None, counter: int | None, totals: tuple[int, ...], dealer: int | None
) -> Outcome:
    """Return the end of a deal; `dealer` is None if unknown."""
    detail = Detail(caller=caller, counter=counter, totals=totals)
    dealer_next = next_dealer(dealer, game.seats)
    return Outcome(points(game.options, caller, counter, totals), detail, dealer_next)
