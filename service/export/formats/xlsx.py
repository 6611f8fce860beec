"""Excel workbooks (XLSX): typed cells, a frozen bold header, a filter."""

from collections.abc import Iterable, Sequence
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Any, BinaryIO

from msgspec import Struct
from xlsxwriter import Workbook
from xlsxwriter.exceptions import FileCreateError
from xlsxwriter.format import Format
from xlsxwriter.worksheet import Worksheet

from schemas.days import day_without_time
from service.export.formats.dialects import Cell, Line

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

# Limits of Excel: characters of a cell, rows of a worksheet.
_TEXT_LENGTH_MAX = 32_767
ROWS_MAX = 1_048_576
# In characters; includes the filter's button.
_WIDTH_MIN, _WIDTH_MAX, _BUTTON = 6, 60, 3
# Excel has no earlier dates; they are written as text.
_FIRST_YEAR = 1900
_MOMENT = "yyyy-mm-dd hh:mm:ss"
_A4 = 9


class Table(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A worksheet: a title (at most 26 characters), a header, and lines of the same width."""

    title: str
    header: Line
    lines: Iterable[Line]


def write_workbook(
    out: BinaryIO,
    tables: Sequence[Table],
    *,
    title: str,
    made: datetime,
    folder: Path | None = None,
) -> None:
    """Write tables to `out`, one worksheet each; see `XlsxBook`."""
    book = XlsxBook(out, title=title, made=made, folder=folder)
    for table in tables:
        book.table(table.title, table.header).add(table.lines)
    book.close()


class _Formats(Struct, frozen=True, kw_only=True):
    head: Format
    moment: Format
    zone: tzinfo | None


class XlsxBook:
    """A workbook that is written incrementally.

    `zone`: the reader's, because worksheets have none; None: the machine's. `folder`: for temporary
    files of rows, which bound the memory. `rows_max`: per worksheet, with its header.
    """

    def __init__(
        self,
        out: BinaryIO,
        *,
        title: str,
        made: datetime,
        zone: tzinfo | None = None,
        folder: Path | None = None,
        rows_max: int = ROWS_MAX,
    ) -> None:
        options = (
            {"in_memory": True}
            if folder is None
            else {"constant_memory": True, "tmpdir": str(folder), "use_zip64": True}
        )
        self._workbook: Any = Workbook(out, options)  # its own annotations leave gaps
        self._workbook.set_properties({"title": title, "created": _local(made, zone)})
        head = {"bold": True, "text_wrap": True, "valign": "top", "bottom": 1}
        self._formats = _Formats(
            head=self._workbook.add_format(head),
            moment=self._workbook.add_format({"num_format": _MOMENT, "align": "left"}),
            zone=zone,
        )
        self._rows_max = rows_max
        self._tables: list[OpenTable] = []

    def table(self, title: str, header: Line) -> "OpenTable":
        """Start a worksheet; several can be written in turn."""
        table = OpenTable(self._workbook, title, header, self._formats, self._rows_max)
        self._tables.append(table)
        return table

    def close(self) -> None:
        """Write the workbook. Raises: OSError (the disk is full)."""
        for table in self._tables:
            table.end()
        try:
            self._workbook.close()
        except FileCreateError as error:
            # It hides an error of the disk, which is answered as that.
            if isinstance(error.args[0], OSError):
                raise error.args[0] from None
            raise

    def abandon(self) -> None:
        self._workbook.fileclosed = True  # otherwise the destructor would write the file
        for worksheet in self._workbook.worksheets():
            if worksheet.row_data_fh is not None:
                worksheet.row_data_fh.close()


class OpenTable:
    """A table that is written incrementally, on as many worksheets as it needs."""

    def __init__(
        self,
        workbook: Workbook,
        title: str,
        header: Line,
        formats: _Formats,
        rows_max: int,
    ) -> None:
        self._workbook: Any = workbook  # its own annotations leave gaps
        self._title = title
        self._header = header
        self._formats = formats
        self._rows_max = rows_max
        self._number = self._row = 0
        self._widths: list[int] = []
        self._begin()

    def add(self, lines: Iterable[Line]) -> None:
        for line in lines:
            if self._row == self._rows_max:
                self.end()
                self._begin()
            _write_line(self._worksheet, self._row, line, self._formats)
            pairs = zip(self._widths, line, strict=True)
            self._widths = [max(width, _width(cell)) for width, cell in pairs]
            self._row += 1

    def end(self) -> None:
        worksheet, last = self._worksheet, self._row - 1
        worksheet.autofilter(0, 0, last, len(self._widths) - 1)
        for column, width in enumerate(self._widths):
            worksheet.set_column(column, column, min(max(width, _WIDTH_MIN), _WIDTH_MAX))
        worksheet.set_landscape()
        worksheet.set_paper(_A4)
        worksheet.repeat_rows(0)
        worksheet.fit_to_pages(1, 0)

    def _begin(self) -> None:
        self._number += 1
        title = self._title if self._number == 1 else f"{self._title} ({self._number})"
        self._worksheet: Worksheet = self._workbook.add_worksheet(title)
        self._worksheet.freeze_panes(1, 0)
        _write_line(self._worksheet, 0, self._header, self._formats, self._formats.head)
        self._widths = [len(str(cell)) + _BUTTON for cell in self._header]
        self._row = 1


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
                _write_moment(worksheet, row, column, cell, formats)
            case _:
                worksheet.write_number(row, column, cell, style)


def _write_moment(
    worksheet: Worksheet, row: int, column: int, cell: datetime, formats: _Formats
) -> None:
    moment, style = _local(cell, formats.zone), formats.moment
    if (day := day_without_time(cell)) is not None:
        worksheet.write_string(row, column, day.isoformat(), style)
    elif moment.year < _FIRST_YEAR:
        worksheet.write_string(row, column, moment.isoformat(" ", "seconds"), style)
    else:
        worksheet.write_datetime(row, column, moment, style)


def _fitting(text: str) -> str:
    return text if len(text) <= _TEXT_LENGTH_MAX else f"{text[: _TEXT_LENGTH_MAX - 1]}…"


def _local(moment: datetime, zone: tzinfo | None) -> datetime:
    return moment.astimezone(zone).replace(tzinfo=None)


def _width(cell: Cell) -> int:
    if cell is None:
        return 0
    if isinstance(cell, datetime):
        return len(_MOMENT)
    return max(len(line) for line in str(cell).split("\n"))
