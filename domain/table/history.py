"""Raw log to effective history: apply `take_back`, `amend` and `splice`.

The log is never rewritten. The effective history is a chain of `Step`s, each with its entry, the
game after it and a pointer to the step before. Each version of the log keeps its own chain, which
shares steps with the others: `take_back` returns to an earlier chain; `amend` and `splice` build a
new one from their version on and judge the later entries again. Derived entries are then written
again. The moves of a splice share its version and have a `part`, so versions do not always ascend
in a chain.

The structs use garbage collection (no `gc=False`): otherwise freeing a long chain recurses.
"""

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Generic, Protocol, TypeVar, cast

from msgspec import UNSET, Struct
from msgspec.structs import replace

from domain.table import judgement
from domain.table.citation import EntryInDeal, add_facts, find_contradicted
from domain.table.refusal import Fact, Refusal
from domain.table.rules import Game, Status
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


class _HasVersion(Protocol):
    @property
    def version(self) -> int: ...


class _HasDerived(_HasVersion, Protocol):
    @property
    def derived(self) -> Iterable[_HasVersion]: ...


def explain_no_target(
    version: int,
    *,
    last: int,
    take_back_targets: Collection[int],
    steps: Iterable[_HasDerived],
    then: Iterable[_HasVersion] = (),
) -> str:
    """Return the reason why an entry can be neither corrected nor taken back to.

    `steps` is the effective history now, `then` the one at `version`. A version that a `take_back`
    may name and that is in no step was dropped by a splice, or is a correction.

    >>> explain_no_target(7, last=3, take_back_targets=(1, 2, 3), steps=())
    'unknown'
    >>> explain_no_target(2, last=3, take_back_targets=(1, 3), steps=())
    'gone'
    """
    if not 1 <= version <= last:
        return "unknown"
    if version == 1:
        return "first"
    parts = False
    for step in steps:
        if any(line.version == version for line in step.derived):
            return "derived"
        parts = parts or step.version == version
    if version not in take_back_targets:
        return "gone"
    if parts:
        return "part"
    return "gone" if any(step.version == version for step in then) else "correction"


T = TypeVar("T")


class Versions(Struct, Generic[T], frozen=True):
    """The value from version `first` on, the entry `before` it, and a skip pointer `jump`.

    Uses garbage collection (no `gc=False`): otherwise freeing a long chain recurses over its
    length.
    """

    first: int
    value: T
    depth: int = 0
    before: "Versions[T] | None" = None
    jump: "Versions[T] | None" = None

    def extended(self, first: int, value: T) -> "Versions[T]":
        """Return a map that has another value from a later version on."""
        near = self.jump
        far = None if near is None else near.jump
        even = near and far and self.depth - near.depth == near.depth - far.depth
        return Versions(first, value, self.depth + 1, self, far if even else self)

    def replaced(self, value: T) -> "Versions[T]":
        """Return a map that has another value from the same version on."""
        return Versions(self.first, value, self.depth, self.before, self.jump)

    def until(self, version: int) -> "Versions[T]":
        """Return the map as it was at a version, in logarithmic time.

        >>> Versions(1, "a").extended(4, "b").until(3).value
        'a'

        Raises:
            ValueError: the version is before the first.
        """
        versions = self
        while versions.first > version:
            near, far = versions.before, versions.jump
            if near is None or far is None:
                message = f"nothing value at version {version}"
                raise ValueError(message)
            versions = far if far.first > version else near
        return versions


_OPEN = Status.OPEN  # a member's look-up is slow
# Key of a move when judged: its version plus its part above 32 bits, so that each key is unique.
_PARTS = 1 << 32
# Redo records more entries than this one by one.
UNDONE_TOGETHER_MAX = 3


class Line(Struct, frozen=True, gc=False):
    version: int
    entry: Entry


