"""A season as a PDF. It is laid out in memory, so its games are limited."""

from collections.abc import Sequence
from typing import BinaryIO

import msgspec

from service.export.formats.typesetter import TEMPLATES, compile_pdf
from service.export.history.games import PlayedGame
from service.export.history.ranking import Ranking
from service.export.history.season import layout_season
from service.export.history.writer import ExportContext

GAMES_MAX = 1_000

_TEMPLATE = TEMPLATES / "season.typ"


class PdfSeason:
    def __init__(self, out: BinaryIO, context: ExportContext) -> None:
        self._out = out
        self._context = context
        self._games: list[PlayedGame] = []
        self._ranking = Ranking(rulesets=(), names={})

    def add(self, games: Sequence[PlayedGame]) -> None:
        self._games.extend(games)

    def rank(self, ranking: Ranking) -> None:
        self._ranking = ranking

    def finish(self) -> None:
        season = layout_season(self._games, self._ranking, self._context)
        made = int(self._context.made.timestamp())
        self._out.write(compile_pdf(_TEMPLATE, msgspec.json.encode(season).decode(), made))

    def abandon(self) -> None:
        pass
