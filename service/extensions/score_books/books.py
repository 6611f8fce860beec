"""Reads a table of scores as games with points only."""

import re
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
from service.extensions.score_books.cells import (
    DayOrder,
    WrittenDay,
    day_order,
    decimal_marks,
    read_day,
)
from service.extensions.score_books.tables import BadCell, Cell, MergedCell, Row, Sheet, cell_name
from service.play.append import ENTRIES_MAX, GAME_BYTES_MAX
from service.transfer.games_from_points import (
    PointsRound,
    default_options,
    game_from_points,
    whole_number,
)
from service.transfer.uploads import FIRST_YEAR, size_of

Role = Literal["day", "game", "round", "points", "note", "skip"]
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
    **dict.fromkeys(("round", "manche", "runde", "deal", "donne", "hand"), "round"),
    **dict.fromkeys(
        ("note", "notes", "remark", "remarks", "remarque", "bemerkung", "notiz", "place", "lieu"),
        "note",
    ),
    **dict.fromkeys(("rank", "rang", "platz", "year", "année", "jahr"), "skip"),
    **dict.fromkeys(("time", "heure", "uhrzeit"), "skip"),
    **dict.fromkeys(("winner", "gagnant", "vainqueur", "sieger", "gewinner"), "skip"),
    **dict.fromkeys(("dealer", "donneur", "geber"), "skip"),
}
# Heads of a column of people, in a table whose rows are people.
_PEOPLE = {"player", "players", "joueur", "joueurs", "spieler", "name", "names", "nom", "noms"}
_SUM = re.compile(
    r"(?:grand |sous-|sub-?)?tot(?:al|als|aux)\b|sum\b|sommes?\b|(?:gesamt|zwischen)?summe\b"
    r"|gesamt\b|(?:end|zwischen)stand\b|score final\b|final score\b|[\u03c3∑ø](?![^\W\d_])"
    r"|moyenne\b|average\b|durchschnitt|mittelwert\b|schnitt\b"
)
_SINGLE_ROLES: tuple[Role, ...] = ("day", "game", "round")
_SUMMED_ROWS_MIN = 2
_ROUND = re.compile(r"(?:round|manche|runde|deal|donne|hand|r|m)[ .]*(\d{1,6})", re.IGNORECASE)

