"""Finds cells that calamine reads as empty, or as a fraction where a spreadsheet shows per cent.

It leaves out errors (`#DIV/0!`), formulas without a stored result, and texts without a type.
"""

import io
import re
import zlib
from collections.abc import Iterator
from typing import IO, Literal
from xml.etree.ElementTree import Element, ParseError, iterparse
from zipfile import BadZipFile, ZipFile

from msgspec import Struct

_SHOWN_MAX = 60
_XLS_SHEET = re.compile(rb"\x09\x08[\x08\x10]\x00\x00[\x05\x06]\x10\x00")
# A cell with an error, or a formula whose result is one: row, column, error.
_XLS_ERROR = re.compile(
    rb"\x05\x02\x08\x00(..)(..)..(.)\x01|\x06\x00..(..)(..)..\x02.(.)...\xff\xff", re.DOTALL
)
_XLS_ERRORS = {0: "#NULL!", 7: "#DIV/0!", 15: "#VALUE!", 23: "#REF!", 29: "#NAME?", 36: "#NUM!"}
_PERCENTS = {"9", "10"}
_QUOTED = re.compile(r'"[^"]*"|\\.')
_TEXTS = {"s", "str", "inlineStr"}
_UNREADABLE = (
    *(ParseError, BadZipFile, zlib.error, OSError, ValueError, LookupError),
    *(NotImplementedError, RuntimeError, EOFError),
)


Kind = Literal["empty", "error", "percent"]


class UnreadCell(Struct, frozen=True):
    """A cell, row and column from 0, repeated to the right and below.

    `kind`: an empty one is unread only if calamine found nothing.
    """

    row: int
    column: int
    text: str
    kind: Kind
    rows: int = 1
    columns: int = 1


def unread_cells(data: bytes, sheet: int, name: str) -> Iterator[UnreadCell]:
    """Yield cells of a worksheet: the one at this index of all, which has this name.

    Raises: ValueError (the workbook has another structure)
    """
    if not data.startswith(b"PK"):
        yield from _xls_cells(data, sheet)
        return
    try:
        with ZipFile(io.BytesIO(data)) as archive:
            parts = _Parts(archive)
            if parts.has("content.xml"):
                yield from _ods_cells(parts.open("content.xml"), sheet)
            else:
                yield from _xlsx_cells(parts, name)
    except _UNREADABLE:
        raise ValueError("a workbook of another structure") from None


class _Parts:
    """The files of an archive; upper case and backslashes make no difference."""

    def __init__(self, archive: ZipFile) -> None:
        self._archive = archive
        self._names = {
            member.replace("\\", "/").casefold(): member for member in archive.namelist()
        }

    def has(self, name: str) -> bool:
        return name.casefold() in self._names

    def open(self, name: str) -> IO[bytes]:
        return self._archive.open(self._names[name.casefold()])

    def elements(self, name: str, tag: str) -> Iterator[Element]:
        for _, element in iterparse(self.open(name)):  # noqa: S314 -- in a process with limits
            if _local(element) == tag:
                yield element


def _local(element: Element) -> str:
    return element.tag.rpartition("}")[2]


def _attribute(element: Element, name: str) -> str:
    """Return an attribute by its name without its namespace."""
    return next((value for key, value in element.items() if key.rpartition("}")[2] == name), "")


def _xls_cells(data: bytes, sheet: int) -> Iterator[UnreadCell]:
    begins = [match.start() for match in _XLS_SHEET.finditer(data)]
    if sheet >= len(begins):
        raise ValueError("a sheet that does not begin")
    end = begins[sheet + 1] if sheet + 1 < len(begins) else len(data)
    for match in _XLS_ERROR.finditer(data, begins[sheet], end):
        row, column, error = (group for group in match.groups() if group is not None)
        yield UnreadCell(
            int.from_bytes(row, "little"),
            int.from_bytes(column, "little"),
            _XLS_ERRORS.get(error[0], "#N/A"),
            "error",
        )


