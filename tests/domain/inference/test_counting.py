from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from domain.inference import Summed, counting
from domain.inference.counting import DealCount, count_deals
from domain.inference.knowledge import Knowledge, knowledge_before_deal
from domain.inference.possibility import possible_at
from domain.table.cards import bit_numbers
from tests.depth import run_size
from tests.domain.inference import enumeration
from tests.domain.inference.enumeration import Deal
from tests.domain.inference.test_knowledge import PACKS, STOCK, VALUES, dealt, evidence_pieces

PACK = PACKS[0]  # a pack without equal cards, so that each deal counts once
STATES = settings(max_examples=run_size(40, deep=10_000))


def shares_of(deals: set[Deal], knowledge: Knowledge) -> dict[int, dict[int, Fraction]]:
    often = Counter((deal[card], 1 << card) for deal in deals for card in range(len(PACK)))
    found: dict[int, dict[int, Fraction]] = {}
    for (place, card), times in often.items():
        if card & knowledge.world.unseen:
            found.setdefault(card, {})[place] = Fraction(times, len(deals))
    return found


def learnt_all(data: st.DataObject, most: int) -> tuple[Knowledge, set[Deal]]:
    knowledge, deals = dealt(knowledge_before_deal(PACK, STOCK), enumeration.every_deal(6, STOCK))
    for piece in data.draw(st.lists(evidence_pieces(PACK), max_size=most)):
        learnt = knowledge.learn(piece)
        if learnt is not None:
            knowledge, deals = learnt, enumeration.after(deals, piece)
    return knowledge, deals


def agree(knowledge: Knowledge, deals: set[Deal]) -> None:
    count = count_deals(knowledge)
    lies = {(place, card) for at in deals for card, place in enumerate(at)}
    found = {
        (place, card) for place, cards in count.cards_found.items() for card in bit_numbers(cards)
    }
    unseen = set(bit_numbers(knowledge.world.unseen))
    assert found <= lies
    if count.is_exact:
        assert found == {one for one in lies if one[1] in unseen}
    holds_what_can_be(knowledge, count, lies)
    event(f"whole: {count.is_exact}, forked: {knowledge.forked}")
    if count.is_exact:
        assert count.deals == len(deals)
        told = {1 << card: kind.shares for kind in count.kinds for card in bit_numbers(kind.cards)}
        assert told == shares_of(deals, knowledge)
    else:
        assert 1 <= count.deals <= len(deals)
        assert not count.kinds


def holds_what_can_be(knowledge: Knowledge, count: DealCount, lies: set[tuple[int, int]]) -> None:
    unseen = set(bit_numbers(knowledge.world.unseen))
    at = sorted({pool.place for pool in knowledge.world.pools if pool.assignment})
    for place, unknown in zip(
        at, possible_at(knowledge, PACK, [[one] for one in at], count).at, strict=True
    ):
        told = {card for some in unknown for card in bit_numbers(some.cards)}
        assert told == {card for there, card in lies if there == place and card in unseen}


@STATES
@given(st.data())
def test_counting__agrees_with_every_deal_enumerated(data: st.DataObject) -> None:
    agree(*learnt_all(data, 14))


@STATES
@given(st.data())
def test_counting__agrees_where_points_were_promised(data: st.DataObject) -> None:
    knowledge, deals = learnt_all(data, 6)
    for hands in ((1,), (2, 3)):
        total = Summed(hands, VALUES, data.draw(st.integers(0, 26)), 9)
        learnt = knowledge.learn(total)
        if learnt is not None:
            knowledge, deals = learnt, enumeration.after(deals, total)
    agree(knowledge, deals)


@STATES
@given(st.data())
def test_counting__that_stops_early_finds_only_what_can_be(data: st.DataObject) -> None:
    knowledge, deals = learnt_all(data, 6)
    total = Summed((1, 2), VALUES, data.draw(st.integers(0, 26)), 9)
    learnt = knowledge.learn(total)
    if learnt is not None:
        knowledge, deals = learnt, enumeration.after(deals, total)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counting, "EDGES_MAX", data.draw(st.sampled_from([1, 4, 16])))
        patch.setattr(counting, "BEAM_EDGES", data.draw(st.sampled_from([1, 20])))
        agree(knowledge, deals)
