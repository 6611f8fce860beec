"""What a refusal tells beside its clause: why cards cannot be passed on, or do not beat."""

import pytest

from tests.domain.durak.entries import (
    BEATEN,
    BEGUN,
    SECOND,
    Entry,
    attack,
    away,
    beat,
    deal,
    done,
    facts,
    lowest,
    pass_on,
)

SEVEN = [*BEGUN, attack(0, "7D")]
TWO = [*BEATEN, attack(0, "9C")]


@pytest.mark.parametrize(
    ("log", "cards", "transfer", "why"),
    [
        (SEVEN, "7C", False, "table"),
        (TWO, "9H", True, "beaten"),
        (SEVEN, "7C 8C", True, "unlike"),
        (SEVEN, "8C", True, "rank"),
        (SEVEN, "8C 8H", True, "rank"),
    ],
)
def test_transfer__it_is_told_why_cards_cannot_be_passed_on(
    log: list[Entry], cards: str, *, transfer: bool, why: str
) -> None:
    told = facts(*log, pass_on(1, cards), transfer=transfer, lead="several")
    assert told == {"seat": 1, "card": cards[:2], "why": why}


def test_transfer__it_is_told_how_many_cards_a_bout_may_have() -> None:
    told = facts(*SEVEN, pass_on(1, "7C"), transfer=True, first_bout=1)
    assert told == {"seat": 1, "card": "7C", "why": "most", "most": 1}


@pytest.mark.parametrize(
    ("log", "cards", "four_away", "why"),
    [
        (SECOND, "8S 8H 8D 8C", False, "table"),
        (SEVEN, "8S 8H 8D 8C", True, "bout"),
        (SECOND, "8S 8H 8D TC", True, "unlike"),
        (BEGUN, "8S 8H 8D 8C", True, "first"),
        # That it is too early comes first: no other four would do.
        (BEGUN, "8S 8H 8D TC", True, "first"),
    ],
)
def test_four_away__it_is_told_why_four_cards_cannot_be_laid_away(
    log: list[Entry], cards: str, *, four_away: bool, why: str
) -> None:
    told = facts(*log, away(1, cards), four_away=four_away)
    assert told == {"seat": 1, "card": "8S", "why": why}


@pytest.mark.parametrize(
    ("attacking", "over", "told"),
    [
        ("7D", "6D", {"why": "lower"}),
        ("7S", "6S", {"why": "lower"}),
        ("7D", "8C", {"why": "suit", "suit": "D"}),
        ("7S", "8C", {"why": "trump", "suit": "S"}),
    ],
)
def test_beats__it_is_told_why_a_card_does_not(
    attacking: str, over: str, told: dict[str, str]
) -> None:
    found = facts(*BEGUN, attack(0, attacking), beat(1, attacking, over))
    assert found == {"seat": 1, "card": over, "other": attacking, **told}


FOUR = [deal(dealer=3), lowest(0, "6S"), attack(0, "7D"), beat(1, "7D", "9D")]


@pytest.mark.parametrize(
    ("entry", "options", "told"),
    [
        (attack(3, "9C"), {"teams": True}, {"turn": 0, "why": "teams"}),
        (attack(3, "9C"), {"teams": False}, {"turn": 0, "why": "far"}),
        (attack(1, "9C"), {}, {"why": "defends"}),
        (attack(2, "9C"), {"word": "strict"}, {"turn": 0, "why": "other"}),
    ],
)
def test_who_adds__it_is_told_why_a_seat_cannot(
    entry: Entry, options: dict[str, object], told: dict[str, object]
) -> None:
    said = {"seat": entry["seat"], "card": "9C"}
    assert facts(*FOUR, entry, seats=4, **options) == {**said, **told}


def test_word__it_is_told_who_has_it() -> None:
    assert facts(*BEATEN, done(2)) == {"seat": 2, "turn": 0, "why": "other"}


def test_rank__it_is_told_whether_cards_are_unlike_each_other_or_the_table() -> None:
    unlike = facts(*BEGUN, attack(0, "7D 8C"), lead="several")
    assert unlike == {"seat": 0, "card": "7D", "why": "unlike"}
    assert facts(*BEATEN, attack(0, "TD")) == {"seat": 0, "card": "TD", "why": "table"}
