"""Random values of a shape: cards, seats and words as far as the shape enumerates them.

Only the shapes are used, so every game is covered.
"""

from collections.abc import Mapping
from functools import cache
from random import Random
from typing import Any

import msgspec
from msgspec.inspect import (
    BoolType,
    DateTimeType,
    Field,
    IntType,
    LiteralType,
    Metadata,
    NoneType,
    StrType,
    StructType,
    TupleType,
    Type,
    UnionType,
    VarTupleType,
    type_info,
)

from schemas.catalogue import shapes

POINTS = 40  # numbers that are no seat stay below this
TRIES = 30


@cache
def entry_fields(ruleset: str) -> Mapping[str, Mapping[str, Field]]:
    kind = type_info(shapes(ruleset).submitted)
    assert isinstance(kind, UnionType)
    return {
        str(one.tag): {field.encode_name: field for field in one.fields}
        for one in kind.types
        if isinstance(one, StructType)
    }


@cache
def option_fields(ruleset: str) -> tuple[Field, ...]:
    kind = type_info(shapes(ruleset).options)
    assert isinstance(kind, StructType)
    return kind.fields


def drawn(kind: Type, chance: Random, seats: int, count: int | None = None) -> Any:  # noqa: ANN401 any JSON value
    """Draw a JSON value of a type; `count`: how long a list is, by chance 1 or one a seat."""
    match kind:
        case Metadata(type=inner):
            return drawn(inner, chance, seats, count)
        case UnionType(types=kinds):
            return drawn(chance.choice(kinds), chance, seats, count)
        case LiteralType(values=words):
            return chance.choice(words)
        case BoolType():
            return chance.random() < 0.5
        case NoneType():
            return None
        case IntType(ge=least, le=most):
            low = least or 0
            return chance.randrange(low, min(low + chance.choice([seats, POINTS]), most or POINTS))
        case StrType():
            return "by chance"
        case DateTimeType():
            return "2026-11-21T20:37:05Z"
        case VarTupleType(item_type=item):
            length = chance.choice([1, seats]) if count is None else count
            return [drawn(item, chance, seats) for _ in range(length)]
        case TupleType(item_types=items):
            return [drawn(item, chance, seats) for item in items]
        case StructType():
            return _struct(kind, chance, seats)
        case _:
            raise AssertionError(kind)


def _struct(kind: StructType, chance: Random, seats: int) -> Any:  # noqa: ANN401 any JSON value
    """Draw fields until they fit together, as `__post_init__` judges them."""
    for _ in range(TRIES):
        fields = {
            field.encode_name: drawn(field.type, chance, seats)
            for field in kind.fields
            if field.required or chance.random() < 0.5
        }
        try:
            msgspec.convert(fields, kind.cls)
        except msgspec.ValidationError:
            continue
        return fields
    raise AssertionError(kind)