def _xlsx_cells(parts: _Parts, name: str) -> Iterator[UnreadCell]:
    percents = _percent_styles(parts) if parts.has("xl/styles.xml") else set[str]()
    row = -1
    for element in parts.elements(_sheet_part(parts, name), "row"):
        row = _index(element.get("r", ""), row)
        column = -1
        for cell in element:
            if _local(cell) == "c":
                column = _index(_column_number(cell.get("r", "")), column)
                yield from _xlsx_cell(cell, row, column, percents)
        element.clear()


def _xlsx_cell(cell: Element, row: int, column: int, percents: set[str]) -> Iterator[UnreadCell]:
    if cell.get("t") in _TEXTS:
        return
    has = {_local(child): (child.text or "").strip()[:_SHOWN_MAX] for child in cell}
    text = has.get("v", "")
    if cell.get("s") in percents and cell.get("t", "n") == "n":
        yield UnreadCell(row, column, _percent(text), "percent")
    elif text or "f" in has:
        yield UnreadCell(row, column, text or f"={has['f']}", "empty")


def _sheet_part(parts: _Parts, name: str) -> str:
    (sheet,) = (
        element
        for element in parts.elements("xl/workbook.xml", "sheet")
        if element.get("name") == name
    )
    relation = _attribute(sheet, "id")
    (target,) = (
        element.get("Target", "").replace("\\", "/")
        for element in parts.elements("xl/_rels/workbook.xml.rels", "Relationship")
        if element.get("Id") == relation
    )
    return target.lstrip("/") if target.startswith(("/", "xl/")) else f"xl/{target}"


def _percent_styles(parts: _Parts) -> set[str]:
    """Return the numbers of the cell styles that show a number as per cent."""
    formats = set(_PERCENTS)
    styles: set[str] = set()
    for element in parts.elements("xl/styles.xml", "numFmt"):
        if "%" in _QUOTED.sub("", element.get("formatCode", "")):
            formats.add(element.get("numFmtId", ""))
    for element in parts.elements("xl/styles.xml", "cellXfs"):
        styles = {str(at) for at, style in enumerate(element) if style.get("numFmtId") in formats}
    return styles


def _index(number: str, last: int) -> int:
    return int(number) - 1 if number else last + 1


def _column_number(cell: str) -> str:
    number = 0
    for letter in cell.rstrip("0123456789").upper():
        number = 26 * number + ord(letter) - ord("A") + 1
    return str(number) if number else ""


def _percent(number: str) -> str:
    return f"{100 * float(number):g}%"


def _ods_cells(content: IO[bytes], sheet: int) -> Iterator[UnreadCell]:
    table, row = -1, 0
    events = iterparse(content, events=("start", "end"))  # noqa: S314 -- in a process with limits
    for event, element in events:
        tag = _local(element)
        if event == "start" and tag == "table":
            table, row = table + 1, 0
        elif event == "end" and tag == "table-row":
            rows = int(_attribute(element, "number-rows-repeated") or 1)
            if table == sheet:
                yield from _ods_row(element, row, rows)
            row += rows
            element.clear()


def _ods_row(element: Element, row: int, rows: int) -> Iterator[UnreadCell]:
    column = 0
    for cell in element:
        if _local(cell) not in {"table-cell", "covered-table-cell"}:
            continue
        columns = int(_attribute(cell, "number-columns-repeated") or 1)
        kinds = {value for key, value in cell.items() if key.endswith("}value-type")}
        shown = "".join("".join(line.itertext()) for line in cell if _local(line) == "p").strip()
        formula = _attribute(cell, "formula")
        if "percentage" in kinds:
            text = _percent(_attribute(cell, "value") or "0")
            yield UnreadCell(row, column, text, "percent", rows, columns)
        elif "error" in kinds or shown or (formula and "string" not in kinds):
            text = (shown or formula)[:_SHOWN_MAX]
            kind: Kind = "error" if "error" in kinds else "empty"
            yield UnreadCell(row, column, text, kind, rows, columns)
        column += columns
