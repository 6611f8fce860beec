"""Reads tables of scores as games of an upload: a `TableSource`."""

import re
import tomllib
from collections.abc import Container, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from importlib.resources import files
from pathlib import PurePath
from typing import Literal
from uuid import UUID, uuid5
from zoneinfo import ZoneInfo

from msgspec import Struct, convert, structs, to_builtins

from domain.games import TITLED
from schemas.catalogue import SHAPES
from schemas.names import NAME_LENGTH_MAX, normalized_name, read_name
from service.extensions.score_books.books import (
    HEAD_ROWS_MAX,
    ROLES,
    Book,
    CellProblem,
    GameKind,
    Matching,
    Role,
    UnclearDay,
    Wrong,
    guess_head,
    guess_roles,
    is_own_sheet,
    known_role,
    read_book,
)
from service.extensions.score_books.cells import DayOrder, words_without_day
from service.extensions.score_books.layouts import arrange, known_game, whole_words
from service.extensions.score_books.tables import (
    TABLE_BYTES_MAX,
    BadTable,
    Sheet,
    begins_table,
    cell_at,
    column_letters,
    read_sheets,
)
from service.language.glossary import glossary
from service.language.known_titles import find_known_title, known_titles
from service.language.sentence import Sentence
from service.transfer.record_files import (
    ZIP_BEGINNING,
    BatchWords,
    OpenedTable,
    TableGame,
    TitleChoice,
)
from service.transfer.uploads import imported_game_id

_HEAD_BYTES = 400
_TABLES = (".csv", ".tsv", ".xlsx", ".xlsm", ".xlsb", ".xls", ".ods")
_RECORDS = (".carnet", ".json", ".jsonl", ".xml", ".bgsplay")
# A ZIP archive lists its file names uncompressed; every workbook contains one of these.
_WORKBOOK_MARKS = (b"[Content_Types].xml", b"application/vnd.oasis.opendocument.spreadsheet")
_ORDERS: Mapping[str, DayOrder] = {"dmy": "dmy", "mdy": "mdy"}
_WINS: Mapping[str, Literal["highest", "lowest"]] = {"highest": "highest", "lowest": "lowest"}
_SAMPLES = 3
_SHOWN_MAX = 60
_WORD = re.compile(r"[^\W\d_]+(?:['’.-][^\W\d_]+)*")
# Words of sheets, heads and files that name no game.
_NO_NAMES = frozenset(
    {
        "sheet",
        "feuil",
        "feuille",
        "tabelle",
        "blatt",
        "table",
        "points",
        "punkte",
    }
    | {f"score{plural}" for plural in ("", "s")}
    | {"résultat", "résultats", "ergebnis", "ergebnisse", "results", "book", "livre", "buch"}
    | {
        "of",
        "our",
        "de",
        "des",
        "du",
        "nos",
        "von",
        "im",
        "unsere",
        "la",
        "le",
        "les",
        "die",
        "the",
    }
)
# Problems that another text in the cell may mend.
_MENDED: frozenset[Wrong] = frozenset(
    {"day", "dayless", "future", "number", "name", "twice", "winner", "bad", "merged", "title"}
)
_BOOK = UUID("b0b2f5f0-0b61-5c3c-9d2e-2f0f1d7a4c55")


class MatchedColumn(Struct, frozen=True, kw_only=True):
    """A column to match. `samples`: cells of its first rows."""

    head: str
    role: Role
    samples: tuple[str, ...]


class ShownProblem(Struct, frozen=True, kw_only=True):
    """A problem in words. `text`: what is in the cell; None if another text mends nothing."""

    cell: str
    message: str
    text: str | None


