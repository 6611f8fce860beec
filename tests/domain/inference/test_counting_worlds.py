"""Counts of random worlds (fixed seeds) equal the enumeration; costs are checked by hand.

If the worlds admit exactly the deals that fit, and the limits suffice, the count is exact.
"""

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from random import Random

import pytest
from msgspec.structs import replace

from domain.inference import all_worlds, counting
from domain.inference.counting import DealCount, count_deals, deals_that_fit
from domain.inference.evidence import Evidence, RuledOut, Seen, Summed, Unseen
from domain.inference.knowledge import Knowledge, knowledge_before_deal
from domain.inference.worlds import TokenPool, Total, World
from domain.table.cards import Pack, bit_numbers
from tests.domain.inference import enumeration
from tests.domain.inference.enumeration import Deal
from tests.domain.inference.test_worlds import CARDS, PLACES, TABLE, a_world, deals_of, every


def kept(world: World) -> Knowledge:
    return Knowledge(world, world)


def agrees(count: DealCount, knowledge: Knowledge, deals: set[Deal]) -> None:
    assert (count.deals, count.is_exact) == (len(deals), True)
    often = Counter((card, deal[card]) for deal in deals for card in range(CARDS))
    unseen = set(bit_numbers(knowledge.world.unseen))
    told = {card: kind.shares for kind in count.kinds for card in bit_numbers(kind.cards)}
    assert told == {
        card: {at: Fraction(times, len(deals)) for (one, at), times in often.items() if one == card}
        for card in unseen
    }
    assert {
        (card, at) for at, cards in count.cards_found.items() for card in bit_numbers(cards)
    } == {one for one in often if one[0] in unseen}


UNLIKE = Pack(["AS", "KS", "QS", "JS", "TS", "9S"])
VALUES = (5, 0, 2, 1, 1, 5)


def summed(chance: Random, deals: Iterable[Deal]) -> Summed:
    at = tuple(chance.sample((*PLACES, TABLE), chance.randint(1, 3)))
    deal = chance.choice(sorted(deals))
    return Summed(at, VALUES, sum(VALUES[card] for card in range(CARDS) if deal[card] in at), 1)


@pytest.mark.parametrize("totals", [0, 1, 2])
def test_counted__of_one_world_agrees_with_every_deal(totals: int) -> None:
    for chance, world in every(150, equal=False):
        deals = deals_of(world)
        knowledge = kept(world)
        for _ in range(totals):
            total = summed(chance, deals)
            deals = enumeration.after(deals, total)
            knowledge = knowledge.learn_certain(total)
        agrees(count_deals(knowledge), knowledge, deals)
        assert deals_that_fit(knowledge) == len(deals)


def forked(chance: Random) -> tuple[Knowledge, set[Deal]]:
    knowledge, deals = knowledge_before_deal(UNLIKE, 1), enumeration.every_deal(CARDS, 1)
    for turn in range(8):
        one, other = chance.sample(PLACES, 2) if turn else (1, 2)
        pieces: tuple[Evidence, ...] = (
            Unseen(one, other, chance.randint(1, 2), 1),
            RuledOut(one, 1 << chance.randrange(CARDS), "a.clause", (0, ""), 2),
            Seen(one, 1 << chance.randrange(CARDS), TABLE, 3),
        )
        piece = pieces[chance.choice((0, 0, 0, 1, 1, 2)) if turn > 2 else turn % 2]
        learnt = knowledge.learn(piece)
        if learnt is not None:
            knowledge, deals = learnt, enumeration.after(deals, piece)
    if chance.random() < 0.3:
        total = summed(chance, deals)
        knowledge, deals = knowledge.learn_certain(total), enumeration.after(deals, total)
    return knowledge, deals


def test_counted__of_all_worlds_there_can_be_agrees_with_every_deal() -> None:
    several = 0
    for seed in range(600):
        knowledge, deals = forked(Random(seed))  # noqa: S311 worlds, not secrets
        listed = knowledge.all_worlds() if knowledge.forked else (knowledge.world,)
        if listed is not None and len(listed) <= counting.WORLDS_MAX:
            several += len(listed) > 1
            agrees(count_deals(knowledge), knowledge, deals)
    assert several > 20


