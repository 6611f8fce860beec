"""The checker of histories itself: every fault it is for, planted one at a time."""

from collections import Counter
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from tests.faults.linearisable import Asked, Fault, faults

GAME = "g"
# Two writers and a reader: b is told of a conflict and asks again, and c's first answer is lost.
A = Asked(game=GAME, command="1", text="a", place=1, began=0, ended=2, status=201, version=1)
B_LATE = Asked(game=GAME, command="2", text="b0", place=1, began=1, ended=3, status=409, version=1)
B = Asked(game=GAME, command="3", text="b", place=2, began=4, ended=5, status=201, version=2)
C_UNHEARD = Asked(game=GAME, command="4", text="c", place=3, began=6, ended=7)
READ = Asked(game=GAME, began=8, ended=9, status=200, version=3, texts=("a", "b", "c"))
C = Asked(game=GAME, command="4", text="c", place=3, began=10, ended=11, status=201, version=3)
TRUE = (A, B_LATE, B, C_UNHEARD, READ, C)
LOG = ("a", "b", "c")


def test_what_one_order_explains_has_no_fault() -> None:
    assert not +faults(TRUE, {GAME: LOG})


def test_what_nobody_heard_of_may_be_there_or_not() -> None:
    assert not +faults((A, B, C_UNHEARD), {GAME: LOG})
    assert not +faults((A, B, C_UNHEARD), {GAME: ("a", "b")})


@pytest.mark.parametrize(
    ("history", "log", "fault"),
    [
        ((A, B), ("a",), "lost"),
        ((A, B), ("b", "a"), "moved"),
        ((A, B), ("a", "b", "b"), "doubled"),
        ((A, B), ("a", "b", "x"), "never asked"),
        ((A, B_LATE, B), ("a", "b", "b0"), "stored though refused"),
        ((A, B, replace(READ, version=1, texts=("a",))), ("a", "b"), "stale"),
        ((A, B, replace(READ, texts=("a", "c", "b"))), ("a", "b"), "moved"),
        ((A, replace(READ, began=1, ended=3, version=2, texts=("a", "b")), B), ("a", "b"), "early"),
    ],
)
def test_a_fault_is_found(
    history: tuple[Asked, ...],
    log: tuple[str, ...],
    fault: Fault,
    record_property: Callable[[str, int], None],
) -> None:
    assert fault in +faults(history, {GAME: log})
    record_property("planted", 1)


def test_two_games_know_nothing_of_each_other() -> None:
    other = [replace(one, game="h") for one in TRUE]
    assert faults([*TRUE, *other], {GAME: LOG, "h": LOG}) == Counter(faults(TRUE, {GAME: LOG}))