class TableView(Struct, frozen=True, kw_only=True):
    """A table as currently matched. `suggested`: a name for its game, from its own words.

    `heads`: candidates for the header row, by number. `games`: how many can be imported.
    `left_out`: heads or letters of columns with cells. `titles`: those of the club. `corrected`:
    the texts that the reader wrote into cells, by their names. `unknown`: who wins in a title that
    only a row names, "" while nobody has said it.
    """

    sheets: tuple[str, ...]
    sheet: int
    heads: tuple[tuple[int, str], ...]
    matching: Matching
    complete: bool
    suggested: str
    columns: tuple[MatchedColumn, ...]
    problems: tuple[ShownProblem, ...]
    problem_count: int
    unclear: UnclearDay | None
    games: int = 0
    left_out: tuple[str, ...]
    titles: tuple[TitleChoice, ...]
    answered: bool = False
    corrected: Mapping[str, str] = {}
    unknown: Mapping[str, str] = {}


def is_table(name: str, data: bytes) -> bool:
    """Return whether a file is a workbook or a text in columns; a pasted text has no name."""
    if name.casefold().endswith(_TABLES):
        return True
    if data.startswith(ZIP_BEGINNING):
        return len(data) <= TABLE_BYTES_MAX and any(mark in data for mark in _WORKBOOK_MARKS)
    return not name.casefold().endswith(_RECORDS) and begins_table(data[:_HEAD_BYTES])


def open_table(
    file: tuple[str, bytes],
    answers: Mapping[str, str],
    words: BatchWords,
    titles: Sequence[TitleChoice],
    now: datetime,
) -> tuple[OpenedTable, Sequence[TableGame]]:
    """Read a table with what its reader answered; a table that cannot be read has a `fault`."""
    name, data = file
    try:
        sheets = tuple(
            part for sheet in read_sheets(data) for part in arrange(sheet, guess_head(sheet))
        )
    except BadTable as bad:
        return OpenedTable(name=name, view={"fault": bad.fault}), ()
    number = _number(answers, "sheet", len(sheets) - 1)
    number = fullest(sheets) if number is None else number
    # Cells and columns are those of the sheet and header shown in the form.
    marks = answers if answers.get("for", f"{number}-").startswith(f"{number}-") else {}
    before = _after_prefix(marks, "was.")
    corrected = {
        cell: text
        for cell, text in _after_prefix(marks, "fix.").items()
        if text != before.get(cell)
    }
    answered_wins = _after_prefix(marks, "wins.")
    left_out = frozenset(_after_prefix(marks, "out."))
    sheet = _corrected(sheets[number], corrected)
    sheets = (*sheets[:number], sheet, *sheets[number + 1 :])
    head = _number(answers, "head", len(sheet.rows)) or guess_head(sheet)
    has_roles = answers.get("for", f"{number}-{head}") == f"{number}-{head}"
    roles = _roles(sheet, head, answers if has_roles else {}, left_out)
    matching = _of_game(
        Matching(
            ruleset=None,
            game=answers.get("ruleset", _likeliest(name, sheet, titles)),
            head=head,
            roles=roles,
            order=_ORDERS.get(answers.get("order", "")),
            kinds=(_kinds(titles) | _answered_kinds(answered_wins)) if "title" in roles else {},
            left_out=left_out,
        ),
        answers,
        titles,
    )
    zone = ZoneInfo(words.zone) if words.zone else None
    book = read_book(sheet, matching, now, zone, words)
    # Games whose day is unclear wait for the answer.
    games = () if book.unclear else book.games
    view = _view(name, sheets, number, matching, book, titles, words.lang)
    view = structs.replace(
        view,
        games=len(games),
        answered=bool(answers),
        corrected=corrected,
        unknown=dict.fromkeys(book.unknown_titles, "") | answered_wins,
    )
    table = OpenedTable(name=name, view=to_builtins(view, str_keys=True))
    return table, [
        TableGame(row=game.row, origin=origin_of(game.key), record=game.record, tags=game.tags)
        for game in games
    ]


def _after_prefix(answers: Mapping[str, str], prefix: str) -> dict[str, str]:
    return {
        name.removeprefix(prefix): text for name, text in answers.items() if name.startswith(prefix)
    }


