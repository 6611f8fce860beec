"""Reads a table of scores as games with points only."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, time, tzinfo
from functools import cache
from typing import Literal, get_args

from msgspec import Struct, json, structs

from domain.games import TITLED
from schemas.catalogue import SHAPES, shapes
from schemas.days import in_zone, timestamp_of_day
from schemas.entries import Note
from schemas.names import normalized_name, read_name, read_place
from schemas.record import PortableRecord
from schemas.strict_json import Malformed
from service.club.describing import read_typed
from service.extensions.score_books.cells import (
    DayOrder,
    WrittenDay,
    day_order,
    days_in_text,
    decimal_marks,
    is_day,
    read_day,
)
from service.extensions.score_books.tables import BadCell, Cell, MergedCell, Row, Sheet, cell_at
from service.language.known_titles import find_known_title
from service.language.sentence import LANGUAGES
from service.language.texts import texts
from service.play.append import ENTRIES_MAX, GAME_BYTES_MAX
from service.transfer.games_from_points import (
    PointsRound,
    default_options,
    first_seats,
    game_from_points,
    whole_number,
    with_winners,
)
from service.transfer.record_files import BatchWords
from service.transfer.upload_problems import sentence
from service.transfer.uploads import FIRST_YEAR, size_of

Role = Literal["day", "title", "game", "round", "points", "winner", "note", "skip"]
ROLES: tuple[Role, ...] = get_args(Role)
PROBLEMS_MAX = 100
_POINTS_MAX = 1_000_000
HEAD_ROWS_MAX = 30
_NOTE_MAX = 2_000
_END_BYTES = 1_000
_SHOWN_MAX = 60
_SAMPLE_ROWS = 50
# A dash or a word: did not play.
NOTHING = frozenset(
    {
        *("-", "–", "—", "/", "x", "✗", "abs", "absent", "absente", "absents", "n/a", "na", "dnp"),
        *("out", "away", "did not play", "fehlt", "weg", "abwesend", "ausgesetzt", "n’a pas joué"),
    }
)
_PLACE = re.compile(r"(\d{1,2})\s*(?:\.|st|nd|rd|th|e|er|re|ère|ème|eme|ter|te|º|°)", re.IGNORECASE)
_NOBODY = frozenset({"nobody", "no one", "none", "personne", "aucun", "niemand", "keiner"})
_TIE = frozenset(
    {"tie", "draw", "égalité", "ex aequo", "nul", "gleichstand", "unentschieden", "remis"}
)
_AND = re.compile(r"[,;&+/]|\b(?:and|et|und)\b", re.IGNORECASE)
_WON = frozenset({"x", "✓", "✔", "*", "1"})
# Forms for women and several people: "Gagnant(e)", "Sieger*in", "Winner(s)".
_ENDING = re.compile(r"\(e?s?\)|\(in(?:nen)?\)|[*:/]in(?:nen)?|·e·?s?")
_HOUR = re.compile(r"\d{1,2}\s?[:h]\s?(?:\d{2})?(?:\s?(?:h|uhr))?", re.IGNORECASE)
_NUMBERED_MIN = 3
_POINTS_HEADS = frozenset({"points", "score", "punkte", "pts"})
_UNIT = re.compile(rf" \((?:{'|'.join(_POINTS_HEADS)})\.?\)$", re.IGNORECASE)
_LETTERS_MAX = 3  # of a cell among points
_HEADS: dict[str, Role] = {
    **dict.fromkeys(("day", "date", "jour", "tag", "datum", "when"), "day"),
    **dict.fromkeys(("game", "partie", "spiel", "no", "no.", "nr", "nr.", "n°", "#"), "game"),
    **dict.fromkeys(("match", "matchday", "journée", "spieltag", "evening", "soirée"), "game"),
    **dict.fromkeys(("round", "manche", "runde", "deal", "donne", "hand"), "round"),
    **dict.fromkeys(
        ("note", "notes", "remark", "remarks", "remarque", "bemerkung", "notiz", "place", "lieu"),
        "note",
    ),
    **dict.fromkeys(("comment", "commentaire", "kommentar", "anmerkung", "observation"), "note"),
    **dict.fromkeys(("comments", "commentaires", "kommentare", "anmerkungen"), "note"),
    **dict.fromkeys(("rank", "rang", "platz", "year", "année", "jahr"), "skip"),
    **dict.fromkeys(("time", "heure", "uhrzeit", "duration", "durée", "dauer"), "skip"),
    **dict.fromkeys(("week", "semaine", "woche", "kw", "month", "mois", "monat"), "skip"),
    **dict.fromkeys(("table", "tisch", "stake", "mise", "einsatz", "weekday", "wochentag"), "skip"),
    **dict.fromkeys(("difference", "différence", "differenz", "écart", "abstand"), "skip"),
    **dict.fromkeys(("high score", "low score", "average"), "skip"),
    **dict.fromkeys(("winner", "gagnant", "gagnante", "vainqueur", "sieger", "gewinner"), "winner"),
    **dict.fromkeys(("winners", "gagnants", "vainqueurs", "siegerin", "gewinnerin"), "winner"),
    **dict.fromkeys(("title", "titre", "titel", "jeu", "name of the game"), "title"),
    **dict.fromkeys(("dealer", "donneur", "geber"), "skip"),
}
# Heads of a column of people, in a table whose rows are people.
_PEOPLE = {"player", "players", "joueur", "joueurs", "spieler", "name", "names", "nom", "noms"}
_SUM = re.compile(
    r"(?:grand |sous-|sub-?)?tot(?:al|als|aux)\b|sum\b|sommes?\b|(?:gesamt|zwischen)?summe\b"
    r"|gesamt\b|(?:end|zwischen)stand\b|score final\b|final score\b|[\u03c3∑ø](?![^\W\d_])"
    r"|moyenne\b|average\b|avg\b|mean\b|cumul\w*|mittel\b|durchschnitt|mittelwert\b|schnitt\b"
)
_SINGLE_ROLES: tuple[Role, ...] = ("day", "title", "game", "round", "winner")
_TOTALS = ("total", "summe", "totaux", "gesamt")
_WRITTEN_TOTALS = frozenset({*_TOTALS, "totals", "sum", "somme", "gesamtsumme"})
_SUMMED_ROWS_MIN = 2
NUMBERED_ROUND = re.compile(
    r"(?:round|manche|runde|deal|donne|hand|r|m)[ .]*(\d{1,6})", re.IGNORECASE
)

Wrong = Literal[
    "day",
    "dayless",
    "future",
    "number",
    "players",
    "large",
    "name",
    "twice",
    "note",
    "bad",
    "sum",
    "unequal",
    "turned",
    "merged",
    "long",
    "winner",
    "title",
]


class CellProblem(Struct, frozen=True, kw_only=True):
    cell: str
    wrong: Wrong
    found: str


class GameKind(Struct, frozen=True, kw_only=True):
    """A ruleset, or a title of games by points and which total wins (None: not known)."""

    ruleset: str
    title: str | None = None
    wins: Literal["highest", "lowest"] | None = "highest"


class Matching(Struct, frozen=True, kw_only=True):
    """The meaning of rows and columns, as chosen by the reader.

    `head`: the number of the header row; `roles`: the meaning of each column. `ruleset` None: not
    chosen yet. `title` and `wins`: of games by points. `game`: the choice that means all three, a
    ruleset or a title's id. `order`: the order of day and month, if the rows do not prove one.
    `left_out`: names of cells whose games the reader leaves out; they are no problem any more.
    """

    ruleset: str | None
    title: str | None = None
    wins: Literal["highest", "lowest"] | None = None
    game: str = ""
    head: int
    roles: tuple[Role, ...]
    order: DayOrder | None = None
    kinds: Mapping[str, GameKind] = {}
    left_out: frozenset[str] = frozenset()

    @property
    def complete(self) -> bool:
        if "title" in self.roles:
            return True
        if self.ruleset == TITLED:
            return self.title is not None and self.wins is not None
        return self.ruleset in SHAPES


class BookGame(Struct, frozen=True, kw_only=True):
    """A game of the table. `row`: its first row; `key`: its identity in a later upload.

    `title`: as a column of the table names it; `tags`: of a history of Carnet.
    """

    row: int
    title: str | None
    day: date | None
    record: PortableRecord
    deals: int
    key: str
    tags: tuple[str, ...] = ()

    @property
    def totals(self) -> tuple[int, ...]:
        sums = [0] * self.record.seats
        for entry in self.record.log:
            points = getattr(entry, "points", 0)
            for seat, point in enumerate(points if isinstance(points, tuple) else ()):
                sums[seat] += point or 0
            if isinstance(points, int):
                sums[getattr(entry, "seat", 0)] += points
        return tuple(sums)


class UnclearDay(Struct, frozen=True, kw_only=True):
    """A day with an ambiguous order of day and month, in a table that proves neither."""

    found: str
    day_first: date
    month_first: date


class Book(Struct, frozen=True, kw_only=True):
    """The games of a sheet, the number of problems, and the first of them.

    `unclear`: days that the reader must decide before the import. `unknown_titles`: of which it is
    not known who wins; their games wait for the answer.
    """

    games: tuple[BookGame, ...]
    problems: tuple[CellProblem, ...]
    problem_count: int
    unclear: UnclearDay | None
    unknown_titles: tuple[str, ...]


class _Line(Struct, frozen=True, kw_only=True):
    row: int
    day: date | None = None
    hour: time | None = None
    game: str
    points: dict[int, int] = {}
    note: str = ""
    good: bool = True
    title: str = ""
    winner: str = ""


def guess_head(sheet: Sheet) -> int:
    """Return the number of the row that is the best header for the rows below it."""
    best, most = 1, -1
    for number in range(1, min(len(sheet.rows), HEAD_ROWS_MAX) + 1):
        heads = _count_heads(sheet, number)
        # A table below another one does not hide it.
        if heads > most and not (most > 1 and has_points(sheet.rows[best : number - 1])):
            best, most = number, heads
    return best + _is_of_groups(sheet, best)


def _is_of_groups(sheet: Sheet, number: int) -> bool:
    """Return whether a row names groups of columns: the row below has the same names for each."""
    below = sheet.rows[number] if number < len(sheet.rows) else ()
    names = Counter(normalized_name(cell) for cell in below if isinstance(cell, str))
    people = not any(name in _POINTS_HEADS or known_role(name) for name in names)
    return people and len(names) > 1 and min(names.values()) > 1 and not has_points([below])


def _count_heads(sheet: Sheet, number: int) -> int:
    below = sheet.rows[number : number + _SAMPLE_ROWS]
    return len(
        {
            str(cell).casefold()
            for column, cell in enumerate(sheet.rows[number - 1])
            if isinstance(cell, str) and _heads(cell, column, below)
        }
    )


def has_points(rows: Sequence[Row]) -> bool:
    """Return whether a row has more than one number."""
    return any(sum(whole_number(cell) is not None for cell in row) > 1 for row in rows)


def _heads(cell: str, column: int, below: Sequence[Row]) -> bool:
    if whole_number(cell) is not None or is_day(cell):
        return False
    role = _guess(cell, column, below)
    if role == "day":
        return any(map(is_day, _filled(column, below)))
    if role == "points":
        return any(whole_number(number) is not None for number in _filled(column, below))
    return role != "skip"


def guess_roles(sheet: Sheet, head: int) -> tuple[Role, ...]:
    """Guess the meaning of each column from its header and its cells."""
    below = sheet.rows[head : head + _SAMPLE_ROWS]
    width = max(len(row) for row in sheet.rows)
    heads = [*sheet.rows[head - 1], *[None] * width][:width]
    roles: list[Role] = [_guess(cell, column, below) for column, cell in enumerate(heads)]
    summed = _columns_with_total(heads)
    if len(summed) > 1:
        # A sheet of Carnet, or one like it: only people have totals.
        roles = [
            "skip" if role == "points" and at not in summed else role
            for at, role in enumerate(roles)
        ]
    days = [at for at, role in enumerate(roles) if role == "day"]
    if len(days) > 1:
        # Beside the days, a column may have the days of the week.
        days = [at for at in days if not any(map(is_day, _filled(at, below)))]
        roles = ["skip" if at in days else role for at, role in enumerate(roles)]
    if "day" not in roles:
        day = next((at for at in range(width) if _are_days(_filled(at, below))), None)
        roles = ["day" if at == day else role for at, role in enumerate(roles)]
    titled = any(_days_in(cell) for row in sheet.rows[: head - 1] for cell in row)
    if titled and roles[0] == "note" and not {"day", "title", "game", "round"} & {*roles}:
        # Words before the points of a day, such as "Bonus" in a game of dice, name its rounds.
        roles[0] = "round"
    return tuple(roles)


def _columns_with_total(heads: Sequence[Cell]) -> set[int]:
    """Return the columns whose head another one names with a word for totals: "Total Ana"."""
    names = {str(cell).casefold() for cell in heads if cell is not None}
    return {
        at
        for at, head in enumerate(heads)
        for word in _TOTALS
        if names & {f"{word} {head}".casefold(), f"{head} {word}".casefold()}
    }


def _are_days(cells: Sequence[Cell]) -> bool:
    return bool(cells) and all(whole_number(cell) is None and is_day(cell) for cell in cells)


def _days_in(cell: Cell) -> Sequence[Cell]:
    """Return what is a day in a title, or written like one."""
    if isinstance(cell, str):
        return days_in_text(cell)
    return (cell,) if is_day(cell) else ()


def _filled(column: int, below: Sequence[Row]) -> list[Cell]:
    return [cell for row in below if (cell := cell_at(row, column)) is not None]


def _guess(head: Cell, column: int, below: Sequence[Row]) -> Role:
    text = " ".join(str(head or "").split())
    known, filled = known_role(text), _filled(column, below)
    if known == "game" and filled and all(map(_is_words, filled)):
        return "title"
    if known is not None:
        return known
    if is_sum(head):
        return "skip"
    # Single cells such as "V" or "10,5" are reported later; a column of words is no points column.
    has_numbers = any(whole_number(cell) is not None for cell in filled)
    has_words = any(
        sum(map(str.isalpha, str(cell))) > _LETTERS_MAX
        for cell in filled
        if isinstance(cell, str) and not isinstance(cell, BadCell) and not is_sum(cell)
    )
    named = [cell for cell in filled if not is_sum(cell) and not _is_winner_label(cell)]
    if named and all(isinstance(cell, str) and NUMBERED_ROUND.fullmatch(cell) for cell in named):
        return "round"
    if filled and all(isinstance(cell, str) and _HOUR.fullmatch(cell) for cell in filled):
        return "skip"
    counts_up = [*map(whole_number, filled)] == [*range(1, len(filled) + 1)]
    if column == 0 and counts_up and len(filled) >= _NUMBERED_MIN:
        return "game"
    games = sum(find_known_title(str(cell)) is not None for cell in filled)
    if has_words and 2 * games > len(filled):
        return "title"
    # Such as "25 (capot)", "minus 10", "IIII" and "?": points that are named, not remarks.
    points_in_words = sum(
        any(map(str.isdigit, str(cell))) or not any(map(str.isalpha, str(cell).replace("I", "")))
        for cell in filled
    )
    are_remarks = has_words and not has_numbers and 2 * points_in_words < len(filled)
    if are_remarks and text.casefold() not in _PEOPLE:
        return "note"
    return "points" if text else "skip"


def _is_words(cell: Cell) -> bool:
    """Return whether a cell is a name, and not a number such as "3" or "4b"."""
    return isinstance(cell, str) and sum(map(str.isalpha, cell)) > 1


def known_role(text: str) -> Role | None:
    written = text.casefold().strip(" :")
    return _HEADS.get(_ENDING.sub("", written)) or _own_heads().get(written)


@cache
def _own_heads() -> Mapping[str, Role]:
    """Return the headings of Carnet's own score sheets, in every language."""
    own: dict[str, Role] = {"started_at": "day", "title_name": "title", "row": "skip"}
    return {
        texts().word(word, lang).casefold(): role
        for lang in LANGUAGES
        for word, role in own.items()
    }


