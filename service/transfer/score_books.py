"""Reads a table of scores as games with points only."""

from collections.abc import Iterator, Sequence
from datetime import date, datetime, time, tzinfo
from typing import Literal, get_args

from msgspec import Struct, json, structs

from domain.games import TITLED
from schemas.catalogue import SHAPES, shapes
from schemas.days import in_zone, timestamp_of_day
from schemas.names import normalized_name, read_name
from schemas.record import PortableRecord
from schemas.strict_json import Malformed
from service.play.append import ENTRIES_MAX, GAME_BYTES_MAX
from service.transfer.games_from_points import PointsRound, default_options, game_from_points
from service.transfer.score_tables import BadCell, Cell, Row, Sheet, cell_name
from service.transfer.table_cells import (
    DayOrder,
    WrittenDay,
    day_order,
    decimal_marks,
    read_day,
    whole_number,
)
from service.transfer.uploads import FIRST_YEAR, size_of

Role = Literal["day", "game", "points", "note", "skip"]
ROLES: tuple[Role, ...] = get_args(Role)
PROBLEMS_MAX = 100
_POINTS_MAX = 1_000_000
HEAD_ROWS_MAX = 30
_NOTE_MAX = 2_000
_END_BYTES = 1_000
_SHOWN_MAX = 60
_SAMPLE_ROWS = 50
_NOTHING = frozenset("-–—")  # a dash: did not play
_LETTERS_MAX = 3  # of a cell among points
_HEADS: dict[str, Role] = {
    **dict.fromkeys(("day", "date", "jour", "tag", "datum", "when"), "day"),
    **dict.fromkeys(("game", "partie", "spiel", "no", "no.", "nr", "nr.", "n°", "#"), "game"),
    **dict.fromkeys(
        ("note", "notes", "remark", "remarks", "remarque", "bemerkung", "notiz", "place", "lieu"),
        "note",
    ),
}

Wrong = Literal[
    "day", "future", "number", "players", "seats", "large", "name", "twice", "note", "bad"
]


class CellProblem(Struct, frozen=True, kw_only=True):
    cell: str
    wrong: Wrong
    found: str


class Matching(Struct, frozen=True, kw_only=True):
    """The meaning of rows and columns, as chosen by the reader.

    `head`: the number of the header row; `roles`: the meaning of each column. `ruleset` None: not
    chosen yet. `title` and `wins`: of games by points. `game`: the choice that means all three, a
    ruleset or a title's id. `order`: the order of day and month, if the rows do not prove one.
    """

    ruleset: str | None
    title: str | None = None
    wins: Literal["highest", "lowest"] | None = None
    game: str = ""
    head: int
    roles: tuple[Role, ...]
    order: DayOrder | None = None

    @property
    def complete(self) -> bool:
        if self.ruleset == TITLED:
            return self.title is not None and self.wins is not None
        return self.ruleset in SHAPES


class BookWords(Struct, frozen=True, kw_only=True):
    """Texts of the reader: `deal`, a format with the deal's number, as the reason of points."""

    deal: str
    final: str
    ended: str


class BookGame(Struct, frozen=True, kw_only=True):
    """A game of the table. `row`: its first row; `key`: its identity in a later upload."""

    row: int
    day: date | None
    record: PortableRecord
    deals: int
    key: str

    @property
    def totals(self) -> tuple[int, ...]:
        found = [0] * self.record.seats
        for entry in self.record.log:
            points = getattr(entry, "points", 0)
            for seat, one in enumerate(points if isinstance(points, tuple) else ()):
                found[seat] += one or 0
            if isinstance(points, int):
                found[getattr(entry, "seat", 0)] += points
        return tuple(found)


class UnclearDay(Struct, frozen=True, kw_only=True):
    """A day with an ambiguous order of day and month, in a table that proves neither."""

    found: str
    day_first: date
    month_first: date


