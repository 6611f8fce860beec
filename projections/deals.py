"""A game by deals: the score sheet's rows, where each deal begins, and what was corrected.

A page of a long game reads the deals it shows instead of the whole history.
"""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, cast

from msgspec import Struct, field
from msgspec.structs import replace

from domain.table.history import History, Step
from domain.table.rules import Game, SharedSequence, Status
from projections.score_sheet import AdjustmentRow, AnyRow, DealRow, SheetFacts, rows_of_step
from schemas.entries import Entry, Splice, is_amend, is_splice

# Version and part of an effective entry.
Place = tuple[int, int]


class Corrections(Struct, frozen=True):
    """The corrections up to a version.

    `replaced`: by correction, the entries that no longer count after it, or otherwise. `of`: the
    corrections of a place, ascending; `about`: the `amend`s and `splice`s that name it. `splices`:
    the splices by version.
    """

    version: int = 1
    replaced: Mapping[int, tuple[tuple[Place, Entry], ...]] = field(default_factory=dict)
    of: Mapping[Place, tuple[int, ...]] = field(default_factory=dict)
    about: Mapping[Place, tuple[int, ...]] = field(default_factory=dict)
    splices: Mapping[int, "Splice[Entry]"] = field(default_factory=dict)

    def extended(self, history: History) -> "Corrections":
        new = history.corrections(self.version)
        if not new:
            return replace(self, version=max(self.version, history.version))
        replaced, of = dict(self.replaced), dict(self.of)
        about, splices = dict(self.about), dict(self.splices)
        for version, entry in new:
            replaced[version] = tuple(
                _replaced_entries(history.head(version - 1), history.head(version))
            )
            for place, _ in replaced[version]:
                of[place] = (*of.get(place, ()), version)
            if is_amend(entry) or is_splice(entry):
                target = (entry.version, entry.part)
                about[target] = (*about.get(target, ()), version)
            if is_splice(entry):
                splices[version] = entry
        return Corrections(history.version, replaced, of, about, splices)


class Deal(Struct, frozen=True):
    """An ended deal or the one in progress, with counts up to its end.

    `last`: its last step. `first`: the version of its first step; `start`: of its first step that
    no splice inserted, otherwise that of the deal before. `steps`: effective entries; `entries`:
    with derived ones and `started`; `rows` of the score sheet; `charted` rows change the totals;
    `inserted` moves.
    """

    last: Step
    first: int
    start: int
    steps: int
    entries: int
    rows: int
    charted: int
    inserted: int


