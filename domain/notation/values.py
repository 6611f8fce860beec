"""Parse tokens as one value, as the shape of its field allows.

Values come out as JSON values; whether they fit together is checked by the shapes (`entries`). The
position of each value is kept under its JSON path.
"""

import re
from typing import Any

from msgspec.inspect import (
    BoolType,
    DateTimeType,
    IntType,
    LiteralType,
    Metadata,
    NoneType,
    StrType,
    StructType,
    TupleType,
    Type,
    VarTupleType,
)

from domain.notation import forms
from domain.notation.forms import FieldForm, StructForm
from domain.notation.scan import Token
from schemas.strict_json import CARD, OR_JOKER

SHOWN_MAX = 12
OR = " | "
MOMENT = "a moment with its time zone (RFC 3339), such as 2024-05-09T20:37:00Z"
# A sign may be followed by a selector of its looks.
_CARD_SIGNS = str.maketrans("♠♤♥♡❤♦♢♣♧", "SSHHHDDCC", "\ufe0e\ufe0f")
_INT = re.compile(r"[+-]?[0-9]{1,300}")

Places = dict[str, Token]


class Cursor:
    """The tokens of one line, read from left to right; `places` maps JSON paths to positions."""

    def __init__(self, tokens: list[Token]) -> None:
        self._tokens = tokens
        self._at = 0
        self.places: Places = {}

    @property
    def token(self) -> Token:
        return self._tokens[self._at]

    def take(self) -> Token:
        token = self.token
        if token.kind != "end":
            self._at += 1
        return token

    def take_sign(self, sign: str) -> Token:
        if not self.token.is_sign(sign):
            raise self.token.unreadable(f"the sign {sign}")
        return self.take()


def read_fields(cursor: Cursor, form: StructForm, path: str) -> dict[str, Any]:
    """Parse fields in any order, each at most once, up to a closing parenthesis or the end."""
    values: dict[str, Any] = {}
    names = form.names
    if form.unnamed_field is not None and _is_value(cursor.token, names):
        values[form.unnamed_field.name] = read_outer(
            cursor, form.unnamed_field, form, f"{path}.{form.unnamed_field.name}"
        )
    while cursor.token.kind != "end" and not cursor.token.is_sign(")"):
        token = cursor.take()
        name = token.text.casefold()
        if token.kind != "word" or name not in names:
            raise token.unreadable(expected_names(form, values))
        if name in values:
            raise token.unreadable("each field once")
        place = f"{path}.{name}"
        cursor.places[place] = token
        if form.tag is not None and name == forms.UNSURE and not _is_flag_value(cursor.token):
            values[name] = True
            continue
        values[name] = read_outer(cursor, names[name], form, place)
    return values


def expected_names(form: StructForm, found: dict[str, Any]) -> str:
    """Describe the fields that may still follow."""
    seated = (forms.SEAT,) if form.seated else ()
    left = [field.name for field in form.fields if field.name not in (*found, *seated)]
    return f"one of {', '.join(left)}" if left else "the end of the entry"


def read_outer(cursor: Cursor, field: FieldForm, form: StructForm, path: str) -> Any:  # noqa: ANN401 JSON
    """Parse a field's value; items of a list need no parentheses here."""
    kinds, token = field.kinds, cursor.token
    listed = next((kind for kind in kinds if isinstance(kind, VarTupleType)), None)
    if listed is None or (_is_word(token, forms.NOBODY) and _nullable(kinds)):
        return read_inner(cursor, kinds, path)
    if _is_word(token, forms.NO_ITEMS):
        cursor.places[path] = cursor.take()
        return []
    cursor.places[path] = token
    items: list[Any] = []
    while _is_value(cursor.token, form.names):
        items.append(read_inner(cursor, forms.kinds_of(listed.item_type), f"{path}[{len(items)}]"))
    if not items:
        expected = describe_kinds(forms.kinds_of(listed.item_type))
        raise cursor.token.unreadable(f"{expected}{OR}one of {forms.NO_ITEMS}")
    return items


def read_inner(cursor: Cursor, kinds: tuple[Type, ...], path: str) -> Any:  # noqa: ANN401 JSON
    """Parse one value; a list or fields need parentheses here."""
    token = cursor.token
    cursor.places[path] = token
    if token.is_sign("("):
        return _read_group(cursor, kinds, path)
    if token.kind in {"end", "sign"}:
        raise token.unreadable(describe_kinds(kinds))
    cursor.take()
    if token.kind == "text":
        if any(isinstance(kind, StrType) for kind in kinds):
            return token.text
        raise token.unreadable(describe_kinds(kinds))
    if token.text == forms.NOBODY and _nullable(kinds):
        return None
    for kind in kinds:
        value = _read_word(token, kind)
        if value is not ...:
            return value
    raise token.unreadable(describe_kinds(kinds))


