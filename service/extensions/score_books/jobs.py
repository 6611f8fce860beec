"""Reads a table of scores in a process of its own: the job and its results."""

import re
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from pathlib import Path
from typing import Literal, cast
from uuid import UUID, uuid5
from zoneinfo import ZoneInfo

from msgspec import Struct, structs

from domain.games import TITLED
from schemas.catalogue import SHAPES
from schemas.names import NAME_LENGTH_MAX, normalized_name, read_name
from service.extensions.score_books.books import (
    HEAD_ROWS_MAX,
    ROLES,
    Book,
    BookGame,
    BookWords,
    CellProblem,
    Matching,
    Role,
    UnclearDay,
    guess_head,
    guess_roles,
    read_book,
)
from service.extensions.score_books.tables import (
    BadTable,
    Sheet,
    column_letters,
    read_sheets,
)
from service.language.glossary import glossary
from service.transfer.import_filters import GAMES_MIN, ImportFilter, names_in, read_filter
from service.transfer.record_files import NamedFile
from service.transfer.upload_jobs import importable
from service.transfer.uploads import assess_record, imported_game_id

GAMES_A_PAGE = 500
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
_BOOK = UUID("b0b2f5f0-0b61-5c3c-9d2e-2f0f1d7a4c55")


class TitleChoice(Struct, frozen=True):
    """A title that a table's games may belong to."""

    id: str
    name: str
    wins: Literal["highest", "lowest"]


class TableJob(Struct, frozen=True, kw_only=True):
    """Read a table of scores. Result: `TablePreview` or `TableFault`.

    `asked`: the submitted form, by field names. `first`: index of the first game on the page.
    `keep`: all games follow, see `read_games`; `again`: as second copies of this name.
    """

    file: NamedFile
    asked: dict[str, str]
    now: datetime
    zone: str | None
    words: BookWords
    titles: tuple[TitleChoice, ...] = ()
    first: int = 0
    keep: bool = False
    again: str = ""

    def results(self) -> Iterator[object]:
        yield from _table(self)


class MatchedColumn(Struct, frozen=True, kw_only=True):
    """A column to match. `samples`: cells of its first rows."""

    head: str
    role: Role
    samples: tuple[str, ...]


class BookGameLine(Struct, frozen=True, kw_only=True):
    row: int
    day: date | None
    players: tuple[str | None, ...]
    totals: tuple[int, ...]
    deals: int


class TablePreview(Struct, frozen=True, kw_only=True):
    """A table as currently matched. `suggested`: a name for its game, from its own words.

    `heads`: candidates for the header row, by number. `ids`: of all importable games, 16 bytes
    each. `games`: one page of them. `left_out`: heads or letters of columns with cells.
    `filters`: which games of the table are wanted.
    """

    sheets: tuple[str, ...]
    sheet: int
    heads: tuple[tuple[int, str], ...]
    matching: Matching
    suggested: str
    columns: tuple[MatchedColumn, ...]
    problems: tuple[CellProblem, ...]
    problem_count: int
    unclear: UnclearDay | None
    tables: tuple[tuple[str | None, ...], ...]
    filters: ImportFilter
    ids: bytes
    first: int
    games: tuple[BookGameLine, ...]
    left_out: tuple[str, ...]


def command_of(key: str, again: str = "") -> UUID:
    """Return the command id that imports a game of a table; `again`: for a second copy."""
    return uuid5(_BOOK, f"{again}\0{key}")


def _table(job: TableJob) -> Iterator[object]:
    try:
        sheets = read_sheets(Path(job.file.path).read_bytes())
    except BadTable as bad:
        yield bad.fault
        return
    asked = job.asked
    number = _number(asked, "sheet", len(sheets) - 1)
    number = _fullest(sheets) if number is None else number
    sheet = sheets[number]
    likeliest = _likeliest(job, sheets, number)
    head = _number(asked, "head", len(sheet.rows)) or guess_head(sheet)
    # The columns are those of the sheet and header shown in the form.
    same = asked.get("for", f"{number}-{head}") == f"{number}-{head}"
    roles: tuple[Role, ...] = tuple(
        cast("Role", asked[f"c{at}"]) if same and asked.get(f"c{at}") in ROLES else role
        for at, role in enumerate(guess_roles(sheet, head))
    )
    order = asked.get("order", "")
    matching = _of_game(
        Matching(
            ruleset=None,
            game=asked.get("ruleset", likeliest),
            head=head,
            roles=roles,
            order="mdy" if order == "mdy" else "dmy" if order == "dmy" else None,
        ),
        asked,
        job.titles,
    )
    zone = ZoneInfo(job.zone) if job.zone else None
    book = read_book(sheet, matching, job.now, zone, job.words)
    filters = read_filter(asked)
    if filters.typed or len(book.games) >= GAMES_MIN:
        players = names_in(one.record.players for one in book.games)
        filters = structs.replace(filters, players=players)
    fitting = (one for one in book.games if filters.fits("", one.record.players, one.day))
    book = structs.replace(book, games=tuple(fitting))
    yield _preview_table(job, sheets, number, matching, book, filters)
    if job.keep:
        for game in book.games:
            yield from importable(assess_record(game.record), command_of(game.key, job.again))


