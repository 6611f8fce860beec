"""Raw log → effective history: what stands after `take_back` and `amend`.

The log itself is never rewritten.

The effective history is a chain of `Step`s, each an entry with the game after it; every step points
to the one before, so each version of the log keeps the history that stood when it was the last, at
no cost. Taking back to a version goes back to that history; amending a version builds the chain
anew from there, judging the later entries again. Derived entries that a correction makes void are
written again after it.
"""

from collections import deque
from collections.abc import Iterable
from typing import cast

from msgspec import Struct
from msgspec.structs import replace

from domain import table
from domain.refusal import Refusal
from domain.rules import Game
from schemas.entries import DERIVED, Amend, Entry, Started, TakeBack, is_amend

# The versions a `take_back` may name, newest first: each points to those before it.
Standing = tuple[int, "Standing | None"]


_CORRECTIONS: frozenset[type[Entry]] = frozenset({TakeBack, Amend})


class Line(Struct, frozen=True):
    """One entry of the raw log and its version."""

    version: int
    entry: Entry


class Step(Struct, frozen=True):
    """An entry that stands, what it caused (`derived`), and the game after all of it."""

    version: int
    entry: Entry
    derived: tuple[Line, ...]
    game: Game
    before: "Step | None"


class _Moment(Struct, frozen=True):
    """What stood when some version was the last."""

    head: Step | None
    standing: Standing


class Fallen(Struct, frozen=True):
    """A later entry that a correction leaves without ground, and why."""

    version: int
    entry: Entry
    refusal: Refusal


class Preview(Struct, frozen=True):
    """What a correction would do: why it is refused, what would fall, the game that would stand."""

    refusal: Refusal | None
    fallen: tuple[Fallen, ...]
    game: Game


