"""The log as a list of deals with their parts (tricks, bouts, turns)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from domain.games import GAMES
from domain.table.history import Step
from domain.table.rules import Status
from schemas.catalogue import type_of
from service.play.snapshots import GameSnapshot
from service.play.views import EntryView
from service.web.recorder.table.board import OPENING
from service.web.recorder.table.entry_data import DERIVED, read_entry

CORRECTIONS = frozenset({"take_back", "amend", "splice"})
EntryPlace = tuple[int, int]


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


class DealPart(Struct, kw_only=True):
    """A trick, bout or turn of a deal. `number` counts those of a `kind`.

    `seat`: the seat of its first entry; `kind` "": entries before the first part.
    """

    kind: str
    number: int
    seat: int | None
    entries: list[TimelineEntry]


class Chapter(Struct, kw_only=True):
    """A deal, numbered from 1; `ended` is its `deal_ended`."""

    number: int
    parts: list[DealPart]
    ended: EntryView | None = None

    @property
    def entries(self) -> Iterator[TimelineEntry]:
        return (one for part in self.parts for one in part.entries)

    @property
    def first(self) -> int:
        return next(self.entries).version

    @property
    def count(self) -> int:
        return sum(len(part.entries) for part in self.parts)


def chapters(moment: GameSnapshot) -> list[Chapter]:
    """Return the deals of a game, oldest first."""
    log, steps = moment.log(), moment.steps
    backs = frozenset(moment.loaded.history.take_back_targets)
    beside = _beside(moment, log, steps, backs)
    begins = GAMES[moment.ruleset].begins
    opening = [TimelineEntry(row=log[0], backs=True), *beside.get(-1, ())]
    found = [Chapter(number=1, parts=[DealPart(kind="", number=1, seat=None, entries=opening)])]
    counts: dict[str, int] = {}
    for place, step in enumerate(steps):
        before = step.before.game if step.before else moment.loaded.history.opening
        number = len(before.deals) + (before.status is Status.OPEN)
        if number > found[-1].number:
            found.append(Chapter(number=number, parts=[]))
        if type_of(step.entry) == OPENING:
            counts = {}
        kind = begins(before, step.entry) if begins else None
        parts = found[-1].parts
        if kind or not parts:
            counts[kind or ""] = counts.get(kind or "", 0) + 1
            seat = getattr(step.entry, "seat", None)
            parts.append(
                DealPart(kind=kind or "", number=counts[kind or ""], seat=seat, entries=[])
            )
        parts[-1].entries += _timeline_entries(log, step, backs)
        _end(found[-1], log, step)
        parts[-1].entries += beside.get(place, ())
    return found


def _timeline_entries(
    log: Sequence[EntryView], step: Step, backs: frozenset[int]
) -> Iterator[TimelineEntry]:
    row = log[step.version - 1]
    # The last move represents the whole insertion.
    last = row.type != "splice" or step.part == len(read_entry(row)["moves"]) - 1
    yield TimelineEntry(row=row, part=step.part, step=step, backs=last and step.version in backs)
    for line in step.derived:
        yield TimelineEntry(row=log[line.version - 1])


def _end(chapter: Chapter, log: Sequence[EntryView], step: Step) -> None:
    for line in step.derived:
        if type_of(line.entry) == "deal_ended":
            chapter.ended = log[line.version - 1]


def _beside(
    moment: GameSnapshot, log: Sequence[EntryView], steps: Sequence[Step], backs: frozenset[int]
) -> Mapping[int, list[TimelineEntry]]:
    places: dict[EntryPlace, int] = {(step.version, step.part): at for at, step in enumerate(steps)}
    found: dict[int, list[TimelineEntry]] = {}
    for row in log[1:]:
        parts = 0
        if row.type == "splice" and not (entry := read_entry(row))["drop"]:
            parts = len(entry["moves"])  # an insertion is listed by its moves alone
        moves = range(parts if row.type in CORRECTIONS else 1)
        if row.type in DERIVED or any((row.version, part) in places for part in moves):
            continue
        anchor = _anchor(moment, row, places)
        found.setdefault(anchor, []).append(TimelineEntry(row=row, backs=row.version in backs))
    return found


def _anchor(moment: GameSnapshot, row: EntryView, places: Mapping[EntryPlace, int]) -> int:
    if row.type == "splice":
        moves = [at for (version, _), at in places.items() if version == row.version]
        if moves:
            return min(moves) - 1
    if row.type in {"amend", "splice"}:
        entry = read_entry(row)
        target = (int(entry["version"]), int(entry.get("part", 0)))
        if target in places:
            return places[target] - (row.type == "splice")
        return _nearest(moment.loaded.history.head(row.version - 1), places, target)
    return _nearest(moment.loaded.history.head(row.version), places)


def _nearest(
    step: Step | None, places: Mapping[EntryPlace, int], target: EntryPlace | None = None
) -> int:
    """Return the last step that still counts at or before `step`, no earlier than `target`."""
    while step is not None:
        here = (step.version, step.part)
        if target is None and here in places:
            return places[here]
        if here == target:
            target = None
        step = step.before
    return -1


def part_headings(
    moment: GameSnapshot, names: Sequence[str], heading: Callable[[str, int, str], str] | None
) -> dict[EntryPlace, str]:
    """Return, by version and part of effective entries, the heading of their trick, bout or turn.

    `heading` is the macro `part`. Entries before the first part are omitted.
    """
    found: dict[EntryPlace, str] = {}
    for chapter in chapters(moment) if heading else ():
        for part in chapter.parts:
            if not part.kind or heading is None:
                continue
            said = str(
                heading(part.kind, part.number, "" if part.seat is None else names[part.seat])
            )
            found |= {(one.version, one.part): said.strip() for one in part.entries if one.step}
    return found


def original(line: TimelineEntry) -> dict[str, Any]:
    """Return an entry as it was first recorded."""
    entry = read_entry(line.row)
    if line.row.type == "splice" and line.step is not None:
        move: dict[str, Any] = entry["moves"][line.part]
        return move
    return entry
