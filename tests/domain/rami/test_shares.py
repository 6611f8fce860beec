from collections.abc import Iterator
from itertools import combinations, product
from random import Random

from domain.rami.result import hands_are_possible

Hands = tuple[tuple[int, int], ...]


def makes(hands: Hands, cards: tuple[int, ...]) -> bool:
    if not hands:
        return True
    (points, most), others = hands[0], hands[1:]
    for count in range(1, min(most, len(cards)) + 1):
        for chosen in combinations(range(len(cards)), count):
            left = tuple(card for at, card in enumerate(cards) if at not in chosen)
            if sum(cards[at] for at in chosen) == points and makes(others, left):
                return True
    return False


def packs() -> Iterator[dict[int, int]]:
    chance = Random(5)  # noqa: S311 games, not secrets
    for _ in range(12):
        yield {worth: chance.randint(0, 3) for worth in chance.sample(range(12), 3)}


def test_possible__one_hand_is_what_some_of_the_cards_are_worth() -> None:
    for pack in packs():
        cards = tuple(worth for worth, number in pack.items() for _ in range(number))
        for points, most in product(range(-1, sum(cards) + 2), range(1, 5)):
            hands = ((points, most),)
            assert hands_are_possible(hands, pack) == makes(hands, cards), (hands, pack)


def test_possible__hands_share_the_cards() -> None:
    chance = Random(7)  # noqa: S311 games, not secrets
    for pack in packs():
        cards = tuple(worth for worth, number in pack.items() for _ in range(number))
        for _ in range(25):
            hands = tuple(
                (chance.randint(0, max(cards, default=0) * 2), chance.randint(1, 3))
                for _ in range(chance.randint(2, 3))
            )
            assert hands_are_possible(hands, pack) == makes(hands, cards), (hands, pack)


def test_possible__no_hand_needs_no_card_and_every_other_one_a_card() -> None:
    assert hands_are_possible((), {})
    assert not hands_are_possible(((0, 1),), {5: 1})
    assert hands_are_possible(((0, 1),), {0: 1})


def test_possible__several_high_hands_from_the_whole_pack_are_decided_at_once() -> None:
    pack = dict.fromkeys((2, 3, 4, 5, 6, 7, 8, 9, 11), 8) | {10: 32, 20: 4}
    assert hands_are_possible([(150, 13), (144, 13), (144, 13)], pack)
    assert not hands_are_possible([(150, 13), (145, 13), (144, 13)], pack)
    assert not hands_are_possible([(150, 13), (150, 13), (20, 13), (150, 13)], pack)
