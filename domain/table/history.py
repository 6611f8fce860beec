"""Raw log → effective history: what stands after `take_back`, `amend` and `splice`.

The log itself is never rewritten.

The effective history is a chain of `Step`s, each an entry with the game after it; every step points
to the one before, so each version of the log keeps the history that stood when it was the last, at
no cost. Taking back to a version goes back to that history; amending or splicing at a version
builds the chain anew from there, judging the later entries again. Derived entries that a correction
makes void are written again after it. The moves of a splice have its version, and a `part` each; so
the versions of a chain need not rise.

The chains are of structs that are collected: one of `gc=False` is freed by calls as deep as it is.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from typing import cast

from msgspec import Struct
from msgspec.structs import replace

from domain.table import judgement, targets
from domain.table.citation import Judged, cited, described
from domain.table.refusal import Refusal
from domain.table.rules import Game, Status
from domain.table.spans import Span
from domain.table.versions import Versions
from schemas.entries import (
    CORRECTIONS,
    DERIVED,
    Amend,
    Entry,
    Splice,
    Started,
    TakeBack,
    is_amend,
    is_splice,
    moves_in,
)

# What an entry is judged as: its version, and above that its part, so that each has its own.
_PARTS = 1 << 32


class Line(Struct, frozen=True, gc=False):
    """One entry of the raw log and its version."""

    version: int
    entry: Entry


class Step(Struct, frozen=True):
    """An entry that stands, what it caused (`derived`), and the game after all of it.

    `part`: which move of the splice `version`, from 0.
    """

    version: int
    entry: Entry
    derived: tuple[Line, ...]
    game: Game
    before: "Step | None"
    part: int = 0


class Edit(Struct, frozen=True):
    """A correction of what stands: these steps go, and these entries stand in their place.

    `kept` is the step before them; `later` are those after them. `moves`: version, part, entry.
    """

    kept: Step | None
    dropped: tuple[Step, ...]
    moves: tuple[tuple[int, int, Entry], ...]
    later: tuple[Step, ...]


class _Moment(Struct, frozen=True):
    """What stood when `version` was the last, and what its entry caused, written after it.

    `before` is the moment a `take_back` may name before this one; `span` ends with this one, and
    tells the versions of all of them.
    """

    version: int
    span: Span
    head: Step | None = None
    derived: tuple[Line, ...] = ()
    before: "_Moment | None" = None


class Fallen(Struct, frozen=True):
    """A later entry that a correction leaves without ground, and why."""

    version: int
    entry: Entry
    refusal: Refusal
    part: int = 0


class Preview(Struct, frozen=True):
    """What a correction would do: why it is refused, what would fall, the game that would stand.

    `edit`: what it replaces, where it is an `amend` or a `splice` of something that stands.
    """

    refusal: Refusal | None
    fallen: tuple[Fallen, ...]
    game: Game
    edit: Edit | None = None


class History:
    """A game's log as it grows. `version` is the last one; `game` is what stands now.

    Version 1 (`started`) is the opening given to the constructor.
    """

    def __init__(self, opening: Game) -> None:
        self.opening = opening
        self.version: int = 1
        self._last: _Moment = _Moment(1, Span(1, 1))
        # The moment of a derived version is its cause's.
        self._moments = Versions(1, self._last)
        self._stored: deque[Entry] = deque()

    @property
    def game(self) -> Game:
        """The game that stands now."""
        return self._last.head.game if self._last.head else self.opening

    def copy(self) -> "History":
        """Return an independent history with the same past."""
        return self.until(self.version)

    def until(self, version: int) -> "History":
        """Return the history as `version`, the last one then, left it; nothing is folded again.

        A derived version is its cause's moment.

        Raises:
            ValueError: no such version, below 1 or above the last.

        """
        twin = History(self.opening)
        twin._moments = self._until(version)
        twin.version, twin._last = version, twin._moments.held
        return twin

    @property
    def standing(self) -> tuple[int, ...]:
        """The versions a `take_back` may name: 1 and every entry by hand that stands."""
        return tuple(n for first, last in self.standing_ranges for n in range(first, last + 1))

    @property
    def standing_ranges(self) -> tuple[tuple[int, int], ...]:
        """The same versions as ranges, first and last of each: about one a deal."""
        return self._last.span.ranges()

    def at(self, version: int) -> Game:
        """Return the game as it stood when `version` was the last; a derived one is its cause's.

        Raises:
            ValueError: no such version, below 1 or above the last.

        """
        head = self.head(version)
        return head.game if head else self.opening

    def head(self, version: int) -> Step | None:
        """Return the last entry that stood when `version` was the last; as `at` else."""
        return self._until(version).held.head

    def _until(self, version: int) -> Versions[_Moment]:
        if not 1 <= version <= self.version:
            message = f"version {version} is not one of 1 to {self.version}"
            raise ValueError(message)
        return self._moments.until(version)

    @property
    def deal_from(self) -> int | None:
        """The first version that may tell of the deal in progress; None where there is none.

        Corrections count: whatever was recorded since the last deal ended, and whatever stands in
        the deal, is at this version or later. A deal whose entries were all taken back or dropped
        is still being played, until another one ends.
        """
        if self.game.status is not Status.OPEN:
            return None
        first: int | None = None
        moments: Versions[_Moment] | None = self._moments
        while moments is not None and not _ends_a_deal(moments.held):
            if moments.held.head is not None and moments.held.head.game.deal is not None:
                first = moments.first
            moments = moments.before
        step = self._last.head
        while first is not None and step is not None and step.game.deal is not None:
            first, step = min(first, step.version), step.before
        return first

    def steps(self) -> list[Step]:
        """Return the effective history, oldest first."""
        return _chain(self._last.head)

    def judge(self, entry: Entry) -> tuple[Line, ...] | Refusal:
        """Let an entry stand and return it with what it caused, or say why it cannot stand.

        A refusal changes nothing. Clauses: `table.version` for corrections, else the entry's own.
        """
        if type(entry) in CORRECTIONS:
            return self._correct(entry)
        game = judgement.judge(self.game, entry, self.version + 1)
        if not isinstance(game, Refusal):
            return self._stand(entry, game)
        return self._cited(game, self._last.head, entry, self.version + 1)

    def _correct(self, entry: Entry, *, trusted: bool = False) -> tuple[Line, ...] | Refusal:
        if is_amend(entry) or is_splice(entry):
            return self._edit(entry, trusted=trusted)
        return self._take_back(cast("TakeBack", entry))

    def restore(self, log: Iterable[Entry]) -> None:
        """Fold entries already judged and stored, derived ones as they were stored."""
        cause: Entry | None = None
        for entry in log:
            if isinstance(entry, Started):
                continue
            if type(entry) in DERIVED:
                self._stored.append(entry)
                continue
            if cause is not None:
                self._trust(cause)
            cause = entry
        if cause is not None:
            self._trust(cause)

    def _trust(self, entry: Entry) -> None:
        if type(entry) in CORRECTIONS:
            self._correct(entry, trusted=True)
        else:
            self._stand(entry, judgement.trust(self.game, entry, self.version + 1))
        self._stored.clear()

    def _stand(self, entry: Entry, game: Game) -> tuple[Line, ...]:
        version, before = self.version + 1, self._last
        derived, game = self._caused(game, version)
        step = Step(version, entry, derived, game, before.head)
        return self._keep(entry, step, step.derived, before)

    def _keep(
        self, entry: Entry, head: Step | None, derived: tuple[Line, ...], before: _Moment
    ) -> tuple[Line, ...]:
        version = self.version + 1
        self._last = _Moment(version, before.span.grown(version), head, derived, before)
        self._moments = self._moments.grown(version, self._last)
        if not derived:
            self.version = version
            return (Line(version, entry),)
        self.version = version + len(derived)
        return (Line(version, entry), *derived)

    def _caused(self, game: Game, last: int) -> tuple[tuple[Line, ...], Game]:
        """Return what follows from a judged entry by itself, and the game after all of it.

        `last` is the highest version given out so far.
        """
        derived: tuple[Line, ...] = ()
        while (caused := judgement.due(game)) is not None:
            if self._stored and type(self._stored[0]) is type(caused):
                caused = self._stored.popleft()
            last += 1
            derived = (*derived, Line(last, caused))
            game = judgement.ended(game, caused)
        return derived, game

    def _take_back(self, entry: TakeBack) -> tuple[Line, ...] | Refusal:
        moment: _Moment | None = self._last
        while moment is not None and moment.version > entry.to:
            moment = moment.before
        if moment is None or moment.version != entry.to:
            return self._no_target(entry.to)
        head, rewritten = self._renumbered(moment)
        return self._keep(entry, head, rewritten, moment)

    def _no_target(self, version: int) -> Refusal:
        then = _chain(self.head(version)) if 1 <= version <= self.version else ()
        why = targets.why_not(
            version, last=self.version, standing=self.standing, steps=self.steps(), then=then
        )
        return Refusal("table.version", facts={"version": version, "why": why})

    def _renumbered(self, moment: _Moment) -> tuple[Step | None, tuple[Line, ...]]:
        if not moment.derived:
            return moment.head, ()
        steps = _chain(moment.head)
        first = next(place for place, step in enumerate(steps) if moment.derived[0] in step.derived)
        before = steps[first].before
        written: list[Line] = []
        for step in steps[first:]:
            last = self.version + 1 + len(written)
            derived = tuple(
                Line(last + place, line.entry) for place, line in enumerate(step.derived, 1)
            )
            written.extend(derived)
            before = replace(step, derived=derived, before=before)
        return before, tuple(written)

    def _edited(self, entry: "Amend[Entry] | Splice[Entry]") -> Edit | Refusal:
        later: list[Step] = []
        step = self._last.head
        while step is not None and (step.version, step.part) != (entry.version, entry.part):
            later.append(step)
            step = step.before
        dropped = 1 if is_amend(entry) else cast("Splice[Entry]", entry).drop
        if step is None:
            return self._no_target(entry.version)
        if dropped > len(later) + 1:
            left = len(later) + 1
            return Refusal(
                "table.version", facts={"version": entry.version, "number": left, "why": "beyond"}
            )
        since = (step, *reversed(later))
        moves = (
            [(step.version, step.part, entry.move)]
            if is_amend(entry)
            else [(self.version + 1, part, move) for part, move in enumerate(moves_in(entry))]
        )
        return Edit(step.before, since[:dropped], tuple(moves), since[dropped:])

    def _edit(
        self, entry: "Amend[Entry] | Splice[Entry]", *, trusted: bool
    ) -> tuple[Line, ...] | Refusal:
        edit = self._edited(entry)
        if isinstance(edit, Refusal):
            return edit
        built = self._rebuilt(edit, trusted=trusted)
        if isinstance(built, Refusal):
            return built
        head = built[-1] if built else edit.kept
        written = tuple([line for step in built for line in step.derived])
        return self._keep(entry, head, written, self._last)

    def _rebuilt(self, edit: Edit, *, trusted: bool) -> list[Step] | Refusal:
        last = self.version + 1
        judge = judgement.trust if trusted else judgement.judge
        built: list[Step] = []
        before = edit.kept
        for version, part, entry, moved in edit_order(edit):
            game = before.game if before else self.opening
            judged = judge(game, entry, judged_as(version, part))
            if isinstance(judged, Refusal):
                if not moved:
                    return _falls(judged, version)
                return self._cited(judged, before, entry, judged_as(version, part))
            derived, game = self._caused(judged, last)
            before = Step(version, entry, derived, game, before, part)
            built.append(before)
            last += len(derived)
        return built

    def _cited(self, refusal: Refusal, head: Step | None, entry: Entry, number: int) -> Refusal:
        if refusal.suspects or refusal.contradicts is not None:
            deal = self._deal(head)
            refusal = described(deal, cited(deal, entry, number, refusal))
        version = None if refusal.contradicts is None else refusal.contradicts % _PARTS
        if version is not None and version > self.version:
            version = None
        return replace(refusal, contradicts=version)

    def _deal(self, head: Step | None) -> list[Judged]:
        found: list[Judged] = []
        while head is not None and head.game.deal is not None:
            before = head.before.game if head.before else self.opening
            found.append((judged_as(head.version, head.part), head.entry, before))
            head = head.before
        found.reverse()
        return found

    def preview(self, entry: Entry) -> Preview:
        """Show what a correction would do and every later entry that would fall; store nothing."""
        if not (is_amend(entry) or is_splice(entry)):
            trial = self.copy()
            judged = trial.judge(entry)
            return Preview(judged if isinstance(judged, Refusal) else None, (), trial.game)
        edit = self._edited(entry)
        if isinstance(edit, Refusal):
            return Preview(edit, (), self.game)
        return self._preview_edit(edit)

    def _preview_edit(self, edit: Edit) -> Preview:
        before = edit.kept
        fallen: list[Fallen] = []
        for version, part, entry, moved in edit_order(edit):
            game = before.game if before else self.opening
            judged = judgement.judge(game, entry, judged_as(version, part))
            if not isinstance(judged, Refusal):
                derived, game = self._caused(judged, self.version)
                before = Step(version, entry, derived, game, before, part)
            elif moved:
                number = judged_as(version, part)
                return Preview(self._cited(judged, before, entry, number), (), self.game)
            else:
                number = judged_as(version, part)
                # One search a preview: a correction can leave hundreds of entries without ground.
                judged = replace(judged, suspects=()) if fallen else judged
                refusal = self._cited(judged, before, entry, number)
                fallen.append(Fallen(version, entry, refusal, part))
        first = _falls(fallen[0].refusal, fallen[0].version) if fallen else None
        game = before.game if before else self.opening
        return Preview(first, tuple(fallen), game, edit)


def _ends_a_deal(moment: _Moment) -> bool:
    """Tell whether a moment's own entry ended a deal: a correction of an earlier one does not."""
    step = moment.head
    if step is None or step.version != moment.version or step.game.deal is not None:
        return False
    return bool(step.derived) or (step.before is not None and step.before.game.deal is not None)


def judged_as(version: int, part: int) -> int:
    """Return the number a move is judged as, its version for all but the later parts."""
    return version + part * _PARTS


def edit_order(edit: Edit) -> Iterator[tuple[int, int, Entry, bool]]:
    """Yield what a correction has judged, and whether it is the correction's own move."""
    for version, part, entry in edit.moves:
        yield version, part, entry, True
    for step in edit.later:
        yield step.version, step.part, step.entry, False


def _falls(refusal: Refusal, version: int) -> Refusal:
    """Say that a correction leaves the later entry `version` without ground, and by what clause."""
    return Refusal(refusal.rule, version, {**refusal.facts, "falls": version})


def _chain(head: Step | None) -> list[Step]:
    found: list[Step] = []
    while head is not None:
        found.append(head)
        head = head.before
    found.reverse()
    return found