class Book(Struct, frozen=True, kw_only=True):
    """The games of a sheet, the number of problems, and the first of them.

    `unclear`: days that the reader must decide before the import.
    """

    games: tuple[BookGame, ...]
    problems: tuple[CellProblem, ...]
    problem_count: int
    unclear: UnclearDay | None


class _Line(Struct, frozen=True, kw_only=True):
    row: int
    day: date | None
    hour: time | None
    game: str
    points: dict[int, int]
    note: str
    good: bool


def guess_head(sheet: Sheet) -> int:
    """Return the number of the row that is the best header for the rows below it."""
    best, most = 1, -1
    for number, row in enumerate(sheet.rows[:HEAD_ROWS_MAX], 1):
        below = sheet.rows[number : number + _SAMPLE_ROWS]
        heads = {
            str(cell).casefold()
            for column, cell in enumerate(row)
            if isinstance(cell, str) and _heads(cell, column, below)
        }
        if len(heads) > most:
            best, most = number, len(heads)
    return best


def _heads(cell: str, column: int, below: Sequence[Row]) -> bool:
    if whole_number(cell) is not None or read_day(cell, None, FIRST_YEAR) is not None:
        return False
    role = _guess(cell, column, below)
    if role == "day":
        days = [row[column] for row in below if column < len(row) and row[column] is not None]
        return any(read_day(one, None, FIRST_YEAR) is not None for one in days)
    if role == "points":
        return any(whole_number(row[column]) is not None for row in below if column < len(row))
    return role != "skip"


def guess_roles(sheet: Sheet, head: int) -> tuple[Role, ...]:
    """Guess the meaning of each column from its header and its cells."""
    below = sheet.rows[head : head + _SAMPLE_ROWS]
    width = max(len(row) for row in sheet.rows)
    heads = [*sheet.rows[head - 1], *[None] * width][:width]
    return tuple(_guess(cell, column, below) for column, cell in enumerate(heads))


def _guess(head: Cell, column: int, below: Sequence[Row]) -> Role:
    text = str(head or "").strip()
    known = _HEADS.get(text.casefold())
    if known is not None:
        return known
    if read_name(text) is None:
        return "skip"
    filled = [row[column] for row in below if column < len(row) and row[column] is not None]
    # Single cells such as "V" or "10,5" are reported later; a column of words is no points column.
    readable = any(whole_number(cell) is not None for cell in filled)
    words = any(
        sum(map(str.isalpha, str(cell))) > _LETTERS_MAX
        for cell in filled
        if not isinstance(cell, BadCell)
    )
    return "skip" if words and not readable else "points"


def read_book(
    sheet: Sheet, matching: Matching, now: datetime, zone: tzinfo | None, words: BookWords
) -> Book:
    """Read a sheet as matched; days are in `zone` (None: the machine's)."""
    return _Reader(sheet, matching, now, zone, words).book()


def _options(matching: Matching) -> Struct:
    if matching.ruleset != TITLED:
        return default_options(matching.ruleset or "")
    found = shapes(TITLED).decode_options(json.encode({"wins": matching.wins}))
    assert not isinstance(found, Malformed)  # noqa: S101 -- made of what it accepts
    return found


