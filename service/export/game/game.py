"""The data of one game that all its exports share."""

from datetime import UTC, date, datetime, tzinfo
from functools import cached_property
from uuid import UUID

from msgspec import Struct

from projections.score_sheet import ScoreSheet
from projections.summary import places
from schemas.record import Times
from service.export.game.rows import SheetRows
from service.language.texts import Texts


class LogLine(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An entry. `seat` None: of no single seat; `entry`: its JSON, as stored."""

    version: int
    type: str
    recorded_at: datetime
    seat: int | None
    entry: str


def recorded_at(line: LogLine, first: LogLine, times: Times) -> datetime | None:
    """Return when an entry was recorded; None if it came with an import."""
    elsewhere = times != "recorded" and line.recorded_at == first.recorded_at
    return None if elsewhere else line.recorded_at


class GameSheet(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, dict=True):
    """One game for one reader.

    `players`: names by seat; `options`: a sentence for each that differs from the default.
    `erased`: `ago` and version of rows whose remark was erased. `log` begins with `started`; that
    of a chain has one for each of its games. `began_at` None: when the log did. `zone`: for days
    and times; None: the machine's. `replay`: an address that phones reach, "" for none.
    """

    id: UUID
    version: int
    players: tuple[str, ...]
    options: tuple[str, ...]
    sheet: ScoreSheet
    erased: frozenset[tuple[int, int]]
    log: tuple[LogLine, ...]
    lang: str
    texts: Texts
    began_at: datetime | None = None
    times: Times = "recorded"
    zone: tzinfo | None = None
    title_name: str | None = None
    replay: str = ""

    @cached_property
    def rows(self) -> SheetRows:
        named = any(line.type == "finish" and '"winners"' in line.entry for line in self.log)
        return SheetRows(
            self.sheet, self.players, self.lang, self.texts, self.erased, winners_named=named
        )

    @property
    def title(self) -> str:
        return self.title_name or self.texts.game(self.sheet.ruleset, self.lang)

    @property
    def day(self) -> date | None:
        """Day of the start in the reader's zone; None if unknown."""
        if self.began is None:
            return None
        return self.began.astimezone(UTC if self.times == "day" else self.zone).date()

    @property
    def began(self) -> datetime | None:
        """The start, or a day without a time (schemas/days.py); None if unknown."""
        return None if self.times == "none" else self.began_at or self.log[0].recorded_at

    def word(self, name: str) -> str:
        """Return a heading or word in the reader's language."""
        return self.texts.word(name, self.lang, self.sheet.ruleset)

    def ranks(self) -> tuple[int | None, ...]:
        """Return each seat's place from 1, None if it is not ranked."""
        return places(self.sheet.ranking, self.sheet.seats)
