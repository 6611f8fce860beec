"""What a choice says of its fields: they are the entry's, with values or shapes of one list."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from msgspec.inspect import StructType, UnionType, type_info

from domain.replay import opening
from domain.table import judgement
from domain.table.history import History
from domain.table.rules import Choice, Free, Shape
from schemas.catalogue import SHAPES, decode_record, shapes
from schemas.strict_json import Malformed

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
            assert set(values) <= set(Free.__annotations__)