class Deals(Struct, frozen=True):
    """The effective history of a game at one version, by deals.

    `ended` deals are numbered from 1; `open` are the steps after the last of them, which belong to
    it if the game is over. `inserted`: version, part and deal of the moves of splices, in order.
    """

    version: int
    opening: Game
    corrections: Corrections
    ended: SharedSequence[Deal] = SharedSequence()
    open: tuple[Step, ...] = ()
    current: Deal | None = None
    rows: SharedSequence[AnyRow] = SharedSequence()
    charted: SharedSequence[DealRow | AdjustmentRow] = SharedSequence()
    inserted: SharedSequence[tuple[int, int, int]] = SharedSequence()

    def __len__(self) -> int:
        return max(1, len(self.ended) + (self._goes_on and bool(self.open)))

    @property
    def _goes_on(self) -> bool:
        """Whether the open steps are those of another deal."""
        return not self.ended or self.ended[-1].last.game.status is Status.OPEN

    def steps(self, number: int) -> list[Step]:
        """Return the steps of a deal, oldest first."""
        if number > len(self.ended):
            return [*self.open]
        before = self.ended[number - 2].last if number > 1 else None
        steps: list[Step] = []
        step: Step | None = self.ended[number - 1].last
        while step is not None and step is not before:
            steps.append(step)
            step = step.before
        steps.reverse()
        if number == len(self) and not self._goes_on:
            steps += self.open  # what was entered after the last deal of a game that is over
        return steps

    def steps_from(self, number: int) -> Iterator[Step]:
        """Yield the steps of a deal and of all later ones."""
        return chain.from_iterable(self.steps(deal) for deal in range(number, len(self) + 1))

    def _deal(self, number: int) -> Deal | None:
        return self.ended[number - 1] if 0 < number <= len(self.ended) else self.current

    def first(self, number: int) -> int:
        """Return the version of the first entry of a deal; deal 1 includes `started`."""
        deal = self._deal(number)
        return 1 if number == 1 or deal is None else deal.first

    def entries(self, number: int) -> int:
        """Return the number of effective entries of a deal, derived ones and `started` included."""
        deal, before = self._deal(number), self._deal(number - 1) if number > 1 else None
        if self.current is not None and number == len(self):
            deal = self.current
        return (deal.entries if deal else 1) - (before.entries if before else 0)

    def with_entry(self, index: int) -> tuple[int, int]:
        """Return the number of the deal with the nth effective entry, from 0, and the place in it.

        An index behind the last entry leads to the last deal.
        """
        numbers = range(1, len(self))
        number = 1 + bisect_right(numbers, index, key=lambda deal: self.ended[deal - 1].entries)
        return number, index - (self.ended[number - 2].entries if number > 1 else 0)

    def row(self, number: int) -> DealRow | None:
        """Return the row of an ended deal in the score sheet."""
        if not 0 < number <= len(self.ended):
            return None
        return cast("DealRow", self.rows[self.ended[number - 1].rows - 1])

    def start(self, number: int) -> int:
        """Return the version from which the log has entries of a deal; ascending by deal."""
        deal = self._deal(number)
        return 1 if deal is None else deal.start

    def at(self, version: int) -> int:
        """Return the number of the deal whose part of the log contains a version."""
        numbers = range(1, len(self) + 1)
        number = max(1, bisect_right(numbers, version, key=self.start))
        while number > 1 and self.start(number) == self.start(number - 1):
            number -= 1  # all its entries were inserted later
        return number

    def deal_number_of(self, place: Place) -> int:
        """Return the number of the deal with the effective entry at a place, or next to it."""
        version, part = place
        moves = [move for move in self.inserted if move[0] == version]
        living = next((move for move in moves if move[1] == part), next(iter(moves), None))
        if living is not None:
            return living[2]
        splice = self.corrections.splices.get(version)
        return self.deal_number_of((splice.version, splice.part)) if splice else self.at(version)

    def step(self, place: Place) -> Step | None:
        """Return the effective step at a place, if there is one."""
        steps = self.steps(self.deal_number_of(place))
        return next((step for step in steps if (step.version, step.part) == place), None)

    def steps_behind(self, step: Step) -> int:
        """Return how many effective entries follow one."""
        last = self.current or (self.ended[-1] if self.ended else None)
        number = self.deal_number_of((step.version, step.part))
        before = self.ended[number - 2].steps if number > 1 else 0
        own = next(at for at, own_step in enumerate(self.steps(number), 1) if own_step is step)
        return (last.steps if last else 0) - before - own

    def latest_correction(self, place: Place) -> int | None:
        """Return the version of the latest correction of the entry at a place."""
        versions = self.corrections.of.get(place, ())
        return max((version for version in versions if version <= self.version), default=None)


def deals_of(history: History, facts: SheetFacts[Any], known: Deals | None = None) -> Deals:
    """Fold a history by deals; continue from `known`, of any version of the same game.

    Only the deals that `known` lacks are read.
    """
    if known is None:
        known = Deals(1, history.opening, Corrections())
    head = history.head(history.version)
    corrections = known.corrections.extended(history)
    steps: list[Step] = []
    last = known.open[-1] if known.open else None
    if last is None and known.ended:
        last = known.ended[-1].last
    step = head
    while step is not None and step is not last and not _ended_by(known, step):
        steps.append(step)
        step = step.before
    if step is None or step is not last:
        known = _until(known, len(step.game.deals) if step else 0)
    steps.reverse()
    return _extended(replace(known, version=history.version, corrections=corrections), steps, facts)


