"""Parse one line of tokens as an entry, checked by its shape and its game's clauses."""

import re

import msgspec
from msgspec import Struct

from domain.notation.forms import entry_forms
from domain.notation.problem import Problem, Unreadable
from domain.notation.scan import Token
from domain.notation.values import Cursor, Places, read_entry
from schemas.catalogue import Shapes
from schemas.entries import Entry
from schemas.strict_json import Malformed, read_fault

_NUMBER = re.compile(r"([0-9]{1,9})\.(.*)")
_ROOT = "$"


class NumberedEntry(Struct, frozen=True):
    """An entry, the number before it (None: none), and the position of its line."""

    entry: Entry
    number: int | None
    at: Token


def read_line(tokens: list[Token], of: Shapes) -> NumberedEntry | Problem:
    """Parse an entry with its optional number."""
    number, rest = _split_number(tokens)
    cursor = Cursor(rest)
    try:
        fields = read_entry(cursor, entry_forms(of.name), _ROOT)
        if cursor.token.kind != "end":
            return cursor.token.problem("the end of the line")
    except Unreadable as fault:
        return fault.problem
    try:
        entry: Entry = msgspec.convert(fields, of.stored)
    except msgspec.ValidationError as fault:
        found = read_fault(fault, msgspec.json.encode(fields), of.stored)
        return locate_problem(found, cursor.places, tokens[-1])
    unknown = of.unknown_clause([entry], _ROOT)
    if unknown is not None:
        path = unknown.path.replace(f"{_ROOT}[0]", _ROOT, 1)
        return locate_problem(
            Malformed(path=path, expected=unknown.expected), cursor.places, tokens[-1]
        )
    return NumberedEntry(entry, number, tokens[0])


def _split_number(tokens: list[Token]) -> tuple[int | None, list[Token]]:
    """Split the entry's number off, also from a word such as `12.play`."""
    first = tokens[0]
    match = _NUMBER.fullmatch(first.text) if first.kind == "word" else None
    if match is None:
        return None, tokens
    rest = tokens[1:]
    if match[2]:
        rest = [Token("word", match[2], first.line, first.column + match.start(2)), *rest]
    return int(match[1]), rest


def locate_problem(fault: Malformed, places: Places, end: Token) -> Problem:
    """Map a decoding fault to a position in the text; a missing field is located at the end."""
    path, missing = fault.path, None
    if fault.expected == "this field" and path not in places:
        path, _, missing = path.rpartition(".")
    while path and path not in places:
        path = path[: max(path.rfind("."), path.rfind("["), 0)]
    place = places.get(path, end) if missing is None else end
    return place.problem(fault.expected if missing is None else f"the field {missing}")
