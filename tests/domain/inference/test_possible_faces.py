import pytest
from msgspec.structs import replace

from domain.inference import counting
from domain.inference.counting import DealCount, count_deals
from domain.inference.knowledge import Knowledge
from domain.inference.possibility import Unknown, possible_at
from domain.inference.worlds import TokenPool, Total, World
from domain.table.cards import Cards, Pack, bit_numbers
from tests.domain.inference import enumeration
from tests.domain.inference.test_counting_worlds import UNLIKE, kept, summed
from tests.domain.inference.test_worlds import PLACES, deals_of, every

PACK = Pack(["AS", "KS", "QS"])
ACE, KING, QUEEN = 1, 2, 4


def possible(*pools: tuple[Cards, Cards]) -> list[list[Unknown]]:
    held = tuple(TokenPool(place, can, has) for place, (can, has) in enumerate(pools))
    world = World(held, {}, PACK.everything)
    known = Knowledge(world, world)
    return possible_at(known, PACK, [[place] for place in range(len(pools))], count_deals(known)).at


def test_possible__are_cards_that_others_can_give_up_in_a_circle() -> None:
    circle = possible((ACE | KING, ACE), (KING | QUEEN, KING), (QUEEN | ACE, QUEEN))
    assert circle == [[Unknown(1, ACE | KING)], [Unknown(1, KING | QUEEN)], [Unknown(1, 5)]]


def test_possible__is_no_card_that_its_holder_cannot_replace() -> None:
    row = possible((ACE | KING, ACE), (KING | QUEEN, KING), (QUEEN, QUEEN))
    assert row == [[Unknown(1, ACE)], [Unknown(1, KING)], [Unknown(1, QUEEN)]]


def test_possible__of_every_token_is_what_some_matching_gives_it() -> None:
    for _, world in every(100, equal=False):
        apart = tuple(pool._replace(place=at) for at, pool in enumerate(world.pools))
        known = {99: sum(world.known.values())}
        has = deals_of(World(apart, known, world.unseen))
        for site in ((1,), (2, 3), (3, 1, 7)):
            told: dict[Cards, int] = {}
            for at, pool in enumerate(world.pools):
                if pool.place in site:
                    can = sum(1 << card for card in range(6) if any(one[card] == at for one in has))
                    told[can] = told.get(can, 0) + pool.assignment.bit_count()
            fits = kept(world)
            [found], exact = possible_at(fits, UNLIKE, [site], count_deals(fits))
            assert exact
            assert {some.cards: some.number for some in found} == told
            assert len(found) == len(told)


def test_possible__equal_cards_are_told_together_wherever_one_of_them_is_found() -> None:
    pack = Pack(["AS", "KS", "AS"])
    pools = (TokenPool(1, 0b011, 0b001), TokenPool(2, 0b110, 0b110))
    nothing = Total(frozenset(), (0, 0, 0), 0)
    known = kept(World(pools, {}, 0b111, (nothing,)))
    count = count_deals(known)
    assert (count.is_exact, count.cards_found) == (True, {1: 0b001, 2: 0b110})
    assert possible_at(known, pack, [[1], [2]], count).at == [[Unknown(1, 5)], [Unknown(2, 7)]]


def test_possible__what_a_loose_world_allows_is_not_exact() -> None:
    loose = replace(kept(World((TokenPool(1, 0b110, 0b110),), {2: 0b001}, 0b110)), relaxed=True)
    faces = possible_at(loose, PACK, [[1]], DealCount(1, is_exact=False))
    assert faces == ([[Unknown(2, 0b110)]], False)


def test_possible__a_card_that_lies_elsewhere_is_none_of_a_place_where_nothing_was_found() -> None:
    pools = (TokenPool(1, ACE, ACE), TokenPool(2, KING | QUEEN, KING | QUEEN))
    loose = replace(kept(World(pools, {}, 0b111)), relaxed=True)
    assert possible_at(loose, PACK, [[2]], DealCount(1, is_exact=False)).at == [[Unknown(2, 0b110)]]


@pytest.mark.parametrize("steps", [counting.EDGES_MAX, 0])
def test_possible__where_points_were_promised_is_what_some_deal_lays_there(steps: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counting, "EDGES_MAX", steps)
        for chance, world in every(60, equal=False):
            total = summed(chance, deals_of(world))
            deals = enumeration.after(deals_of(world), total)
            known = kept(world).learn_certain(total)
            faces = possible_at(known, UNLIKE, [[at] for at in PLACES], count_deals(known))
            assert faces.exact
            for at, found in zip(PLACES, faces.at, strict=True):
                number = sum(p.assignment.bit_count() for p in world.pools if p.place == at)
                lies = {card for card in range(6) if any(deal[card] == at for deal in deals)}
                lies &= set(bit_numbers(world.unseen))
                told = [(some.number, set(bit_numbers(some.cards))) for some in found]
                assert told == ([(number, lies)] if number else [])
