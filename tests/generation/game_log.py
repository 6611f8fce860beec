"""A reference for growing logs: versions, totals, deals and next dealer, by the rule text alone.

Independent of `domain.table.history`: it stores the whole effective history of every version and
folds it again after each correction. Slow and obvious.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

Entry = dict[str, Any]
NOTE: Entry = {"type": "note", "text": "and then?"}


def never() -> bool:
    return False


@dataclass(frozen=True)
class Effect:
    """The effect of an entry: the deal it ends, points, the dealer, the table after it."""

    deal: tuple[int, ...] | None = None
    awarded: tuple[int, int] | None = None  # seat, points
    finishes: bool = False
    numbered: frozenset[int] = frozenset()  # the seats that have a number in this deal
    winners: tuple[int, ...] | None = None  # named by the entry that ends the game
    dealer: int | None = None  # the real dealer, if the entry names one
    rotates: bool = False  # the deal passes to the left of the dealer
    table: tuple[tuple[int, ...], tuple[int, ...], int] | None = None  # to_act, counts, stock
    remark: bool = False


@dataclass(frozen=True)
class Step:
    """An effective entry with the versions of its derived entries."""

    version: int
    entry: Entry
    effect: Effect
    derived: tuple[int, ...] = ()
    part: int = 0  # index of a move in its splice


@dataclass(frozen=True)
class Standing:
    """The score after a history; `broken`: an entry follows the end."""

    totals: tuple[int, ...]
    deals: tuple[tuple[int, ...], ...] = ()
    over: bool = False
    broken: bool = False
    dealer_next: int | None = None
    table: tuple[tuple[int, ...], tuple[int, ...], int] | None = None
    caused: tuple[int, ...] = ()  # derived entries each step causes
    numbered: frozenset[int] = frozenset()
    winners: tuple[int, ...] | None = None


@dataclass
class GameLog:
    """The log of a game, first to `target` or `rounds`, at the end of a deal.

    `forgets` returns, per entry, whether it is omitted at first and inserted by a splice.
    """

    seats: int
    target: int
    forgets: Callable[[], bool] = never
    rounds: int = 10**9
    log: list[Entry] = field(default_factory=list[Entry])
    version: int = 1
    steps: list[Step] = field(default_factory=list[Step])
    stood: dict[int, list[Step]] = field(default_factory=lambda: {1: []})
    standing_versions: list[int] = field(default_factory=lambda: [1])
    folded: tuple[list[Step], Standing] | None = None  # the last history that was, and its end

    def fold(self, steps: list[Step]) -> Standing:
        now = Standing(totals=(0,) * self.seats)
        for step in steps:
            now = self.after(now, step.effect)
        return now

    def after(self, now: Standing, effect: Effect) -> Standing:
        if now.over:
            broken = now.broken or not effect.remark
            return replace(now, broken=broken, caused=(*now.caused, 0))
        totals, deals, over, written = (
            list(now.totals),
            now.deals,
            effect.finishes,
            int(effect.finishes),
        )
        if effect.awarded:
            totals[effect.awarded[0]] += effect.awarded[1]
        if effect.deal is not None:
            totals = [total + won for total, won in zip(totals, effect.deal, strict=True)]
            deals = (*deals, effect.deal)
            over = max(totals) >= self.target or len(deals) >= self.rounds
            written = 1 + over
        dealer = now.dealer_next if effect.dealer is None else effect.dealer
        if effect.rotates and dealer is not None:
            dealer = (dealer + 1) % self.seats
        table = now.table if effect.remark or effect.awarded else effect.table
        return Standing(
            tuple(totals),
            deals,
            over,
            now.broken,
            dealer,
            None if over else table,
            (*now.caused, written),
            now.numbered | effect.numbered,
            effect.winners,
        )

    @property
    def now(self) -> Standing:
        """The current standing; a history is replaced, never changed."""
        if self.folded is None or self.folded[0] is not self.steps:
            self.folded = (self.steps, self.fold(self.steps))
        return self.folded[1]

    def expected(self, pack: int) -> Entry:
        """Return the expected answer of `carnet check`; `pack`: the number of cards."""
        now = self.now
        to_act, counts, stock = now.table or ((), (0,) * self.seats, pack)
        if now.table is None and not now.over:
            to_act = tuple(range(self.seats)) if now.dealer_next is None else (now.dealer_next,)
        return {
            "ok": True,
            "deals": [list(points) for points in now.deals],
            "totals": list(now.totals),
            "finished": now.over,
            "to_act": list(to_act),
            "hand_counts": list(counts),
            "stock": stock,
        }

    def say(self, entry: Entry, effect: Effect) -> int:
        if self.steps and self.forgets():
            remark = self.write(NOTE, Effect(remark=True))
            return self.splice(len(self.steps) - 1, remark % 2, [(entry, effect)])
        return self.write(entry, effect)

    def write(self, entry: Entry, effect: Effect) -> int:
        self.log.append(entry)
        version = self.version + 1
        now = self.after(self.now, effect)
        caused = now.caused[-1]
        derived = tuple(range(version + 1, version + 1 + caused))
        self.steps = [*self.steps, Step(version, entry, effect, derived)]
        self.folded = (self.steps, now)
        self.keep(version, caused)
        return version

    def keep(self, version: int, written: int) -> None:
        self.version = version + written
        self.stood[version] = self.steps
        self.standing_versions.append(version)

    def take_back(self, to: int) -> None:
        """Take back all entries after `to`; derived entries are written again."""
        self.log.append({"type": "take_back", "to": to})
        version = self.version + 1
        steps, written = list[Step](), 0
        for step in self.stood[to]:
            if any(line > to for line in step.derived):
                first = version + 1 + written
                written += len(step.derived)
                steps.append(replace(step, derived=tuple(range(first, first + len(step.derived)))))
            else:
                steps.append(step)
        self.steps = steps
        self.standing_versions = [one for one in self.standing_versions if one <= to]
        self.keep(version, written)

    def amended(self, target: int, move: Entry, effect: Effect) -> list[Step]:
        """Return the history with `move` instead of `target`."""
        return [
            replace(step, entry=move, effect=effect) if step.version == target else step
            for step in self.steps
        ]

    def amend(self, target: int, move: Entry, effect: Effect) -> None:
        """Replace `target` by `move`; later derived entries are written again."""
        self.log.append({"type": "amend", "version": target, "move": move})
        place = next(place for place, step in enumerate(self.steps) if step.version == target)
        self.renew(self.amended(target, move, effect), place)

    def spliced(self, place: int, drop: int, moves: Sequence[tuple[Entry, Effect]]) -> list[Step]:
        """Return the history with `moves` in the place of `drop` entries from a place on."""
        version = self.version + 1
        put_in = [
            Step(version, move, effect, part=part) for part, (move, effect) in enumerate(moves)
        ]
        return [*self.steps[:place], *put_in, *self.steps[place + drop :]]

    def splice(self, place: int, drop: int, moves: Sequence[tuple[Entry, Effect]]) -> int:
        """Replace `drop` entries by `moves`; return the splice's version."""
        at, steps, version = self.steps[place], self.spliced(place, drop, moves), self.version + 1
        entry: Entry = {"type": "splice", "version": at.version, "drop": drop}
        if at.part:
            entry["part"] = at.part
        self.log.append({**entry, "moves": [move for move, _ in moves]})
        self.renew(steps, place)
        return version

    def renew(self, steps: list[Step], place: int) -> None:
        """Make a corrected history effective; derived entries from `place` on are written again."""
        version, caused, written = self.version + 1, self.fold(steps).caused, 0
        renewed = list(steps[:place])
        for step, count in zip(steps[place:], caused[place:], strict=True):
            first = version + 1 + written
            written += count
            renewed.append(replace(step, derived=tuple(range(first, first + count))))
        self.steps = renewed
        self.keep(version, written)
