"""The file forms of one game's score sheet: CSV, XLSX, PDF."""

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from functools import partial
from io import BytesIO
from itertools import chain
from urllib.parse import quote

from msgspec import Struct

from projections.score_sheet import ScoreSheet
from service.export.formats import dialects, xlsx
from service.export.formats.dialects import RFC_4180, Dialect, Line, csv_lines
from service.export.formats.typesetter import PaperSize, PrintJob, strip_controls
from service.export.formats.xlsx import Table, XlsxBook
from service.export.game import pdf
from service.export.game.game import GameSheet, recorded_at
from service.export.game.pdf import game_job, game_pdf
from service.export.game.rows import SheetRows
from service.language.texts import Names, Texts


def game_xlsx(game: GameSheet) -> bytes:
    out = BytesIO()
    moment = game.log[-1].recorded_at
    title = f"{game.title}: {', '.join(game.players)}"
    tables = [
        Table(title=game.word("deals"), header=game.rows.header(), lines=game.rows.lines()),
        _standings(game),
        _entries(game),
    ]
    book = XlsxBook(out, title=title, made=moment, zone=game.zone)
    # Each sheet says which game it is of, also where it is copied alone.
    heads = [game.word("started_at"), game.word("title_name")]
    for table in tables:
        lines = ([game.began, game.title, *line] for line in table.lines)
        book.table(table.title, [*heads, *table.header]).add(lines)
    book.close()
    return out.getvalue()


def _standings(game: GameSheet) -> Table:
    sheet, ranks = game.sheet, game.ranks()
    best_first = sorted(range(sheet.seats), key=lambda seat: (ranks[seat] is None, ranks[seat]))
    return Table(
        title=game.word("standings"),
        header=[*map(game.word, ("rank", "player", "total", *sheet.standings))],
        lines=[
            [
                ranks[seat],
                game.players[seat],
                sheet.totals[seat],
                *(values[seat] for values in sheet.standings.values()),
            ]
            for seat in best_first
        ],
    )


def _entries(game: GameSheet) -> Table:
    header = [*map(game.word, ("version", "recorded_at", "type", "player", "entry"))]
    return Table(title=game.word("entries"), header=header, lines=_log(game))


def _log(game: GameSheet) -> Iterator[Line]:
    for line in game.log:
        player = None if line.seat is None else game.players[line.seat]
        at = recorded_at(line, game.log[0], game.times)
        yield [line.version, at, line.type, player, line.entry]


def sheet_csv(
    sheet: ScoreSheet, names: Names, lang: str, texts: Texts, dialect: Dialect = RFC_4180
) -> str:
    """Write a sheet: deal, row, dealer, facts, points and total per player, remark.

    `names` by seat; a seat without one is called by its number.
    """
    return rows_csv(SheetRows(sheet, names, lang, texts), dialect)


def rows_csv(rows: SheetRows, dialect: Dialect = RFC_4180) -> str:
    return "".join(csv_lines(chain([rows.header()], rows.lines(), rows.standings()), dialect))


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
    return rows_csv(game.rows, dialect).encode()


XLSX = Form(suffix="xlsx", media_type=xlsx.MEDIA_TYPE, write=game_xlsx)


def as_pdf(size: PaperSize) -> Form:
    return Form(
        suffix="pdf",
        media_type=pdf.MEDIA_TYPE,
        write=partial(game_pdf, size=size),
        job=partial(game_job, size=size),
        shown=True,
    )


_STEM_MAX = 100
_NAMES_MAX = 4
# The characters Windows forbids in file names; other systems forbid fewer.
_REFUSED = re.compile(r'[\\/:*?"<>|\s]+')
_NOT_ASCII = re.compile(r"[^A-Za-z0-9.]+")
_LIGATURES = {"ß": "ss", "æ": "ae", "Æ": "Ae", "œ": "oe", "Œ": "Oe", "þ": "th", "Þ": "Th"}
_STROKES = {"ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D"}
_SPELT = str.maketrans(_LIGATURES | _STROKES)


def file_name(day: date | None, title: str, players: Sequence[str], suffix: str) -> str:
    """Return a file name with the first few players."""
    named = [*players[:_NAMES_MAX], *(["…"] if len(players) > _NAMES_MAX else [])]
    said = f"{day.isoformat() if day else ''} {title} {', '.join(named)}"
    stem = _REFUSED.sub(" ", strip_controls(said))[:_STEM_MAX].strip(" .,")
    return f"{stem}.{suffix}"


def ascii_name(name: str) -> str:
    """Transliterate a file name to ASCII; hyphens replace other characters."""
    stem, _, suffix = name.rpartition(".")
    spread = unicodedata.normalize("NFKD", stem.translate(_SPELT))
    bare = "".join(sign for sign in spread if not unicodedata.combining(sign))
    return f"{_NOT_ASCII.sub('-', bare).strip('-.')}.{suffix}"


def disposition(name: str, *, shown: bool = False) -> str:
    """Return a `Content-Disposition`: attachment, or inline if `shown` (RFC 6266)."""
    kind, short = "inline" if shown else "attachment", ascii_name(name)
    return f"{kind}; filename=\"{short}\"; filename*=UTF-8''{quote(name, safe='')}"
