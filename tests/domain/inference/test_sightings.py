"""Who takes what is short, and what would be short, by hand: two lots, few cards, two places."""

import pytest

from domain.inference.sightings import NOWHERE, Sightings, SightingShare

ACE, KING = 0b0011, 0b1100
OLD, NEW = 0, 1  # one ace and one king each
LOTS = (0b0101, 0b1010)


def seen(*cards: tuple[int, int, int], came: int = 3) -> Sightings:
    """Let cards come to two places, so many of each lot; then some are seen."""
    sightings = Sightings(LOTS)
    for place in (1, 2):
        for lot in (OLD, NEW):
            sightings.come(place, lot, came)
    for place, copies, lot in cards:
        sightings.see(place, copies, lot)
    return sightings


def test_short__of_a_card_those_who_were_put_down_to_the_lot_take_it() -> None:
    sightings = seen((1, ACE, OLD), (2, ACE, NEW), (2, ACE, OLD), (1, KING, OLD))
    assert sightings.short(SightingShare(OLD, ACE, 2)) == [[0, 2]]


def test_short__nothing_is_where_all_are_left() -> None:
    sightings = seen((1, ACE, OLD), (2, ACE, NEW))
    assert sightings.short(SightingShare(OLD, ACE, 1)) == []


def test_short__of_tokens_those_who_took_the_lots_there_until_it_was_short_take_them() -> None:
    sightings = seen((1, ACE, OLD), (1, KING, NEW), (1, KING, OLD), (2, KING, NEW), came=1)
    sightings.come(1, OLD, 1)
    sightings.see(1, ACE, OLD)
    assert sightings.short(SightingShare(OLD, KING, 1)) == [[0, 2]]


def test_short__where_more_and_more_is_lacking_it_is_from_the_first_on() -> None:
    sightings = seen((1, ACE, OLD), (1, KING, OLD), came=0)
    assert sightings.short(SightingShare(OLD, KING, 1)) == [[0]]


def test_short__what_is_just_used_up_is_not_lacking() -> None:
    sightings = seen((1, ACE, OLD), came=1)
    assert sightings.short(SightingShare(OLD, ACE, 1)) == []


def test_short__of_the_card_and_of_tokens_is_told_of_each() -> None:
    sightings = seen((2, ACE, OLD), (1, KING, OLD), (1, ACE, OLD), came=1)
    assert sightings.short(SightingShare(OLD, ACE, 1)) == [[0, 2], [1, 2]]


def test_short__of_tokens_lacking_twice_it_is_told_until_they_lacked_first() -> None:
    sightings = seen((1, KING, OLD), (1, ACE, NEW), (1, KING, OLD), (1, ACE, OLD), came=1)
    assert sightings.tokens[1][OLD][-1] == -2
    assert sightings.short(SightingShare(OLD, ACE, 1)) == [[0, 2]]
    sightings.come(1, OLD, 2)
    assert sightings.short(SightingShare(OLD, ACE, 1)) == [[0, 2]]


def test_short_of__counts_tokens_and_cards_that_would_be_lacking() -> None:
    sightings = seen((1, ACE, OLD), (1, ACE, NOWHERE), came=1)
    assert [sightings.short_of(1, lot) for lot in (OLD, NEW)] == [2, 0]


@pytest.mark.parametrize("came", [0, 1, 2, 3])
@pytest.mark.parametrize("aces", [0b0000, 0b0001, 0b0011])
def test_short_of__is_how_far_tokens_and_cards_fall_below_none_when_it_is_put_there(
    came: int, aces: int
) -> None:
    sightings = Sightings((KING, aces))
    sightings.come(1, NEW, came)
    for lot in (NEW, NEW, NOWHERE):
        sightings.see(1, ACE, lot)
    short = sightings.short_of(2, NEW)
    sightings.put(2, NEW)
    lacking = [min(sightings.tokens[1][NEW]), sightings.left[ACE][NEW]]
    assert short == -sum(min(0, left) for left in lacking)


def test_put__gives_back_what_was_taken_since() -> None:
    sightings = seen((1, ACE, OLD), (1, KING, NEW))
    sightings.put(0, NEW)
    assert sightings.left == {ACE: [1, 0], KING: [1, 0]}
    assert [row[-3:] for row in sightings.tokens[1]] == [[3, 3, 3], [3, 2, 1]]


def test_others__are_the_lots_with_such_a_card_but_its_own_the_newest_first() -> None:
    sightings = Sightings((0b0001, 0b0100, 0b0010, 0b1000))
    sightings.see(1, ACE, NOWHERE)
    assert sightings.others(0) == [2, 0]
    sightings.put(0, 2)
    assert sightings.others(0) == [0]


def test_mix__makes_a_lot_that_was_nowhere_before() -> None:
    sightings = seen((1, ACE, OLD))
    sightings.mix(3, ACE)
    assert sightings.left == {ACE: [0, 1, 2]}
    assert [rows[2][-1] for rows in sightings.tokens.values()] == [0, 0, 2]


def test_mix__beside_one_lot_makes_a_second() -> None:
    sightings = Sightings((0b0101,))
    sightings.come(1, OLD, 2)
    sightings.mix(2, 0b1010)
    assert sightings.tokens == {1: [[0, 2], [0, 0]], 2: [[0, 0], [0, 2]]}