def _read_group(cursor: Cursor, kinds: tuple[Type, ...], path: str) -> Any:  # noqa: ANN401 JSON
    opening = cursor.take()
    value: Any
    structs = [kind for kind in kinds if isinstance(kind, StructType)]
    listed = next((kind for kind in kinds if isinstance(kind, VarTupleType)), None)
    if structs and structs[0].tag is not None:
        value = read_entry(cursor, forms.forms_by_word(kinds), path)
    elif structs:
        value = read_fields(cursor, forms.struct_form(structs[0]), path)
    elif listed is not None:
        value = []
        while not cursor.token.is_sign(")"):
            item_kinds = forms.kinds_of(listed.item_type)
            value.append(read_inner(cursor, item_kinds, f"{path}[{len(value)}]"))
    else:
        raise opening.unreadable(describe_kinds(kinds))
    cursor.take_sign(")")
    return value


def read_entry(cursor: Cursor, words: dict[str, StructForm], path: str) -> dict[str, Any]:
    """Parse an entry: seat, word, fields. Missing fields are checked later by its shape."""
    seat = _read_seat(cursor)
    token = cursor.take()
    form = words.get(token.text.casefold()) if token.kind == "word" else None
    if form is None:
        raise token.unreadable(f"one of {', '.join(words)}")
    cursor.places[f"{path}.type"] = token
    cursor.places[path] = token
    fields: dict[str, Any] = {"type": form.tag}
    if seat is not None and not form.seated:
        raise seat[0].unreadable(f"no seat before {form.tag}")
    fields |= read_fields(cursor, form, path)
    if seat is not None:
        if forms.SEAT in fields:
            raise seat[0].unreadable("each field once")
        cursor.places[f"{path}.{forms.SEAT}"] = seat[0]
        fields[forms.SEAT] = seat[1]
    for field in form.fields:
        if field.required and field.name not in fields:
            before = field.name == forms.SEAT and form.seated
            raise (token if before else cursor.token).unreadable(f"the field {field.name}")
    return fields


def _read_seat(cursor: Cursor) -> tuple[Token, int | None] | None:
    token = cursor.token
    text = token.text.removesuffix(":")
    if token.kind != "word" or not (text == forms.NOBODY or _INT.fullmatch(text)):
        return None
    cursor.take()
    return token, None if text == forms.NOBODY else int(text)


def _read_word(token: Token, kind: Type) -> Any:  # noqa: ANN401 one a kind
    text = token.text
    match kind:
        case Metadata(type=inner):
            return _read_word(token, inner)
        case LiteralType(values=values):
            number = int(text) if _is_int(text) else text
            spelt = (text, text.upper(), text.casefold(), number, _card_code(text))
            return next((value for value in spelt if value in values), ...)
        case BoolType():
            return {forms.YES: True, forms.NO: False}.get(text.casefold(), ...)
        case IntType():
            return int(text) if _is_int(text) else ...
        case DateTimeType():
            return text
        case StrType():
            return text if forms.CLAUSE.fullmatch(text) else ...
        case TupleType(item_types=kinds):
            return _read_joined(token, kinds)
        case _:
            return ...


def _read_joined(token: Token, kinds: tuple[Type, ...]) -> Any:  # noqa: ANN401 any JSON value
    parts = token.text.split(forms.JOINED)
    if len(parts) != len(kinds):
        return ...
    items = [
        _read_word(Token("word", part, token.line, token.column), kind)
        for part, kind in zip(parts, kinds, strict=True)
    ]
    return ... if ... in items else items


def _card_code(text: str) -> str:
    """Write a card as Carnet does: "10h" and "10♥" are "TH"."""
    code = text.upper().translate(_CARD_SIGNS)
    return f"T{code[2:]}" if code.startswith("10") else code


def _is_int(text: str) -> bool:
    return _INT.fullmatch(text) is not None


def _is_word(token: Token, word: str) -> bool:
    return token.kind == "word" and token.text.casefold() == word


def _is_value(token: Token, names: dict[str, FieldForm]) -> bool:
    if token.kind == "word":
        return token.text.casefold() not in names
    return token.kind == "text" or token.is_sign("(")


def _is_flag_value(token: Token) -> bool:
    return _is_word(token, forms.YES) or _is_word(token, forms.NO)


def _nullable(kinds: tuple[Type, ...]) -> bool:
    return any(isinstance(kind, NoneType) for kind in kinds)


def describe_kinds(kinds: tuple[Type, ...]) -> str:
    """Describe the allowed values of these types, alternatives separated by ` | `."""
    kinds_text = OR.join(dict.fromkeys(_describe_kind(kind) for kind in kinds))
    return kinds_text.replace(f"{CARD}{OR}one of XX", CARD + OR_JOKER)


def _describe_kind(kind: Type) -> str:
    match kind:
        case LiteralType(values=values) if "AS" in values:
            return CARD
        case LiteralType(values=values):
            some = ", ".join(str(value) for value in values[:SHOWN_MAX])
            return f"one of {some}" if len(values) <= SHOWN_MAX else f"one of {some}, …"
        case IntType():
            return "int"
        case BoolType():
            return f"one of {forms.YES}, {forms.NO}"
        case StrType():
            return "str"
        case DateTimeType():
            return MOMENT
        case TupleType(item_types=kinds):
            return f"{len(kinds)} values joined by {forms.JOINED}"
        case NoneType():
            return f"one of {forms.NOBODY}"
        case _:
            return "what stands in parentheses ( … )"
