"""The score sheet of a game: what stands, row by row, as a pure fold over its effective history."""

from collections.abc import Iterable, Mapping
from typing import Any, Literal, Protocol, TypeVar

from msgspec import UNSET, Struct

from domain.table.history import History, Step
from domain.table.rules import Game, Ranking
from projections.summary import deals_ended_by, ranking, summary
from schemas.entries import (
    Adjust,
    Entry,
    Finish,
    Note,
    SetAside,
    Void,
)

FactKind = Literal["seat", "suit", "per_seat", "yes_per_seat", "count", "word"]
DetailT_contra = TypeVar("DetailT_contra", contravariant=True)
FactValue = int | str | tuple[int, ...] | None


class FactColumn(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """One thing a game tells of every deal, and what kind of value it is.

    `seat`: a seat; `suit`: S H D C; `per_seat`: one number a seat; `yes_per_seat`: 1 or 0 a seat;
    `count`: a number; `word`: one of the game's own words. A value that nobody knows is None.
    `first`: which fact names the seat whose number is said before the others'.
    """

    name: str
    kind: FactKind
    first: str | None = None


class SheetFacts(Protocol[DetailT_contra]):
    """What a game adds to its score sheet."""

    @property
    def columns(self) -> tuple[FactColumn, ...]:
        """The facts it tells, in order."""
        ...

    def facts(self, detail: DetailT_contra, /) -> Mapping[str, FactValue]:
        """Tell the facts of an ended deal, one for each column; `detail` is its game's own."""
        ...

    def standings(
        self, details: Iterable[DetailT_contra], seats: int, /
    ) -> Mapping[str, tuple[int, ...]]:
        """Tell what else names a winner, by name, one number a seat; {} where the totals do."""
        ...


class SheetRow(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="row"):
    """A line of the sheet: the version that wrote it, and the totals per seat after it."""

    version: int
    totals: tuple[int, ...]


class DealRow(SheetRow, frozen=True, forbid_unknown_fields=True, kw_only=True, tag="deal"):
    """An ended deal. `number` from 1; `dealer` None where nobody told; `facts` by column name."""

    number: int
    dealer: int | None
    facts: Mapping[str, FactValue]
    points: tuple[int, ...]


class VoidRow(SheetRow, frozen=True, forbid_unknown_fields=True, kw_only=True, tag="void"):
    """A deal annulled without points; its number goes to the next one."""

    number: int
    dealer: int | None
    reason: str


class AdjustmentRow(
    SheetRow, frozen=True, forbid_unknown_fields=True, kw_only=True, tag="adjustment"
):
    """Points the table awarded or took by agreement."""

    seat: int
    points: int
    reason: str


class NoteRow(SheetRow, frozen=True, forbid_unknown_fields=True, kw_only=True, tag="note"):
    """A remark."""

    text: str


class FinishRow(SheetRow, frozen=True, forbid_unknown_fields=True, kw_only=True, tag="finish"):
    """The table ended the game."""

    reason: str


class SetAsideRow(SheetRow, frozen=True, forbid_unknown_fields=True, kw_only=True, tag="set_aside"):
    """From here on the game counts nowhere."""

    reason: str


AnyRow = DealRow | VoidRow | AdjustmentRow | NoteRow | FinishRow | SetAsideRow


class ScoreSheet(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A game's score sheet.

    `columns` are the game's own facts of a deal, in order. `deals` counts the ended ones. `ranking`
    is best first, ties together; `leader` is the seat alone in front, None where nobody is.
    `standings`: other ways to name a winner that the game has, by name, one number a seat.
    """

    ruleset: str
    status: Literal["open", "finished"]
    seats: int
    deals: int
    columns: tuple[FactColumn, ...]
    rows: tuple[AnyRow, ...]
    totals: tuple[int, ...]
    ranking: Ranking
    leader: int | None
    standings: Mapping[str, tuple[int, ...]]


def score_sheet(history: History, facts: SheetFacts[Any]) -> ScoreSheet:
    """Fold what stands of a game into its score sheet."""
    steps = history.steps()
    game = history.game
    summed = summary(history)
    ranked = ranking(history)
    ahead = ranked[0]
    return ScoreSheet(
        ruleset=game.rules.name,
        status=summed.status,
        seats=game.seats,
        deals=summed.deals,
        columns=facts.columns,
        rows=tuple(_rows(history.opening, steps, facts)),
        totals=summed.totals,
        ranking=ranked,
        leader=ahead[0] if len(ahead) == 1 else None,
        standings=facts.standings(game.details, game.seats),
    )


def _rows(opening: Game, steps: Iterable[Step], facts: SheetFacts[Any]) -> Iterable[AnyRow]:
    before = opening
    for step in steps:
        yield from _own_row(step, before)
        for ended in deals_ended_by(step):
            yield DealRow(
                version=ended.version,
                totals=step.game.totals,
                number=ended.deal,
                dealer=_dealer(before, step.entry),
                facts=facts.facts(ended.detail),
                points=ended.points,
            )
        before = step.game


def _own_row(step: Step, before: Game) -> Iterable[AnyRow]:
    version, totals = step.version, step.game.totals
    match step.entry:
        case Adjust(seat=seat, points=points, reason=reason):
            yield AdjustmentRow(
                version=version, totals=totals, seat=seat, points=points, reason=reason
            )
        case Note(text=text):
            yield NoteRow(version=version, totals=totals, text=text)
        case Void(reason=reason):
            number, dealer = len(before.deals) + 1, _dealer(before, step.entry)
            yield VoidRow(
                version=version, totals=totals, number=number, dealer=dealer, reason=reason
            )
        case Finish(reason=reason):
            yield FinishRow(version=version, totals=totals, reason=reason)
        case SetAside(reason=reason):
            yield SetAsideRow(version=version, totals=totals, reason=reason)
        case _:
            pass


def _dealer(before: Game, entry: Entry) -> int | None:
    if before.deal is not None:
        return int(before.deal.dealer)
    named = getattr(entry, "dealer", UNSET)
    return before.dealer if named is UNSET else named
