"""Packs as sets of bits."""

import pytest

from domain.table.cards import SUITS, Pack, lowest, pack_of, places

TWO_PACKS = Pack(["AS", "AS", "KS", "KS"])


def test_having__is_every_copy_of_the_cards_named() -> None:
    assert TWO_PACKS.having(["KS"]) == 0b1100
    assert TWO_PACKS.having(["KS", "AS"]) == TWO_PACKS.everything


def test_having__counts_cards_that_the_pack_does_not_hold_for_nothing() -> None:
    assert TWO_PACKS.having(["2H"]) == 0
    assert TWO_PACKS.having(["2H", "KS"]) == 0b1100


def test_of_suit__are_the_cards_of_it() -> None:
    assert TWO_PACKS.of_suit == {"S": TWO_PACKS.everything, "H": 0, "D": 0, "C": 0}


def test_lowest__are_the_first_cards_of_a_set() -> None:
    assert lowest(0b11010, 2) == 0b01010
    assert [*places(0b11010)] == [1, 3, 4]


@pytest.mark.parametrize(("jokers", "packs"), [(0, 1), (1, 1), (4, 2)])
def test_of_suit__are_the_cards_of_each_suit_and_no_joker(jokers: int, packs: int) -> None:
    pack = pack_of("AK9", jokers=jokers, packs=packs)
    for suit in SUITS:
        assert pack.named(pack.of_suit[suit]) == tuple(c for c in pack.codes if c[1] == suit)
    assert sum(pack.of_suit.values()) == pack.everything & ~pack.copies.get("XX", 0)
