"""The log of a game by deals and their parts (tricks, bouts, turns)."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import dropwhile, islice
from typing import Any

from msgspec import Struct

from domain.table.history import Step
from projections.deals import Place
from schemas.catalogue import type_of
from service.play.chain_corrections import starts_until
from service.play.snapshots import GameSnapshot
from service.play.views import EntryView, entry_views
from service.web.recorder.table.deal_parts import DealPart, PartFinder
from service.web.recorder.table.entry_data import DERIVED, read_entry

CORRECTIONS = frozenset({"take_back", "amend", "splice"})
# They are listed beside the entry that they name.
_PLACED = frozenset({"amend", "splice"})


class TimelineEntry(Struct, frozen=True, kw_only=True):
    """An item of the list: a line of the log, or a move of a splice that counts.

    `step`: the step that counts in its place; None for corrections and entries without effect.
    `backs`: the game can be taken back to it.
    """

    row: EntryView
    part: int = 0
    step: Step | None = None
    backs: bool = False

    @property
    def version(self) -> int:
        return self.row.version

    @property
    def is_correction(self) -> bool:
        return self.row.type in CORRECTIONS and self.step is None

    @property
    def is_derived(self) -> bool:
        return self.row.type in DERIVED


class PartEntries(DealPart, frozen=True, kw_only=True):
    """A part with its entries, oldest first."""

    entries: list[TimelineEntry]


class Chapter(Struct, kw_only=True):
    """A deal, numbered from 1; `ended` is its `deal_ended`."""

    number: int
    parts: list[PartEntries]
    ended: EntryView | None = None

    @property
    def entries(self) -> Iterator[TimelineEntry]:
        return (one for part in self.parts for one in part.entries)

    @property
    def count(self) -> int:
        return sum(len(part.entries) for part in self.parts)


def chapter(moment: GameSnapshot, number: int) -> Chapter:
    """Return a deal with the entries that no longer count and the corrections of its entries."""
    return _Chapters(moment).chapter(number)


def chapter_of(moment: GameSnapshot, version: int) -> int:
    """Return the number of the deal that lists the entry recorded at a version."""
    deals, row = moment.deals, moment.loaded.rows[version - 1]
    if row.type in DERIVED and version > 1:
        ended = (at for at, deal in enumerate(deals.ended, 1) if _wrote(deal.last, version))
        return next(ended, deals.at(version))
    if row.type == "amend":
        entry = read_entry(*entry_views([row]))
        return deals.deal_number_of((entry["version"], entry.get("part", 0)))
    return deals.deal_number_of((version, 0))


def _wrote(step: Step, version: int) -> bool:
    return any(line.version == version for line in step.derived)


class _Chapters:
    def __init__(self, moment: GameSnapshot) -> None:
        self._moment, self._deals = moment, moment.deals
        self._rows, self._splices = moment.loaded.rows, self._deals.corrections.splices
        living: dict[int, list[int]] = {}
        for version, part, _ in self._deals.inserted:
            living.setdefault(version, []).append(part)
        # The moves that count, by splice, in their order.
        self._living = living
        self._starts_until = starts_until(moment.loaded)

    def chapter(self, number: int) -> Chapter:
        steps = self._deals.steps(number)
        finder = PartFinder(self._moment.loaded.history.opening)
        found = Chapter(number=number, parts=[])
        if number == 1:
            self._add_opening(found, steps)
        for step, until in zip(steps, self._gaps(number, steps), strict=True):
            part = finder.begun_by(step)
            if part is not None:
                begun = PartEntries(kind=part.kind, number=part.number, seat=part.seat, entries=[])
                found.parts.append(begun)
            elif not found.parts:
                found.parts.append(PartEntries(entries=[]))
            entries = found.parts[-1].entries
            entries += self._inserting(step)
            entries += self._of_step(step)
            self._end(found, step)
            entries += self._beside(step, until)
        return found

    def _add_opening(self, found: Chapter, steps: Sequence[Step]) -> None:
        started = TimelineEntry(row=self._view(1), backs=self._backs(1))
        first = (step.version for step in steps if step.version not in self._splices)
        lost = self._lost(1, next(first, self._next_start(1)))
        found.parts.append(PartEntries(entries=[started, *lost]))

    def _of_step(self, step: Step) -> Iterator[TimelineEntry]:
        row = self._view(step.version)
        # The last move represents the whole insertion.
        last = row.type != "splice" or step.part == len(read_entry(row)["moves"]) - 1
        backs = last and self._backs(step.version)
        yield TimelineEntry(row=row, part=step.part, step=step, backs=backs)
        for line in step.derived:
            yield TimelineEntry(row=self._view(line.version))

    def _end(self, chapter: Chapter, step: Step) -> None:
        for line in step.derived:
            if type_of(line.entry) == "deal_ended":
                chapter.ended = self._view(line.version)

    def _inserting(self, step: Step) -> list[TimelineEntry]:
        """Return the splices that are listed before a step: where they inserted or dropped."""
        place = (step.version, step.part)
        found = [
            at for at in self._about(place) if at in self._splices and not self._living.get(at)
        ]
        if self._is_first_move(step) and self._splices[step.version].drop:
            found.append(step.version)
        return [self._line(version) for at in found for version in (at, *self._of_lost_moves(at))]

    def _beside(self, step: Step, until: int) -> list[TimelineEntry]:
        """Return the amendments of a step, and the entries after it that no longer count."""
        place = (step.version, step.part)
        found = [at for at in self._about(place) if at not in self._splices]
        if self._is_first_move(step) and not self._splices[step.version].drop:
            found += self._of_lost_moves(step.version)
        lines = [self._line(version) for version in found]
        if step.version not in self._splices:
            lines += self._lost(step.version, until)
        return sorted(lines, key=lambda one: one.version)

    def _lost(self, after: int, until: int) -> list[TimelineEntry]:
        """Return entries between two versions that no longer count, with their corrections."""
        found: list[int] = []
        for row in self._rows[after : until - 1]:
            if row.type not in DERIVED and row.type not in _PLACED:
                found += [row.version, *self._of_lost((row.version, 0))]
        return [self._line(version) for version in sorted(found)]

    def _of_lost(self, place: Place) -> Iterator[int]:
        for version in self._about(place):
            if not self._living.get(version):
                yield version
                yield from self._of_lost_moves(version)

    def _of_lost_moves(self, version: int) -> Iterator[int]:
        """Yield the corrections of those moves of a splice that no longer count."""
        splice = self._splices.get(version)
        for part in range(len(splice.moves) if splice else 0):
            if part not in self._living.get(version, ()):
                yield from self._of_lost((version, part))

    def _gaps(self, number: int, steps: Sequence[Step]) -> list[int]:
        """Return, for each step, the version of the next step that no splice inserted."""
        found: list[int] = []
        until = self._next_start(number)
        for step in reversed(steps):
            found.append(until)
            until = until if step.version in self._splices else step.version
        return found[::-1]

    def _next_start(self, number: int) -> int:
        here, later = self._deals.start(number), range(number + 1, len(self._deals) + 1)
        starts = (self._deals.start(one) for one in later)
        return next((one for one in starts if one > here), self._moment.version + 1)

    def _about(self, place: Place) -> list[int]:
        found = self._deals.corrections.about.get(place, ())
        return [version for version in found if version <= self._moment.version]

    def _is_first_move(self, step: Step) -> bool:
        return self._living.get(step.version, [None])[0] == step.part

    def _backs(self, version: int) -> bool:
        return version >= self._starts_until and self._moment.loaded.history.is_take_back_target(
            version
        )

    def _line(self, version: int) -> TimelineEntry:
        return TimelineEntry(row=self._view(version), backs=self._backs(version))

    def _view(self, version: int) -> EntryView:
        return entry_views([self._rows[version - 1]])[0]


def part_headings(
    moment: GameSnapshot,
    names: Sequence[str],
    game: Any,  # noqa: ANN401 a template's macros
    places: Iterable[Place],
) -> dict[Place, str]:
    """Return the headings of the tricks, bouts or turns of some effective entries.

    Entries before the first part are omitted.
    """
    found: dict[Place, str] = {}
    wanted = {*places} if game.part else set[Place]()
    for number in {moment.deals.deal_number_of(place) for place in wanted}:
        for part in chapter(moment, number).parts:
            heading = part.heading(game, names)
            found |= {(one.version, one.part): heading for one in part.entries if one.step}
    return {place: found[place] for place in wanted if found.get(place)}


def steps_after(moment: GameSnapshot, version: int) -> Iterator[Step]:
    """Yield the effective history after an entry, or after its place if it no longer counts."""
    deals = moment.deals
    moves = [deal for at, _, deal in deals.inserted if at == version]
    number = moves[-1] if moves else deals.at(version)
    own = [at for at, step in enumerate(deals.steps(number)) if step.version == version]
    following = deals.steps_from(number)
    if own:
        yield from islice(following, own[-1] + 1, None)
    else:
        yield from dropwhile(lambda step: step.version < version, following)


def original(line: TimelineEntry) -> dict[str, Any]:
    """Return an entry as it was first recorded."""
    entry = read_entry(line.row)
    if line.row.type == "splice" and line.step is not None:
        move: dict[str, Any] = entry["moves"][line.part]
        return move
    return entry
