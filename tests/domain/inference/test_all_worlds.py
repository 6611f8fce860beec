import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.inference import all_worlds
from domain.inference.all_worlds import begin, extend
from domain.inference.evidence import Evidence, RuledOut, Seen, Unseen
from domain.inference.knowledge import Knowledge
from domain.inference.possible_cards import PossibleCards
from domain.inference.worlds import TokenPool, World, all_unseen
from domain.table.cards import Pack
from tests.domain.inference import enumeration
from tests.domain.inference.test_reshuffles import HANDS, PACKS, PILE, Table, turns

STOCK, HAND, TABLE = 0, 1, 2
SPADES = Pack(("AS", "KS", "QS", "JS", "TS"))
FIRST = begin(all_unseen(SPADES.everything, STOCK))
# Two cards in a hand, one of them not the ace; an unseen one leaves it.
PIECES: tuple[Evidence, ...] = (
    Unseen(STOCK, HAND, 1, 1),
    RuledOut(HAND, SPADES.copies["AS"], "some.clause", (0, "S"), 2),
    Unseen(STOCK, HAND, 1, 3),
    Unseen(HAND, TABLE, 1, 4),
)


def number(*pieces: Evidence) -> int:
    return len(extend(FIRST, pieces).worlds or ())


def test_a_card_that_moves_unseen_is_each_unlike_one_there_and_like_ones_once() -> None:
    assert [number(*PIECES[:count]) for count in range(5)] == [1, 1, 1, 1, 2]
    assert number(Unseen(STOCK, HAND, 3, 1), Unseen(HAND, TABLE, 2, 2)) == 1


def test_a_card_seen_leaves_the_worlds_in_which_it_can_be_there() -> None:
    assert number(*PIECES, Seen(TABLE, SPADES.copies["AS"], TABLE, 5)) == 1


@pytest.mark.parametrize("most", [all_worlds.FOLLOWED_MAX, 12])
@given(data=st.data())
def test_few_or_many_worlds_the_answers_are_those_of_all_deals(
    most: int, data: st.DataObject
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(all_worlds, "FOLLOWED_MAX", most)
        patch.setattr(Knowledge, "as_flows", enumeration.nothing)
        table = Table(data.draw(st.sampled_from(PACKS)))
        for _ in turns(table, data, 12, st.integers(0, 1).map(bool)):
            pass
        asked = PossibleCards(table.knowledge)
        for place in HANDS:
            for copies in table.pack.copies.values():
                deals = enumeration.after(table.deals, Seen(place, copies, PILE, 99))
                can = asked.can_leave(place, copies)
                assert can == bool(deals) or (can and asked.is_unproved(place, copies))


def test_no_more_pieces_are_followed_than_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    for most, worlds in ((4, None), (5, 2)):
        monkeypatch.setattr(all_worlds, "FOLLOWED_MAX", most)
        listed = extend(FIRST, PIECES).worlds
        assert (listed and len(listed)) == worlds


BLACK, RED = 0b00111, 0b11100


def of_pools(*pools: tuple[int, int], known: int = 0) -> World:
    lying = tuple(TokenPool(HAND, may, are) for may, are in pools)
    return World(lying, {TABLE: known}, SPADES.everything ^ known)


TWO = of_pools((BLACK, 0b001), (BLACK, 0b010), (RED, 0b11100))
ALIKE = [TWO, of_pools((RED, 0b11100), (BLACK, 0b011)), of_pools((BLACK, 0b110), (RED, 0b11001))]
UNLIKE = [
    TWO,
    of_pools((BLACK, 0b001), (RED, 0b01000), (RED, 0b10100), (BLACK, 0b010)),
    of_pools((BLACK, 0b001), (BLACK, 0b010), (BLACK, 0b100), (RED, 0b11000)),
    of_pools((BLACK, 0b001), (RED, 0b01000), (RED, 0b10000), (RED, 0b00100)),
]


@pytest.mark.parametrize("piece", [PIECES[0], Seen(HAND, 1, TABLE, 5)])
def test_worlds_that_admit_the_same_deals_are_one(
    piece: Evidence, monkeypatch: pytest.MonkeyPatch
) -> None:
    for some, distinct in ((ALIKE, 1), (UNLIKE, 3)):

        def following(*_: object, found: list[World] = some) -> list[World]:
            return found

        monkeypatch.setattr(all_worlds, "successors_with_totals", following)
        assert number(piece) == distinct
