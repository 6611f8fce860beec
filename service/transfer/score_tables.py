"""A table that somebody brings, CSV or XLSX, as rows of cells."""

import csv
import io
import re
from collections.abc import Iterator
from datetime import date, datetime
from typing import Literal
from xml.parsers import expat

from msgspec import Struct
from python_calamine import CalamineError, CalamineWorkbook

from service.transfer.archives import BadArchive, repacked, unpacked

TABLE_BYTES_MAX = 8 * 1024 * 1024
ROWS_MAX = 20_000
COLUMNS_MAX = 60
_ZIP = b"PK\x03\x04"
_SHEET = re.compile(r"xl/worksheets/[^/]+\.xml", re.IGNORECASE)
_PLACE = re.compile(r"([A-Z]+)?(\d+)")
_ALPHABET = 26

Cell = str | int | float | date | None
Fault = Literal["large", "rows", "unreadable", "empty"]


class BadTable(Exception):  # noqa: N818 -- named by its fact, as in service.errors
    """A file that is no table, or too large a one."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault)
        self.fault: Fault = fault


class ScoreTable(Struct, frozen=True, kw_only=True):
    """Rows of cells; `first` is the number, from 1, that the first row has in the file."""

    rows: tuple[tuple[Cell, ...], ...]
    first: int = 1


def place(row: int, column: int) -> str:
    """Name a cell as spreadsheets do: row from 1, column from 0."""
    letters = ""
    column += 1
    while column:
        column, letter = divmod(column - 1, _ALPHABET)
        letters = chr(ord("A") + letter) + letters
    return f"{letters}{row}"


def read_table(data: bytes) -> ScoreTable:
    """Read a table.

    Raises: BadTable
    """
    if len(data) > TABLE_BYTES_MAX:
        raise BadTable("large")
    rows = _workbook(data) if data.startswith(_ZIP) else _text(data)
    table = ScoreTable(rows=tuple(rows))
    if not any(cell is not None for row in table.rows for cell in row):
        raise BadTable("empty")
    return table


def _workbook(data: bytes) -> Iterator[tuple[Cell, ...]]:
    try:
        safe = repacked(data)
        for name, content in unpacked(safe):
            if _SHEET.fullmatch(name):
                _bounded(content)
        with CalamineWorkbook.from_filelike(io.BytesIO(safe)) as workbook:
            sheet = workbook.get_sheet_by_index(0)
            rows = sheet.to_python(skip_empty_area=False)
    except BadArchive as fault:
        raise BadTable("large" if fault.large else "unreadable") from None
    except (CalamineError, expat.ExpatError, ValueError, OSError):
        raise BadTable("unreadable") from None
    for row in rows:
        yield tuple(_value(cell) for cell in row)


def _bounded(sheet: bytes) -> None:
    """Judge that a worksheet holds no cell beyond the limits, whatever size it tells.

    Raises: BadTable, expat.ExpatError
    """
    rows = cells = 0

    def started(tag: str, attributes: dict[str, str]) -> None:
        nonlocal rows, cells
        kind = tag.rpartition(":")[2]
        if kind not in {"row", "c"}:
            return
        if kind == "row":
            rows, cells = rows + 1, 0
        else:
            cells += 1
        number, column = _numbered(attributes.get("r", ""))
        if max(rows, number) > ROWS_MAX or max(cells, column) > COLUMNS_MAX:
            raise BadTable("rows")

    def refused(*_: object) -> None:
        raise BadTable("unreadable")

    parser = expat.ParserCreate()
    parser.StartElementHandler = started
    parser.StartDoctypeDeclHandler = refused
    parser.Parse(sheet, True)  # noqa: FBT003 -- expat's own: that this was all


def _numbered(reference: str) -> tuple[int, int]:
    found = _PLACE.fullmatch(reference.upper())
    if found is None:
        if reference:
            raise BadTable("unreadable")
        return 0, 0
    letters, digits = found[1] or "", found[2]
    if len(letters) > len("XFD") or len(digits) > len("1048576"):
        raise BadTable("rows")
    column = 0
    for letter in letters:
        column = column * _ALPHABET + ord(letter) - ord("A") + 1
    return int(digits), column


def _value(cell: object) -> Cell:
    if isinstance(cell, datetime):
        return cell.date()
    if isinstance(cell, bool):
        return str(cell).upper()
    if isinstance(cell, float):
        return int(cell) if cell.is_integer() else cell
    if isinstance(cell, (int, date)):
        return cell
    return str(cell).strip() or None


def _text(data: bytes) -> Iterator[tuple[Cell, ...]]:
    text = _decoded(data)
    if "\0" in text:
        raise BadTable("unreadable")
    first = next((line for line in text.splitlines() if line.strip()), "")
    separator = max(";,\t", key=first.count)
    try:
        for number, row in enumerate(csv.reader(io.StringIO(text), delimiter=separator), 1):
            if number > ROWS_MAX or len(row) > COLUMNS_MAX:
                raise BadTable("rows")
            yield tuple(cell.strip() or None for cell in row)
    except csv.Error:
        raise BadTable("unreadable") from None


def _decoded(data: bytes) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")
