"""Effects of a correction on every deal: unchanged, changed, broken, dropped or new."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from domain.table import judgement
from domain.table.dealing import next_dealer
from domain.table.history import Edit, Step, move_number
from domain.table.refusal import Refusal
from domain.table.rules import Game, Outcome
from schemas.entries import Entry, is_deal_ended

Fate = Literal["stands", "changes", "falls", "dropped", "new"]
Points = tuple[int, ...]


class DealFate(Struct, frozen=True):
    """Effect of a correction on one deal; a new deal has the number it will have afterwards.

    `before` and `after` are its points; None without points, or if they are not known yet. `falls`
    is the first entry that becomes illegal and `refusal` the reason; `waived` lists the clauses
    that must be waived so that the deal stays legal.
    """

    deal: int
    fate: Fate
    before: Points | None = None
    after: Points | None = None
    falls: Step | None = None
    refusal: Refusal | None = None
    waived: tuple[str, ...] = ()


class SurvivingEntry(Struct, frozen=True):
    """A later entry after the correction: `entry` includes the clauses it must waive.

    With `gap` it is the place of a broken deal's missing result, and `gap` the game there.
    """

    step: Step | None
    entry: Entry | None = None
    gap: Game | None = None


class CorrectionEffects(Struct, frozen=True):
    """Effects of a correction on all deals, and the later entries that survive it.

    Steps of `edit.later` that are missing in `survivors` become illegal.
    """

    deals: tuple[DealFate, ...]
    survivors: tuple[SurvivingEntry, ...]


def correction_effects(opening: Game, edit: Edit) -> CorrectionEffects:
    """Judge all deals after a correction again."""
    return _Replay(opening, edit).effects()


class _Replay:
    def __init__(self, opening: Game, edit: Edit) -> None:
        self._opening = opening
        self._edit = edit
        self._game = edit.before.game if edit.before else opening
        self._before = _points_by_deal((*edit.dropped, *edit.later))
        self._after: dict[int, Points] = {}
        self._broken: dict[int, tuple[Step | None, Refusal | None]] = {}
        self._waived: dict[int, tuple[str, ...]] = {}
        self._new: list[DealFate] = []
        self._open: int | None = None  # the deal that goes on after the moves
        self._kept: list[SurvivingEntry] = []

    def effects(self) -> CorrectionEffects:
        self._apply_moves()
        before, ended = self._open, self._edit.dropped
        for number, steps in groupby(self._edit.later, self._number):
            deal = tuple(steps)
            if (
                before is not None
                and self._game.deal is not None
                and self._is_between_deals(deal[0])
            ):
                self._break_unfinished(before, ended, deal[0])
            self._replay_deal(number, deal)
            before, ended = number, deal
        self._open = before if self._game.deal is not None else None
        return CorrectionEffects(tuple(self._fates()), tuple(self._kept))

    def _apply_moves(self) -> None:
        begun = self._game.deal is not None
        ended: list[tuple[int, Points]] = []
        for version, part, move in self._edit.moves:
            judged = judgement.judge(self._game, move, move_number(version, part))
            if isinstance(judged, Refusal):
                return
            ended += self._apply_due_entries(judged)
        first = self._number((*self._edit.dropped, *self._edit.later)[0])
        owed = list(dict.fromkeys([*[first] * begun, *_points_by_deal(self._edit.dropped)]))
        self._after |= {number: points for number, (_, points) in zip(owed, ended, strict=False)}
        self._open = owed[len(ended)] if len(ended) < len(owed) else None
        self._new = [DealFate(number, "new", None, points) for number, points in ended[len(owed) :]]

    def _replay_deal(self, number: int, steps: Sequence[Step]) -> None:
        untouched = self._is_between_deals(steps[0])
        for place, step in enumerate(steps):
            entry, judged = self._judge_step(step, waives=untouched)
            if isinstance(judged, Refusal):
                self._broken[number] = (step, judged)
                self._mark_gap(number, steps[place:])
                return
            if entry is not step.entry:
                more = [clause for clause in entry.waive if clause not in step.entry.waive]
                self._waived[number] = (*self._waived.get(number, ()), *more)
            self._kept.append(SurvivingEntry(step, entry))
            for _, points in self._apply_due_entries(judged):
                self._after[number] = points

    def _judge_step(self, step: Step, *, waives: bool) -> tuple[Entry, Game | Refusal]:
        """Judge a later step again; with `waives`, it waives each clause that it would break."""
        entry, number = step.entry, move_number(step.version, step.part)
        refused = judged = judgement.judge(self._game, entry, number)
        while waives and isinstance(judged, Refusal) and judged.rule not in entry.waive:
            entry = replace(entry, waive=(*entry.waive, judged.rule))
            judged = judgement.judge(self._game, entry, number)
        return (step.entry, refused) if isinstance(judged, Refusal) else (entry, judged)

    def _break_unfinished(self, number: int, steps: Sequence[Step], following: Step) -> None:
        self._broken.setdefault(number, (following, None))
        ended = [step for step in steps if number in _points_by_deal((step,))]
        if ended:
            self._mark_gap(number, ended)

    def _mark_gap(self, number: int, steps: Sequence[Step]) -> None:
        last = steps[-1]
        ended = next((line.entry for line in last.derived if is_deal_ended(line.entry)), None)
        if ended is None or number in self._after or self._game.deal is None:
            return
        self._kept.append(SurvivingEntry(None, gap=self._game))
        outcome = Outcome(ended.points, ended.detail, self._deals_next(last))
        self._apply_due_entries(replace(self._game, outcome=outcome))

    def _deals_next(self, last: Step) -> int | None:
        """Return who deals next: the player after the dealer, unless the record named another."""
        before = last.before.game if last.before else self._opening
        named, dealt = last.game.dealer, before.deal
        if named is None or dealt is None or named != next_dealer(dealt.dealer, before.seats):
            return named
        return next_dealer(self._game.deal.dealer, before.seats)

    def _apply_due_entries(self, game: Game) -> list[tuple[int, Points]]:
        ended: list[tuple[int, Points]] = []
        while (caused := judgement.next_derived(game)) is not None:
            if is_deal_ended(caused):
                ended.append((caused.deal, caused.points))
            game = judgement.apply_derived(game, caused)
        self._game = game
        return ended

    def _fates(self) -> Iterator[DealFate]:
        untouched = self._edit.before.game.deals if self._edit.before else ()
        for number, points in enumerate(untouched, 1):
            yield DealFate(number, "stands", points, points)
        yield from self._new
        numbers = dict.fromkeys(map(self._number, (*self._edit.dropped, *self._edit.later)))
        for number in numbers:
            before, after = self._before.get(number), self._after.get(number)
            if number in self._broken:
                falls, refusal = self._broken[number]
                yield DealFate(number, "falls", before, after, falls, refusal)
                continue
            fate: Fate = "stands" if before == after else "changes"
            if before is not None and after is None and number != self._open:
                fate = "dropped"
            waived = self._waived.get(number, ())
            yield DealFate(number, fate, before, after, waived=waived)

    def _number(self, step: Step) -> int:
        return len((step.before.game if step.before else self._opening).deals) + 1

    def _is_between_deals(self, step: Step) -> bool:
        return (step.before.game if step.before else self._opening).deal is None


def _points_by_deal(steps: Iterable[Step]) -> dict[int, Points]:
    return {
        line.entry.deal: line.entry.points
        for step in steps
        for line in step.derived
        if is_deal_ended(line.entry)
    }
