"""The grammar of a game's text record, derived from its shapes.

An entry is written as its seat, its word and its fields in declaration order. Numbers, seats and
booleans always carry their field's name; cards, suits and texts need none, so that the name of an
entry's first field is omitted if it holds them.
"""

import re
from functools import lru_cache
from typing import cast

from msgspec import Struct
from msgspec.inspect import (
    LiteralType,
    Metadata,
    NoneType,
    StrType,
    StructType,
    Type,
    UnionType,
    VarTupleType,
    type_info,
)

from schemas.catalogue import Shapes, shapes

SEAT = "seat"
UNSURE = "unsure"
NOBODY = "-"  # null: no player, no limit, unknown
NO_ITEMS = "none"  # the empty list
YES, NO = "yes", "no"
JOINED = "/"  # between a seat and a slot
CLAUSE = re.compile(r"[a-z][a-z0-9_]*(?:\.[a-z0-9_-]+)+")
STARTED = "started"  # it is written as tags


class FieldForm(Struct, frozen=True):
    """One field: its written name and the types of its value."""

    name: str
    kinds: tuple[Type, ...]
    required: bool


class StructForm(Struct, frozen=True):
    """An entry, or a value made of fields. `unnamed_field`: the field whose name is omitted."""

    cls: object
    tag: str | None
    fields: tuple[FieldForm, ...]
    unnamed_field: FieldForm | None

    @property
    def names(self) -> dict[str, FieldForm]:
        """The fields by name."""
        return {field.name: field for field in self.fields}

    @property
    def seated(self) -> bool:
        """Whether the seat is written before the word."""
        return self.tag is not None and SEAT in self.names


def kinds_of(kind: Type) -> tuple[Type, ...]:
    """Flatten a union type into its members."""
    while isinstance(kind, Metadata):
        kind = kind.type
    if isinstance(kind, UnionType):
        return tuple(single for part in kind.types for single in kinds_of(part))
    return (kind,)


def struct_form(kind: StructType) -> StructForm:
    """Derive the form of a struct from its type."""
    tag = str(kind.tag) if kind.tag is not None else None
    fields = tuple(
        FieldForm(field.encode_name, kinds_of(field.type), field.required) for field in kind.fields
    )
    unnamed = None
    if tag is not None:
        first = next((field for field in fields if field.name != SEAT), None)
        unnamed = first if first and _needs_no_name(first.kinds) else None
    return StructForm(kind.cls, tag, fields, unnamed)


def _needs_no_name(kinds: tuple[Type, ...]) -> bool:
    for kind in kinds:
        match kind:
            case VarTupleType(item_type=item):
                if not _needs_no_name(kinds_of(item)):
                    return False
            case LiteralType(values=values):
                if not all(isinstance(value, str) and value.upper() == value for value in values):
                    return False
            case StrType() | NoneType():
                pass
            case _:
                return False
    return True


@lru_cache
def entry_forms(ruleset: str) -> dict[str, StructForm]:
    """Return the forms of a game's entries by word, without `started`.

    >>> entry_forms("euchre")["play"].unnamed_field.name
    'card'

    Raises:
        KeyError: no such ruleset.
    """
    return forms_by_word(kinds_of(type_info(shapes(ruleset).stored)))


@lru_cache
def options_form(ruleset: str) -> StructForm:
    """Return the form of a game's options."""
    of: Shapes = shapes(ruleset)
    return struct_form(cast("StructType", type_info(of.options)))


def forms_by_word(kinds: tuple[Type, ...]) -> dict[str, StructForm]:
    """Return the forms of tagged structs by their tags."""
    forms = [struct_form(kind) for kind in kinds if isinstance(kind, StructType)]
    return {form.tag: form for form in forms if form.tag is not None and form.tag != STARTED}
