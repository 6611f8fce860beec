"""Totals are satisfied exactly if some deal satisfies them: few cards, fixed seeds, enumeration.

Most cards fit few places, so that the search must reassign cards.
"""

from random import Random

import pytest

from domain.inference.sum_constraints import solve_totals
from domain.inference.worlds import TokenPool, Total, World
from tests.domain.inference.test_sum_constraints import deals, makes

SEEDS = range(1_500)
# The first place may hold any card, but the other places need the cards of most worth: the search
# finds that by exchanging cards among them several times.
PASSED_ON = World(
    pools=(
        TokenPool(0, 0b1111_1111_1111, 0b0010_0010_0101),
        TokenPool(1, 0b0001_1101_1010, 0b0000_1100_0010),
        TokenPool(2, 0b0100_0010_1100, 0b0100_0000_0000),
        TokenPool(3, 0b1001_0001_1100, 0b1001_0001_1000),
    ),
    known=dict.fromkeys(range(4), 0),
    unseen=0b1111_1111_1111,
    totals=(Total(frozenset({0}), (0, 2, 2, 2, 1, 0, 0, 2, 3, 0, 0, 0), 5),),
)
CARDS, PLACES = 8, 5


def promise(chance: Random) -> World:
    at = [chance.randrange(PLACES) for _ in range(CARDS)]
    held = [sum(1 << card for card, own in enumerate(at) if own == one) for one in range(PLACES)]
    may = [own | sum(1 << chance.randrange(CARDS) for _ in range(3)) for own in held]
    pools = [TokenPool(one, may[one], held[one]) for one in range(PLACES) if held[one]]
    if chance.random() < 0.3:  # a place with two pools
        own = held[0] & -held[0]
        pools = [TokenPool(0, may[1] | own, own), *(pool for pool in pools if pool.place)]
        pools += [TokenPool(0, may[0], held[0] ^ own)] if held[0] != own else []
    deal = dict(enumerate(at))
    for _ in range(chance.randrange(4)):
        one, other = chance.sample(range(CARDS), 2)
        deal[one], deal[other] = deal[other], deal[one]
    totals: list[Total] = []
    values = worths(chance)
    for number in range(chance.randint(1, 3)):
        counted = {number, chance.randrange(PLACES)} if chance.random() < 0.3 else {number}
        if chance.random() < 0.2:
            values = worths(chance)
        worth = sum(values[card] for card, own in deal.items() if own in counted)
        worth += sum(values[CARDS + place] for place in counted)
        totals.append(Total(frozenset(counted), values, worth))
    if chance.random() < 0.1:  # one total is given twice, equal or not
        again = totals[0]
        totals.append(again._replace(worth=again.worth + chance.randrange(2)))
    known = {place: 1 << CARDS + place for place in range(PLACES)}
    return World(tuple(pools), known, (1 << CARDS) - 1, tuple(totals))


def worths(chance: Random) -> tuple[int, ...]:
    return tuple(chance.randint(0, 3) for _ in range(CARDS + PLACES))


def test_possible__is_told_exactly_where_some_deal_makes_every_total() -> None:
    can = 0
    for seed in SEEDS:
        world = promise(Random(seed))  # noqa: S311 deals, not secrets
        made = any(makes(world, deal) for deal in deals(world.pools, world.unseen))
        assert (solve_totals(world) is not None) == made, seed
        can += made
    assert len(SEEDS) // 4 < can < len(SEEDS) * 3 // 4


@pytest.mark.parametrize("worth", range(10))
def test_possible__a_card_that_was_passed_on_is_not_there_to_be_passed_on_again(
    worth: int,
) -> None:
    (total,) = PASSED_ON.totals
    world = PASSED_ON._replace(totals=(total._replace(worth=worth),))
    made = any(makes(world, deal) for deal in deals(world.pools, world.unseen))
    assert (solve_totals(world) is not None, made) == (worth <= 3, worth <= 3)
