"""Questions about random worlds and deals (fixed seeds) are answered as the judge would.

The answers come from the stored world, routes, all worlds or a search.
"""

from itertools import combinations
from random import Random

import pytest
from msgspec.structs import replace

from domain.inference.evidence import Seen
from domain.inference.knowledge import Knowledge
from domain.inference.possible_cards import PossibleCards
from domain.inference.worlds import Place
from domain.table.cards import Cards, bit_numbers
from tests.domain.inference import enumeration
from tests.domain.inference.enumeration import Deal
from tests.domain.inference.test_counting_worlds import forked, kept, summed
from tests.domain.inference.test_worlds import CARDS, COPIES, PLACES, TABLE, deals_of, every

EVERYWHERE = (*PLACES, TABLE, 9)  # the last place is empty
EACH: tuple[Cards, ...] = tuple(1 << card for card in range(CARDS))


def questions(chance: Random, cards: tuple[Cards, ...]) -> list[tuple[Place, tuple[Cards, ...]]]:
    found = [
        (place, some)
        for place in EVERYWHERE
        for number in (1, 2, 3)
        for some in combinations(cards, number)
    ]
    chance.shuffle(found)
    return found


def answer(asked: PossibleCards, place: Place, cards: tuple[Cards, ...]) -> bool:
    return asked.can_all_leave(place, cards) if len(cards) > 1 else asked.can_leave(place, *cards)


@pytest.mark.parametrize("relaxed", [False, True])
@pytest.mark.parametrize("totals", [0, 1, 2])
def test_possible_cards__of_one_world_as_it_is_judged(*, relaxed: bool, totals: int) -> None:
    for chance, world in every(40):
        known, deals = kept(world), deals_of(world)
        for _ in range(totals):
            total = summed(chance, deals)
            known, deals = known.learn_certain(total), enumeration.after(deals, total)
        known = replace(known, relaxed=relaxed)
        asked = PossibleCards(known)
        for place, cards in questions(chance, EACH if totals else COPIES):
            seen = [Seen(place, copies, place, 1) for copies in cards]
            assert answer(asked, place, cards) == (known.learn_all(seen) is not None)
            assert not asked.is_unproved(place, *cards)
        assert not asked.has_unproved


def agrees(asked: PossibleCards, chance: Random, deals: set[Deal]) -> None:
    for place, cards in questions(chance, EACH):
        fits = any(all(deal[card] == place for card in bit_numbers(sum(cards))) for deal in deals)
        assert answer(asked, place, cards) == fits, (place, cards)
    assert not asked.has_unproved
    for place in EVERYWHERE:
        here = sum(
            card for card in EACH if any(deal[card.bit_length() - 1] == place for deal in deals)
        )
        for among in (0, 0b111, 0b101010, 0b111111):
            assert asked.cards_that_can_leave(place, among) == here & among


@pytest.mark.parametrize("by", ["flows", "worlds"])
def test_possible_cards__of_cards_that_moved_unseen_as_every_deal_tells(
    monkeypatch: pytest.MonkeyPatch, by: str
) -> None:
    if by == "worlds":
        monkeypatch.setattr(Knowledge, "as_flows", enumeration.nothing)
    for seed in range(60):
        chance = Random(seed)  # noqa: S311 worlds, not secrets
        known, deals = forked(chance)
        agrees(PossibleCards(known), chance, deals)
