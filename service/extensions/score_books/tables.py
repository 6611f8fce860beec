"""Reads CSV files and workbooks as sheets of cells, within the limits of the upload process."""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime, time
from typing import Literal

from msgspec import Struct
from python_calamine import CalamineError, CalamineSheet, CalamineWorkbook, SheetTypeEnum

from service.export.formats.dialects import remove_guard
from service.extensions.score_books.unread_cells import UnreadCell, unread_cells

TABLE_BYTES_MAX = 8 * 1024 * 1024
ROWS_MAX = 20_000
COLUMNS_MAX = 60
_TEXT_LENGTH_MAX = 8 * 1024 * 1024
_WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
_SEPARATORS = "\t;,"
_LINES_LOOKED_AT = 50
_LINES_MIN = 2
_ALPHABET = 26
# Errors of spreadsheets in three languages, and LibreOffice's own.
_ERROR = re.compile(r"#(?:N/A|NV|[A-ZÀ-Ü/0]{3,}[!?])|Err:5\d\d")

# A `datetime` is a day with a time; a `date` is a day without.
Cell = str | int | float | date | None
Row = tuple[Cell, ...]


def cell_at(row: Row, column: int | None) -> Cell:
    """Return a cell, None beyond the end of its row or without a column."""
    return row[column] if column is not None and column < len(row) else None


class BadCell(str):
    """A cell without a value: an error such as `#REF!`, or a formula without a result."""

    __slots__ = ()


class MergedCell(int):
    """A number that a merged cell shows once for several rows."""

    __slots__ = ()


TableFault = Literal["large", "rows", "unreadable", "empty"]


class BadTable(Exception):  # noqa: N818 -- named by its fact, as in service.errors
    def __init__(self, fault: TableFault) -> None:
        super().__init__(fault)
        self.fault: TableFault = fault


class OwnGame(Struct, frozen=True, kw_only=True):
    """The facts of a game in a file of Carnet, besides its points.

    `unranked`: people who sat at the table without a number; `tags`: separated by commas.
    """

    place: str | None
    tags: str
    running: bool
    unranked: frozenset[str]


class Sheet(Struct, frozen=True, kw_only=True):
    """A worksheet or a part of one. `origins`: where cells that were moved are in the file.

    Rows and columns of `origins` count from 0. `own`: the games of a history of Carnet, by the row
    of each, which counts from 1.
    """

    name: str
    rows: tuple[Row, ...]
    origins: Mapping[tuple[int, int], tuple[int, int]] | None = None
    own: Mapping[int, OwnGame] | None = None

    def cell_name(self, row: int, column: int) -> str:
        """Return a cell's name in the file: row from 1, column from 0."""
        at = (row - 1, column)
        row, column = (self.origins or {}).get(at, at)
        return cell_name(row + 1, column)


def cell_name(row: int, column: int) -> str:
    """Return a cell's name in spreadsheets: row from 1, column from 0.

    >>> cell_name(7, 27)
    'AB7'
    """
    return f"{column_letters(column)}{row}"


def column_letters(column: int) -> str:
    letters = ""
    column += 1
    while column:
        column, letter = divmod(column - 1, _ALPHABET)
        letters = chr(ord("A") + letter) + letters
    return letters


def read_sheets(data: bytes) -> tuple[Sheet, ...]:
    """Read all worksheets that are not empty. Raises: BadTable, MemoryError."""
    if len(data) > TABLE_BYTES_MAX:
        raise BadTable("large")
    if data.startswith(_WORKBOOKS):
        sheets = _workbook(data)
    else:
        sheets = [Sheet(name="", rows=tuple(_text_rows(data)))]
    filled = [
        sheet for sheet in sheets if any(cell is not None for row in sheet.rows for cell in row)
    ]
    if not filled:
        raise BadTable("empty")
    return tuple(filled)


def begins_table(head: bytes) -> bool:
    r"""Return whether a text begins like a table of cells, and not like a record.

    >>> begins_table(b"Day;Ana;Ben\n2025-01-02;3;4"), begins_table(b"[Ruleset euchre]")
    (True, False)
    """
    try:
        text = _decode_text(head)
    except BadTable:
        return False
    filled = [line for line in text.splitlines() if line.strip()][:_LINES_LOOKED_AT]
    if len(filled) < _LINES_MIN or text.lstrip()[0] in "[{<" or "\0" in text:
        return False
    often = {mark: sum(mark in line for line in filled) for mark in _SEPARATORS}
    # Prose has commas, too.
    return 2 * max(often["\t"], often[";"]) >= len(filled) or often[","] == len(filled)


