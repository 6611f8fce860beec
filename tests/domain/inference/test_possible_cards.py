import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.inference import all_worlds, possible_cards
from domain.inference.evidence import Seen
from domain.inference.knowledge import Knowledge
from domain.inference.possible_cards import PossibleCards
from domain.inference.worlds import Place, World
from domain.table.cards import Cards, bit_numbers
from tests.domain.inference import enumeration
from tests.domain.inference.test_reshuffles import ASIDE, HANDS, PACKS, PILE, STOCK, Table, turns

PLACES = (*HANDS, STOCK, ASIDE)
AFTER = 99


def alone(knowledge: Knowledge, place: Place, copies: Cards) -> bool:
    fresh = Knowledge(knowledge.origin, knowledge.origin).learn_all(knowledge.evidence())
    assert fresh is not None
    return fresh.learn(Seen(place, copies, PILE, AFTER)) is not None


@pytest.mark.parametrize("unsure", [st.just(False), st.integers(0, 3).map(bool)])  # noqa: FBT003 a value drawn
@given(data=st.data())
def test_possible_cards__every_card_as_if_it_were_judged_alone(
    unsure: st.SearchStrategy[bool], data: st.DataObject
) -> None:
    table = Table(data.draw(st.sampled_from(PACKS)))
    for _ in turns(table, data, 16, unsure):
        pass
    asked = PossibleCards(table.knowledge)
    questions = [(place, copies) for place in PLACES for copies in table.pack.copies.values()]
    for place, copies in data.draw(st.permutations(questions)):
        answer = asked.can_leave(place, copies)
        assert answer == alone(table.knowledge, place, copies)
        seen = Seen(place, copies, PILE, AFTER)
        assert answer == bool(enumeration.after(table.deals, seen))


@given(data=st.data())
def test_possible_cards__cards_at_once_as_if_each_were_asked(data: st.DataObject) -> None:
    table = Table(data.draw(st.sampled_from(PACKS)))
    for _ in turns(table, data, 16, st.integers(0, 3).map(bool)):
        pass
    single = [copies & -copies for copies in table.pack.copies.values()]
    for place in PLACES:
        among = sum(data.draw(st.lists(st.sampled_from(single), unique=True)))
        one_by_one = PossibleCards(table.knowledge)
        able = sum(card for card in single if card & among and one_by_one.can_leave(place, card))
        assert PossibleCards(table.knowledge).cards_that_can_leave(place, among) == able


@pytest.mark.parametrize("unsure", [st.just(False), st.integers(0, 3).map(bool)])  # noqa: FBT003 a value drawn
@given(data=st.data())
def test_possible_cards__several_cards_as_if_they_were_judged_in_turn(
    unsure: st.SearchStrategy[bool], data: st.DataObject
) -> None:
    table = Table(data.draw(st.sampled_from(PACKS)))
    for _ in turns(table, data, 16, unsure):
        pass
    asked = PossibleCards(table.knowledge)
    copies = [*dict.fromkeys(table.pack.copies.values())]
    for place in HANDS:
        several = data.draw(st.lists(st.sampled_from(copies), min_size=2, max_size=3, unique=True))
        deals = table.deals
        for one in several:
            deals = enumeration.after(deals, Seen(place, one, PILE, AFTER))
        assert asked.can_all_leave(place, several) == bool(deals)


def lying(table: Table, deal: enumeration.Deal) -> tuple[tuple[str, Place], ...]:
    return tuple(sorted(zip(table.pack.codes, deal, strict=True)))


def laid_out(table: Table, world: World) -> tuple[tuple[str, Place], ...]:
    at = {card: pool.place for pool in world.pools for card in bit_numbers(pool.assignment)}
    at |= {card: place for place, cards in world.known.items() for card in bit_numbers(cards)}
    return lying(table, tuple(at[card] for card in range(len(table.pack))))


@given(data=st.data())
def test_possible_cards__what_is_not_found_out_in_time_is_offered_and_doubted(
    data: st.DataObject,
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(possible_cards, "VISITED_MAX", 0)
        patch.setattr(Knowledge, "as_flows", enumeration.nothing)
        patch.setattr(all_worlds, "FOLLOWED_MAX", 0)
        table = Table(data.draw(st.sampled_from(PACKS)))
        for _ in turns(table, data, 12, st.integers(0, 1).map(bool)):
            pass
        asked = PossibleCards(table.knowledge)
        for place in HANDS:
            for copies in table.pack.copies.values():
                deals = enumeration.after(table.deals, Seen(place, copies, PILE, AFTER))
                answer = asked.can_leave(place, copies)
                assert answer == bool(deals) or (answer and asked.is_unproved(place, copies))
