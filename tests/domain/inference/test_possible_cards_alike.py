"""What one world tells at once: of places and cards that are alike, and of cards exchanged."""

import pytest

from domain.inference import possible_cards
from domain.inference.evidence import Evidence
from domain.inference.knowledge import Knowledge
from domain.inference.possible_cards import PossibleCards
from domain.inference.search import follow
from domain.inference.worlds import Place, TokenPool, Total, World


def followed_for(
    monkeypatch: pytest.MonkeyPatch, world: World, *asking: tuple[Place, tuple[int, ...]]
) -> tuple[list[bool], int]:
    """Ask about cards where nothing else could have been; return how many pieces were followed."""
    followed: list[Evidence] = []

    def noted(piece: Evidence, world: World, *, relaxed: bool) -> list[World]:
        followed.append(piece)
        return follow(piece, world, relaxed=relaxed)

    monkeypatch.setattr(possible_cards, "follow", noted)
    asked = PossibleCards(Knowledge(world, world))
    answers: list[bool] = []
    for place, bits in asking:
        cards = [1 << bit for bit in bits]
        several = len(bits) > 1
        answers.append(
            asked.can_all_leave(place, cards) if several else asked.can_leave(place, cards[0])
        )
    return answers, len(followed)


@pytest.mark.parametrize(
    ("asking", "number"),
    [
        (((1, (0,)), (2, (0,))), 1),  # the places differ in a card that was seen
        (((1, (0,)), (1, (1,))), 1),  # the cards in nothing
        (((1, (0,)), (1, (2,))), 2),  # in what they are worth, or who may have them
        (((1, (0,)), (4, (0,))), 2),  # the places in how many cards they hold
        (((1, (0,)), (5, (0,))), 2),  # in what lies there, seen
    ],
)
def test_promised__places_and_cards_that_are_alike_are_asked_about_once(
    monkeypatch: pytest.MonkeyPatch, asking: tuple[tuple[Place, tuple[int, ...]], ...], number: int
) -> None:
    world = World(
        (
            TokenPool(1, 0b0100_0000_0011, 0b0000_0000_0001),
            TokenPool(2, 0b1000_0000_0011, 0b0000_0000_0010),
            TokenPool(3, 0b0000_0000_1100, 0b0000_0000_1100),
            TokenPool(4, 0b0000_0011_0011, 0b0000_0011_0000),
            TokenPool(5, 0b0000_0100_0011, 0b0000_0100_0000),
        ),
        {5: 0b1100_0000_0000},
        0b0000_0111_1111,
        (Total(frozenset({3}), (1, 1, 1, 2, *[0] * 8), 3),),
    )
    assert followed_for(monkeypatch, world, *asking)[1] == number


def test_promised__cards_seen_are_only_where_they_lie(monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = Total(frozenset({3}), (0, 0), 0)
    world = World((), {1: 0b01, 2: 0b10}, 0, (nothing,))
    asking = ((1, (0,)), (1, (1,)), (2, (1,)))
    assert followed_for(monkeypatch, world, *asking)[0] == [True, False, True]


def test_exchanged__a_row_of_one_card_is_as_the_card() -> None:
    world = World((TokenPool(1, 0b01, 0b01),), {}, 0b01)
    asked = PossibleCards(Knowledge(world, world))
    assert [asked.can_all_leave(place, (0b01,)) for place in (1, 7)] == [True, False]


@pytest.mark.parametrize(
    ("place", "cards", "can", "sooner"),
    [
        (1, (2, 3), True, True),
        (1, (1, 2, 3), False, False),  # there are two
        (1, (2, 4), False, False),  # one may not be there
        (1, (0, 5), False, False),  # one lies elsewhere, seen
        (1, (2, 6), True, True),  # one lies there, seen
        (4, (4, 7), True, True),  # of the first a token cannot take the other's card, nor need it
        (4, (0, 4), True, False),  # who has the one may not have what it would be given
        (7, (0, 1), False, False),
        (8, (0, 9), False, False),
    ],
)
def test_exchanged__cards_are_told_without_a_search(
    monkeypatch: pytest.MonkeyPatch,
    place: Place,
    cards: tuple[int, ...],
    *,
    can: bool,
    sooner: bool,
) -> None:
    world = World(
        (
            TokenPool(1, 0b00_0000_1111, 0b00_0000_0011),
            TokenPool(2, 0b00_1000_1111, 0b00_0000_1100),
            TokenPool(4, 0b00_1001_0101, 0b00_1001_0000),
            TokenPool(8, 0b11_0000_0000, 0b11_0000_0000),
        ),
        {1: 0b0100_0000, 2: 0b0010_0000},
        0b11_1001_1111,
    )
    answers, followed = followed_for(monkeypatch, world, (place, cards))
    assert answers == [can]
    assert (followed == 0) == sooner or not can
