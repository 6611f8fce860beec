"""Tables as an Excel workbook (XLSX): typed cells, a frozen bold header, a filter, fitting widths.

Promises: numbers are numbers, moments are dates in the machine's zone, and a text stays text
whatever it begins with. The same tables give the same bytes. Rows are written as they come.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, BinaryIO

from msgspec import Struct
from xlsxwriter import Workbook
from xlsxwriter.format import Format
from xlsxwriter.worksheet import Worksheet

from service.export.rows import Cell, Line

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

# Excel's own limit for the text of a cell.
_TEXT_LENGTH_MAX = 32_767
# In characters; a filter's button takes some.
_WIDTH_MIN, _WIDTH_MAX, _BUTTON = 6, 60, 3
_MOMENT = "yyyy-mm-dd hh:mm:ss"
_A4 = 9


class Table(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A worksheet: its title (at most 31 characters), one header, lines as wide as the header."""

    title: str
    header: Line
    lines: Iterable[Line]


def write_workbook(
    out: BinaryIO, tables: Sequence[Table], *, title: str, made: datetime, streamed: bool = False
) -> None:
    """Write tables to `out`, one worksheet each.

    `streamed`: rows wait in temporary files instead of in memory, for tables of any length.
    """
    options = {"constant_memory": streamed, "in_memory": not streamed}
    workbook: Any = Workbook(out, options)  # its own annotations leave gaps
    workbook.set_properties({"title": title, "created": _local(made)})
    formats = _Formats(
        head=workbook.add_format({"bold": True, "text_wrap": True, "valign": "top", "bottom": 1}),
        moment=workbook.add_format({"num_format": _MOMENT, "align": "left"}),
    )
    for table in tables:
        _write_table(workbook.add_worksheet(table.title), table, formats)
    workbook.close()


class _Formats(Struct, frozen=True, kw_only=True):
    head: Format
    moment: Format


def _write_table(worksheet: Worksheet, table: Table, formats: _Formats) -> None:
    widths = [len(str(cell)) + _BUTTON for cell in table.header]
    worksheet.freeze_panes(1, 0)
    _write_line(worksheet, 0, table.header, formats, formats.head)
    last = 0
    for last, line in enumerate(table.lines, 1):
        _write_line(worksheet, last, line, formats)
        widths = [max(width, _width(cell)) for width, cell in zip(widths, line, strict=True)]
    worksheet.autofilter(0, 0, last, len(widths) - 1)
    for column, width in enumerate(widths):
        worksheet.set_column(column, column, min(max(width, _WIDTH_MIN), _WIDTH_MAX))
    worksheet.set_landscape()
    worksheet.set_paper(_A4)
    worksheet.repeat_rows(0)
    worksheet.fit_to_pages(1, 0)


def _write_line(
    worksheet: Worksheet, row: int, line: Line, formats: _Formats, style: Format | None = None
) -> None:
    for column, cell in enumerate(line):
        match cell:
            case None:
                pass
            case str():
                worksheet.write_string(row, column, _fitting(cell), style)
            case datetime():
                worksheet.write_datetime(row, column, _local(cell), formats.moment)
            case _:
                worksheet.write_number(row, column, cell, style)


def _fitting(text: str) -> str:
    return text if len(text) <= _TEXT_LENGTH_MAX else f"{text[: _TEXT_LENGTH_MAX - 1]}…"


def _local(moment: datetime) -> datetime:
    """Tell a moment in the machine's zone: a worksheet knows none."""
    return moment.astimezone().replace(tzinfo=None)


def _width(cell: Cell) -> int:
    """Return how many characters a cell takes across."""
    if cell is None:
        return 0
    if isinstance(cell, datetime):
        return len(_MOMENT)
    return max(len(line) for line in str(cell).split("\n"))