def _ended_by(known: Deals, step: Step) -> bool:
    number = len(step.game.deals)
    return 0 < number <= len(known.ended) and known.ended[number - 1].last is step


def _until(known: Deals, number: int) -> Deals:
    ended = known.ended.until(number)
    deal = ended[-1] if ended else None
    return replace(
        known,
        ended=ended,
        open=(),
        current=None,
        rows=known.rows.until(deal.rows if deal else 0),
        charted=known.charted.until(deal.charted if deal else 0),
        inserted=known.inserted.until(deal.inserted if deal else 0),
    )


def _extended(known: Deals, steps: Sequence[Step], facts: SheetFacts[Any]) -> Deals:
    """Return the deals with further steps, each after those that are known."""
    ended, rows, charted, inserted = known.ended, known.rows, known.charted, known.inserted
    splices, opened, current = known.corrections.splices, [*known.open], known.current
    for step in steps:
        before = step.before.game if step.before else known.opening
        latest = current or (ended[-1] if ended else None)
        number = len(before.deals) + (before.status is Status.OPEN)
        for row in rows_of_step(step, before, facts):
            rows = rows.extended(row)
            if isinstance(row, DealRow | AdjustmentRow):
                charted = charted.extended(row)
        is_move = step.version in splices
        if is_move:
            inserted = inserted.extended((step.version, step.part, number))
        if current is None:
            start = (latest.start if latest else 1) if is_move else step.version
            first = step.version
        else:
            first, start = current.first, current.start
            earlier = ended[-1].start if ended else 1
            start = step.version if start == earlier and not is_move else start
        count = (latest.steps if latest else 0) + 1
        entries = (latest.entries if latest else 1) + 1 + len(step.derived)
        current = Deal(step, first, start, count, entries, len(rows), len(charted), len(inserted))
        opened.append(step)
        if len(step.game.deals) > len(before.deals):
            ended, opened, current = ended.extended(current), [], None
    return replace(
        known,
        ended=ended,
        open=tuple(opened),
        current=current,
        rows=rows,
        charted=charted,
        inserted=inserted,
    )


def steps_lost(before: Step | None, after: Step | None) -> list[Step]:
    """Return the steps up to `before` whose place is in no step up to `after`, oldest first."""
    old, new = _diverging_steps(before, after)
    left = {(step.version, step.part) for step in new}
    return [step for step in old if (step.version, step.part) not in left]


def have_same_entries(one: Step | None, other: Step | None) -> bool:
    """Return whether the same entries count up to two steps."""
    ones, others = _diverging_steps(one, other)
    return [(step.version, step.part, step.entry) for step in ones] == [
        (step.version, step.part, step.entry) for step in others
    ]


def _replaced_entries(before: Step | None, after: Step | None) -> Iterator[tuple[Place, Entry]]:
    old, new = _diverging_steps(before, after)
    effective = {(step.version, step.part): step.entry for step in new}
    for step in old:
        place = (step.version, step.part)
        if effective.get(place) != step.entry:
            yield place, step.entry


def _diverging_steps(one: Step | None, other: Step | None) -> tuple[Sequence[Step], Sequence[Step]]:
    ones: dict[int, Step] = {}
    others: dict[int, Step] = {}
    while one is not None or other is not None:
        if one is not None:
            ones[id(one)] = one
            if id(one) in others:
                break
            one = one.before
        if other is not None:
            others[id(other)] = other
            if id(other) in ones:
                break
            other = other.before
    shared = ones.keys() & others.keys()
    return _until_shared(ones, shared), _until_shared(others, shared)


def _until_shared(steps: Mapping[int, Step], shared: set[int]) -> list[Step]:
    own_steps: list[Step] = []
    for key, step in steps.items():
        if key in shared:
            break
        own_steps.append(step)
    return own_steps[::-1]
