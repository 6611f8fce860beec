from collections.abc import Iterator
from itertools import combinations, product
from random import Random

import pytest

from domain.rami.combinations import (
    LADDER,
    OPEN,
    ORDER,
    Combination,
    CombinationKind,
    addable_cards,
    cards_that_win_joker,
    extend,
    parse_card,
    parse_combination,
    win_joker,
)
from domain.table.cards import SUITS

CARDS = [rank + suit for rank in ORDER for suit in SUITS]
CODES = [card + star for card in CARDS for star in ("", "*")]


def in_order(low: int, length: int, joker: int | None) -> tuple[str, ...]:
    """Write a run of hearts from a position on; the card at the place `joker` is one."""
    ranks = LADDER[low - 1 : low - 1 + length]
    return tuple(f"{rank}H{'*' * (place == joker)}" for place, rank in enumerate(ranks))


def runs(lengths: range) -> Iterator[Combination]:
    for length in lengths:
        for low in range(1, len(LADDER) - length + 2):
            for joker in (None, *range(length)):
                found, defects = parse_combination(in_order(low, length, joker))
                if not defects:
                    yield found


def sets() -> Iterator[Combination]:
    for suits in (*combinations(SUITS, 3), SUITS):
        for joker in (None, *range(len(suits))):
            yield parse_combination(
                tuple(f"8{s}{'*' * (n == joker)}" for n, s in enumerate(suits))
            ).combination
    for suits in combinations(SUITS, 2):
        yield parse_combination((*(f"8{suit}" for suit in suits), "8?*")).combination


def placed(there: Combination, codes: tuple[str, ...]) -> set[tuple[str, ...]]:
    held = dict(enumerate(there.cards, there.low))
    found: set[tuple[str, ...]] = set()
    places = [(1, 14) if code[0] == "A" else (ORDER.index(code[0]) + 1,) for code in codes]
    for chosen in product(*places):
        whole = held | dict(zip(chosen, codes, strict=True))
        if len(whole) < len(held) + len(codes) or max(whole) - min(whole) >= len(whole):
            continue
        cards = tuple(whole[place] for place in sorted(whole))
        if {code[1] for code in cards} == {"H"} and not parse_combination(cards).defects:
            found.add(cards)
    return found


@pytest.mark.parametrize("end", ["low", "high"])
def test_add__to_a_run_is_what_makes_a_longer_one_and_no_more(end: str) -> None:
    some = Random(7)  # noqa: S311 games, not secrets
    near = [code for code in CODES if code[1] == "H"] + ["9D"]
    for there in (*runs(range(3, 6)), *runs(range(11, 15))):
        ones = [(code,) for code in near]
        twos = [("AH", "AH"), ("AH", "AH*"), *(tuple(some.sample(near, 2)) for _ in range(40))]
        for codes in (*ones, *twos):
            found, defects = extend(there, codes, end)
            able = placed(there, codes)
            assert bool(defects) is not bool(able), (there, codes)
            if able:
                wanted = sorted(able, key=lambda cards: cards[0][0] == "A")
                assert found.cards == wanted[-1 if end == "low" else 0], (there, codes)
                assert (found.kind, found.low) == (
                    CombinationKind.RUN,
                    LADDER.index(found.cards[0][0]) + 1,
                )


def test_add__to_a_set_is_what_could_have_been_laid_with_it_and_no_more() -> None:
    fit = ["8S", "8H", "8D", "8C", "8S*", "8H*", "8D*", "8C*", "9S", "9C*"]
    ways = [codes for count in (1, 2) for codes in product(fit, repeat=count)]
    for there, codes in product(sets(), ways):
        found, defects = extend(there, codes, "high")
        whole = (*there.cards, *codes)
        left = [suit for suit in SUITS if suit not in {code[1] for code in whole}]
        if len(whole) == len(SUITS) and len(left) == 1:
            whole = tuple(code.replace(OPEN, left[0]) for code in whole)
        fits = not parse_combination(whole).defects
        assert bool(defects) is not fits, (there, codes)
        assert found.kind is (CombinationKind.SET if fits else CombinationKind.NONE)
        assert found.cards == (whole if fits else (*there.cards, *codes))


@pytest.mark.parametrize(
    ("there", "card", "clauses"),
    [
        ("5H 6H 7H", "6H", "rami.add rami.run"),
        ("5H 6H 7H", "TH*", "rami.add rami.run"),
        ("5H 6H 7H", "6H*", "rami.joker-is rami.add rami.run"),
        ("5H 6H* 7H", "TH", "rami.add rami.run"),
        ("5H 6H* 7H", "6H", "rami.joker-is rami.add rami.run"),
        ("8C 8S 8H", "8S", "rami.add rami.set"),
        ("8C 8S 8H", "8S*", "rami.joker-is rami.add rami.set"),
        ("8C 8S* 8H", "8S", "rami.joker-is rami.add rami.set"),
    ],
)
def test_add__what_does_not_fit_breaks_the_shape_or_what_the_joker_is(
    there: str, card: str, clauses: str
) -> None:
    lying = parse_combination(tuple(there.split())).combination
    assert extend(lying, (card,), "high").defects == (tuple(clauses.split()),)


def test_add__a_joker_of_an_open_suit_is_fixed_with_where_it_is_kept() -> None:
    there = Combination(CombinationKind.SET, ("8C", "8S", "8?*"), unsure=(("8?*", 300),))
    assert extend(there, ("8H",), "high").combination.unsure == (("8D*", 300),)


def test_fitting__are_the_single_cards_that_can_be_added() -> None:
    for there in (*runs(range(3, 5)), *sets()):
        able = {code for code in CODES if not extend(there, (code,), "high").defects}
        assert set(addable_cards(there)) == able
        assert len(addable_cards(there)) == len(able)


def test_winning__are_the_cards_a_joker_may_be() -> None:
    for there in (*runs(range(3, 6)), *sets()):
        joker = there.joker
        if joker is None:
            assert cards_that_win_joker(there) == ()
            continue
        taken = {code[1] for code in there.cards}
        may_be = {
            card
            for card in CARDS
            if card == joker.stands_for
            or (joker.suit == OPEN and card[0] == joker.rank and card[1] not in taken)
        }
        assert set(cards_that_win_joker(there)) == may_be
        for card in CARDS:
            now, defects = win_joker(there, joker, card)
            assert bool(defects) is (card not in may_be)
            assert now.cards == tuple(card if parse_card(c).joker else c for c in there.cards)
            assert now.kind is (there.kind if card in may_be else CombinationKind.NONE)
