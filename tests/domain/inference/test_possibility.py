from collections import Counter
from fractions import Fraction

from domain.inference.possibility import Possible, possible
from domain.inference.worlds import World
from domain.table.cards import Cards, bit_numbers
from domain.table.hidden import Hidden, Location
from tests.domain.inference.enumeration import Deal
from tests.domain.inference.test_counting_worlds import UNLIKE, kept
from tests.domain.inference.test_worlds import CARDS, deals_of, every

HAND, SLOT = Location("hand", (2, 1), 0), Location("slot", (4,), 1, 0)  # place 3 is not asked about


def at(deal: Deal, location: Location) -> set[int]:
    return {card for card in range(CARDS) if deal[card] in location.places}


def name(cards: set[int]) -> tuple[str, ...]:
    return tuple(UNLIKE.codes[card] for card in sorted(cards))


def holds(found: Possible, world: World, deals: set[Deal]) -> None:
    locations = [holding.location for holding in found.holdings]
    others = any(pool.place == 3 for pool in world.pools)
    assert locations == [HAND, SLOT, *[Location("shown", (3,))] * others]
    for holding in found.holdings:
        lying = [at(deal, holding.location) for deal in deals]
        seen: Cards = sum(world.known.get(place, 0) for place in holding.location.places)
        ever = {card for cards in lying for card in cards}
        always = {card for card in ever if all(card in cards for cards in lying)}
        assert {len(cards) for cards in lying} == {holding.size}
        assert holding.known == name(always)
        assert sum(some.count for some in holding.unseen) == holding.size - seen.bit_count()
        assert {card for some in holding.unseen for card in some.cards} == {
            *name(ever - {*bit_numbers(seen)})
        }
    told = {where.card: {one.location: one.share for one in where.at} for where in found.cards}
    for card in bit_numbers(world.unseen):
        often = Counter(
            number
            for deal in deals
            for number, location in enumerate(locations)
            if deal[card] in location.places
        )
        shares = {number: Fraction(times, len(deals)) for number, times in often.items()}
        assert told.pop(UNLIKE.codes[card]) == shares
    assert not told


def test_possible__is_what_every_deal_has_at_each_location() -> None:
    for _, world in every(80, equal=False):
        deals = deals_of(world)
        found = possible(Hidden(UNLIKE, kept(world), (HAND, SLOT)))
        assert (found.deals, found.is_exact_count, found.exact) == (len(deals), True, True)
        holds(found, world, deals)
