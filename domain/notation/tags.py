"""The tags above the entries: ruleset, options, players, date, hash."""

import datetime as dt
from collections.abc import Callable
from datetime import datetime
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from domain.notation import forms
from domain.notation.entries import locate_problem
from domain.notation.problem import Problem, Unreadable
from domain.notation.scan import Token
from domain.notation.values import MOMENT, Cursor, read_fields
from domain.notation.writing import NOTATION_VERSION
from schemas.catalogue import SHAPES, Shapes, shapes
from schemas.days import timestamp_of_day
from schemas.entries import Instant
from schemas.names import read_name, read_place
from schemas.record import NO_TITLE_EXPECTED, PLACE_EXPECTED, TITLE_EXPECTED, Hash, Name
from schemas.strict_json import Malformed, read_fault

TAGS = (
    "Carnet",
    "Ruleset",
    "Rules",
    "Options",
    "Seats",
    "Players",
    "Date",
    "Title",
    "Place",
    "Hash",
)
_DIGITS_MAX = 9
T = TypeVar("T")


class Header(Struct, frozen=True, kw_only=True):
    """The values of the tags; None: absent, or unreadable and listed among the problems."""

    of: Shapes | None
    rules_version: int
    options: Struct | None
    seats: int | None
    players: tuple[str | None, ...]
    date: datetime | None
    title: str | None
    place: str | None
    hash: str | None
    hash_at: Token | None


class Tags:
    """The tags of one text, each at most once, and the problems found in them."""

    def __init__(self, lines: list[list[Token]], first_line: Token) -> None:
        self.problems: list[Problem] = []
        self._first = first_line
        self._values: dict[str, list[Token]] = {}
        self._ends: dict[str, Token] = {}
        self._unreadable: set[str] = set()
        for tokens in lines:
            self._collect(tokens)

    def header(self) -> Header:
        self._word("Carnet", _one_of((NOTATION_VERSION,)))
        of = self._word("Ruleset", _ruleset, needed=True)
        seats = self._word("Seats", _number, needed=True)
        options, rules_version = None, 0
        if of is not None:
            rules_version = self._word("Rules", _one_of(of.rules_versions)) or of.rules_version
            options = self._options(of, seats, rules_version)
        digest = self._values.get("Hash")
        return Header(
            of=of,
            rules_version=rules_version,
            options=options,
            seats=seats,
            players=self._players(seats),
            date=self._word("Date", _moment),
            title=self._title(of),
            place=self._word("Place", _read_by(read_place, PLACE_EXPECTED)),
            hash=self._word("Hash", lambda text: _convert(text, Hash, "sha256: and 64 digits")),
            hash_at=digest[0] if digest else None,
        )

    def _title(self, of: Shapes | None) -> str | None:
        if of is not None and not of.titled and "Title" in self._values:
            self.problems.append(self._ends["Title"].problem(NO_TITLE_EXPECTED))
            return None
        return self._word("Title", _read_by(read_name, TITLE_EXPECTED))

    def _collect(self, tokens: list[Token]) -> None:
        name = tokens[1].text.capitalize()
        if tokens[1].kind != "word" or name not in TAGS:
            self.problems.append(tokens[1].problem(f"one of {', '.join(TAGS)}"))
        elif not tokens[-2].is_sign("]") or len(tokens) <= _BRACKETS:
            self.problems.append(tokens[-1].problem("the sign ]"))
            self._unreadable.add(name)
        elif name in self._values:
            self.problems.append(tokens[1].problem("each tag once"))
        else:
            self._values[name] = tokens[2:-2]
            self._ends[name] = tokens[-2]

    def _word(
        self, name: str, read: Callable[[str], T | Malformed], *, needed: bool = False
    ) -> T | None:
        tokens = self._values.get(name)
        if tokens is None:
            if needed and name not in self._unreadable:
                self.problems.append(self._first.problem(f"the tag [{name} …]"))
            return None
        value = read(tokens[0].text if tokens else "")
        place = tokens[0] if tokens else self._ends[name]
        if isinstance(value, Malformed):
            self.problems.append(place.problem(value.expected))
            return None
        if len(tokens) > 1:
            self.problems.append(tokens[1].problem("the sign ]"))
        return value

    def _options(self, of: Shapes, seats: int | None, rules_version: int) -> Struct | None:
        tokens = self._values.get("Options", [])
        end = self._ends.get("Options", self._first)
        cursor = Cursor([*tokens, Token("end", "", end.line, end.column)])
        fields: dict[str, Any] = {}
        try:
            fields = read_fields(cursor, forms.options_form(of.name), "$")
            if cursor.token.kind != "end":
                raise cursor.token.unreadable("the sign ]")
            options = msgspec.convert(fields, of.options)
        except Unreadable as fault:
            self.problems.append(fault.problem)
            return None
        except msgspec.ValidationError as fault:
            found = read_fault(fault, msgspec.json.encode(fields), of.options)
            self.problems.append(locate_problem(found, cursor.places, end))
            return None
        if seats is None:
            return options
        settled = of.complete_options(options, seats, rules_version)
        if isinstance(settled, Malformed):
            place = self._values["Seats"][0] if settled.path == "$.seats" else end
            self.problems.append(place.problem(settled.expected))
            return None
        return settled

    def _players(self, seats: int | None) -> tuple[str | None, ...]:
        tokens = self._values.get("Players", [])
        names: list[str | None] = []
        for token in tokens:
            if token.kind == "word" and token.text == forms.NOBODY:
                names.append(None)
                continue
            name = _convert(token.text, Name, "str of length <= 100")
            if token.kind == "sign" or isinstance(name, Malformed):
                self.problems.append(token.problem("str of length <= 100"))
                continue
            names.append(name)
        if tokens and seats is not None and len(tokens) != seats:
            self.problems.append(self._ends["Players"].problem(f"{seats} players"))
        return tuple(names)


_BRACKETS = 3  # `[`, a name, `]`


def _ruleset(text: str) -> Shapes | Malformed:
    name = text.casefold()
    return (
        shapes(name)
        if name in SHAPES
        else Malformed(path="$", expected=f"one of {', '.join(SHAPES)}")
    )


def _number(text: str) -> int | Malformed:
    if text.isascii() and text.isdigit() and len(text) <= _DIGITS_MAX:
        return int(text)
    return Malformed(path="$", expected="int")


def _one_of(numbers: tuple[int, ...]) -> Callable[[str], int | Malformed]:
    def read(text: str) -> int | Malformed:
        found = _number(text)
        if isinstance(found, int) and found in numbers:
            return found
        return Malformed(path="$", expected=f"one of {', '.join(map(str, numbers))}")

    return read


def _read_by(read: Callable[[str], str | None], expected: str) -> Callable[[str], str | Malformed]:
    return lambda text: read(text) or Malformed(path="$", expected=expected)


def _moment(text: str) -> datetime | Malformed:
    moment: datetime | Malformed = _convert(text, Instant, MOMENT)
    day: dt.date | Malformed = _convert(text, dt.date, MOMENT)
    return moment if isinstance(day, Malformed) else timestamp_of_day(day)


def _convert(text: str, shape: Any, expected: str) -> Any:  # noqa: ANN401 whatever the shape is
    try:
        return msgspec.convert(text, shape)
    except msgspec.ValidationError:
        return Malformed(path="$", expected=expected)