def _number(asked: Mapping[str, str], name: str, most: int) -> int | None:
    text = asked.get(name, "")
    number = int(text) if text.isascii() and text.isdigit() and len(text) <= len(str(most)) else -1
    return number if 0 <= number <= most else None


def _fullest(sheets: tuple[Sheet, ...]) -> int:
    def content_size(number: int) -> tuple[int, int]:
        sheet = sheets[number]
        head = guess_head(sheet)
        columns = sum(role == "points" for role in guess_roles(sheet, head))
        return columns * (len(sheet.rows) - head), -number

    return max(range(len(sheets)), key=content_size)


def _of_game(
    matching: Matching, asked: Mapping[str, str], titles: tuple[TitleChoice, ...]
) -> Matching:
    for one in titles:
        if one.id == matching.game:
            return structs.replace(matching, ruleset=TITLED, title=one.name, wins=one.wins)
    if matching.game != TITLED:
        known = matching.game in SHAPES
        return structs.replace(matching, ruleset=matching.game if known else None)
    wins = asked.get("wins", "")
    return structs.replace(
        matching,
        ruleset=TITLED,
        title=read_name(asked.get("title", "")),
        wins="lowest" if wins == "lowest" else "highest" if wins == "highest" else None,
    )


def _likeliest(job: TableJob, sheets: tuple[Sheet, ...], number: int) -> str:
    """Return the ruleset or the id of the title that is alone named by the table, or ""."""
    called = {one.id: (one.name,) for one in job.titles} | {
        ruleset: (name.en, name.fr, name.de)
        for ruleset, name in glossary().games.items()
        if ruleset in SHAPES and ruleset != TITLED
    }
    sheet = sheets[number]
    for text in (sheet.name, " ".join(_words_above(sheet, guess_head(sheet))), job.file.name):
        named = [game for game, names in called.items() if any(_names(one, text) for one in names)]
        if len(named) == 1:
            return named[0]
    return ""


def _names(name: str, text: str) -> bool:
    return bool(
        re.search(
            rf"(?<![^\W\d_]){re.escape(normalized_name(name))}(?![^\W\d_])", normalized_name(text)
        )
    )


def _words_above(sheet: Sheet, head: int) -> list[str]:
    return [str(cell) for row in sheet.rows[: head - 1] for cell in row if cell is not None]


def _suggested(file_name: str, sheet: Sheet, matching: Matching) -> str:
    """Return a name for the game: of the sheet, of a row above the names, or of the file."""
    for text in (sheet.name, *_words_above(sheet, matching.head), Path(file_name).stem):
        words = [word for word in _WORD.findall(text) if word.casefold() not in _NO_NAMES]
        name = read_name(" ".join(words)[:NAME_LENGTH_MAX])
        if name is not None:
            return name
    return ""


def _preview_table(
    job: TableJob,
    sheets: tuple[Sheet, ...],
    number: int,
    matching: Matching,
    book: Book,
    filters: ImportFilter,
) -> TablePreview:
    sheet = sheets[number]
    header = sheet.rows[matching.head - 1]
    below = sheet.rows[matching.head : matching.head + _SAMPLES]
    heads = [
        _cell_text(header[at] if at < len(header) else None) for at in range(len(matching.roles))
    ]
    ids = (imported_game_id(command_of(game.key)).bytes for game in book.games)
    return TablePreview(
        sheets=tuple(one.name for one in sheets),
        sheet=number,
        heads=tuple(
            (at, " · ".join(_cell_text(cell) for cell in row if cell is not None)[:_SHOWN_MAX])
            for at, row in enumerate(sheet.rows, 1)
            if at <= HEAD_ROWS_MAX or at in {matching.head, book.next_head}
            if any(cell is not None for cell in row)
        ),
        matching=matching,
        suggested=_suggested(job.file.name, sheet, matching),
        columns=tuple(
            MatchedColumn(
                head=heads[at],
                role=role,
                samples=tuple(
                    _cell_text(row[at]) for row in below if at < len(row) and row[at] is not None
                ),
            )
            for at, role in enumerate(matching.roles)
        ),
        problems=book.problems,
        problem_count=book.problem_count,
        unclear=book.unclear,
        tables=tuple(dict.fromkeys(one.record.players for one in book.games)),
        filters=filters,
        ids=b"".join(ids),
        first=job.first,
        games=tuple(map(_line, book.games[job.first : job.first + GAMES_A_PAGE])),
        left_out=tuple(
            heads[at] or column_letters(at)
            for at, role in enumerate(matching.roles)
            if role == "skip"
            and any(at < len(row) and row[at] is not None for row in sheet.rows[matching.head :])
        ),
    )


def _line(game: BookGame) -> BookGameLine:
    return BookGameLine(
        row=game.row,
        day=game.day,
        players=game.record.players,
        totals=game.totals,
        deals=game.deals,
    )


def _cell_text(cell: object) -> str:
    return "" if cell is None else str(cell)[:_SHOWN_MAX]