def _workbook(data: bytes) -> list[Sheet]:
    sheets: list[Sheet] = []
    try:
        with CalamineWorkbook.from_filelike(io.BytesIO(data)) as workbook:
            worksheets = [
                sheet.name
                for sheet in workbook.sheets_metadata
                if sheet.typ == SheetTypeEnum.WorkSheet
            ]
            for number, name in enumerate(worksheets):
                rows = _sheet_rows(workbook.get_sheet_by_name(name))
                if rows:
                    for cell in unread_cells(data, number, name):
                        _add_unread(rows, cell)
                    sheets.append(Sheet(name=name, rows=tuple(tuple(row) for row in rows)))
                    if _text_length(sheets) > _TEXT_LENGTH_MAX:
                        raise BadTable("large")
    except (CalamineError, ValueError, OSError):
        raise BadTable("unreadable") from None
    return sheets


def _sheet_rows(sheet: CalamineSheet) -> list[list[Cell]]:
    if sheet.start is None:
        return []
    if sheet.total_height > ROWS_MAX or sheet.total_width > COLUMNS_MAX:
        raise BadTable("rows")
    length = 0
    rows: list[list[Cell]] = [[None] * sheet.total_width for _ in range(sheet.start[0])]
    for row in sheet.iter_rows():
        rows.append([*[None] * sheet.start[1], *map(_value, row)])
        length += sum(len(cell) for cell in rows[-1] if isinstance(cell, str))
        if length > _TEXT_LENGTH_MAX:
            raise BadTable("large")
    for (top, left), (bottom, _) in sheet.merged_cell_ranges or ():
        if top < len(rows) and left < len(rows[top]):
            head = rows[top][left]
            if isinstance(head, int) and bottom > top:
                head = MergedCell(head)
            for cells in rows[top : bottom + 1]:
                cells[left] = head
    return rows


def _add_unread(rows: list[list[Cell]], cell: UnreadCell) -> None:
    if cell.row + cell.rows > ROWS_MAX or cell.column + cell.columns > COLUMNS_MAX:
        raise BadTable("rows")
    value = cell.text if cell.kind == "percent" else BadCell(cell.text)
    rows.extend([] for _ in range(cell.row + cell.rows - len(rows)))
    for row in rows[cell.row : cell.row + cell.rows]:
        row.extend([None] * (cell.column + cell.columns - len(row)))
        for at in range(cell.column, cell.column + cell.columns):
            if row[at] is None or cell.kind != "empty":
                row[at] = value


def _text_length(sheets: Iterable[Sheet]) -> int:
    cells = (cell for sheet in sheets for row in sheet.rows for cell in row)
    return sum(len(cell) for cell in cells if isinstance(cell, str))


def _value(cell: object) -> Cell:
    match cell:
        case datetime():
            return cell.date() if cell.time() == time() else cell.replace(tzinfo=None)
        case bool():
            return str(cell).upper()
        case float():
            return int(cell) if cell.is_integer() else cell
        case int() | date():
            return cell
        case _:
            return _text(str(cell).strip())


def _text(text: str) -> Cell:
    return BadCell(text) if _ERROR.fullmatch(text) else text or None


def _text_rows(data: bytes) -> Iterator[Row]:
    text = _decode_text(data)
    if "\0" in text:
        raise BadTable("unreadable")
    filled = [line for line in io.StringIO(text) if line.strip()][:_LINES_LOOKED_AT]
    frequent = (
        separator
        for separator in _SEPARATORS
        if 2 * sum(separator in line for line in filled) >= len(filled)
    )
    separator = next(frequent, ",")
    try:
        # Not strict, a quotation mark without its end would make one cell of all lines below it.
        table = csv.reader(io.StringIO(text), delimiter=separator, strict=True)
        for number, row in enumerate(table, 1):
            if number > ROWS_MAX or len(row) > COLUMNS_MAX:
                raise BadTable("rows")
            yield tuple(_text(remove_guard(cell.strip())) for cell in row)
    except csv.Error:
        raise BadTable("unreadable") from None


def _decode_text(data: bytes) -> str:
    utf_16 = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    for encoding in ("utf-16",) if utf_16 else ("utf-8-sig", "cp1252"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise BadTable("unreadable")
