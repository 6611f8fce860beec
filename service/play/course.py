"""A game together with those from which it goes on, shown as one game."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from domain.games import GAMES
from projections.chain import ChainPart, join_parts
from projections.score_sheet import AdjustmentRow, ChangeRow, ChartedRow, DealRow
from service.errors import NotFound
from service.play.continuing import kept_options
from service.play.game_cache import erased_versions
from service.play.snapshots import WHOLE, GameSnapshot
from service.play.views import PlayerView, Sheet

DIGITS_MAX = 10


class GameCourse(Struct, frozen=True, kw_only=True, dict=True):
    """A game in its whole course. `parts`: the first game first, the game itself last."""

    parts: tuple[GameSnapshot, ...]

    @property
    def game(self) -> GameSnapshot:
        return self.parts[-1]

    @property
    def is_chain(self) -> bool:
        return len(self.parts) > 1

    @property
    def tag(self) -> str:
        """The version; in a chain, those of all games."""
        return ".".join(str(part.version) for part in self.parts)

    @property
    def options(self) -> Any:  # noqa: ANN401 -- of the ruleset
        """The options of the game; a number of deals is that of the whole course."""
        game = self.game.loaded.history.game
        name = GAMES[game.rules.name].deals_option
        left = getattr(game.options, name) if name else None
        if left is None:
            return game.options
        return replace(game.options, **{name: left + self.game.deals_before})

    @property
    def first(self) -> int:
        """The position of the first entry: positions of the game itself are its versions.

        Those of earlier games end at 0; their entries that only carry points over have none.
        """
        return 1 - sum(part.version - begins(part) + 1 for part in self.parts[:-1])

    def position(self, counter: str) -> int:
        """Return the position that a form asks for, within the course; the last one by default."""
        last, digits = self.game.version, counter.removeprefix("-")
        if not (digits.isascii() and digits.isdigit() and len(digits) < DIGITS_MAX):
            return last
        return max(self.first, min(int(counter), last))

    def locate(self, position: int) -> tuple[GameSnapshot, int]:
        """Return the game and the version at a position. Raises: NotFound."""
        if position > 0:
            self.game.at(position)  # raises NotFound
            return self.game, position
        end = 0
        for part in reversed(self.parts[:-1]):
            if position > end - (part.version - begins(part) + 1):
                return part, part.version - (end - position)
            end -= part.version - begins(part) + 1
        raise NotFound("version", None)

    def index(self, part: GameSnapshot) -> int:
        """Return the place of a game among the parts."""
        return next(at for at, other in enumerate(self.parts) if other.id == part.id)

    def shift(self, part: GameSnapshot) -> int:
        """Return what turns the versions of a game into positions."""
        later = self.parts[self.index(part) + 1 : -1]
        if part.id == self.game.id:
            return 0
        return -part.version - sum(game.version - begins(game) + 1 for game in later)

    def until(self, position: int) -> "GameCourse":
        """Return the course up to a position."""
        part, version = self.locate(position)
        return GameCourse(parts=(*self.parts[: self.index(part)], part.at(version)))

    def change(self, part: GameSnapshot) -> ChangeRow | None:
        """Return what changed when the game before went on as this one."""
        ago = len(self.parts) - 1 - self.index(part)
        rows = self._whole.sheet.rows if self.is_chain else ()
        changes = (row for row in rows if isinstance(row, ChangeRow) and row.ago == ago)
        return next(changes, None)

    @property
    def players(self) -> tuple[PlayerView, ...]:
        """The players by column of the sheet: by seat, then those who left."""
        return self._whole.players

    def columns(self, players: Iterable[PlayerView]) -> tuple[int, ...]:
        """Return the column of each of some players of the course."""
        known = {player.id: column for column, player in enumerate(self.players)}
        return tuple(known[player.id] for player in players)

    @property
    def number_of_rows(self) -> int:
        return len(self._whole.sheet.rows) if self.is_chain else len(self.game.deals.rows)

    def sheet(self, rows: slice = WHOLE) -> Sheet:
        """Return the score sheet of the whole course, with some of its rows."""
        if not self.is_chain:
            return self.game.sheet(rows)
        whole = self._whole
        return replace(whole, sheet=replace(whole.sheet, rows=whole.sheet.rows[rows]))

    @property
    def charted(self) -> Sequence[ChartedRow]:
        """The rows that change the totals."""
        if not self.is_chain:
            return self.game.deals.charted
        rows = self._whole.sheet.rows
        return [row for row in rows if isinstance(row, DealRow | AdjustmentRow | ChangeRow)]

    @property
    def ended(self) -> int:
        """The number of ended deals."""
        return self._whole.sheet.deals if self.is_chain else len(self.game.deals.ended)

    def charted_by(self, deal: int) -> int:
        """Return how many charted rows there are up to the end of a deal, numbered from 1."""
        if not self.is_chain:
            return self.game.deals.ended[deal - 1].charted
        rows = enumerate(self.charted, 1)
        return next(at for at, row in rows if isinstance(row, DealRow) and row.number == deal)

    @cached_property
    def _whole(self) -> Sheet:
        if not self.is_chain:
            return self.game.sheet()
        parts = [
            ChainPart(
                people=tuple(player.id for player in part.players),
                sheet=part.sheet().sheet,
                rules=at > 0 and _rules_differ(self.parts[at - 1], part),
            )
            for at, part in enumerate(self.parts)
        ]
        joined = join_parts(parts)
        known = {player.id: player for part in self.parts for player in part.players}
        return Sheet(
            version=self.game.version,
            players=tuple(known[person] for person in joined.people),
            sheet=joined.sheet,
            erased=tuple(sorted(erased_versions(self.game.loaded))),
            erased_before=tuple(
                (ago, version)
                for ago, part in enumerate(self.parts[-2::-1], 1)
                for version in sorted(erased_versions(part.loaded))
            ),
        )


def begins(part: GameSnapshot) -> int:
    """Return the version with which play begins: in a chain, after all points to start with."""
    loaded = part.loaded
    if loaded.chain is None or loaded.chain.continues is None:
        return 1
    given = loaded.rows.of_command(loaded.rows[0].command_id)
    return max(row.version for row in given if row.type in {"started", "adjust"})


def _rules_differ(before: GameSnapshot, after: GameSnapshot) -> bool:
    return bool(
        kept_options(before.loaded.history.game) != to_builtins(after.loaded.history.game.options)
    )
