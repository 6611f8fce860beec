"""A snapshot of a game: its log up to a version, the state, and the players."""

from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import Any
from uuid import UUID

from msgspec import Struct, json, to_builtins
from msgspec.structs import replace

from domain.games import records_mistake
from domain.table.history import Line, Step
from projections.deals import Deals
from projections.games import sheet_of
from schemas.entries import DealEnded
from schemas.free_text import is_empty
from service.play.append import RefusedBatch
from service.play.game_cache import LoadedGame, erased_versions
from service.play.views import (
    EntryView,
    PlayerView,
    Sheet,
    effective_view,
    entry_views,
)
from service.store.records import GameTitle, SeatedPlayer, StoredEntry

WHOLE = slice(None)


class GameSnapshot(Struct, frozen=True, kw_only=True):
    loaded: LoadedGame
    players: tuple[PlayerView, ...]

    @property
    def id(self) -> UUID:
        return self.loaded.game_id

    @property
    def ruleset(self) -> str:
        return self.loaded.shapes.name

    @property
    def title(self) -> GameTitle | None:
        return self.loaded.title

    @property
    def title_name(self) -> str | None:
        return self.loaded.title.name if self.loaded.title else None

    @property
    def version(self) -> int:
        return self.loaded.version

    def at(self, version: int) -> "GameSnapshot":
        return self if version == self.version else replace(self, loaded=self.loaded.at(version))

    def log(
        self, after: int = 0, *, effective: bool = False, part: slice = WHOLE
    ) -> tuple[EntryView, ...]:
        """Return the entries after version `after`, all or only effective ones.

        `part`: a slice of them.
        """
        return log_of(self.loaded, after, effective=effective, part=part)

    def last_entries(self, count: int) -> list[dict[str, Any]]:
        """Return the fields of at most `count` of the last effective entries, oldest first.

        Other entries are not read. An entry whose text was erased has the field `erased`, one that
        records a punished mistake has `wrong`.
        """
        newest_first: list[tuple[Line, bool]] = []  # with: does it record a mistake?
        for step in self.backwards():
            newest_first += [
                (line, False) for line in reversed(step.derived) if line.version <= self.version
            ]
            newest_first.append((Line(step.version, step.entry), records_mistake(step)))
            if len(newest_first) >= count:
                break
        erased = erased_versions(self.loaded)
        oldest_first: list[dict[str, Any]] = []
        for line, is_mistake in reversed(newest_first[:count]):
            fields: dict[str, Any] = to_builtins(line.entry)
            if line.version in erased and is_empty(line.entry):
                fields["erased"] = True
            if is_mistake:
                fields["wrong"] = True
            oldest_first.append(fields)
        if len(newest_first) >= count:
            return oldest_first
        # No step stands for `started`, which begins every game.
        return [json.decode(self.loaded.rows[0].json), *oldest_first]

    def backwards(self) -> Iterator[Step]:
        """Yield the effective history, the last step first."""
        step = self.head
        while step is not None:
            yield step
            step = step.before

    def last_deal(self) -> tuple[EntryView, ...]:
        lines: list[tuple[Line, int]] = []
        ends = 0
        for step in self.backwards():
            ends += sum(1 for line in step.derived if type(line.entry) is DealEnded)
            if ends > 1:
                break
            if ends:
                lines.append((Line(step.version, step.entry), step.part))
        return tuple(_standing(self.loaded, lines[::-1]))

    def effective(self, version: int) -> EntryView | None:
        """Return the effective entry at a version, the last move of a splice; None if none is."""
        deals = self.deals
        steps = deals.steps(deals.deal_number_of((version, 0)))
        step = next((step for step in reversed(steps) if step.version == version), None)
        lines = [(Line(step.version, step.entry), step.part)] if step else []
        return next(iter(_standing(self.loaded, lines)), None)

    @property
    def head(self) -> Step | None:
        """Last effective entry."""
        return self.loaded.history.head(self.version)

    @property
    def deals(self) -> Deals:
        """The effective history by deals, without reading deals that were read before."""
        return self.loaded.index.at(self.loaded.history)

    @property
    def deals_before(self) -> int:
        """The number of deals of the games from which this one goes on."""
        return self.loaded.chain.deals_before if self.loaded.chain else 0

    def sheet(self, rows: slice = WHOLE) -> Sheet:
        """Return the score sheet of this game alone; `service.play.course` has that of a chain."""
        return Sheet(
            version=self.version,
            players=self.players,
            sheet=sheet_of(self.loaded.history, self.deals.rows[rows]),
            erased=tuple(sorted(erased_versions(self.loaded))),
        )


class Rejected(Struct, frozen=True, kw_only=True):
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
        shown = range(loaded.version)[after:][part]
        return entry_views(loaded.rows[shown.start : shown.stop])
    first = part.start or 0
    deals = loaded.index.at(loaded.history)
    # A splice can put a later version before an earlier one, so `after` skips no deal.
    number, skipped = (1, first) if after else deals.with_entry(first)
    # Version 1, `started`, is not a step of the history.
    started: list[tuple[Line, int] | None] = [None] if number == 1 and not after else []
    lines = (
        (line, move)
        for step in deals.steps_from(number)
        for line, move in (
            (Line(step.version, step.entry), step.part),
            *((line, 0) for line in step.derived),
        )
        if after < line.version <= loaded.version
    )
    last = None if part.stop is None else part.stop - first + skipped
    wanted = [*islice(chain(started, lines), skipped, last)]
    standing = _standing(loaded, [line for line in wanted if line])
    return (*(entry_views(loaded.rows[:1]) if None in wanted else ()), *standing)


def _standing(loaded: LoadedGame, lines: Sequence[tuple[Line, int]]) -> list[EntryView]:
    erased = erased_versions(loaded)
    return [
        effective_view(loaded.rows[line.version - 1], line.entry, erased, part)
        for line, part in lines
    ]


def snapshot_of(loaded: LoadedGame, seated: Sequence[SeatedPlayer]) -> GameSnapshot:
    players = tuple(PlayerView(id=player.player_id, name=player.name) for player in seated)
    return GameSnapshot(loaded=loaded, players=players)