Wrong = Literal[
    "day",
    "future",
    "number",
    "players",
    "seats",
    "large",
    "name",
    "twice",
    "note",
    "bad",
    "sum",
    "table",
    "turned",
    "merged",
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

    `unclear`: days that the reader must decide before the import. `next_head`: number of the row
    with the names of another table below.
    """

    games: tuple[BookGame, ...]
    problems: tuple[CellProblem, ...]
    problem_count: int
    unclear: UnclearDay | None
    next_head: int | None


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
    for number in range(1, min(len(sheet.rows), HEAD_ROWS_MAX) + 1):
        heads = _count_heads(sheet, number)
        # A table below another one does not hide it.
        if heads > most and not (most > 1 and _has_points(sheet.rows[best : number - 1])):
            best, most = number, heads
    return best


def _count_heads(sheet: Sheet, number: int) -> int:
    below = sheet.rows[number : number + _SAMPLE_ROWS]
    return len(
        {
            str(cell).casefold()
            for column, cell in enumerate(sheet.rows[number - 1])
            if isinstance(cell, str) and _heads(cell, column, below)
        }
    )


def _has_points(rows: Sequence[Row]) -> bool:
    return any(sum(whole_number(cell) is not None for cell in row) > 1 for row in rows)


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
    roles: list[Role] = [_guess(cell, column, below) for column, cell in enumerate(heads)]
    if "day" not in roles:
        found = next((at for at in range(width) if _are_days(_filled(at, below))), None)
        roles = ["day" if at == found else role for at, role in enumerate(roles)]
    return tuple(roles)


def _are_days(cells: Sequence[Cell]) -> bool:
    return bool(cells) and all(
        whole_number(cell) is None and read_day(cell, None, FIRST_YEAR) is not None
        for cell in cells
    )


def _filled(column: int, below: Sequence[Row]) -> list[Cell]:
    return [row[column] for row in below if column < len(row) and row[column] is not None]


def _guess(head: Cell, column: int, below: Sequence[Row]) -> Role:
    text = str(head or "").strip()
    known = _HEADS.get(text.casefold())
    if known is not None:
        return known
    if _is_sum(head):
        return "skip"
    filled = _filled(column, below)
    # Single cells such as "V" or "10,5" are reported later; a column of words is no points column.
    readable = any(whole_number(cell) is not None for cell in filled)
    words = any(
        sum(map(str.isalpha, str(cell))) > _LETTERS_MAX
        for cell in filled
        if isinstance(cell, str) and not isinstance(cell, BadCell) and not _is_sum(cell)
    )
    named = [cell for cell in filled if not _is_sum(cell)]
    if named and all(isinstance(cell, str) and _ROUND.fullmatch(cell) for cell in named):
        return "round"
    if words and not readable and text.casefold() not in _PEOPLE:
        return "note"
    return "skip" if read_name(text) is None else "points"


def _person_name(cell: Cell) -> str | None:
    text = str(cell or "")
    if text.isdecimal() or read_day(text, None, FIRST_YEAR) is not None:
        return None
    return read_name(text)


def _is_sum(cell: Cell, *, whole: bool = False) -> bool:
    text = cell.casefold().strip(" =:.") if isinstance(cell, str) else ""
    return (_SUM.fullmatch(text) if whole else _SUM.match(text)) is not None


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


class _Sum(Struct):
    numbers: list[int]
    rows: int = 0

    def add(self, numbers: Sequence[int]) -> None:
        self.numbers = [one + other for one, other in zip(self.numbers, numbers, strict=True)]
        self.rows += any(numbers)

    def equals(self, numbers: Sequence[int]) -> bool:
        return self.rows >= _SUMMED_ROWS_MIN and self.numbers == numbers


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
        self._problems: list[CellProblem] = []
        self._count = 0
        self._columns: dict[Role, list[int]] = {
            role: [at for at, one in enumerate(matching.roles) if one == role] for role in ROLES
        }
        self._grouped = bool(self._columns["game"] or self._columns["round"])
        self._games_a_day: dict[date | None, int] = {}
        self._names = self._player_names()
        self._below = sheet.rows[self._head :]
        end = next((at for at, row in enumerate(self._below) if self._is_table_head(at, row)), None)
        self._next_head = None if end is None else self._head + end + 1
        if self._next_head is not None:
            column = self._columns["points"][0]
            names = " · ".join(str(cell) for cell in self._below[end or 0] if cell is not None)
            self._wrong(self._next_head, column, "table", names)
            self._below = self._below[:end]
        # Games without one of their people would have another outcome.
        self._heads_wrong = self._count > (end is not None)
        self._order: DayOrder | None = day_order(self._cells("day"))
        self._marks = decimal_marks(self._cells("points"))
        self._sums = set(self._sum_rows())
        self._unclear: UnclearDay | None = None

    def book(self) -> Book:
        groups: list[list[_Line]] = []
        for line in self._lines():
            if groups and self._continues(groups[-1][-1], line):
                groups[-1].append(line)
            else:
                groups.append([line])
        known = self._matching.complete and not self._heads_wrong
        # A game with a row that cannot be read would have other totals.
        good = [group for group in groups if known and all(line.good for line in group)]
        games = [game for group in good if (game := self._game(group)) is not None]
        return Book(
            games=tuple(games),
            problems=tuple(self._problems),
            problem_count=self._count,
            unclear=self._unclear,
            next_head=self._next_head,
        )

    def _is_table_head(self, at: int, row: Row) -> bool:
        """Return whether a row has names of other people, instead of a day and points."""
        if self._is_repeated_head(row):
            return False
        names = {
            normalized_name(name)
            for column in self._names
            if column < len(row)
            and (name := _person_name(row[column])) is not None
            and sum(map(str.isalpha, name)) > 1
        }
        points = any(
            whole_number(row[column]) is not None for column in self._names if column < len(row)
        )
        day = self._cell(row, "day")
        dated = day is not None and read_day(day, None, self._today.year) is not None
        return len(names) > 1 and not points and not dated and _has_points(self._below[at + 1 :])

    def _is_repeated_head(self, row: Row) -> bool:
        heads = {column: self._header[column] for column in self._names}
        return len(heads) > 0 and heads == {
            column: row[column] if column < len(row) else None for column in self._names
        }

    def _sum_rows(self) -> Iterator[int]:
        """Yield the index of each row below the head that adds up rows above it."""
        others = [at for at, role in enumerate(self._matching.roles) if role != "points"]
        every, group = _Sum([0] * len(self._names)), _Sum([0] * len(self._names))

        def is_labelled(row: Row) -> bool:
            return any(at < len(row) and row[at] is not None for at in others)

        for at, row in enumerate(self._below):
            following = self._below[at + 1] if at + 1 < len(self._below) else ()
            last = all(cell is None for cell in following) or is_labelled(following)
            labelled = is_labelled(row)
            numbers = [
                (whole_number(row[one], self._marks) if one < len(row) else None) or 0
                for one in self._names
            ]
            if self._has_sum_label(row) or (
                last and not labelled and (every.equals(numbers) or group.equals(numbers))
            ):
                yield at
            else:
                group = _Sum([0] * len(numbers)) if labelled else group
                group.add(numbers)
                every.add(numbers)

    def _has_sum_label(self, row: Row) -> bool:
        return any(
            _is_sum(cell, whole=role == "note")
            for cell, role in zip(row, self._matching.roles, strict=False)
        )

    def _player_names(self) -> dict[int, str]:
        names: dict[int, str] = {}
        for column in self._columns["points"]:
            head = self._header[column] if column < len(self._header) else None
            name = _person_name(head)
            if isinstance(head, BadCell):
                self._wrong(self._head, column, "bad", head)
            elif str(head).casefold() in _PEOPLE:
                self._wrong(self._head, column, "turned", head)
            elif name is None:
                self._wrong(self._head, column, "name", head)
            elif normalized_name(name) in {normalized_name(one) for one in names.values()}:
                self._wrong(self._head, column, "twice", name)
            else:
                names[column] = name
        for column in (at for one in _SINGLE_ROLES for at in self._columns[one][1:]):
            head = self._header[column] if column < len(self._header) else None
            self._wrong(self._head, column, "twice", head)
        return names

    def _cells(self, role: Role) -> Iterator[Cell]:
        columns = self._columns[role]
        return (row[at] for row in self._below for at in columns if at < len(row))

    def _continues(self, line: _Line, following: _Line) -> bool:
        """Return whether both are of one game; a line without a day may be of any day."""
        one_day = line.day == following.day or None in {line.day, following.day}
        return self._grouped and line.game == following.game and one_day

    def _lines(self) -> Iterator[_Line]:
        written: WrittenDay | None = None
        unread = False
        game = ""
        part, last_round = 0, 0
        for row, cells in enumerate(self._below, self._head + 1):
            if all(cell is None for cell in cells) or self._is_repeated_head(cells):
                continue
            if row - self._head - 1 in self._sums:
                self._wrong(row, *self._sum_label(cells))
                continue
            before = self._count
            found = self._day(row, cells)
            if self._cell(cells, "day") is not None or not self._grouped:
                # Rows without a day are of the day above, also if that cannot be read.
                written, unread = found, found is None and bool(self._columns["day"])
            numbered = self._cell(cells, "game")
            if isinstance(numbered, BadCell):
                self._wrong(row, self._columns["game"][0], "bad", numbered)
            game = game if numbered is None else str(numbered)
            number = self._round(row, cells)
            part += number is not None and number <= last_round
            last_round = number or last_round
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
                game=f"{game}/{part}",
                points=points,
                note=note,
                good=self._count == before and not unread,
            )

    def _sum_label(self, cells: Row) -> tuple[int, Wrong, Cell]:
        at = next((at for at, cell in enumerate(cells) if _is_sum(cell)), None)
        column = next(iter(self._names), 0) if at is None else at
        return column, "sum", cells[column] if column < len(cells) else None

    def _round(self, row: int, cells: Row) -> int | None:
        """Return the number in a cell such as "3" or "Round 3"."""
        cell = self._cell(cells, "round")
        if cell is None:
            return None
        found = _ROUND.fullmatch(cell) if isinstance(cell, str) else None
        number = whole_number(cell) if found is None else int(found[1])
        if number is None:
            self._wrong(row, self._columns["round"][0], "number", cell)
        return number

    def _cell(self, cells: Row, role: Role) -> Cell:
        filled = (cells[at] for at in self._columns[role] if at < len(cells))
        return next((cell for cell in filled if cell is not None), None)

    def _day(self, row: int, cells: Row) -> WrittenDay | None:
        columns = self._columns["day"]
        if not columns:
            return None
        cell = self._cell(cells, "day")
        if cell is None:
            if not self._grouped:
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
        if isinstance(cell, MergedCell):
            self._wrong(row, column, "merged", cell)
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
            deals=len(rounds) if self._grouped else 0,
            key=repr(same),
        )

    def _rounds(self, lines: Sequence[_Line], columns: Sequence[int]) -> list[PointsRound]:
        deal = self._words.deal if self._grouped else self._words.final
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