def is_own_sheet(sheet: Sheet, head: int) -> bool:
    """Return whether a sheet is a score sheet of Carnet: with a total beside each person."""
    heads = {cell for cell in sheet.rows[head - 1] if isinstance(cell, str)}
    totals = {f"{texts().word('total', lang)} " for lang in LANGUAGES}
    return any(f"{word}{name}" in heads for word in totals for name in heads)


def is_label(cell: Cell) -> bool:
    """Return whether a cell says that its row has sums or winners instead of points."""
    return is_sum(cell) or _is_winner_label(cell)


def _is_winner_label(cell: Cell) -> bool:
    return isinstance(cell, str) and known_role(cell) == "winner"


def person_name(cell: Cell) -> str | None:
    """Return the person that heads a column: "Ana (Punkte)" is Ana; None: a number, or a day."""
    text = _UNIT.sub("", " ".join(str(cell or "").split()))
    if text.isdecimal() or is_day(text):
        return None
    return read_name(text)


def is_sum(cell: Cell, *, whole: bool = False) -> bool:
    """Return whether a cell begins with a word for sums or averages, or is one."""
    text = cell.casefold().strip(" =:.") if isinstance(cell, str) else ""
    return (_SUM.fullmatch(text) if whole else _SUM.match(text)) is not None


