"""Sightings are shared out to lots whenever that can be, however many of them must change."""

from random import Random

import pytest

from domain.inference.assignment import FewChanges, settle
from domain.inference.sightings import NOWHERE, Sightings

ACE, KING, QUEEN = 0b11, 0b1100, 0b110000
OLD, NEW = 0, 1  # lots


def two_lots() -> Sightings:
    """Return one copy of each card in an old lot and in a new one, two of each lot at a place."""
    sightings = Sightings([0b01010101, 0b10101010])
    for place in (1, 2):
        for lot in (OLD, NEW):
            sightings.come(place, lot, 2)
    return sightings


def test_settle__an_earlier_sighting_changes_its_lot_to_make_room() -> None:
    sightings = Sightings([0b01010101, 0b10101010])
    for place, lot in ((1, OLD), (1, NEW), (2, OLD)):
        sightings.come(place, lot, 1)
    sightings.see(1, ACE, OLD)
    sightings.see(2, ACE, NOWHERE)  # an old ace: the first was a new one then
    assert settle(sightings)
    assert sightings.lot == [NEW, OLD]


def test_settle__a_third_card_of_two_is_refuted() -> None:
    sightings = two_lots()
    sightings.see(1, ACE, OLD)
    sightings.see(2, ACE, NEW)
    sightings.see(2, ACE, NOWHERE)
    assert settle(sightings) is False


def test_settle__a_token_that_came_later_explains_no_earlier_sighting() -> None:
    sightings = Sightings([0b01010101, 0b10101010])
    sightings.come(1, OLD, 1)
    sightings.see(1, ACE, OLD)
    sightings.come(1, NEW, 2)
    sightings.see(1, KING, NEW)
    sightings.see(1, ACE, NOWHERE)
    assert settle(sightings)
    assert sightings.lot == [OLD, NEW, NEW]
    sightings.come(2, OLD, 1)
    sightings.see(2, ACE, NOWHERE)
    assert settle(sightings) is False


def test_ways__every_way_of_sharing_is_found_once() -> None:
    sightings = two_lots()
    for place, card in [(1, ACE), (2, KING), (1, QUEEN)]:
        sightings.see(place, card, OLD)
    few = FewChanges(sightings, 1000, [0, 1, 2])
    found = [tuple(sightings.lot) for _ in few.ways()]
    assert len(found) == len(set(found)) == 2**3 - 1
    assert few.exhausted
    assert sightings.lot == [OLD, OLD, OLD]


@pytest.mark.parametrize(("tries", "all_of_them"), [(23, False), (24, True)])
def test_ways__are_all_there_are_if_a_try_is_left(tries: int, *, all_of_them: bool) -> None:
    sightings = two_lots()
    for place, card in [(1, ACE), (2, KING), (1, QUEEN)]:
        sightings.see(place, card, OLD)
    few = FewChanges(sightings, tries, [0, 1, 2])
    assert len([*few.ways()]) == 2**3 - 1
    assert few.exhausted is all_of_them


def test_settle__a_timetable_that_can_be_filled_is_filled() -> None:
    lots, cards, places = 6, 30, 5
    for seed in range(20):
        chance = Random(seed)  # noqa: S311 timetables, not secrets
        whole = [0] * lots
        for card in range(cards):
            for copy, lot in enumerate(chance.sample(range(lots), 2)):
                whole[lot] |= 1 << 2 * card + copy
        sightings = Sightings(whole)
        true: list[tuple[int, int, int]] = []
        for lot, faces in enumerate(whole):
            for face in [bit for bit in range(2 * cards) if faces >> bit & 1]:
                place = chance.randrange(places)
                sightings.come(place, lot, 1)
                true.append((place, 0b11 << face // 2 * 2, lot))
        chance.shuffle(true)
        for at, (place, copies, _) in enumerate(true[: len(true) * 4 // 5]):
            sightings.see(place, copies, NOWHERE)
            assert settle(sightings), (seed, at)
        assert all(
            not sightings.short(sightings.share(number)) for number in range(len(sightings.lot))
        )
