from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from msgspec import Struct
from msgspec.inspect import StructType, UnionType, type_info

from domain.replay import opening
from domain.table import judgement
from domain.table.cards import SUITS, Pack, bit_numbers, lowest, pack_of
from domain.table.history import History, explain_no_target
from domain.table.rules import Choice, FreeField, Shape
from schemas.catalogue import SHAPES, decode_record, shapes
from schemas.strict_json import Malformed

TWO_PACKS = Pack(["AS", "AS", "KS", "KS"])


def test_having__is_every_copy_of_the_cards_named() -> None:
    assert TWO_PACKS.all_copies(["KS"]) == 0b1100
    assert TWO_PACKS.all_copies(["KS", "AS"]) == TWO_PACKS.everything


def test_having__counts_cards_that_the_pack_does_not_hold_for_nothing() -> None:
    assert TWO_PACKS.all_copies(["2H"]) == 0
    assert TWO_PACKS.all_copies(["2H", "KS"]) == 0b1100


def test_of_suit__are_the_cards_of_it() -> None:
    assert TWO_PACKS.of_suit == {"S": TWO_PACKS.everything, "H": 0, "D": 0, "C": 0}


def test_lowest__are_the_first_cards_of_a_set() -> None:
    assert lowest(0b11010, 2) == 0b01010
    assert [*bit_numbers(0b11010)] == [1, 3, 4]


@pytest.mark.parametrize(("jokers", "packs"), [(0, 1), (1, 1), (4, 2)])
def test_of_suit__are_the_cards_of_each_suit_and_no_joker(jokers: int, packs: int) -> None:
    pack = pack_of("AK9", jokers=jokers, packs=packs)
    for suit in SUITS:
        assert pack.named(pack.of_suit[suit]) == tuple(c for c in pack.codes if c[1] == suit)
    assert sum(pack.of_suit.values()) == pack.everything & ~pack.copies.get("XX", 0)


GAMES = Path(__file__).parents[2] / "games"
RECORDS, EVERY = 3, 5


def offered(game: str) -> Iterator[Choice]:
    for line in (GAMES / game / "true.jsonl").read_bytes().splitlines()[:RECORDS]:
        record: Any = decode_record(line)
        assert not isinstance(record, Malformed)
        history = History(opening(game, record.options, record.seats))
        for at, entry in enumerate(record.log):
            if at % EVERY == 0:
                yield from judgement.choices(history.game)
            history.judge(entry)
        yield from judgement.choices(history.game)


def fields_of(game: str) -> dict[object, set[str]]:
    kind = type_info(shapes(game).submitted)
    assert isinstance(kind, UnionType)
    return {
        one.tag: {field.encode_name for field in one.fields}
        for one in kind.types
        if isinstance(one, StructType)
    }


@pytest.mark.parametrize("game", SHAPES)
def test_choices__name_fields_of_their_entry_and_say_what_they_can_be(game: str) -> None:
    known = fields_of(game)
    for choice in offered(game):
        assert set(choice.fields) <= known[choice.type]
        for values in choice.fields.values():
            if isinstance(values, tuple):
                assert values
                continue
            assert values["shape"] in get_args(Shape)
            assert set(values) <= set(FreeField.__annotations__)


class Step(Struct, frozen=True):
    version: int
    derived: tuple["Step", ...] = ()


def step(version: int, *derived: int) -> Step:
    return Step(version, tuple(map(Step, derived)))


# Entries 2 and 3, which caused 4; 5 was taken back; 6 is a splice of two moves; 8 amended 2; 9 was
# dropped by the splice 10.
STEPS = [step(2), step(3, 4), step(6), step(6, 7)]
STANDING = (1, 2, 3, 6, 8, 9, 10)


@pytest.mark.parametrize(
    ("version", "why"),
    [
        (-1, "unknown"),
        (0, "unknown"),
        (1, "first"),
        (4, "derived"),
        (5, "gone"),
        (6, "part"),
        (7, "derived"),
        (8, "correction"),
        (9, "gone"),
        (10, "correction"),
        (11, "unknown"),
    ],
)
def test_why_not__says_what_a_version_is(version: int, why: str) -> None:
    then = [*STEPS, step(9)] if version == 9 else STEPS
    assert (
        explain_no_target(version, last=10, take_back_targets=STANDING, steps=STEPS, then=then)
        == why
    )
