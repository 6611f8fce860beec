"""CSV in the dialects its readers speak: RFC 4180, and Excel as set up in France and Germany."""

from collections.abc import Iterable, Iterator
from datetime import datetime, tzinfo
from typing import Literal

from msgspec import Struct

from schemas.days import day_alone
from service.export.formats.cells import Cell, Line

# RFC 4180 §3; the encoding is added where a response is made.
MEDIA_TYPE = "text/csv; header=present"

ForSpreadsheet = Literal["excel-fr", "excel-de"]

# What Excel, LibreOffice and Google Sheets begin a formula with, full-width signs included.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")


class Dialect(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How cells are written down.

    `begin` stands before the first line: the mark by which Excel knows UTF-8. `zoned`: moments tell
    their zone; else they are told as in the reader's, because a spreadsheet knows none.
    """

    delimiter: str
    decimal: str
    begin: str
    zoned: bool


RFC_4180 = Dialect(delimiter=",", decimal=".", begin="", zoned=True)
# Excel in France and in Germany takes the same file; the names leave room for the day it does not.
_EXCEL = Dialect(delimiter=";", decimal=",", begin="\ufeff", zoned=False)
DIALECTS: dict[str, Dialect] = {"excel-fr": _EXCEL, "excel-de": _EXCEL}


def csv_lines(
    lines: Iterable[Line], dialect: Dialect = RFC_4180, zone: tzinfo | None = None
) -> Iterator[str]:
    """Write lines of cells, each as it comes. `zone`: the reader's, None: the machine's."""
    begin = dialect.begin
    for line in lines:
        cells = dialect.delimiter.join(_written(cell, dialect, zone) for cell in line)
        yield f"{begin}{cells}\r\n"
        begin = ""


def plain_text(text: str) -> str:
    """Keep a text from being run as a formula: put an apostrophe before one that begins like it."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def without_guard(text: str) -> str:
    """Undo `plain_text`."""
    return text[1:] if text.startswith("'") and text[1:].startswith(_FORMULA) else text


def _written(cell: Cell, dialect: Dialect, zone: tzinfo | None) -> str:
    match cell:
        case None:
            return '""'
        case int():
            return str(cell)
        case float():
            return str(cell).replace(".", dialect.decimal)
        case datetime() if (day := day_alone(cell)) is not None:
            return f'"{day.isoformat()}"'
        case datetime() if dialect.zoned:
            return f'"{cell.isoformat()}"'
        case datetime():
            return f'"{cell.astimezone(zone):%Y-%m-%d %H:%M:%S}"'
        case str():
            return f'"{plain_text(cell).replace(chr(34), chr(34) * 2)}"'
