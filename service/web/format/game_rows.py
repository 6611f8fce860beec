"""Rows of a list of games: names, totals and leaders."""

from collections.abc import Sequence
from datetime import datetime
from typing import Generic, TypeVar
from uuid import UUID

from msgspec import Struct

from domain.games import GAMES
from projections.evenings import EveningGame
from schemas.history import PastGame
from service.language.known_titles import is_cooperative
from service.web.format.render import Reader, names_of

GameT = TypeVar("GameT", PastGame, EveningGame[UUID])


class GameRow(Struct, Generic[GameT], frozen=True, kw_only=True):
    """A game in a list. `names` are by seat, `first` are the leading seats, `leaders` their names.

    `won`: in this game the first place wins. `together`: everybody wins or loses.
    """

    game: GameT
    names: list[str]
    first: list[int]
    leaders: list[str]
    won: bool
    together: bool


class NamedGame(Struct, frozen=True, kw_only=True):
    """A game to choose; `names`: of all its players."""

    id: UUID
    ruleset: str
    names: str
    started_at: datetime


def rows_of(reader: Reader, games: Sequence[PastGame]) -> list[GameRow[PastGame]]:
    return [
        row_of(
            game,
            names_of(reader, game.players),
            has_leaders=any(game.took_part),
        )
        for game in games
    ]


def row_of(game: GameT, names: list[str], *, has_leaders: bool) -> GameRow[GameT]:
    first = [seat for seat, place in enumerate(game.places) if has_leaders and place == 1]
    return GameRow(
        game=game,
        names=names,
        first=first,
        leaders=[names[seat] for seat in first],
        won=GAMES[game.ruleset].has_winner,
        together=is_cooperative(game.title_name),
    )
