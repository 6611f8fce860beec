"""Every world that fits: what it answers is what every deal, enumerated, answers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.inference import all_worlds, possible_cards
from domain.inference.all_worlds import AllWorlds
from domain.inference.evidence import Evidence, RuledOut, Seen, Unseen
from domain.inference.knowledge import Knowledge
from domain.inference.possible_cards import PossibleCards
from domain.inference.search import follow
from domain.inference.worlds import TokenPool, World, all_unseen
from domain.table.cards import Pack
from tests.domain.inference import enumeration
from tests.domain.inference.test_lots import HANDS, PACKS, PILE, Table, turns

STOCK, HAND, TABLE = 0, 1, 2
SPADES = Pack(("AS", "KS", "QS", "JS", "TS"))
FIRST = all_unseen(SPADES.everything, STOCK)
# Two cards in a hand, of which one is not the ace, and nobody knows which of them leaves it.
PIECES: tuple[Evidence, ...] = (
    Unseen(STOCK, HAND, 1, 1),
    RuledOut(HAND, SPADES.copies["AS"], "some.clause", (0, "S"), 2),
    Unseen(STOCK, HAND, 1, 3),
    Unseen(HAND, TABLE, 1, 4),
)


def test_a_card_that_moves_unseen_is_each_unlike_one_there_and_like_ones_once() -> None:
    assert [len(AllWorlds().after(FIRST, PIECES[:count]) or ()) for count in range(5)] == [
        1,
        1,
        1,
        1,
        2,
    ]
    alike = (Unseen(STOCK, HAND, 3, 1), Unseen(HAND, TABLE, 2, 2))
    assert len(AllWorlds().after(FIRST, alike) or ()) == 1


def test_what_a_card_seen_rules_out_is_followed_no_longer() -> None:
    ace = Seen(TABLE, SPADES.copies["AS"], TABLE, 5)
    assert len(AllWorlds().after(FIRST, (*PIECES, ace)) or ()) == 1


def test_only_pieces_that_are_new_are_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    followed: list[Evidence] = []

    def following(piece: Evidence, world: World) -> list[World]:
        followed.append(piece)
        return follow(piece, world)

    monkeypatch.setattr(all_worlds, "follow", following)
    worlds = AllWorlds()
    worlds.after(FIRST, PIECES[:3])
    followed.clear()
    assert worlds.after(FIRST, PIECES) == worlds.after(FIRST, PIECES)
    assert followed == [PIECES[3]]
    other = (*PIECES[:3], Unseen(HAND, TABLE, 1, 4))
    worlds.after(FIRST, other)
    assert followed == [PIECES[3], other[3]]


def test_too_many_worlds_are_followed_no_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    worlds = AllWorlds(1)
    assert worlds.after(FIRST, PIECES) is None
    monkeypatch.setattr(all_worlds, "follow", enumeration.nothing)
    assert worlds.after(FIRST, (*PIECES, PIECES[0])) is None


@pytest.mark.parametrize("most", [all_worlds.WORLDS_MAX, 1])
@given(data=st.data())
def test_few_or_many_worlds_the_answers_are_those_of_all_deals(
    most: int, data: st.DataObject
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(all_worlds, "WORLDS_MAX", most)
        patch.setattr(Knowledge, "as_flows", enumeration.nothing)
        patch.setattr(possible_cards, "SEARCHES_ASKED", 1_000)
        table = Table(data.draw(st.sampled_from(PACKS)))
        for _ in turns(table, data, 12, st.integers(0, 1).map(bool)):
            pass
        asked = PossibleCards(table.knowledge)
        for place in HANDS:
            for copies in table.pack.copies.values():
                deals = enumeration.after(table.deals, Seen(place, copies, PILE, 99))
                assert asked.can_leave(place, copies) == bool(deals)


def test_so_many_worlds_as_may_be_are_followed() -> None:
    assert len(AllWorlds(2).after(FIRST, PIECES) or ()) == 2


def test_three_moments_are_remembered_whatever_is_asked_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    followed: list[Evidence] = []

    def following(piece: Evidence, world: World) -> list[World]:
        followed.append(piece)
        return follow(piece, world)

    monkeypatch.setattr(all_worlds, "follow", following)
    base = PIECES[:3]
    one, other, third = ((*base, Unseen(HAND, TABLE, 1, version)) for version in (4, 5, 6))
    worlds = AllWorlds()
    for pieces in (base, one, other):
        worlds.after(FIRST, pieces)
    followed.clear()
    for pieces in (base, base, base, other, other, one):
        assert worlds.after(FIRST, pieces)
    assert followed == []
    worlds.after(FIRST, third)
    assert followed == [third[3]]
    worlds.after(FIRST, base)  # the oldest, forgotten by now
    assert followed == [third[3], *base]


BLACK, RED = 0b00111, 0b11100


def of_pools(*pools: tuple[int, int], known: int = 0) -> World:
    """Return a world of cards in a hand: what some may be, and what they are."""
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
    for some, number in ((ALIKE, 1), (UNLIKE, 3)):

        def following(*_: object, found: list[World] = some) -> list[World]:
            return found

        monkeypatch.setattr(all_worlds, "follow", following)
        assert len(AllWorlds(number).after(FIRST, (piece,)) or ()) == number
        assert AllWorlds(number).after(FIRST, (piece,)) is not None
        assert number == 1 or AllWorlds(number - 1).after(FIRST, (piece,)) is None