def _roles(
    sheet: Sheet, head: int, answers: Mapping[str, str], left_out: Container[str]
) -> tuple[Role, ...]:
    """Return the answered role of each column, the guessed one where there is no answer."""
    roles: list[Role] = []
    for at, guessed in enumerate(guess_roles(sheet, head)):
        answer = answers.get(f"c{at}")
        role = answer if answer in ROLES else guessed
        roles.append("skip" if sheet.cell_name(head, at) in left_out else role)
    return tuple(roles)


def _corrected(sheet: Sheet, texts: Mapping[str, str]) -> Sheet:
    """Return a sheet with other texts in some cells, by their names; "": an empty cell."""
    if not texts:
        return sheet
    cells = [
        tuple(
            (texts[name] or None) if (name := sheet.cell_name(number, column)) in texts else cell
            for column, cell in enumerate(row)
        )
        for number, row in enumerate(sheet.rows, 1)
    ]
    return structs.replace(sheet, rows=tuple(cells))


def origin_of(key: str) -> UUID:
    return imported_game_id(uuid5(_BOOK, f"\0{key}"))


def _number(answers: Mapping[str, str], name: str, most: int) -> int | None:
    text = answers.get(name, "")
    number = int(text) if text.isascii() and text.isdigit() and len(text) <= len(str(most)) else -1
    return number if 0 <= number <= most else None


def fullest(sheets: tuple[Sheet, ...]) -> int:
    def content_size(number: int) -> tuple[bool, bool, int, int]:
        sheet = sheets[number]
        head = guess_head(sheet)
        columns = sum(role == "points" for role in guess_roles(sheet, head))
        # A workbook of a history has the same games on several sheets: one has who won.
        size = columns * (len(sheet.rows) - head)
        return bool(sheet.own), is_own_sheet(sheet, head), size, -number

    return max(range(len(sheets)), key=content_size)


def _of_game(
    matching: Matching, answers: Mapping[str, str], titles: Sequence[TitleChoice]
) -> Matching:
    for choice in titles:
        if choice.id == matching.game:
            return structs.replace(matching, ruleset=TITLED, title=choice.name, wins=choice.wins)
    if matching.game != TITLED:
        known = matching.game in SHAPES
        return structs.replace(matching, ruleset=matching.game if known else None)
    title = read_name(answers.get("title", ""))
    famous = find_known_title(title) if title else None
    wins = answers.get("wins", "") or (famous.wins if famous else "")
    return structs.replace(matching, ruleset=TITLED, title=title, wins=_WINS.get(wins))


def _kinds(titles: Sequence[TitleChoice]) -> dict[str, GameKind]:
    """Return the card games and the club's titles that a column of names may name."""
    kinds: dict[str, GameKind] = {}
    for title in titles:
        kinds[normalized_name(title.name)] = GameKind(
            ruleset=TITLED, title=title.name, wins=title.wins
        )
    for ruleset, name in glossary().games.items():
        if ruleset in SHAPES and ruleset != TITLED:
            for called in (name.en, name.fr, name.de):
                kinds[normalized_name(called)] = GameKind(ruleset=ruleset)
    return kinds


def _answered_kinds(answers: Mapping[str, str]) -> dict[str, GameKind]:
    return {
        normalized_name(title): GameKind(ruleset=TITLED, title=title, wins=_WINS[wins])
        for title, wins in answers.items()
        if wins in _WINS and read_name(title) is not None
    }


