"""The file forms of the history: CSV (one view per file), JSON, XLSX, PDF."""

from functools import partial

from msgspec import Struct

from service.export.formats import dialects, xlsx
from service.export.formats.dialects import RFC_4180, Dialect
from service.export.game import pdf
from service.export.history.rows import DEALS, ENTRIES, GAMES, View, ViewName
from service.export.history.season_pdf import GAMES_MAX, PdfSeason
from service.export.history.text import CsvHistory, CsvRanking, JsonHistory
from service.export.history.workbook import XlsxHistory
from service.export.history.writer import OpensHistory


class HistoryForm(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A file form: how to write and name it, and the data it needs.

    `streamed`: sent while it is written, else when complete. `most`: the games that fit, None for
    any number. `shown`: browsers display it inline.
    """

    name: str
    media_type: str
    begin: OpensHistory
    games: bool = True
    deals: bool = False
    log: bool = False
    standings: bool = False
    streamed: bool = False
    most: int | None = None
    shown: bool = False

    @property
    def disposition(self) -> str:
        return f'{"inline" if self.shown else "attachment"}; filename="{self.name}"'


def as_csv(view: ViewName = "games", dialect: Dialect = RFC_4180) -> HistoryForm:
    if view == "standings":
        return HistoryForm(
            name="carnet-standings.csv",
            media_type=dialects.MEDIA_TYPE,
            begin=partial(CsvRanking, dialect=dialect),
            games=False,
            standings=True,
            streamed=True,
        )
    return _view_as_csv({"games": GAMES, "deals": DEALS, "entries": ENTRIES}[view], dialect)


def _view_as_csv(view: View, dialect: Dialect) -> HistoryForm:
    return HistoryForm(
        name=f"carnet-{view.name}.csv",
        media_type=dialects.MEDIA_TYPE,
        begin=partial(CsvHistory, view=view, dialect=dialect),
        deals=view is DEALS,
        log=view is ENTRIES,
        streamed=True,
    )


JSON = HistoryForm(
    name="carnet-history.json",
    media_type="application/json",
    begin=JsonHistory,
    deals=True,
    streamed=True,
)

XLSX = HistoryForm(
    name="carnet-history.xlsx",
    media_type=xlsx.MEDIA_TYPE,
    begin=XlsxHistory,
    deals=True,
    log=True,
    standings=True,
)

PDF = HistoryForm(
    name="carnet-history.pdf",
    media_type=pdf.MEDIA_TYPE,
    begin=PdfSeason,
    standings=True,
    most=GAMES_MAX,
    shown=True,
)
