"""Bounds that a flow gives without a search contain the true answer.

Compared with the enumeration of all deals of a small pack.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.inference.evidence import (
    AllMoved,
    Evidence,
    Held,
    Narrowed,
    RuledOut,
    Seen,
    Shuffled,
    Swapped,
    Unseen,
    successors_with_totals,
)
from domain.inference.flow import Flow
from domain.inference.worlds import World, all_unseen
from domain.table.cards import Cards, Pack, bit_numbers
from tests.domain.inference import enumeration
from tests.domain.inference.enumeration import Deal
from tests.domain.inference.test_flow import (
    EQUAL,
    HANDS,
    KINDS,
    PILE,
    PLACES,
    STOCK,
    UNLIKE,
    learnt,
    pieces,
)
from tests.domain.inference.test_learn_all import described, lying

NOWHERE = 77
Described = set[tuple[tuple[str, int], ...]]


def can_leave(pack: Pack, deals: set[Deal], place: int, known: Cards) -> Cards:
    there = {card for deal in deals for card, at in enumerate(deal) if at == place}
    return pack.all_copies(pack.codes[card] for card in there if not known >> card & 1)


def keep(pack: Pack, world: World, deals: Described) -> bool:
    for pool in world.pools:
        assert pool.assignment
        assert not pool.assignment & ~pool.candidates
        assert not pool.assignment & ~world.unseen
    held = sum(pool.assignment for pool in world.pools)
    assert held == world.unseen
    return lying(pack, world) in deals


@pytest.mark.parametrize("kinds", KINDS)
@settings(max_examples=settings().max_examples // 3)
@given(data=st.data())
def test_flow__what_it_tells_without_a_search_is_between_what_is_and_what_may_be(
    kinds: str, data: st.DataObject
) -> None:
    pack = data.draw(st.sampled_from(EQUAL if kinds == "moved" else UNLIKE))
    story = data.draw(pieces(pack, KINDS[kinds], 12))
    known, deals = learnt(pack, story)
    flow = Flow(pack.everything, STOCK)
    for piece in story:
        if not flow.add_piece(piece):
            return
    if flow.undecided() is not None:
        return
    unseen = sum(1 << card for cards in flow.unseen_kinds() for card in bit_numbers(cards))
    assert unseen & known.world.unseen == known.world.unseen
    told = described(pack, deals)
    assert keep(pack, flow.world(known.world), told)
    for place in PLACES:
        face_up = known.world.known.get(place, 0)
        number = flow.unseen_at(place)
        assert {sum(at == place for at in deal) - face_up.bit_count() for deal in deals} == {number}
        can = can_leave(pack, deals, place, face_up)
        assert not flow.reachable().get(place, 0) & ~can
        for copies in pack.copies.values():
            seen_there = Seen(place, copies, place, 99)
            if copies & known.world.unseen and enumeration.after(deals, seen_there) and number:
                assert copies & (flow.reachable_bound().get(place, 0) | face_up)
        assert number or flow.reachable().get(place, 0) == flow.reachable_bound().get(place, 0) == 0
        _put_back_as_it_was(pack, flow, known.world, place, told)


def _put_back_as_it_was(pack: Pack, flow: Flow, world: World, place: int, deals: Described) -> None:
    for copies in pack.copies.values():
        asked = flow.copy()
        if copies & world.unseen and asked.demand(place, copies):
            assert asked.unseen_at(place) == flow.unseen_at(place) - 1
            before = asked.world(world, [place])
            assert keep(pack, before, deals)
            assert successors_with_totals(Seen(place, copies, place, 99), before)
            assert asked.unseen_at(place) == flow.unseen_at(place)


def read(flow: Flow, *story: Evidence) -> list[bool | None]:
    return [flow.add_piece(piece) for piece in story]


def test_flow__of_cards_just_dealt_all_can_be_seen_anywhere() -> None:
    for pack in (EQUAL[0], UNLIKE[0]):
        flow = Flow(pack.everything, STOCK)
        assert read(flow, Unseen(STOCK, 1, 2, 1), Unseen(1, 4, 1, 2)) == [True, True]
        for place in (STOCK, 1, 4):
            assert (
                flow.reachable().get(place, 0)
                == flow.reachable_bound().get(place, 0)
                == pack.everything
            )
        assert flow.reachable().get(2, 0) == flow.reachable_bound().get(2, 0) == 0


def test_flow__a_card_narrowed_is_plainly_what_it_passed_as_and_may_be_any_it_was_narrowed_to() -> (
    None
):
    pack = UNLIKE[1]
    kings = pack.copies["KS"] | pack.copies["KH"]
    flow = Flow(pack.everything, STOCK)
    assert read(flow, Unseen(STOCK, 1, 1, 1), Narrowed(1, kings, 2)) == [True, True]
    assert flow.reachable().get(1, 0) in (pack.copies["KS"], pack.copies["KH"])
    assert flow.reachable_bound().get(1, 0) == kings
    assert flow.add_piece(AllMoved(1, 4, 3))
    assert flow.unseen_at(1) == 0
    assert flow.reachable_bound().get(4, 0) == kings
    world = flow.world(all_unseen(pack.everything, STOCK))
    (card,) = [pool for pool in world.pools if pool.place == 4]
    assert (card.candidates, card.assignment.bit_count()) == (kings, 1)
    assert sum(pool.assignment.bit_count() for pool in world.pools if pool.place == STOCK) == 5


def test_flow__more_cards_than_there_are_cannot_move_or_be_held() -> None:
    pack = UNLIKE[1]
    ace, king = pack.copies["AS"], pack.copies["KS"]
    assert Flow(pack.everything, STOCK).add_piece(Unseen(STOCK, 1, 6, 1))
    assert Flow(pack.everything, STOCK).add_piece(Unseen(STOCK, 1, 7, 1)) is False
    assert Flow(pack.everything, STOCK).add_piece(Unseen(NOWHERE, 1, 1, 1)) is False
    flow = Flow(pack.everything, STOCK)
    assert flow.add_piece(Unseen(STOCK, 1, 1, 1))
    assert flow.copy().add_piece(Held(1, ace, 2))
    assert flow.copy().add_piece(Held(1, ace | king, 2)) is False
    assert flow.copy().add_piece(Held(NOWHERE, ace, 2)) is False
    assert flow.demand(NOWHERE, ace) is False
    assert flow.unseen_at(NOWHERE) == 0


def test_flow__only_a_card_by_itself_is_narrowed_and_of_cards_unlike_all_others() -> None:
    pack = EQUAL[0]
    aces = pack.copies["AS"]
    one = Narrowed(1, 0b110000, 2)
    flow = Flow(pack.everything, STOCK)
    assert read(flow, Unseen(STOCK, 1, 1, 1), Unseen(STOCK, 2, 2, 1)) == [True, True]
    assert flow.copy().add_piece(one)
    assert flow.copy().add_piece(Narrowed(2, 0b110000, 2)) is None
    assert flow.copy().add_piece(Narrowed(4, 0, 2)) is True  # place 4 has no unseen card
    seen = Seen(STOCK, aces, 1, 2)
    assert read(flow, seen, one) == [True, None]  # place 1 also has a known card
    other = Flow(pack.everything, STOCK)
    story: list[Evidence] = [Unseen(STOCK, 1, 1, 1), Seen(STOCK, aces, 2, 2), Narrowed(1, aces, 3)]
    assert read(other, *story) == [True, True, None]
    assert other.add_piece(Narrowed(2, aces, 4))
    assert other.add_piece(Narrowed(2, 0b100, 4)) is False


def test_flow__a_set_of_equal_cards_of_which_some_were_another_s_is_not_read() -> None:
    pack = EQUAL[0]
    flow = Flow(pack.everything, STOCK)
    assert flow.add_piece(Seen(STOCK, 0b11, PILE, 1))
    assert flow.copy().add_piece(Seen(STOCK, 0b110, PILE, 2)) is None
    assert flow.copy().add_piece(Seen(STOCK, 0b1100, PILE, 2))
    assert read(flow, Seen(STOCK, 0b11, PILE, 2), Seen(STOCK, 0b11, PILE, 3)) == [True, False]


@pytest.mark.parametrize("others", [0, 1])
def test_flow__what_two_places_hold_changes_places_whatever_is_at_either(others: int) -> None:
    pack = UNLIKE[1]
    ace, king = pack.copies["AS"], pack.copies["KS"]
    flow = Flow(pack.everything, STOCK)
    story: list[Evidence] = [
        Unseen(STOCK, 1, 2, 1),
        Seen(STOCK, ace, 1, 2),
        Unseen(STOCK, 2, others, 3),
    ]
    assert all(read(flow, *story))
    for one, other in ((1, 2), (2, 1)):
        turned = flow.copy()
        assert turned.add_piece(Swapped(one, other, 4))
        assert (turned.unseen_at(1), turned.unseen_at(2)) == (others, 2)
        assert turned.copy().add_piece(Seen(1, ace, PILE, 5)) is False
        assert all(read(turned, Seen(2, ace, PILE, 5), Unseen(2, 4, 2, 6)))
        assert turned.add_piece(Seen(4, king, PILE, 7))
        assert turned.add_piece(Unseen(1, 4, others + 1, 8)) is False


def test_flow__cards_carried_join_those_that_lie_there_and_shuffled_ones_are_known_no_more() -> (
    None
):
    pack = UNLIKE[1]
    ace, king, queen = (pack.copies[code] for code in ("AS", "KS", "QS"))
    flow = Flow(pack.everything, STOCK)
    story: list[Evidence] = [Unseen(STOCK, 1, 1, 1), Unseen(STOCK, 2, 1, 2)]
    story += [Seen(STOCK, ace, 1, 3), Seen(STOCK, king, 2, 4)]
    assert all(read(flow, *story))
    mixed = flow.copy()
    assert flow.add_piece(AllMoved(1, 2, 5))
    assert (flow.unseen_at(1), flow.unseen_at(2)) == (0, 2)
    assert all(read(flow, Seen(2, ace, PILE, 6), Seen(2, king, PILE, 7), Seen(2, queen, PILE, 8)))
    assert mixed.add_piece(Shuffled(1, 2, 5))
    assert (mixed.unseen_at(1), mixed.unseen_at(2)) == (0, 4)
    assert mixed.add_piece(Unseen(2, 4, 1, 6))
    assert mixed.reachable().get(4, 0) & (ace | king) == ace | king


def test_flow__nothing_is_read_while_a_card_is_undecided_but_what_rules_more_out() -> None:
    pack = UNLIKE[1]
    ace, king = pack.copies["AS"], pack.copies["KS"]
    flow = Flow(pack.everything, STOCK)
    story: list[Evidence] = [Unseen(STOCK, 1, 1, 1), Unseen(STOCK, 2, 1, 2)]
    assert all(read(flow, *story, RuledOut(1, ace, "a.clause", (0, ""), 3)))
    assert flow.undecided() == (ace, (STOCK, 2))
    assert flow.add_piece(Unseen(STOCK, 2, 1, 4)) is None
    assert flow.add_piece(RuledOut(HANDS[0], king, "a.clause", (0, ""), 4))
    assert flow.undecided() == (ace, (STOCK, 2))
    decided = flow.copy()
    assert decided.decide(ace, 2)
    assert decided.undecided() == (king, (STOCK, 2))
    assert decided.copy().decide(king, 2) is False
    assert decided.decide(king, STOCK)
    assert decided.undecided() is None
    assert decided.add_piece(Seen(2, ace, PILE, 5))
    assert flow.add_piece(RuledOut(2, ace, "a.clause", (0, ""), 5))
    assert flow.undecided() == (king, (STOCK, 2))
    assert flow.decide(king, 2)
    assert flow.add_piece(Seen(2, ace, PILE, 6)) is False


def test_flow__a_card_ruled_out_of_everywhere_or_of_where_it_was_seen_is_refuted() -> None:
    pack = UNLIKE[1]
    ace = pack.copies["AS"]
    flow = Flow(pack.everything, STOCK)
    assert flow.copy().add_piece(RuledOut(STOCK, ace, "a.clause", (0, ""), 1)) is False
    assert flow.add_piece(Seen(STOCK, ace, 1, 1))
    assert flow.add_piece(RuledOut(STOCK, ace, "a.clause", (0, ""), 2))
    assert flow.undecided() is None
    assert flow.add_piece(RuledOut(1, ace, "a.clause", (0, ""), 3)) is False