def is_total(cell: Cell) -> bool:
    """Return whether a cell labels the sum of all points, and no average or subtotal."""
    return isinstance(cell, str) and cell.casefold().strip(" =:.") in _WRITTEN_TOTALS


def contradicts(total: Cell, cells: Iterable[Cell], marks: frozenset[str] = frozenset()) -> bool:
    """Return whether a written total is not the sum of cells, each of which can be read."""
    filled = [
        cell
        for cell in cells
        if cell is not None and str(cell).casefold().strip(" .") not in NOTHING | {""}
    ]
    points = [number for cell in filled if (number := whole_number(cell, marks)) is not None]
    written = whole_number(total, marks)
    return written not in {None, sum(points)} and len(points) == len(filled)


def are_places(cells: Iterable[Cell]) -> bool:
    """Return whether cells say places, such as "1st", "2e" and "3."."""
    filled = [
        cell.strip()
        for cell in cells
        if isinstance(cell, str) and cell.casefold().strip(" .") not in NOTHING
    ]
    return (
        bool(filled)
        and all(_PLACE.fullmatch(cell) or whole_number(cell) is not None for cell in filled)
        and any(_PLACE.fullmatch(cell) for cell in filled)
    )


def read_book(
    sheet: Sheet, matching: Matching, now: datetime, zone: tzinfo | None, words: BatchWords
) -> Book:
    """Read a sheet as matched; days are in `zone` (None: the machine's)."""
    return _Reader(sheet, matching, now, zone, words).book()


