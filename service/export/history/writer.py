"""The interface of history writers, and the context they need beside the games."""

from collections.abc import Sequence
from datetime import datetime, tzinfo
from typing import BinaryIO, Protocol

from msgspec import Struct

from service.export.history.ranking import Ranking
from service.export.history.rows import PlayedGame, Writing


class ExportContext(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The language, the filters in words, the time, and the URL of the schema.

    `zone` decides the day of a game; None: the machine's zone.
    """

    words: Writing
    filters: tuple[str, ...] = ()
    made: datetime
    zone: tzinfo | None = None
    schema: str


class HistoryWriter(Protocol):
    def add(self, games: Sequence[PlayedGame], /) -> None: ...

    def rank(self, ranking: Ranking, /) -> None:
        """Write the standings, if the form has them; called once, after all games."""
        ...

    def finish(self) -> None: ...

    def abandon(self) -> None: ...


class OpensHistory(Protocol):
    def __call__(self, out: BinaryIO, context: ExportContext, /) -> HistoryWriter: ...
