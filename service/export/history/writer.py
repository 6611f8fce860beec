"""What an export of many games is told beside the games, and what it is written by."""

from collections.abc import Sequence
from datetime import datetime, tzinfo
from typing import BinaryIO, Protocol

from msgspec import Struct

from service.export.history.games import PlayedGame
from service.export.history.ranking import Ranking
from service.export.history.rows import Writing


class Telling(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Who is told what: the language, why these games (in words), when, where the schema is.

    `zone`: in which days are told; None: the machine's.
    """

    words: Writing
    filters: tuple[str, ...] = ()
    made: datetime
    zone: tzinfo | None = None
    schema: str


class HistoryWriter(Protocol):
    """Writes one export."""

    def add(self, games: Sequence[PlayedGame], /) -> None:
        """Write some more games."""
        ...

    def rank(self, ranking: Ranking, /) -> None:
        """Write the standings, where the form has them; once, after all games."""
        ...

    def finish(self) -> None:
        """Write what comes last."""
        ...

    def abandon(self) -> None:
        """Stop, and clean up."""
        ...


class OpensHistory(Protocol):
    """Begins a file."""

    def __call__(self, out: BinaryIO, telling: Telling, /) -> HistoryWriter:
        """Write what comes first into `out`."""
        ...