class _Reader:
    def __init__(
        self,
        sheet: Sheet,
        matching: Matching,
        now: datetime,
        zone: tzinfo | None,
        words: BookWords,
    ) -> None:
        self._matching = matching
        self._now = now
        self._today = now.astimezone(zone).date()
        self._zone = zone
        self._words = words
        self._head = matching.head
        self._header = sheet.rows[self._head - 1]
        self._below = sheet.rows[self._head :]
        self._problems: list[CellProblem] = []
        self._count = 0
        self._columns: dict[Role, list[int]] = {
            role: [at for at, one in enumerate(matching.roles) if one == role] for role in ROLES
        }
        self._games_a_day: dict[date | None, int] = {}
        self._names = self._player_names()
        self._order: DayOrder | None = day_order(self._cells("day"))
        self._marks = decimal_marks(self._cells("points"))
        self._unclear: UnclearDay | None = None

    def book(self) -> Book:
        groups: list[list[_Line]] = []
        for line in self._lines():
            if groups and self._continues(groups[-1][-1], line):
                groups[-1].append(line)
            else:
                groups.append([line])
        known = self._matching.complete
        # A game with a row that cannot be read would have other totals.
        good = [group for group in groups if known and all(line.good for line in group)]
        games = [game for group in good if (game := self._game(group)) is not None]
        return Book(
            games=tuple(games),
            problems=tuple(self._problems),
            problem_count=self._count,
            unclear=self._unclear,
        )

    def _player_names(self) -> dict[int, str]:
        names: dict[int, str] = {}
        for column in self._columns["points"]:
            head = self._header[column] if column < len(self._header) else None
            name = read_name(str(head or ""))
            if isinstance(head, BadCell):
                self._wrong(self._head, column, "bad", head)
            elif name is None:
                self._wrong(self._head, column, "name", head)
            elif normalized_name(name) in {normalized_name(one) for one in names.values()}:
                self._wrong(self._head, column, "twice", name)
            else:
                names[column] = name
        for column in (*self._columns["day"][1:], *self._columns["game"][1:]):
            head = self._header[column] if column < len(self._header) else None
            self._wrong(self._head, column, "twice", head)
        return names

    def _cells(self, role: Role) -> Iterator[Cell]:
        columns = self._columns[role]
        return (row[at] for row in self._below for at in columns if at < len(row))

    def _continues(self, line: _Line, following: _Line) -> bool:
        """Return whether both are of one game; a line without a day may be of any day."""
        one_day = line.day == following.day or None in {line.day, following.day}
        return bool(self._columns["game"]) and line.game == following.game and one_day

    def _lines(self) -> Iterator[_Line]:
        written: WrittenDay | None = None
        unread = False
        game = ""
        for row, cells in enumerate(self._below, self._head + 1):
            if all(cell is None for cell in cells):
                continue
            before = self._count
            found = self._day(row, cells)
            if self._cell(cells, "day") is not None or not self._columns["game"]:
                # Rows without a day are of the day above, also if that cannot be read.
                written, unread = found, found is None and bool(self._columns["day"])
            numbered = self._cell(cells, "game")
            if isinstance(numbered, BadCell):
                self._wrong(row, self._columns["game"][0], "bad", numbered)
            game = game if numbered is None else str(numbered)
            points = {
                column: number
                for column in self._names
                if (number := self._points(row, column, cells)) is not None
            }
            note = self._note(row, cells)
            yield _Line(
                row=row,
                day=written.day if written else None,
                hour=written.hour if written else None,
                game=game,
                points=points,
                note=note,
                good=self._count == before and not unread,
            )

    def _cell(self, cells: Row, role: Role) -> Cell:
        filled = (cells[at] for at in self._columns[role] if at < len(cells))
        return next((cell for cell in filled if cell is not None), None)

    def _day(self, row: int, cells: Row) -> WrittenDay | None:
        columns = self._columns["day"]
        if not columns:
            return None
        cell = self._cell(cells, "day")
        if cell is None:
            if not self._columns["game"]:
                self._wrong(row, columns[0], "day", None)
            return None
        found = read_day(cell, self._order or self._matching.order, self._today.year)
        if found is None or found.day.year < FIRST_YEAR:
            self._wrong(row, columns[0], "day", cell)
            return None
        if found.hour is not None and found.hour.tzinfo is not None:
            there = in_zone(datetime.combine(found.day, found.hour), self._zone)
            found = structs.replace(found, day=there.date(), hour=there.time())
        if found.unclear and self._unclear is None:
            self._unclear = UnclearDay(
                found=str(cell),
                day_first=found.day,
                month_first=found.day.replace(month=found.day.day, day=found.day.month),
            )
        if self._is_future(found) and not found.unclear:
            self._wrong(row, columns[0], "future", cell)
            return None
        return found

    def _is_future(self, found: WrittenDay) -> bool:
        if found.hour is None or found.day != self._today:
            return found.day > self._today
        return self._moment(found.day, found.hour) > self._now

    def _moment(self, day: date, hour: time) -> datetime:
        moment = datetime.combine(day, hour, self._zone)
        return moment if self._zone else moment.astimezone()

    def _points(self, row: int, column: int, cells: Row) -> int | None:
        cell = cells[column] if column < len(cells) else None
        if cell is None or cell in _NOTHING:
            return None
        number = whole_number(cell, self._marks)
        most = getattr(SHAPES.get(self._matching.ruleset or ""), "POINTS_MAX", _POINTS_MAX)
        if number is None or abs(number) > most:
            self._wrong(row, column, "number", cell)
            return None
        return number

    def _note(self, row: int, cells: Row) -> str:
        filled = [
            (at, cells[at])
            for at in self._columns["note"]
            if at < len(cells) and cells[at] is not None
        ]
        for at, cell in filled:
            if isinstance(cell, BadCell):
                self._wrong(row, at, "bad", cell)
        text = "\n".join(str(cell) for _, cell in filled)
        if len(text) > _NOTE_MAX or not all(sign.isprintable() or sign == "\n" for sign in text):
            self._wrong(row, self._columns["note"][0], "note", text[:20])
        return text

    def _game(self, lines: list[_Line]) -> BookGame | None:
        first = lines[0]
        columns = [at for at in self._names if any(at in line.points for line in lines)]
        at = (self._columns["points"] or [0])[0]
        ruleset = self._matching.ruleset or ""
        if len(columns) not in shapes(ruleset).seats:
            self._wrong(first.row, at, "players", len(columns))
            return None
        options = _options(self._matching)
        settled = shapes(ruleset).complete_options(options, len(columns))
        if isinstance(settled, Malformed):
            self._wrong(first.row, at, "seats", len(columns))
            return None
        nth = self._games_a_day.get(first.day, 0)
        self._games_a_day[first.day] = nth + 1
        rounds = self._rounds(lines, columns)
        names = [self._names[column] for column in columns]
        notes = [line.note for line in lines if line.note]
        record = game_from_points(
            ruleset,
            settled,
            names,
            rounds,
            self._start_of(first, nth),
            self._words.ended,
            notes=notes,
        )
        # One entry more ends the game, with the totals.
        if len(record.log) + 1 >= ENTRIES_MAX or size_of(record.log) + _END_BYTES > GAME_BYTES_MAX:
            self._wrong(first.row, at, "large", None)
            return None
        of = (
            ruleset
            if self._matching.title is None
            else (ruleset, normalized_name(self._matching.title))
        )
        same = (of, first.day, nth, names, [one.points for one in rounds])
        return BookGame(
            row=first.row,
            day=first.day,
            record=structs.replace(record, title=self._matching.title),
            deals=len(rounds) if self._columns["game"] else 0,
            key=repr(same),
        )

    def _rounds(self, lines: Sequence[_Line], columns: Sequence[int]) -> list[PointsRound]:
        deal = self._words.deal if self._columns["game"] else self._words.final
        nothing = None if self._matching.ruleset == TITLED else 0
        return [
            PointsRound(
                points=tuple(line.points.get(column, nothing) for column in columns),
                reason=deal.format(number=number),
            )
            for number, line in enumerate(lines, 1)
            if line.points
        ]

    def _start_of(self, line: _Line, nth: int) -> datetime | None:
        if line.day is None:
            return None
        if line.hour is None:
            return timestamp_of_day(line.day, nth)
        return self._moment(line.day, line.hour)

    def _wrong(self, row: int, column: int, wrong: Wrong, found: object) -> None:
        self._count += 1
        if len(self._problems) < PROBLEMS_MAX:
            text = "" if found is None else str(found)
            self._problems.append(
                CellProblem(cell=cell_name(row, column), wrong=wrong, found=text[:_SHOWN_MAX])
            )