def _likeliest(file_name: str, sheet: Sheet, titles: Sequence[TitleChoice]) -> str:
    """Return the ruleset or the id of the title that is alone named by the table, or "".

    Well-known games count too: a table headed "Skyjo | Uno" may be of either.
    """
    choices: dict[str, tuple[str, ...]] = {title.id: (title.name,) for title in titles} | {
        ruleset: (name.en, name.fr, name.de)
        for ruleset, name in glossary().games.items()
        if ruleset in SHAPES and ruleset != TITLED
    }
    known = {normalized_name(name) for names in choices.values() for name in names}
    others = {
        f"known {title.id}": title.names
        for title in known_titles().values()
        if known.isdisjoint(map(normalized_name, title.names))
    }
    for text in (sheet.name, " ".join(_words_above(sheet, guess_head(sheet))), file_name):
        named = [
            game
            for game, names in (choices | others).items()
            if any(_names(name, text) for name in names)
        ]
        if named:
            return named[0] if len(named) == 1 and named[0] in choices else ""
    return ""


def _names(name: str, text: str) -> bool:
    pattern = whole_words(re.escape(normalized_name(name)))
    return bool(re.search(pattern, normalized_name(text)))


def _words_above(sheet: Sheet, head: int) -> list[str]:
    return [str(cell) for row in sheet.rows[: head - 1] for cell in row if cell is not None]


def _suggested(file_name: str, sheet: Sheet, matching: Matching) -> str:
    """Return a name for the game: of the sheet, of a row above the names, or of the file."""
    texts = (sheet.name, *_words_above(sheet, matching.head), PurePath(file_name).stem)
    if named := known_game(" ".join(texts)):
        return named
    for text in texts:
        # Single letters are those of columns.
        words = [
            word
            for word in _WORD.findall(words_without_day(text))
            if len(word) > 1 and word.casefold() not in _NO_NAMES and not known_role(word)
        ]
        name = read_name(" ".join(words)[:NAME_LENGTH_MAX])
        if name is not None:
            return name
    return ""


def _view(
    name: str,
    sheets: tuple[Sheet, ...],
    number: int,
    matching: Matching,
    book: Book,
    titles: Sequence[TitleChoice],
    lang: str,
) -> TableView:
    sheet = sheets[number]
    header = sheet.rows[matching.head - 1]
    below = sheet.rows[matching.head : matching.head + _SAMPLES]
    heads = [_cell_text(cell_at(header, at)) for at in range(len(matching.roles))]
    return TableView(
        sheets=tuple(sheet.name for sheet in sheets),
        sheet=number,
        heads=tuple(
            (at, " · ".join(_cell_text(cell) for cell in row if cell is not None)[:_SHOWN_MAX])
            for at, row in enumerate(sheet.rows, 1)
            if at <= HEAD_ROWS_MAX or at == matching.head
            if any(cell is not None for cell in row)
        ),
        matching=structs.replace(matching, kinds={}),
        complete=matching.complete,
        suggested=_suggested(name, sheet, matching),
        columns=tuple(
            MatchedColumn(
                head=heads[at],
                role=role,
                samples=tuple(_cell_text(row[at]) for row in below if cell_at(row, at) is not None),
            )
            for at, role in enumerate(matching.roles)
        ),
        problems=tuple(shown_problem(problem, lang) for problem in book.problems),
        problem_count=book.problem_count,
        unclear=book.unclear,
        left_out=tuple(
            heads[at] or column_letters(at)
            for at, role in enumerate(matching.roles)
            if role == "skip"
            and any(cell_at(row, at) is not None for row in sheet.rows[matching.head :])
        ),
        titles=tuple(titles),
    )


def shown_problem(problem: CellProblem, lang: str) -> ShownProblem:
    missing = problem.wrong == "day" and not problem.found
    words = _sentences()["day-missing" if missing else problem.wrong].of(lang)
    text = problem.found if problem.wrong in _MENDED else None
    return ShownProblem(cell=problem.cell, message=words.format(text=problem.found), text=text)


@lru_cache
def _sentences() -> dict[str, Sentence]:
    raw = files("service.extensions.score_books").joinpath("problems.toml").read_text("utf-8")
    return convert(tomllib.loads(raw), dict[str, Sentence])


def _cell_text(cell: object) -> str:
    return "" if cell is None else str(cell)[:_SHOWN_MAX]
