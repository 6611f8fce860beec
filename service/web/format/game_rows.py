"""Games in a list: who played, how they stand, who came first, in what words."""

from collections.abc import Sequence

from msgspec import Struct

from domain.games import GAMES
from projections.summary import decided
from schemas.history import PastGame
from service.web.format.render import Reader, names_of


class GameRow(Struct, frozen=True, kw_only=True):
    """A game as a list shows it. `names` by seat; `first`: the seats that came first.

    `leaders` are the names of those; `won`: coming first is winning.
    """

    game: PastGame
    names: list[str]
    first: list[int]
    leaders: list[str]
    won: bool


def rows_of(reader: Reader, games: Sequence[PastGame]) -> list[GameRow]:
    """Show games as rows."""
    return [_row(reader, game) for game in games]


def _row(reader: Reader, game: PastGame) -> GameRow:
    told = decided(game.status, len(game.deals), game.totals)
    first = [seat for seat, place in enumerate(game.places) if told and place == 1]
    names = names_of(reader, game.players)
    return GameRow(
        game=game,
        names=names,
        first=first,
        leaders=[names[seat] for seat in first],
        won=GAMES[game.ruleset].won,
    )