def _options(kind: GameKind) -> Struct:
    if kind.ruleset != TITLED:
        return default_options(kind.ruleset)
    options = shapes(TITLED).decode_options(json.encode({"wins": kind.wins}))
    assert not isinstance(options, Malformed)  # noqa: S101 -- made of what it accepts
    return options


class _Sum(Struct):
    numbers: list[int]
    rows: int = 0

    def add(self, numbers: Sequence[int]) -> None:
        self.numbers = [own + other for own, other in zip(self.numbers, numbers, strict=True)]
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
        words: BatchWords,
    ) -> None:
        self._matching = matching
        self._now = now
        self._today = now.astimezone(zone).date()
        self._zone = zone
        self._words = words
        self._sheet = sheet
        self._head = matching.head
        self._header = sheet.rows[self._head - 1]
        self._problems: list[CellProblem] = []
        self._count = 0
        self._left_out = 0
        self._unknown_titles: dict[str, str] = {}
        self._columns: dict[Role, list[int]] = {
            role: [at for at, column_role in enumerate(matching.roles) if column_role == role]
            for role in ROLES
        }
        self._grouped = bool(self._columns["game"] or self._columns["round"])
        self._games_a_day: dict[date | None, int] = {}
        self._names = self._player_names()
        self._below = sheet.rows[self._head :]
        # Games without one of their people would have another outcome.
        self._heads_wrong = self._count > 0
        self._order: DayOrder | None = day_order(self._cells("day"))
        self._marks = decimal_marks(self._cells("points"))
        self._by_places = are_places(self._cells("points"))
        self._unequal: dict[int, int] = {}
        self._sums = set(self._sum_rows())
        self._worded = {at for row in self._below for at, cell in enumerate(row) if _is_words(cell)}
        self._unclear: UnclearDay | None = None
        before = self._count - self._left_out
        self._day_above = None if self._columns["day"] else self._find_day_above(sheet)
        self._day_unread = self._count - self._left_out > before

    def _find_day_above(self, sheet: Sheet) -> WrittenDay | None:
        """Return the day in a title above the names; one that cannot be read is a problem."""
        for number, row in enumerate(sheet.rows[: self._head - 1], 1):
            for column, cell in enumerate(row):
                days = _days_in(cell)
                if not days:
                    continue
                day = self._day_of_title(days)
                if day is None or day.day.year < FIRST_YEAR:
                    self._report(number, column, "dayless", cell)
                elif day.unclear:
                    self._note_unclear(cell, day)
                elif self._is_future(day):
                    self._report(number, column, "future", cell)
                return day
        day = self._day_of_title(_days_in(sheet.name))
        return None if day is None or day.unclear or self._is_future(day) else day

    def _day_of_title(self, days: Sequence[Cell]) -> WrittenDay | None:
        if len({*days}) != 1:
            return None
        return read_day(days[0], self._matching.order or day_order(days), self._today.year)

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
            problem_count=self._count - self._left_out,
            unclear=self._unclear,
            unknown_titles=tuple(self._unknown_titles.values()),
        )

    def _is_repeated_head(self, row: Row) -> bool:
        return len(self._names) > 0 and all(
            cell_at(row, column) == self._header[column] for column in self._names
        )

    def _winners_below(self, cells: Row, first: int) -> str:
        """Return whom a row of winners names or marks from a column on; "": it may mean others."""
        named = [
            self._names[at] if str(cell).strip().casefold() in _WON and at in self._names else cell
            for at, cell in enumerate(cells, first)
            if cell is not None
        ]
        # A person below each name may be a ranking, or the winner of a column.
        unclear = len(named) == len(self._names) > 1
        return "" if unclear else ", ".join(map(str, named))

    def _sum_rows(self) -> Iterator[int]:
        """Yield the index of each row below the head that adds up rows above it."""
        others = [at for at, role in enumerate(self._matching.roles) if role != "points"]
        every, group = _Sum([0] * len(self._names)), _Sum([0] * len(self._names))
        summed = False

        def is_labelled(row: Row) -> bool:
            return any(cell_at(row, at) is not None for at in others)

        for at, row in enumerate(self._below):
            following = self._below[at + 1] if at + 1 < len(self._below) else ()
            last = all(cell is None for cell in following) or is_labelled(following)
            labelled = is_labelled(row)
            numbers = [whole_number(cell_at(row, at), self._marks) or 0 for at in self._names]
            adds_up = every.equals(numbers) or group.equals(numbers)
            if self._has_sum_label(row) or (last and not labelled and adds_up):
                if not summed and any(map(is_total, row)):
                    self._compare_total(at, row)
                summed = True
                yield at
            else:
                group = _Sum([0] * len(numbers)) if labelled else group
                group.add(numbers)
                every.add(numbers)

    def _compare_total(self, at: int, row: Row) -> None:
        """Note the first written total that is not the sum of the rows above it."""
        for column in self._names:
            above = (cell_at(earlier, column) for earlier in self._below[:at])
            if column < len(row) and contradicts(row[column], above, self._marks):
                self._unequal.setdefault(at, column)

    def _has_sum_label(self, row: Row) -> bool:
        return any(
            is_sum(cell, whole=role == "note")
            for cell, role in zip(row, self._matching.roles, strict=False)
        )

    def _player_names(self) -> dict[int, str]:
        names: dict[int, str] = {}
        for column in self._columns["points"]:
            head = cell_at(self._header, column)
            name = person_name(head)
            if isinstance(head, BadCell):
                self._report(self._head, column, "bad", head)
            elif str(head).casefold() in _PEOPLE:
                self._report(self._head, column, "turned", head)
            elif name is None:
                self._report(self._head, column, "name", head)
            elif normalized_name(name) in {normalized_name(other) for other in names.values()}:
                self._report(self._head, column, "twice", name)
            else:
                names[column] = name
        for role in _SINGLE_ROLES:
            for column in self._columns[role][1:]:
                self._report(self._head, column, "twice", cell_at(self._header, column))
        return names

    def _cells(self, role: Role) -> Iterator[Cell]:
        return (cell_at(row, at) for row in self._below for at in self._columns[role])

    def _continues(self, line: _Line, following: _Line) -> bool:
        """Return whether both are of one game; a line without a day may be of any day."""
        one_day = line.day == following.day or None in {line.day, following.day}
        same = (line.game, line.title) == (following.game, following.title)
        return self._grouped and same and one_day

    def _lines(self) -> Iterator[_Line]:
        written = self._day_above
        unread = False
        game = title = ""
        part, last_round = 0, 0
        begun = False
        for row, cells in enumerate(self._below, self._head + 1):
            if all(cell is None for cell in cells) or self._is_repeated_head(cells):
                continue
            if row - self._head - 1 in self._sums:
                self._report_sums(row, cells)
                continue
            label = next(at for at, cell in enumerate(cells) if cell is not None)
            if _is_winner_label(cells[label]):
                winner = self._winners_below(cells[label + 1 :], label + 1)
                if winner and self._grouped and begun:
                    yield _Line(row=row, game=f"{game}/{part}", title=title, winner=winner)
                else:
                    self._report(row, label, "sum", cells[label])
                continue
            before = self._count
            day = self._day(row, cells)
            if self._cell(cells, "day") is not None or not self._grouped:
                # Rows without a day are of the day above, also if that cannot be read.
                written, unread = day, day is None and bool(self._columns["day"])
            named_game = self._cell(cells, "game")
            if isinstance(named_game, BadCell):
                self._report(row, self._columns["game"][0], "bad", named_game)
            game = game if named_game is None else str(named_game)
            named_title = self._cell(cells, "title")
            title = title if named_title is None else str(named_title)
            self._check_length(row, cells)
            number = self._round(row, cells)
            # Rounds that begin again are those of another game.
            part += number is not None and number <= last_round
            last_round = number or last_round
            points = {column: self._points(row, column, cells) for column in self._names}
            note = self._note(row, cells)
            begun = True
            yield _Line(
                row=row,
                day=written.day if written else None,
                hour=written.hour if written else None,
                game=f"{game}/{part}",
                points={at: number for at, number in points.items() if number is not None},
                note=note,
                good=self._count == before and not unread and not self._day_unread,
                title=title,
                winner=str(self._cell(cells, "winner") or ""),
            )

    def _check_length(self, row: int, cells: Row) -> None:
        """Report numbers behind the last headed column: the columns of this row are displaced."""
        headed = max((at for at, cell in enumerate(self._header) if cell is not None), default=-1)
        roles = self._matching.roles
        for at in range(headed + 1, len(cells)):
            if roles[at] != "skip" or at in self._worded:
                continue
            if whole_number(cells[at]) is not None:
                self._report(row, at, "long", cells[at])
                return

    def _report_sums(self, row: int, cells: Row) -> None:
        first_name = next(iter(self._names), 0)
        label = next((at for at, cell in enumerate(cells) if is_sum(cell)), first_name)
        unequal = self._unequal.get(row - self._head - 1)
        if unequal is None:
            self._report(row, label, "sum", cell_at(cells, label))
        else:
            self._report(row, label, "unequal", cells[unequal])

    def _round(self, row: int, cells: Row) -> int | None:
        """Return the number in a cell such as "3" or "Round 3"."""
        cell = self._cell(cells, "round")
        if cell is None:
            return None
        match = NUMBERED_ROUND.fullmatch(cell) if isinstance(cell, str) else None
        number = whole_number(cell) if match is None else int(match[1])
        if number is None and not _is_words(cell):
            self._report(row, self._columns["round"][0], "number", cell)
        return number

    def _first_column(self, role: Role) -> int:
        return next(iter(self._columns[role]), 0)

    def _cell(self, cells: Row, role: Role) -> Cell:
        filled = (cell_at(cells, at) for at in self._columns[role])
        return next((cell for cell in filled if cell is not None), None)

    def _day(self, row: int, cells: Row) -> WrittenDay | None:
        columns = self._columns["day"]
        if not columns:
            return self._day_above
        cell = self._cell(cells, "day")
        if cell is None:
            if not self._grouped:
                self._report(row, columns[0], "day", None)
            return None
        day = read_day(cell, self._order or self._matching.order, self._today.year)
        if day is None or day.day.year < FIRST_YEAR:
            self._report(row, columns[0], "day", cell)
            return None
        if day.hour is not None and day.hour.tzinfo is not None:
            there = in_zone(datetime.combine(day.day, day.hour), self._zone)
            day = structs.replace(day, day=there.date(), hour=there.time())
        if day.unclear:
            self._note_unclear(cell, day)
        if self._is_future(day) and not day.unclear:
            self._report(row, columns[0], "future", cell)
            return None
        return day

    def _note_unclear(self, cell: Cell, day: WrittenDay) -> None:
        self._unclear = self._unclear or UnclearDay(
            found=str(cell),
            day_first=day.day,
            month_first=day.day.replace(month=day.day.day, day=day.day.month),
        )

    def _is_future(self, day: WrittenDay) -> bool:
        if day.hour is None or day.day != self._today:
            return day.day > self._today
        return self._moment(day.day, day.hour) > self._now

    def _moment(self, day: date, hour: time) -> datetime:
        moment = datetime.combine(day, hour, self._zone)
        return moment if self._zone else moment.astimezone()

    def _points(self, row: int, column: int, cells: Row) -> int | None:
        cell = cell_at(cells, column)
        if cell is None or (
            isinstance(cell, str) and cell.casefold().strip(" .") in NOTHING | {""}
        ):
            return None
        if isinstance(cell, MergedCell):
            self._report(row, column, "merged", cell)
            return None
        number = whole_number(cell, self._marks)
        if number is None and self._by_places and isinstance(cell, str):
            place = _PLACE.fullmatch(cell.strip())
            number = int(place[1]) if place else None
        most = getattr(SHAPES.get(self._matching.ruleset or ""), "POINTS_MAX", _POINTS_MAX)
        if number is None or abs(number) > most:
            self._report(row, column, "number", cell)
            return None
        return number

    def _note(self, row: int, cells: Row) -> str:
        notes = {at: cell_at(cells, at) for at in self._columns["note"]}
        for at, cell in notes.items():
            if isinstance(cell, BadCell):
                self._report(row, at, "bad", cell)
        text = "\n".join(str(cell) for cell in notes.values() if cell is not None)
        if len(text) > _NOTE_MAX or not all(sign.isprintable() or sign == "\n" for sign in text):
            self._report(row, self._columns["note"][0], "note", text[:20])
        return text

    def _game(self, lines: list[_Line]) -> BookGame | None:
        first = lines[0]
        own = (self._sheet.own or {}).get(first.row)
        unranked = own.unranked if own else frozenset()
        description = read_typed("", own.tags if own else "")
        if isinstance(description, Malformed):
            # Their cell is behind those of the arranged row.
            self._report(first.row, len(self._header), "note", None)
            return None
        columns = [
            at
            for at, name in self._names.items()
            if any(at in line.points for line in lines) or name in unranked
        ]
        kind = self._kind_of(first)
        options = None if kind is None else self._options_of(kind, first, len(columns))
        if kind is None or options is None:
            return None
        nth = self._games_a_day.get(first.day, 0)
        self._games_a_day[first.day] = nth + 1
        rounds = self._rounds(lines, columns, titled=kind.ruleset == TITLED)
        names = [self._names[column] for column in columns]
        record = game_from_points(
            kind.ruleset,
            options,
            names,
            rounds,
            self._start_of(first, nth),
            None if own and own.running else self._words.ended,
            notes=[line.note for line in lines if line.note],
        )
        before = self._count
        won = self._winners(lines, columns, record)
        if self._count > before:
            return None
        if won is not None:
            # The rules decide who won a card game: another winner is a remark.
            remark = ", ".join(names[seat] for seat in sorted(won))
            record = with_winners(record, won) or self._with_remark(record, remark)
        if own:
            record = structs.replace(record, place=read_place(own.place or ""))
        # One entry more ends the game, with the totals.
        if len(record.log) + 1 >= ENTRIES_MAX or size_of(record.log) + _END_BYTES > GAME_BYTES_MAX:
            self._report(first.row, self._first_column("points"), "large", None)
            return None
        title = None if kind.title is None else normalized_name(kind.title)
        game = kind.ruleset if title is None else (kind.ruleset, title)
        identity = (game, first.day, nth, names, [points.points for points in rounds])
        return BookGame(
            row=first.row,
            title=first.title or None,
            day=first.day,
            record=structs.replace(record, title=kind.title),
            deals=len(rounds) if self._grouped else 0,
            key=repr(identity),
            tags=description.tags,
        )

    def _options_of(self, kind: GameKind, line: _Line, players: int) -> Struct | None:
        """Return the options of a game; None if it waits for an answer or cannot be played so."""
        of = shapes(kind.ruleset)
        if players in of.seats:
            if kind.wins is None:
                self._unknown_titles.setdefault(normalized_name(line.title), line.title)
                return None
            options = _options(structs.replace(kind, wins="lowest") if self._by_places else kind)
            settled = of.complete_options(options, players)
            if not isinstance(settled, Malformed):
                return settled
        self._report(line.row, self._first_column("points"), "players", players)
        return None

    def _winners(
        self, lines: Sequence[_Line], columns: Sequence[int], record: PortableRecord
    ) -> frozenset[int] | None:
        """Return the seats of the winners named in the table; None if it names none."""
        line = next((line for line in reversed(lines) if line.winner), None)
        text = normalized_name(line.winner) if line else ""
        if line is None or text.strip(" .") in NOTHING:
            return None
        if text in _NOBODY:
            return frozenset()
        if text in _TIE and len(first_seats(record)) > 1:
            return None
        seats = [normalized_name(self._names[column]) for column in columns]
        won: set[int] = set()
        for part in (text,) if text in seats else map(str.strip, _AND.split(text)):
            same = [seat for seat, name in enumerate(seats) if name == part]
            like = same or [at for at, name in enumerate(seats) if part and name.startswith(part)]
            if len(like) != 1:
                self._report(line.row, self._first_column("winner"), "winner", line.winner)
                return None
            won |= {*like}
        return frozenset(won)

    def _with_remark(self, record: PortableRecord, names: str) -> PortableRecord:
        note = Note(text=sentence("play-winner", self._words.lang).format(names=names))
        return structs.replace(record, log=(*record.log[:-1], note, *record.log[-1:]))

    def _kind_of(self, line: _Line) -> GameKind | None:
        """Return the game that a row names, or the chosen one; None if there is neither."""
        title = read_name(line.title) if line.title else None
        chosen = self._matching
        if title is None:
            if chosen.ruleset is None:
                self._report(line.row, self._first_column("title"), "title", None)
                return None
            return GameKind(
                ruleset=chosen.ruleset, title=chosen.title, wins=chosen.wins or "highest"
            )
        kind = chosen.kinds.get(normalized_name(title))
        if kind is not None:
            return kind
        known = find_known_title(title)
        if known is None and self._by_places:
            return GameKind(ruleset=TITLED, title=title, wins="lowest")
        return GameKind(ruleset=TITLED, title=title, wins=known.wins if known else None)

    def _rounds(
        self, lines: Sequence[_Line], columns: Sequence[int], *, titled: bool
    ) -> list[PointsRound]:
        final = sentence("play-score", self._words.lang)
        deal = self._words.deal if self._grouped else final
        nothing = None if titled else 0
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

    def _report(self, row: int, column: int, wrong: Wrong, value: object) -> None:
        self._count += 1
        cell = self._sheet.cell_name(row, column)
        # The day above a table is that of all its rows.
        again = any(
            (problem.cell, problem.wrong) == (cell, wrong) for problem in self._problems[-1:]
        )
        if again or cell in self._matching.left_out:
            self._left_out += 1
        elif len(self._problems) < PROBLEMS_MAX:
            text = "" if value is None else str(value)
            self._problems.append(CellProblem(cell=cell, wrong=wrong, found=text[:_SHOWN_MAX]))