class Step(Struct, frozen=True):
    """An effective entry with its `derived` entries and the game after all of them.

    `part` is the index of the move within the splice `version`.
    """

    version: int
    entry: Entry
    derived: tuple[Line, ...]
    game: Game
    before: "Step | None"
    part: int = 0


class Edit(Struct, frozen=True):
    """A correction as a replacement in the effective history.

    `before` is the last step before the `dropped` ones, `later` are the steps after them. `moves`
    are the replacements as version, part and entry.
    """

    before: Step | None
    dropped: tuple[Step, ...]
    moves: tuple[tuple[int, int, Entry], ...]
    later: tuple[Step, ...]


class Undone(Struct, frozen=True):
    """Entries that were taken back: `lines` can be redone together, `before` after them."""

    lines: tuple[Line, ...]
    before: "Undone | None" = None


class _EffectiveHistory(Struct, frozen=True):
    """The effective history at one version, with the entries derived from that version.

    `entry`: the one recorded as `version`; None for `started`. `before` is the previous version
    that a `take_back` may name; `targets` contains all of them, as the last version of each range.
    """

    version: int
    targets: Versions[int]
    head: Step | None = None
    derived: tuple[Line, ...] = ()
    before: "_EffectiveHistory | None" = None
    entry: Entry | None = None
    undone: Undone | None = None


class FallenEntry(Struct, frozen=True):
    version: int
    entry: Entry
    refusal: Refusal
    part: int = 0


class Preview(Struct, frozen=True):
    """Effect of a correction: its refusal, the later entries it makes illegal, the game after it.

    `edit` is None if the correction is a `take_back` or its target does not exist.
    """

    refusal: Refusal | None
    fallen: tuple[FallenEntry, ...]
    game: Game
    edit: Edit | None = None