class History:
    """A game's log as it grows. `version` is the last one; `game` is what stands now.

    Version 1 (`started`) is the opening given to the constructor.
    """

    def __init__(self, opening: Game) -> None:
        self.opening = opening
        self.version = 1
        self.head: Step | None = None
        self._standing: Standing = (1, None)
        self._moments: dict[int, _Moment] = {1: _Moment(None, self._standing)}
        self._stored: deque[Entry] = deque()

    @property
    def game(self) -> Game:
        """The game that stands now."""
        return self.head.game if self.head else self.opening

    def copy(self) -> "History":
        """Return an independent history with the same past."""
        twin = History(self.opening)
        twin.version, twin.head = self.version, self.head
        twin._standing, twin._moments = self._standing, dict(self._moments)
        return twin

    def until(self, version: int) -> "History":
        """Return the history as `version`, the last one then, left it; nothing is folded again.

        A derived version is its cause's moment.

        Raises:
            ValueError: no such version, below 1 or above the last.

        """
        moment = self._moment(version)
        twin = History(self.opening)
        twin.version, twin.head, twin._standing = version, moment.head, moment.standing
        twin._moments = {at: kept for at, kept in self._moments.items() if at <= version}
        return twin

    @property
    def standing(self) -> tuple[int, ...]:
        """The versions a `take_back` may name: 1 and every entry by hand that stands."""
        found: list[int] = []
        standing: Standing | None = self._standing
        while standing is not None:
            version, standing = standing
            found.append(version)
        return tuple(reversed(found))

    def at(self, version: int) -> Game:
        """Return the game as it stood when `version` was the last; a derived one is its cause's.

        Raises:
            ValueError: no such version, below 1 or above the last.

        """
        head = self._moment(version).head
        return head.game if head else self.opening

    def _moment(self, version: int) -> _Moment:
        if not 1 <= version <= self.version:
            message = f"version {version} is not one of 1 to {self.version}"
            raise ValueError(message)
        while version not in self._moments:
            version -= 1
        return self._moments[version]

    def steps(self) -> list[Step]:
        """Return the effective history, oldest first."""
        return _chain(self.head, since=0)

    def judge(self, entry: Entry) -> tuple[Line, ...] | Refusal:
        """Let an entry stand and return it with what it caused, or say why it cannot stand.

        A refusal changes nothing. Clauses: `table.version` for corrections, else the entry's own.
        """
        if type(entry) in _CORRECTIONS:
            return self._correct(entry)
        game = self.head.game if self.head else self.opening
        return table.refuse(game, entry, self.version + 1) or self._stand(entry)

    def _correct(self, entry: Entry) -> tuple[Line, ...] | Refusal:
        if is_amend(entry):
            return self._amend(entry)
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
        if isinstance(entry, TakeBack):
            self._take_back(entry)
        elif is_amend(entry):
            self._amend(entry, trusted=True)
        else:
            self._stand(entry)
        self._stored.clear()

    def _stand(self, entry: Entry) -> tuple[Line, ...]:
        version = self.version + 1
        self.head = self._step(self.head, version, entry, version)
        return self._keep(entry, self.head.derived)

    def _keep(self, entry: Entry, derived: tuple[Line, ...]) -> tuple[Line, ...]:
        """Give versions to a judged entry and what it caused; remember the history it leaves."""
        version = self.version + 1
        self.version = version + len(derived)
        self._standing = (version, self._standing)
        self._moments[version] = _Moment(self.head, self._standing)
        return (Line(version, entry), *derived)

    def _step(self, before: Step | None, version: int, entry: Entry, last: int) -> Step:
        """Apply an entry and what it causes; `last` is the highest version given out so far."""
        game = table.apply(before.game if before else self.opening, entry, version)
        derived: list[Line] = []
        while (caused := table.due(game)) is not None:
            if self._stored and type(self._stored[0]) is type(caused):
                caused = self._stored.popleft()
            last += 1
            derived.append(Line(last, caused))
            game = table.apply(game, caused, last)
        return Step(version, entry, tuple(derived), game, before)

    def _take_back(self, entry: TakeBack) -> tuple[Line, ...] | Refusal:
        standing: Standing | None = self._standing
        while standing is not None and standing[0] > entry.to:
            standing = standing[1]
        if standing is None or standing[0] != entry.to:
            return Refusal("table.version", facts={"version": entry.to})
        self._standing = standing
        self.head = self._renumbered(self._moments[entry.to].head, entry.to)
        rewritten = [
            line for step in self.steps() for line in step.derived if line.version > self.version
        ]
        return self._keep(entry, tuple(rewritten))

    def _renumbered(self, head: Step | None, to: int) -> Step | None:
        """Give new versions to the derived entries that were written after `to`."""
        after = [
            step
            for step in _chain(head, since=0)
            if any(line.version > to for line in step.derived)
        ]
        if not after:
            return head
        last = self.version + 1
        before = after[0].before
        for step in _chain(head, since=after[0].version):
            derived = tuple(
                Line(last + place, line.entry) for place, line in enumerate(step.derived, 1)
            )
            last += len(derived)
            before = replace(step, derived=derived, before=before)
        return before

    def _target(self, version: int) -> Step | None:
        """Find the standing step of a version; corrections are no steps."""
        step = self.head
        while step is not None and step.version > version:
            step = step.before
        return step if step is not None and step.version == version else None

    def _amend(self, entry: "Amend[Entry]", *, trusted: bool = False) -> tuple[Line, ...] | Refusal:
        target = self._target(entry.version)
        if target is None:
            return Refusal("table.version", facts={"version": entry.version})
        built = self._rebuilt(target, entry.move, trusted=trusted)
        if isinstance(built, Refusal):
            return built
        self.head = built
        first = entry.version
        written = [line for step in _chain(built, since=first) for line in step.derived]
        return self._keep(entry, tuple(written))

    def _rebuilt(self, target: Step, move: Entry, *, trusted: bool) -> Step | Refusal:
        """Judge `move` in the target's place, then the later entries up to the first that falls."""
        last = self.version + 1
        before = target.before
        for step in _chain(self.head, since=target.version):
            entry = move if step.version == target.version else step.entry
            game = before.game if before else self.opening
            refusal = None if trusted else table.refuse(game, entry, step.version)
            if refusal is not None and entry is not move:
                return _falls(refusal, step.version)
            if refusal is not None:
                return refusal
            before = self._step(before, step.version, entry, last)
            last += len(before.derived)
        assert before is not None  # noqa: S101 the chain since the target holds the target
        return before

    def preview(self, entry: Entry) -> Preview:
        """Show what a correction would do and every later entry that would fall; store nothing."""
        if not is_amend(entry):
            trial = self.copy()
            judged = trial.judge(entry)
            return Preview(judged if isinstance(judged, Refusal) else None, (), trial.game)
        target = self._target(entry.version)
        if target is None:
            return Preview(
                Refusal("table.version", facts={"version": entry.version}), (), self.game
            )
        return self._preview_amend(target, entry.move)

    def _preview_amend(self, target: Step, move: Entry) -> Preview:
        before = target.before
        fallen: list[Fallen] = []
        for step in _chain(self.head, since=target.version):
            entry = move if step.version == target.version else step.entry
            game = before.game if before else self.opening
            refusal = table.refuse(game, entry, step.version)
            if refusal is not None and entry is move:
                return Preview(refusal, (), self.game)
            if refusal is not None:
                fallen.append(Fallen(step.version, entry, refusal))
                continue
            before = self._step(before, step.version, entry, self.version)
        assert before is not None  # noqa: S101 the amended entry stands
        first = _falls(fallen[0].refusal, fallen[0].version) if fallen else None
        return Preview(first, tuple(fallen), before.game)


def _falls(refusal: Refusal, version: int) -> Refusal:
    """Say that a correction leaves the later entry `version` without ground, and by what clause."""
    return Refusal(refusal.rule, version, {**refusal.facts, "falls": version})


def _chain(head: Step | None, since: int) -> list[Step]:
    """Return the steps from version `since` on, oldest first."""
    found: list[Step] = []
    while head is not None and head.version >= since:
        found.append(head)
        head = head.before
    found.reverse()
    return found
