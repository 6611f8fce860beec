from typing import Any

from tests.domain.rami.entries import (
    accepted,
    deal,
    draw,
    meld,
    refused,
    take,
    throw,
    turn,
)
from tests.generation.rami_cards import pack

Entry = dict[str, Any]


def to_the_end_of_the_stock(*first: str) -> list[Entry]:
    """Let six players draw and discard until the stock is empty: `first`, then one of each card."""
    cards = [*first, *(card for card in dict.fromkeys(pack()) if card not in {"XX", "2H", *first})]
    log = [deal(dealer=5)]
    for place, card in enumerate(cards[: 107 - 13 * 6]):
        log += turn(place % 6, card)
    return log


FULL = to_the_end_of_the_stock()  # six players, 29 cards thrown, seat 5 to act
LAST = FULL[-1]["card"]


def test_stock_empty__the_top_card_can_still_be_taken_accepted() -> None:
    assert accepted(*FULL, seats=6)["stock"] == 0
    assert accepted(*FULL, take(5), seats=6)["stock"] == 0


def test_stock_empty__it_is_rebuilt_of_the_whole_pile_or_all_but_the_top_accepted() -> None:
    assert accepted(*FULL, draw(5), seats=6)["stock"] == 29
    assert accepted(*FULL, draw(5), seats=6, reshuffle="keep_top")["stock"] == 28
    top = accepted(*FULL, draw(5, LAST), seats=6)
    assert top["hand_counts"] == [13, 13, 13, 13, 13, 14]


def test_stock_empty__a_card_that_was_not_in_the_pile_is_refused() -> None:
    refused(*FULL, draw(5, "2C"), by="cards.impossible", contradicts=58, seats=6)
    refused(
        *FULL, draw(5, LAST), by="cards.impossible", contradicts=56, seats=6, reshuffle="keep_top"
    )


def test_stock_empty__nothing_to_take_is_refused() -> None:
    emptied = [*FULL, draw(5), take(0, waive=["table.turn"])]
    refused(*emptied, by="rami.stock-empty", seats=6)
    never = [deal(), take(1, waive=["rami.stock-empty"]), take(1, waive=["rami.draw-first"])]
    refused(*never, by="rami.stock-empty")


def test_stock_empty__a_card_that_came_back_can_be_thrown_again_accepted() -> None:
    again = [*FULL, draw(5), throw(5, "AS"), draw(0), throw(0, "AS")]
    accepted(*again, seats=6)


def test_stock_empty__more_cards_of_the_pile_than_were_drawn_since_are_refused() -> None:
    both = [*to_the_end_of_the_stock("TS", "TS", "JS", "JS", "QS", "QS"), draw(5)]
    waived = {"waive": ["rami.opening"]}
    accepted(*both, throw(5, "JS"), seats=6)
    refused(*both, meld(5, "TS JS QS", **waived), by="cards.impossible", seats=6)
    accepted(*both, meld(5, "7S 8S 9S", **waived), seats=6)
