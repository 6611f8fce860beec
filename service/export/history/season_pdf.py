"""The history of a period as a PDF. It is held in memory until it is set: some games, not all."""

from collections.abc import Sequence
from typing import BinaryIO

import msgspec

from service.export.formats.typesetter import TEMPLATES, typeset
from service.export.history.games import PlayedGame
from service.export.history.ranking import Ranking
from service.export.history.season import season_of
from service.export.history.writer import Telling

GAMES_MAX = 1_000

_TEMPLATE = TEMPLATES / "season.typ"


class PdfSeason:
    """Gathers games and standings, then sets them."""

    def __init__(self, out: BinaryIO, telling: Telling) -> None:
        self._out = out
        self._telling = telling
        self._games: list[PlayedGame] = []
        self._ranking = Ranking(rulesets=(), names={})

    def add(self, games: Sequence[PlayedGame]) -> None:
        """Gather some more games."""
        self._games.extend(games)

    def rank(self, ranking: Ranking) -> None:
        """Gather the standings."""
        self._ranking = ranking

    def finish(self) -> None:
        """Set and write all of it."""
        season = season_of(self._games, self._ranking, self._telling)
        made = int(self._telling.made.timestamp())
        self._out.write(typeset(_TEMPLATE, msgspec.json.encode(season).decode(), made))

    def abandon(self) -> None:
        """Leave the file empty."""
