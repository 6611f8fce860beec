"""A game at one moment: its log up to a version, what stands there, and who plays."""

from collections.abc import Sequence
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from domain.table.history import Line, Step
from projections.games import sheet_of
from service.play.append import RefusedBatch
from service.play.game_cache import Folded, erased_in
from service.play.views import (
    EntryView,
    PlayerView,
    Sheet,
    as_it_stands,
    entry_views,
)
from service.store.records import SeatedPlayer, StoredEntry

WHOLE = slice(None)


class Moment(Struct, frozen=True, kw_only=True):
    """A game as `folded`, and its players, seat 0 first."""

    folded: Folded
    players: tuple[PlayerView, ...]

    @property
    def id(self) -> UUID:
        """The game."""
        return self.folded.game_id

    @property
    def ruleset(self) -> str:
        """What is played."""
        return self.folded.shapes.name

    @property
    def version(self) -> int:
        """The last entry of the log."""
        return self.folded.version

    def at(self, version: int) -> "Moment":
        """Return the moment when `version` was the last entry.

        Raises: NotFound (no such version)
        """
        return self if version == self.version else replace(self, folded=self.folded.at(version))

    def log(
        self, after: int = 0, *, effective: bool = False, part: slice = WHOLE
    ) -> tuple[EntryView, ...]:
        """Return the entries later than version `after`: all of them, or only what stands.

        `part`: which of these, in their order.
        """
        return log_of(self.folded, after, effective=effective, part=part)

    def lately(self, count: int) -> tuple[EntryView, ...]:
        """Return the last entries that stand, at most so many, without reading the others."""
        folded, head = self.folded, self.head
        lines: list[tuple[Line, int]] = []
        while head is not None and len(lines) < count:
            own = Line(head.version, head.entry)
            lines += [(line, 0) for line in reversed(head.derived) if line.version <= self.version]
            lines.append((own, head.part))
            head = head.before
        found = _standing(folded, lines[::-1])
        return (*(() if head else entry_views(folded.rows[:1])), *found)[-count:]

    @property
    def steps(self) -> tuple[Step, ...]:
        """The effective history: every entry that stands, with the game after it."""
        return tuple(self.folded.history.steps())

    @property
    def head(self) -> Step | None:
        """The last entry that stands."""
        return self.folded.history.head(self.version)

    @property
    def erasable(self) -> frozenset[int]:
        """The versions whose text can be erased."""
        return frozenset(row.version for row in self.folded.rows if row.text is not None)

    @property
    def recorded(self) -> dict[int, UUID]:
        """By which link entries came, by version; the owner's are left out."""
        return {row.version: row.recorded_by for row in self.folded.rows if row.recorded_by}

    @property
    def sheet(self) -> Sheet:
        """The score sheet of what stands, and who plays."""
        return Sheet(
            version=self.version,
            players=self.players,
            sheet=sheet_of(self.folded.history),
            erased=tuple(sorted(erased_in(self.folded))),
        )


class Rejected(Struct, frozen=True, kw_only=True):
    """Why a batch was not stored, and the `moment` it was judged at."""

    refused: RefusedBatch
    moment: Moment


class Appended(Struct, frozen=True, kw_only=True):
    """A batch as stored, derived entries included, and the `moment` after it.

    `replayed`: it was stored before, and this is that answer again.
    """

    moment: Moment
    rows: tuple[StoredEntry, ...]
    replayed: bool

    @property
    def entries(self) -> tuple[EntryView, ...]:
        """What callers see of the batch."""
        return entry_views(self.rows)

    @property
    def version(self) -> int:
        """The last entry's."""
        return self.moment.version


def log_of(
    folded: Folded, after: int = 0, *, effective: bool = False, part: slice = WHOLE
) -> tuple[EntryView, ...]:
    """Return a log's entries later than version `after`: all of them, or only what stands.

    What stands is told in the order it stands in: the moves of a splice where they were put, each
    with its part. `part`: which of these, in their order.
    """
    if not effective:
        return entry_views(folded.rows[after:][part])
    # Version 1, `started`, is no step of the history.
    lines: list[tuple[Line, int] | None] = [] if after else [None]
    lines += [
        (line, move)
        for step in folded.history.steps()
        for line, move in (
            (Line(step.version, step.entry), step.part),
            *((line, 0) for line in step.derived),
        )
        # A version may stand before what followed by itself.
        if after < line.version <= folded.version
    ]
    wanted = lines[part]
    standing = _standing(folded, [line for line in wanted if line])
    return (*(entry_views(folded.rows[:1]) if None in wanted else ()), *standing)


def _standing(folded: Folded, lines: Sequence[tuple[Line, int]]) -> list[EntryView]:
    erased = erased_in(folded)
    return [
        as_it_stands(folded.rows[line.version - 1], line.entry, erased, part)
        for line, part in lines
    ]


def moment_of(folded: Folded, seated: Sequence[SeatedPlayer]) -> Moment:
    """Put a game and its players together."""
    players = tuple(PlayerView(id=one.player_id, name=one.name) for one in seated)
    return Moment(folded=folded, players=players)
