"""Scores of years on paper: a table of points, as games by result with their days.

A row is a game, a column of points a person; where a column numbers the games, a row is a deal of
its game. Promises: pure; every cell that cannot be read is told by its place; nothing is guessed
but which column is what, which whoever looks at it decides. Takes a moment: run it in a thread.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time, timedelta, tzinfo
from itertools import groupby
from typing import Literal, get_args

from msgspec import Struct

from schemas.catalogue import shapes
from schemas.malformed import Malformed
from schemas.names import read_name
from schemas.record import PortableRecord
from service.transfer.games_from_points import PointsRound, default_options, game_from_points
from service.transfer.score_tables import Cell, ScoreTable, place

Role = Literal["day", "game", "points", "note", "skip"]
ROLES: tuple[Role, ...] = get_args(Role)
DayOrder = Literal["dmy", "mdy"]
PROBLEMS_TOLD = 100
POINTS_MAX = 1_000_000
_NOTE_MAX = 2_000
_FIRST_YEAR = 1900
_NOON = time(12)
_HEADS: dict[str, Role] = {
    **dict.fromkeys(("day", "date", "jour", "tag", "datum", "when"), "day"),
    **dict.fromkeys(("game", "partie", "spiel", "no", "no.", "nr", "nr.", "n°", "#"), "game"),
    **dict.fromkeys(
        ("note", "notes", "remark", "remarks", "remarque", "bemerkung", "notiz", "place", "lieu"),
        "note",
    ),
}
_ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_WRITTEN = re.compile(r"(\d{1,2})[./-](\d{1,2})[./-](\d{4}|\d{2})")
_NUMBER = re.compile(r"[+-]?\d{1,9}(?:[.,]0+)?")
_CENTURY = 100

Wrong = Literal["day", "future", "number", "players", "seats", "name", "twice", "note"]


class CellProblem(Struct, frozen=True, kw_only=True):
    """What is wrong with a cell. `found`: what stands there."""

    cell: str
    wrong: Wrong
    found: str


class Matching(Struct, frozen=True, kw_only=True):
    """How a table is meant. `roles`: what each column is."""

    ruleset: str
    roles: tuple[Role, ...]
    order: DayOrder = "dmy"


class BookWords(Struct, frozen=True, kw_only=True):
    """What is written as the reason of points; `deal` has a place for its number."""

    deal: str
    final: str
    ended: str


class BookGame(Struct, frozen=True, kw_only=True):
    """A game of the book. `row`: the number of its first row; `key`: what makes it the same."""

    row: int
    day: date | None
    record: PortableRecord
    deals: int
    key: str

    @property
    def totals(self) -> tuple[int, ...]:
        """Points per seat."""
        found = [0] * self.record.seats
        for entry in self.record.log:
            found[getattr(entry, "seat", 0)] += getattr(entry, "points", 0)
        return tuple(found)


class Book(Struct, frozen=True, kw_only=True):
    """A table that was read: its games, and the first problems of so many."""

    games: tuple[BookGame, ...]
    problems: tuple[CellProblem, ...]
    problem_count: int


class _Line(Struct, frozen=True, kw_only=True):
    """A row that was read; `points` by column."""

    row: int
    day: date | None
    game: str
    points: dict[int, int]
    note: str


def header_of(table: ScoreTable) -> tuple[int, tuple[Cell, ...]]:
    """Find the row that heads the columns: its number, from 1, and its cells."""
    for number, row in enumerate(table.rows, 1):
        if any(cell is not None for cell in row):
            return number, row
    return 1, ()


def guessed(table: ScoreTable) -> tuple[Role, ...]:
    """Guess by their heads what the columns are; whose cells are no points is left out."""
    number, header = header_of(table)
    below = table.rows[number : number + 50]
    return tuple(_guess(cell, column, below) for column, cell in enumerate(header))


def _guess(head: Cell, column: int, below: Sequence[tuple[Cell, ...]]) -> Role:
    known = _HEADS.get(str(head or "").strip().casefold())
    if known is not None:
        return known
    if read_name(str(head or "")) is None:
        return "skip"
    filled = [row[column] for row in below if column < len(row) and row[column] is not None]
    readable = sum(_whole(cell) is not None for cell in filled)
    return "points" if not filled or 2 * readable >= len(filled) else "skip"


def read_book(
    table: ScoreTable, matching: Matching, today: date, zone: tzinfo | None, words: BookWords
) -> Book:
    """Read a table as it is meant; days are days in `zone` (None: the machine's)."""
    return _Reader(table, matching, today, zone, words).book()


class _Reader:
    """Reads a table, and collects what is wrong."""

    def __init__(
        self,
        table: ScoreTable,
        matching: Matching,
        today: date,
        zone: tzinfo | None,
        words: BookWords,
    ) -> None:
        self._table = table
        self._matching = matching
        self._today = today
        self._zone = zone
        self._words = words
        self._head, header = header_of(table)
        self._header = header
        self._problems: list[CellProblem] = []
        self._count = 0
        roles = [*matching.roles, *["skip"] * len(header)][: len(header)]
        self._columns: dict[Role, list[int]] = {
            role: [at for at, one in enumerate(roles) if one == role] for role in ROLES
        }
        self._games_a_day: dict[date | None, int] = {}
        self._names = self._named()

    def book(self) -> Book:
        """Read everything."""
        lines = [line for line in self._lines() if line is not None]
        games = [
            game
            for _, group in groupby(lines, key=self._which)
            if (game := self._game([*group])) is not None
        ]
        return Book(games=tuple(games), problems=tuple(self._problems), problem_count=self._count)

    def _named(self) -> dict[int, str]:
        names: dict[int, str] = {}
        for column in self._columns["points"]:
            name = read_name(str(self._header[column] or ""))
            if name is None:
                self._wrong(self._head, column, "name", self._header[column])
            elif name.casefold() in {one.casefold() for one in names.values()}:
                self._wrong(self._head, column, "twice", name)
            else:
                names[column] = name
        return names

    def _which(self, line: _Line) -> tuple[object, ...]:
        return (line.game, line.day) if self._columns["game"] else (line.row,)

    def _lines(self) -> Iterator[_Line | None]:
        day: date | None = None
        game = ""
        for row, cells in enumerate(self._table.rows[self._head :], self._head + 1):
            if all(cell is None for cell in cells):
                continue
            before = self._count
            told = self._day(row, cells)
            day = told if told is not None or not self._columns["game"] else day
            game = str(self._cell(cells, "game") or game)
            points = {
                column: number
                for column in self._names
                if (number := self._points(row, column, cells)) is not None
            }
            note = self._note(row, cells)
            good = self._count == before
            yield _Line(row=row, day=day, game=game, points=points, note=note) if good else None

    def _cell(self, cells: Sequence[Cell], role: Role) -> Cell:
        filled = (cells[at] for at in self._columns[role] if at < len(cells))
        return next((cell for cell in filled if cell is not None), None)

    def _day(self, row: int, cells: Sequence[Cell]) -> date | None:
        columns = self._columns["day"]
        if not columns:
            return None
        cell = self._cell(cells, "day")
        if cell is None:
            if not self._columns["game"]:
                self._wrong(row, columns[0], "day", None)
            return None
        day = _day(cell, self._matching.order, self._today.year)
        if day is None or day.year < _FIRST_YEAR:
            self._wrong(row, columns[0], "day", cell)
        elif day > self._today:
            self._wrong(row, columns[0], "future", cell)
        else:
            return day
        return None

    def _points(self, row: int, column: int, cells: Sequence[Cell]) -> int | None:
        cell = cells[column] if column < len(cells) else None
        if cell is None:
            return None
        number = _whole(cell)
        if number is None or abs(number) > POINTS_MAX:
            self._wrong(row, column, "number", cell)
            return None
        return number

    def _note(self, row: int, cells: Sequence[Cell]) -> str:
        cell = self._cell(cells, "note")
        text = "" if cell is None else str(cell)
        if len(text) > _NOTE_MAX or not all(sign.isprintable() or sign == "\n" for sign in text):
            self._wrong(row, self._columns["note"][0], "note", text[:20])
        return text

    def _game(self, lines: list[_Line]) -> BookGame | None:
        first = lines[0]
        columns = [at for at in self._names if any(at in line.points for line in lines)]
        at = (self._columns["points"] or [0])[0]
        if len(columns) not in shapes(self._matching.ruleset).seats:
            self._wrong(first.row, at, "players", len(columns))
            return None
        options = default_options(self._matching.ruleset)
        settled = shapes(self._matching.ruleset).settled(options, len(columns))
        if isinstance(settled, Malformed):
            self._wrong(first.row, at, "seats", len(columns))
            return None
        nth = self._games_a_day.get(first.day, 0)
        self._games_a_day[first.day] = nth + 1
        rounds = self._rounds(lines, columns)
        names = [self._names[column] for column in columns]
        notes = [line.note for line in lines if line.note]
        record = game_from_points(
            self._matching.ruleset,
            settled,
            names,
            rounds,
            self._begun(first.day, nth),
            self._words.ended,
            notes=notes,
        )
        told = (self._matching.ruleset, first.day, nth, names, [one.points for one in rounds])
        return BookGame(
            row=first.row,
            day=first.day,
            record=record,
            deals=len(lines) if self._columns["game"] else 0,
            key=repr(told),
        )

    def _rounds(self, lines: Sequence[_Line], columns: Sequence[int]) -> list[PointsRound]:
        deal = self._words.deal if self._columns["game"] else self._words.final
        return [
            PointsRound(
                points=tuple(line.points.get(column, 0) for column in columns),
                reason=deal.format(number=number),
            )
            for number, line in enumerate(lines, 1)
        ]

    def _begun(self, day: date | None, nth: int) -> datetime | None:
        if day is None:
            return None
        noon = datetime.combine(day, _NOON, self._zone)
        return (noon if self._zone else noon.astimezone()) + timedelta(seconds=nth)

    def _wrong(self, row: int, column: int, wrong: Wrong, found: object) -> None:
        self._count += 1
        if len(self._problems) < PROBLEMS_TOLD:
            text = "" if found is None else str(found)
            self._problems.append(
                CellProblem(cell=place(row, column), wrong=wrong, found=text[:60])
            )


def _whole(cell: Cell) -> int | None:
    if isinstance(cell, int):
        return cell
    if not isinstance(cell, str):
        return None
    text = cell.replace("\u2212", "-").replace("\u00a0", "").replace("\u202f", "").replace(" ", "")
    return int(re.split("[.,]", text)[0]) if _NUMBER.fullmatch(text) else None


def _day(cell: Cell, order: DayOrder, latest: int) -> date | None:
    if isinstance(cell, date):
        return cell
    text = str(cell).strip()
    try:
        if found := _ISO.fullmatch(text):
            return date(int(found[1]), int(found[2]), int(found[3]))
        if found := _WRITTEN.fullmatch(text):
            one, two, year = int(found[1]), int(found[2]), int(found[3])
            if year < _CENTURY:
                year += latest - latest % _CENTURY
                year -= _CENTURY if year > latest else 0
            return date(year, two, one) if order == "dmy" else date(year, one, two)
    except ValueError:
        pass
    return None
