import pytest

from domain.inference.bounds import Bounds, bounds_of
from domain.inference.knowledge import Knowledge
from domain.inference.worlds import TokenPool, World
from domain.table.cards import Pack
from domain.table.refusal import Fact

PACK = Pack(["AS", "KS", "QS", "JS", "TS"])
VALUES = (11, 4, 3, 2, 10)
WORLD = World(
    (TokenPool(1, 0b11010, 0b10010), TokenPool(3, 0b11010, 0b01000)), {1: 0b00001, 2: 0b00100}, 26
)
KNOWN = Knowledge(WORLD, WORLD)


@pytest.mark.parametrize(
    ("row", "size", "already", "least", "most"),
    [
        ((1,), 3, 11, 17, 25),
        ((1,), 2, 11, 13, 21),
        ((1,), 1, 11, 11, 11),
        ((1, 2), 3, 14, 16, 24),
        ((3,), 1, 0, 2, 10),
        ((3,), 3, 0, 16, 16),
    ],
)
def test_bounds__are_what_is_known_and_the_least_or_the_most_of_the_rest(
    row: tuple[int, ...], size: int, already: int, least: int, most: int
) -> None:
    found = bounds_of(KNOWN, PACK, row, size, VALUES)
    assert found[1:] == (size, already, least, most)
    assert set(found.known) == {code for at, code in ((1, "AS"), (2, "QS")) if at in row}


SAID: dict[str, Fact] = {"seat": 4, "holding": 3}
BESIDE: dict[str, Fact] = {"cards": "AS QS", "already": 14}


@pytest.mark.parametrize(
    ("points", "facts"),
    [
        (26, {"why": "too many points", "most": 25}),
        (25, {"why": "no such points", **BESIDE, "others": 1, "rest": 11}),
        (17, {"why": "no such points", **BESIDE, "others": 1, "rest": 3}),
        (16, {"why": "too few points", "least": 17, **BESIDE}),
    ],
)
def test_facts__say_which_bound_points_are_beyond(points: int, facts: dict[str, Fact]) -> None:
    bounds = Bounds(("AS", "QS"), 3, 14, 17, 25)
    assert bounds.facts(4, points) == {**SAID, "points": points, **facts}


def test_facts__of_cards_of_which_none_is_known_name_none() -> None:
    facts = Bounds((), 3, 0, 17, 25).facts(4, 0)
    assert facts == {**SAID, "points": 0, "why": "too few points", "least": 17}


def test_facts__of_a_hand_that_is_known_whole_name_its_cards() -> None:
    facts = Bounds(("AS", "QS"), 2, 14, 14, 14).facts(4, 15)
    assert facts == {**SAID, "holding": 2, "points": 15, "why": "too many points", "most": 14} | (
        BESIDE
    )
