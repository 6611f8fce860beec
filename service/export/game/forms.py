"""The file forms of one game's score sheet: CSV, XLSX, PDF."""

from collections.abc import Callable
from functools import partial

from msgspec import Struct

from service.export.formats import dialects, xlsx
from service.export.formats.dialects import RFC_4180, Dialect
from service.export.formats.typesetter import PrintJob
from service.export.game import csv, pdf
from service.export.game.game import GameSheet
from service.export.game.paper import PaperSize
from service.export.game.pdf import game_job, game_pdf
from service.export.game.workbook import game_xlsx


class Form(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A file form: how to write and name it. `shown`: browsers display it inline.

    `job`: of a printed form, the job that makes the same as `write`.
    """

    suffix: str
    media_type: str
    write: Callable[[GameSheet], bytes]
    job: Callable[[GameSheet], PrintJob] | None = None
    shown: bool = False


def as_csv(dialect: Dialect = RFC_4180) -> Form:
    write = partial(_csv, dialect)
    return Form(suffix="csv", media_type=dialects.MEDIA_TYPE, write=write)


def _csv(dialect: Dialect, game: GameSheet) -> bytes:
    return csv.rows_csv(game.rows, dialect).encode()


XLSX = Form(suffix="xlsx", media_type=xlsx.MEDIA_TYPE, write=game_xlsx)


def as_pdf(size: PaperSize) -> Form:
    return Form(
        suffix="pdf",
        media_type=pdf.MEDIA_TYPE,
        write=partial(game_pdf, size=size),
        job=partial(game_job, size=size),
        shown=True,
    )
