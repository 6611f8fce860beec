"""An unsure entry is judged like any other and proves nothing."""

import pytest

from domain.inference import Carried, Seen, Shuffled
from domain.rami.proof import rebuilt
from domain.rami.state import PILE, STOCK, TOP, Thrown, pack, slot
from tests.domain.rami.entries import (
    accepted,
    add,
    count,
    deal,
    draw,
    gone_out,
    meld,
    opening,
    refused,
    swap,
    take,
    throw,
    turn,
)


def test_unsure__a_discard_proves_nothing() -> None:
    twice = [deal(), *turn(1, "9S"), draw(0), throw(0, "9S", unsure=True)]
    accepted(*twice, draw(1), throw(1, "9S"))


def test_unsure__a_discard_is_judged() -> None:
    twice = [deal(), *turn(1, "9S"), *turn(0, "9S"), draw(1)]
    refused(*twice, throw(1, "9S", unsure=True), by="cards.seen", contradicts=4)


def test_unsure__a_drawn_card_is_not_known_to_be_in_the_hand() -> None:
    drawn = [deal("9S"), draw(1, "9S", unsure=True), throw(1, "2D")]
    accepted(*drawn, draw(0), throw(0, "9S"))


def test_unsure__a_turned_card_is_not_known() -> None:
    accepted(deal("9S", unsure=True), *turn(1, "9S"), *turn(0, "9S"))


def test_unsure__a_laying_counts_but_its_cards_are_not_known() -> None:
    laid = [*opening()[:2], meld(1, "TC JC QC KC AC", unsure=True), throw(1, "9H")]
    accepted(*laid, *turn(0, "TC"), draw(1), throw(1, "TC"))
    accepted(*laid, *turn(0, "9D"), draw(1), add(1, 1, "9C"))


def test_unsure__a_joker_won_from_an_unsure_laying_is_one() -> None:
    laid = [deal(), draw(1), meld(1, "TC JC QC KC AC", "5S 6S* 7S", unsure=True), throw(1, "9H")]
    won = [*laid, *turn(0, "XX"), draw(1), swap(1, 2, "6S")]
    accepted(*won, add(1, 2, "8S*"), throw(1, "2H"))
    seen = [*won, add(1, 2, "8S*", unsure=True), throw(1, "XX"), *turn(0, "XX")]
    accepted(*seen)
    refused(*seen, *turn(1, "XX"), *turn(0, "2C"), draw(1), throw(1, "XX"), by="cards.seen",
            contradicts=13)  # fmt: skip


def test_unsure__a_swapped_card_is_not_known_but_the_joker_is() -> None:
    log = [*opening("5S 6S* 7S"), *turn(0, "9D"), draw(1), swap(1, 2, "6S", unsure=True)]
    accepted(*log, add(1, 1, "9C*"), throw(1, "6S"), *turn(0, "6S"))


def test_unsure__a_count_ends_the_deal_all_the_same() -> None:
    assert accepted(*gone_out(), count(0, points=9, unsure=True))["deals"] == [[9, 0]]


def test_unsure__a_taken_card_thrown_unsure_is_not_known_in_the_hand() -> None:
    log = [*opening(), draw(0), throw(0, "9C", unsure=True), take(1), add(1, 1, "9C")]
    accepted(*log, throw(1, "2D"))
    kept = [*log[:-1], throw(1, "2D", waive=["rami.take-use"])]
    accepted(*kept, *turn(0, "9C"), draw(1), throw(1, "9C"))


@pytest.mark.parametrize("unsure", [False, True])
def test_unsure__a_joker_that_was_added_can_be_won_however_sure(*, unsure: bool) -> None:
    log = [*opening(), *turn(0, "9D"), draw(1), add(1, 1, "9C*", unsure=unsure), throw(1, "2S")]
    won = [draw(0), swap(0, 1, "9C", waive=["rami.opened-first"])]
    accepted(*log, *won, throw(0, "3S", waive=["rami.swap-use"]))


def test_stock_empty__cards_thrown_unsure_are_mixed_in_with_the_others_but_the_top_one() -> None:
    sure, unsure = Thrown("9H", PILE, 5), Thrown("8H", slot(4), 4)
    below = (Thrown("8H", slot(4), 4), (Thrown("7H", slot(3), 3), (Thrown("6H", PILE, 2), None)))
    carried = Carried(slot(4), STOCK, 9), Carried(slot(3), STOCK, 9)
    mixed = Shuffled(PILE, STOCK, 9)
    nine = pack().copies["9H"]
    kept = Seen(PILE, nine, TOP, 5), Seen(TOP, nine, PILE, 5)
    assert rebuilt((sure, below), keep_top=True, version=9) == (kept[0], *carried, mixed, kept[1])
    assert rebuilt((sure, below), keep_top=False, version=9) == (*carried, mixed)
    assert rebuilt((unsure, below), keep_top=True, version=9) == (*carried, mixed)
    assert rebuilt((unsure, None), keep_top=False, version=9) == (carried[0], mixed)
