"""A snapshot of a game: its log up to a version, the state, and the players."""

from collections.abc import Sequence
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from domain.table.history import Line, Step
from projections.games import sheet_of
from service.play.append import RefusedBatch
from service.play.game_cache import LoadedGame, erased_in
from service.play.views import (
    EntryView,
    PlayerView,
    Sheet,
    as_it_stands,
    entry_views,
)
from service.store.records import SeatedPlayer, StoredEntry

WHOLE = slice(None)


class GameSnapshot(Struct, frozen=True, kw_only=True):
    """A game at a version, and its players by seat."""

    loaded: LoadedGame
    players: tuple[PlayerView, ...]

    @property
    def id(self) -> UUID:
        return self.loaded.game_id

    @property
    def ruleset(self) -> str:
        return self.loaded.shapes.name

    @property
    def version(self) -> int:
        return self.loaded.version

    def at(self, version: int) -> "GameSnapshot":
        """Return the snapshot at an earlier version.

        Raises: NotFound (no such version)
        """
        return self if version == self.version else replace(self, loaded=self.loaded.at(version))

    def log(
        self, after: int = 0, *, effective: bool = False, part: slice = WHOLE
    ) -> tuple[EntryView, ...]:
        """Return the entries after version `after`, all or only effective ones.

        `part`: a slice of them.
        """
        return log_of(self.loaded, after, effective=effective, part=part)

    def lately(self, count: int) -> tuple[EntryView, ...]:
        """Return at most `count` of the last effective entries, without decoding the others."""
        loaded, head = self.loaded, self.head
        lines: list[tuple[Line, int]] = []
        while head is not None and len(lines) < count:
            own = Line(head.version, head.entry)
            lines += [(line, 0) for line in reversed(head.derived) if line.version <= self.version]
            lines.append((own, head.part))
            head = head.before
        found = _standing(loaded, lines[::-1])
        return (*(() if head else entry_views(loaded.rows[:1])), *found)[-count:]

    @property
    def steps(self) -> tuple[Step, ...]:
        """Effective history: each effective entry, with the game after it."""
        return tuple(self.loaded.history.steps())

    @property
    def head(self) -> Step | None:
        """Last effective entry."""
        return self.loaded.history.head(self.version)

    @property
    def erasable(self) -> frozenset[int]:
        """Versions whose text can be erased."""
        return frozenset(row.version for row in self.loaded.rows if row.text is not None)

    @property
    def recorded(self) -> dict[int, UUID]:
        """Grants that recorded entries, by version; without the owner's."""
        return {row.version: row.recorded_by for row in self.loaded.rows if row.recorded_by}

    @property
    def sheet(self) -> Sheet:
        """Score sheet, with the players."""
        return Sheet(
            version=self.version,
            players=self.players,
            sheet=sheet_of(self.loaded.history),
            erased=tuple(sorted(erased_in(self.loaded))),
        )


class Rejected(Struct, frozen=True, kw_only=True):
    """The refusal of a batch, and the `snapshot` it was judged at."""

    refused: RefusedBatch
    snapshot: GameSnapshot


class Appended(Struct, frozen=True, kw_only=True):
    """A stored batch with derived entries, and the `snapshot` after it.

    `replayed`: the answer to a retry.
    """

    snapshot: GameSnapshot
    rows: tuple[StoredEntry, ...]
    replayed: bool

    @property
    def entries(self) -> tuple[EntryView, ...]:
        return entry_views(self.rows)

    @property
    def version(self) -> int:
        return self.snapshot.version


def log_of(
    loaded: LoadedGame, after: int = 0, *, effective: bool = False, part: slice = WHOLE
) -> tuple[EntryView, ...]:
    """Return the entries after version `after`, all or only effective ones.

    Effective entries are in their effective order: the moves of a splice, with their parts, at its
    place. `part`: a slice of them.
    """
    if not effective:
        return entry_views(loaded.rows[after:][part])
    # Version 1, `started`, is not a step of the history.
    lines: list[tuple[Line, int] | None] = [] if after else [None]
    lines += [
        (line, move)
        for step in loaded.history.steps()
        for line, move in (
            (Line(step.version, step.entry), step.part),
            *((line, 0) for line in step.derived),
        )
        # A splice can put a later version before an earlier one.
        if after < line.version <= loaded.version
    ]
    wanted = lines[part]
    standing = _standing(loaded, [line for line in wanted if line])
    return (*(entry_views(loaded.rows[:1]) if None in wanted else ()), *standing)


def _standing(loaded: LoadedGame, lines: Sequence[tuple[Line, int]]) -> list[EntryView]:
    erased = erased_in(loaded)
    return [
        as_it_stands(loaded.rows[line.version - 1], line.entry, erased, part)
        for line, part in lines
    ]


def snapshot_of(loaded: LoadedGame, seated: Sequence[SeatedPlayer]) -> GameSnapshot:
    players = tuple(PlayerView(id=one.player_id, name=one.name) for one in seated)
    return GameSnapshot(loaded=loaded, players=players)
