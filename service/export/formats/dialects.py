"""CSV dialects: RFC 4180, and Excel with French or German settings; cells without formulas."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, tzinfo
from typing import Literal, TypeAlias

from msgspec import Struct

from schemas.days import day_without_time

Cell: TypeAlias = int | float | str | datetime | None
Line: TypeAlias = Sequence[Cell]


# RFC 4180 §3; the charset is added to the response.
MEDIA_TYPE = "text/csv; header=present"

ForSpreadsheet = Literal["excel-fr", "excel-de"]

# The first characters of formulas in Excel, LibreOffice and Google Sheets, and full-width ones.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")


class Dialect(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How cells are written.

    `begin`: the byte order mark by which Excel detects UTF-8. `zoned`: write times with their
    offset; else in the reader's zone, because spreadsheets have none.
    """

    delimiter: str
    decimal: str
    begin: str
    zoned: bool


RFC_4180 = Dialect(delimiter=",", decimal=".", begin="", zoned=True)
# One dialect serves both today; two names allow them to differ later.
_EXCEL = Dialect(delimiter=";", decimal=",", begin="\ufeff", zoned=False)
DIALECTS: dict[str, Dialect] = {"excel-fr": _EXCEL, "excel-de": _EXCEL}


def csv_lines(
    lines: Iterable[Line], dialect: Dialect = RFC_4180, zone: tzinfo | None = None
) -> Iterator[str]:
    """Yield CSV lines, lazily. `zone`: the reader's; None: the machine's."""
    begin = dialect.begin
    for line in lines:
        cells = dialect.delimiter.join(_format_cell(cell, dialect, zone) for cell in line)
        yield f"{begin}{cells}\r\n"
        begin = ""


def plain_text(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA) else text


def remove_guard(text: str) -> str:
    return text[1:] if text.startswith("'") and text[1:].startswith(_FORMULA) else text


def _format_cell(cell: Cell, dialect: Dialect, zone: tzinfo | None) -> str:
    match cell:
        case None:
            return '""'
        case int():
            return str(cell)
        case float():
            return str(cell).replace(".", dialect.decimal)
        case datetime() if (day := day_without_time(cell)) is not None:
            return f'"{day.isoformat()}"'
        case datetime() if dialect.zoned:
            return f'"{cell.isoformat()}"'
        case datetime():
            return f'"{cell.astimezone(zone):%Y-%m-%d %H:%M:%S}"'
        case str():
            return f'"{plain_text(cell).replace(chr(34), chr(34) * 2)}"'