class History:
    """A growing log of a game and its effective history.

    `version` is the last version. Version 1 (`started`) is the opening given to the constructor.
    """

    def __init__(self, opening: Game) -> None:
        self.opening = opening
        self.version: int = 1
        self._last: _EffectiveHistory = _EffectiveHistory(1, Versions(1, 1))
        # A derived version has the moment of its cause.
        self._moments = Versions(1, self._last)
        self._stored: deque[Entry] = deque()

    @property
    def game(self) -> Game:
        return self._last.head.game if self._last.head else self.opening

    def copy(self) -> "History":
        return self.until(self.version)

    def until(self, version: int) -> "History":
        """Return the history as it was at `version`, without judging any entry again.

        A derived entry's version gives the history after the entry that caused it.

        Raises:
            ValueError: no such version, below 1 or above the last.
        """
        twin = History(self.opening)
        twin._moments = self._until(version)
        twin.version, twin._last = version, twin._moments.value
        return twin

    @property
    def take_back_targets(self) -> tuple[int, ...]:
        """The versions a `take_back` may name: 1 and every effective entry that is not derived."""
        return tuple(n for first, last in self.take_back_ranges() for n in range(first, last + 1))

    def take_back_ranges(self, most: int | None = None) -> tuple[tuple[int, int], ...]:
        """Return `take_back_targets` as ranges, about one per deal; at most the last `most`."""
        ranges: list[tuple[int, int]] = []
        targets: Versions[int] | None = self._last.targets
        while targets is not None and len(ranges) != most:
            ranges.append((targets.first, targets.value))
            targets = targets.before
        return tuple(reversed(ranges))

    def is_take_back_target(self, version: int) -> bool:
        """Return whether a `take_back` may name a version, in logarithmic time."""
        return version >= 1 and version <= self._last.targets.until(version).value

    def latest_standing(self) -> Iterator[tuple[int, Entry]]:
        """Yield version and entry of what `standing` contains, newest first, without version 1.

        Unlike `steps`, this yields corrections and `take_back` themselves.
        """
        moment = self._last
        while moment.entry is not None and moment.before is not None:
            yield moment.version, moment.entry
            moment = moment.before

    def corrections(self, after: int = 0) -> list[tuple[int, Entry]]:
        """Return the corrections recorded after a version, oldest first."""
        corrections: list[tuple[int, Entry]] = []
        moments: Versions[_EffectiveHistory] | None = self._moments
        while moments is not None and moments.first > after:
            entry = moments.value.entry
            if entry is not None and type(entry) in CORRECTIONS:
                corrections.append((moments.first, entry))
            moments = moments.before
        corrections.reverse()
        return corrections

    @property
    def undone(self) -> tuple[Line, ...]:
        """Entries that redo records next; empty once anything else was recorded.

        Up to `UNDONE_TOGETHER_MAX` entries of one `take_back` come together.
        """
        return self._last.undone.lines if self._last.undone else ()

    def at(self, version: int) -> Game:
        """Return the game at `version`; a derived entry's version gives the game after its cause.

        Raises:
            ValueError: no such version, below 1 or above the last.
        """
        head = self.head(version)
        return head.game if head else self.opening

    def head(self, version: int) -> Step | None:
        """Return the last effective step at `version`, None at the opening; raises like `at`."""
        return self._until(version).value.head

    def _until(self, version: int) -> Versions[_EffectiveHistory]:
        if not 1 <= version <= self.version:
            message = f"version {version} is not one of 1 to {self.version}"
            raise ValueError(message)
        return self._moments.until(version)

    @property
    def deal_first_version(self) -> int | None:
        """The first version that may concern the deal in progress; None if the game is not open.

        All corrections since the last deal ended count, and so do all entries of the deal. A deal
        whose entries were all taken back or dropped is still in progress until another one ends.
        """
        if self.game.status is not Status.OPEN:
            return None
        first: int | None = None
        moments: Versions[_EffectiveHistory] | None = self._moments
        while moments is not None and not _ends_a_deal(moments.value):
            if moments.value.head is not None and moments.value.head.game.deal is not None:
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
        """Append an entry and return it with its derived entries, or return why it is refused.

        A refusal changes nothing. Clauses: `table.version` for corrections, else the entry's own.
        """
        if type(entry) in CORRECTIONS:
            return self._correct(entry)
        game = judgement.judge(self.game, entry, self.version + 1)
        if not isinstance(game, Refusal):
            return self._append_move(entry, game)
        return self._with_contradiction(game, self._last.head, entry, self.version + 1)

    def _correct(self, entry: Entry, *, trusted: bool = False) -> tuple[Line, ...] | Refusal:
        if is_amend(entry) or is_splice(entry):
            edit = self._edit_by(entry)
            if isinstance(edit, Refusal):
                return edit
            built = self._rebuild(edit, trusted=trusted)
            if isinstance(built, Refusal):
                return built
            head = built[-1] if built else edit.before
            written = tuple([line for step in built for line in step.derived])
            return self._append(entry, head, written, self._last)
        return self._take_back(cast("TakeBack", entry))

    def restore(self, log: Iterable[Entry]) -> None:
        """Append stored entries without refusing any; derived entries are taken as stored."""
        cause: Entry | None = None
        for entry in log:
            if isinstance(entry, Started):
                continue
            if type(entry) in DERIVED:
                self._stored.append(entry)
                continue
            if cause is not None:
                self._restore_entry(cause)
            cause = entry
        if cause is not None:
            self._restore_entry(cause)

    def _restore_entry(self, entry: Entry) -> None:
        if type(entry) in CORRECTIONS:
            self._correct(entry, trusted=True)
        else:
            self._append_move(entry, judgement.apply_trusted(self.game, entry, self.version + 1))
        self._stored.clear()

    def _append_move(self, entry: Entry, game: Game) -> tuple[Line, ...]:
        version, before = self.version + 1, self._last
        derived, game = self._derive(game, version)
        step = Step(version, entry, derived, game, before.head)
        return self._append(entry, step, step.derived, before)

    def _append(
        self, entry: Entry, head: Step | None, derived: tuple[Line, ...], before: _EffectiveHistory
    ) -> tuple[Line, ...]:
        version = self.version + 1
        if type(entry) is TakeBack:
            undone = self._undone_by(before)
        else:
            undone = self._last.undone
            if undone is not None:  # it stays while the same entries are made again
                first, *others = undone.lines
                if replace(first.entry, at=UNSET) != replace(entry, at=UNSET):
                    undone = None
                else:
                    undone = Undone(tuple(others), undone.before) if others else undone.before
        targets = before.targets
        consecutive = version == targets.value + 1
        targets = targets.replaced(version) if consecutive else targets.extended(version, version)
        self._last = _EffectiveHistory(version, targets, head, derived, before, entry, undone)
        self._moments = self._moments.extended(version, self._last)
        if not derived:
            self.version = version
            return (Line(version, entry),)
        self.version = version + len(derived)
        return (Line(version, entry), *derived)

    def _derive(self, game: Game, last: int) -> tuple[tuple[Line, ...], Game]:
        derived: tuple[Line, ...] = ()
        if game.outcome is None and game.status is _OPEN:
            return derived, game
        while (caused := judgement.next_derived(game)) is not None:
            if self._stored and type(self._stored[0]) is type(caused):
                caused = self._stored.popleft()
            last += 1
            derived = (*derived, Line(last, caused))
            game = judgement.apply_derived(game, caused)
        return derived, game

    def _take_back(self, entry: TakeBack) -> tuple[Line, ...] | Refusal:
        moment: _EffectiveHistory | None = self._last
        while moment is not None and moment.version > entry.to:
            moment = moment.before
        if moment is None or moment.version != entry.to:
            return self._no_target(entry.to)
        head, rewritten = self._renumber(moment)
        return self._append(entry, head, rewritten, moment)

    def _undone_by(self, to: _EffectiveHistory) -> Undone | None:
        """Return what a `take_back` to a moment undoes, few entries together, many one by one."""
        undone, moment = self._last.undone, self._last
        lines: list[Line] = []
        while moment.version > to.version and moment.before is not None:
            if moment.entry is not None and type(moment.entry) is not TakeBack:
                lines.append(Line(moment.version, moment.entry))
            moment = moment.before
        if 0 < len(lines) <= UNDONE_TOGETHER_MAX:
            return Undone(tuple(reversed(lines)), undone)
        for line in lines:
            undone = Undone((line,), undone)
        return undone

    def _no_target(self, version: int) -> Refusal:
        then = _chain(self.head(version)) if 1 <= version <= self.version else ()
        why = explain_no_target(
            version,
            last=self.version,
            take_back_targets=self.take_back_targets,
            steps=self.steps(),
            then=then,
        )
        return self._no_version({"version": version, "why": why})

    def _no_version(self, facts: Mapping[str, Fact]) -> Refusal:
        return Refusal("table.version", facts=facts, ruleset=self.opening.rules.name)

    def _renumber(self, moment: _EffectiveHistory) -> tuple[Step | None, tuple[Line, ...]]:
        """Return the last step at a moment, with derived entries as new lines, and these lines."""
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

    def _edit_by(self, entry: "Amend[Entry] | Splice[Entry]") -> Edit | Refusal:
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
            return self._no_version({"version": entry.version, "number": left, "why": "beyond"})
        since = (step, *reversed(later))
        moves = (
            [(step.version, step.part, entry.move)]
            if is_amend(entry)
            else [(self.version + 1, part, move) for part, move in enumerate(moves_in(entry))]
        )
        return Edit(step.before, since[:dropped], tuple(moves), since[dropped:])

    def _rebuild(self, edit: Edit, *, trusted: bool) -> list[Step] | Refusal:
        last = self.version + 1
        judge = judgement.apply_trusted if trusted else judgement.judge
        built: list[Step] = []
        before = edit.before
        for version, part, entry, moved in edit_order(edit):
            game = before.game if before else self.opening
            number = move_number(version, part)
            judged = judge(game, entry, number)
            if isinstance(judged, Refusal):
                refusal = self._with_contradiction(judged, before, entry, number)
                return refusal if moved else _refuse_fallen(refusal, version)
            derived, game = self._derive(judged, last)
            before = Step(version, entry, derived, game, before, part)
            built.append(before)
            last += len(derived)
        return built

    def _with_contradiction(
        self, refusal: Refusal, head: Step | None, entry: Entry, number: int
    ) -> Refusal:
        if refusal.suspects or refusal.contradicts is not None:
            deal = self._deal(head)
            refusal = add_facts(deal, find_contradicted(deal, entry, number, refusal))
        version = None if refusal.contradicts is None else refusal.contradicts % _PARTS
        if version is not None and (version > self.version or refusal.contradicts == number):
            version = None  # an entry does not contradict itself or its own correction
        return replace(refusal, contradicts=version)

    def _deal(self, head: Step | None) -> list[EntryInDeal]:
        entries: list[EntryInDeal] = []
        while head is not None and head.game.deal is not None:
            before = head.before.game if head.before else self.opening
            entries.append((move_number(head.version, head.part), head.entry, before))
            head = head.before
        entries.reverse()
        return entries

    def preview(self, entry: Entry) -> Preview:
        """Return the effect of a correction without appending it."""
        if not (is_amend(entry) or is_splice(entry)):
            trial = self.copy()
            judged = trial.judge(entry)
            return Preview(judged if isinstance(judged, Refusal) else None, (), trial.game)
        edit = self._edit_by(entry)
        if isinstance(edit, Refusal):
            return Preview(edit, (), self.game)
        return self._preview_edit(edit)

    def _preview_edit(self, edit: Edit) -> Preview:
        before = edit.before
        fallen: list[FallenEntry] = []
        for version, part, entry, moved in edit_order(edit):
            game = before.game if before else self.opening
            number = move_number(version, part)
            judged = judgement.judge(game, entry, number)
            if not isinstance(judged, Refusal):
                derived, game = self._derive(judged, self.version)
                before = Step(version, entry, derived, game, before, part)
            elif moved:
                refusal = self._with_contradiction(judged, before, entry, number)
                return Preview(refusal, (), self.game)
            else:
                # Search only once: a correction can make hundreds of later entries illegal.
                judged = replace(judged, suspects=()) if fallen else judged
                refusal = self._with_contradiction(judged, before, entry, number)
                fallen.append(FallenEntry(version, entry, refusal, part))
        first = _refuse_fallen(fallen[0].refusal, fallen[0].version) if fallen else None
        game = before.game if before else self.opening
        return Preview(first, tuple(fallen), game, edit)


def _ends_a_deal(moment: _EffectiveHistory) -> bool:
    step = moment.head
    if step is None or step.version != moment.version or step.game.deal is not None:
        return False
    return bool(step.derived) or (step.before is not None and step.before.game.deal is not None)


def move_number(version: int, part: int) -> int:
    """Return the number under which a move is judged: its version, except for later parts.

    >>> move_number(7, 0), move_number(7, 1)
    (7, 4294967303)
    """
    return version + part * _PARTS


def edit_order(edit: Edit) -> Iterator[tuple[int, int, Entry, bool]]:
    """Yield version, part and entry of each move to judge, and whether it is in the correction."""
    for version, part, entry in edit.moves:
        yield version, part, entry, True
    for step in edit.later:
        yield step.version, step.part, step.entry, False


def _refuse_fallen(refusal: Refusal, version: int) -> Refusal:
    facts = {**refusal.facts, "falls": version}
    return Refusal(refusal.rule, version, facts, ruleset=refusal.ruleset)


def _chain(head: Step | None) -> list[Step]:
    chain: list[Step] = []
    while head is not None:
        chain.append(head)
        head = head.before
    chain.reverse()
    return chain
