"""Rows of a list of games: names, totals and leaders."""

from collections.abc import Sequence

from msgspec import Struct

from domain.games import GAMES
from projections.summary import decided
from schemas.history import PastGame
from service.web.format.render import Reader, names_of


class GameRow(Struct, frozen=True, kw_only=True):
    """A game in a list. `names` are by seat, `first` are the leading seats, `leaders` their names.

    `won`: in this game the first place wins.
    """

    game: PastGame
    names: list[str]
    first: list[int]
    leaders: list[str]
    won: bool


def rows_of(reader: Reader, games: Sequence[PastGame]) -> list[GameRow]:
    return [_row(reader, game) for game in games]


def _row(reader: Reader, game: PastGame) -> GameRow:
    has_leaders = decided(game.status, len(game.deals), game.totals)
    first = [seat for seat, place in enumerate(game.places) if has_leaders and place == 1]
    names = names_of(reader, game.players)
    return GameRow(
        game=game,
        names=names,
        first=first,
        leaders=[names[seat] for seat in first],
        won=GAMES[game.ruleset].has_winner,
    )
