"""Rendered boards: one serves all who see a version alike."""

from collections import OrderedDict
from collections.abc import Hashable
from uuid import UUID
from weakref import ref

from msgspec import Struct

from service.access.admission import form_club
from service.dependencies import PageRequest
from service.play.game_cache import LoadedGame
from service.play.snapshots import GameSnapshot
from service.play.views import PlayerView
from service.web.format.render import Reader

# Each has up to 50 kB.
BOARDS_MAX = 256
# Stands for the id of the command that a form sends; every board has its own.
NO_COMMAND = UUID(int=0)


class CachedBoard(Struct, frozen=True):
    loaded: "ref[LoadedGame]"
    players: tuple[PlayerView, ...]
    html: str


class BoardCache:
    """The boards used last, at most one of each game and `variant` (`variant_of`).

    A board is of one loaded game, so that whatever loads it anew (an entry, an erased text, another
    title) makes another board.
    """

    def __init__(self, boards_max: int = BOARDS_MAX) -> None:
        self._boards: OrderedDict[Hashable, CachedBoard] = OrderedDict()
        self._boards_max = boards_max

    def get(self, snapshot: GameSnapshot, variant: Hashable, command: UUID) -> str | None:
        board = self._boards.get((snapshot.id, variant))
        if board is None or board.loaded() is not snapshot.loaded:
            return None
        if board.players != snapshot.players:
            return None
        self._boards.move_to_end((snapshot.id, variant))
        return board.html.replace(str(NO_COMMAND), str(command))

    def put(self, snapshot: GameSnapshot, variant: Hashable, html: str) -> None:
        """Keep a board that was rendered with `NO_COMMAND`."""
        board = CachedBoard(ref(snapshot.loaded), snapshot.players, html)
        self._boards[snapshot.id, variant] = board
        self._boards.move_to_end((snapshot.id, variant))
        while len(self._boards) > self._boards_max:
            self._boards.popitem(last=False)


def variant_of(request: PageRequest, reader: Reader, game_id: UUID, by: str) -> Hashable:
    """Return what the board of a version depends on: rights, language and preferences."""
    user = request.user
    rights = (user.owner, user.may_write(game_id), user.may_start, user.club is None)
    agreed = request.query_params.get("agreed")
    return (by, agreed, rights, reader.preferences, form_club(request))


BOARDS = BoardCache()