def test_counted__of_more_worlds_than_can_be_followed_is_that_of_two() -> None:
    more = 0
    for seed in range(600):
        knowledge, deals = forked(Random(seed))  # noqa: S311 worlds, not secrets
        listed = knowledge.all_worlds() if knowledge.forked else None
        if listed is None or len(listed) < 3:
            continue
        for most in (len(listed), len(listed) - 1):
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(counting, "WORLDS_MAX", most)
                count = count_deals(knowledge)
            assert count.is_exact == (most == len(listed))
            if not count.is_exact:
                two = (deals_of(listed[0]) | deals_of(listed[1])) & deals
                assert (count.deals, count.kinds) == (max(1, len(two)), ())
                more += len(two) < len(deals)
    assert more > 3


def test_counted__of_more_worlds_than_are_listed_is_that_of_the_one_kept() -> None:
    pools = (
        TokenPool(1, 0b111111, 0b011),
        TokenPool(1, 0b110000, 0b110000),
        TokenPool(2, 0b1100, 0b1100),
    )
    known = kept(World(pools, {}, 0b111111))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(all_worlds, "FOLLOWED_MAX", 0)
        unsure = known.learn_certain(Unseen(1, 3, 1, 1))
        assert unsure.all_worlds() is None
    count = count_deals(unsure)
    assert (count.deals, count.is_exact) == (len(deals_of(unsure.world)), False)
    assert count_deals(known.learn_certain(Unseen(1, 3, 1, 1))).is_exact


def test_counted__where_worlds_are_too_many_or_relaxed_no_number_is_told() -> None:
    world = World((TokenPool(1, 0b11, 0b11),), {2: 0b111100}, 0b11)
    loose = replace(kept(world), relaxed=True)
    assert count_deals(loose) == DealCount(1, is_exact=False)
    assert deals_that_fit(loose) is None
    known = kept(
        World((TokenPool(1, 0b111111, 0b111), TokenPool(1, 0b111000, 0b111000)), {}, 0b111111)
    )
    unsure = known.learn_certain(Unseen(1, 2, 1, 1))
    assert count_deals(unsure).is_exact
    assert deals_that_fit(unsure) is None
    assert deals_that_fit(known) == 1


def test_counted__without_shares_tells_the_number_alone() -> None:
    assert count_deals(kept(a_world(Random(1))), shares=False)[2:] == ((), {})  # noqa: S311 worlds


# Two unlike tokens at one place, and another token that may have either face.
PLAIN = World(
    (
        TokenPool(1, 0b001111, 0b000011),
        TokenPool(1, 0b110011, 0b110000),
        TokenPool(2, 0b011110, 0b001100),
    ),
    {},
    0b111111,
)
PROMISED = PLAIN._replace(totals=(Total(frozenset({1}), (0, 1, 2, 3, 4, 5), 10),))


@pytest.mark.parametrize(("world", "steps"), [(PLAIN, 18), (PROMISED, 25)])
def test_counted__is_whole_where_the_steps_suffice(world: World, steps: int) -> None:
    for most, whole in ((steps, True), (steps - 1, False)):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(counting, "EDGES_MAX", most)
            assert count_deals(kept(world)).is_exact == whole


@pytest.mark.parametrize(
    ("world", "after", "deals"),
    [(PLAIN, 8, 1), (PLAIN, 16, 3), (PLAIN, 24, 6), (PROMISED, 24, 1), (PROMISED, 32, 2)],
)
def test_counted__that_has_no_steps_left_follows_the_more_the_more_it_may(
    world: World, after: int, deals: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counting, "EDGES_MAX", 0)
        patch.setattr(counting, "BEAM_EDGES", after)
        assert count_deals(kept(world))[:2] == (deals, False)
