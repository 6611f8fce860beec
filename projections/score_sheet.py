"""The score sheet of a game and its rows, each of one effective entry."""

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
    """A fact that a game shows for every deal, and its type. Unknown values are None.

    `seat`: a seat; `suit`: S H D C; `per_seat`: one number per seat; `yes_per_seat`: 1 or 0 per
    seat; `count`: a number; `word`: one of the game's own words. `first`: the fact that names the
    seat whose number comes first.
    """

    name: str
    kind: FactKind
    first: str | None = None


class SheetFacts(Protocol[DetailT_contra]):
    """What a game adds to its score sheet."""

    @property
    def columns(self) -> tuple[FactColumn, ...]: ...

    def facts(self, detail: DetailT_contra, /) -> Mapping[str, FactValue]:
        """Return the facts of an ended deal, one per column; `detail` is its game's own."""
        ...

    def standings(
        self, details: Iterable[DetailT_contra], seats: int, /
    ) -> Mapping[str, tuple[int, ...]]:
        """Return other ways to name a winner: one number per seat by name, {} if totals decide."""
        ...


class SheetRow(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="row"):
    version: int
    totals: tuple[int, ...]


class DealRow(SheetRow, frozen=True, forbid_unknown_fields=True, kw_only=True, tag="deal"):
    """An ended deal. `number` counts from 1; `dealer` None if unknown; `facts` by column name."""

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
    text: str


class FinishRow(SheetRow, frozen=True, forbid_unknown_fields=True, kw_only=True, tag="finish"):
    reason: str


class SetAsideRow(SheetRow, frozen=True, forbid_unknown_fields=True, kw_only=True, tag="set_aside"):
    """From here on the game does not count."""

    reason: str


AnyRow = DealRow | VoidRow | AdjustmentRow | NoteRow | FinishRow | SetAsideRow


class ScoreSheet(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The score sheet of a game.

    `columns` are the game's facts of a deal, in order. `deals` counts ended ones. `ranking` is best
    first, ties together; `leader` is the only seat in front, else None. `standings`: other ways to
    name a winner, one number per seat by name.
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


def score_sheet(history: History, facts: SheetFacts[Any], rows: Iterable[AnyRow]) -> ScoreSheet:
    """Return the score sheet of a game with some of its rows."""
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
        rows=tuple(rows),
        totals=summed.totals,
        ranking=ranked,
        leader=ahead[0] if len(ahead) == 1 else None,
        standings=facts.standings(game.details, game.seats),
    )


def rows_of_step(step: Step, before: Game, facts: SheetFacts[Any]) -> Iterable[AnyRow]:
    """Yield the rows that an entry adds to the score sheet; the row of an ended deal is last."""
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
