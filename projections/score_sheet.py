"""The score sheet of a game and its rows, each of one effective entry."""

from collections.abc import Collection, Iterable, Mapping
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
FactValue = int | str | tuple[int | None, ...] | None


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

    def absent(self, detail: DetailT_contra, /) -> Collection[int]:
        """Return the seats that did not take part in an ended deal."""
        ...

    def standings(
        self, details: Iterable[DetailT_contra], seats: int, /
    ) -> Mapping[str, tuple[int, ...]]:
        """Return other ways to name a winner: one number per seat by name, {} if totals decide."""
        ...


class SheetRow(
    Struct,
    frozen=True,
    forbid_unknown_fields=True,
    kw_only=True,
    tag_field="row",
    omit_defaults=True,
):
    """A row of the entry `version`, with the totals after it; null: not at the table.

    `ago`: how many games before the last one of a chain (`projections.chain`) it was recorded in;
    absent: 0.
    """

    version: int
    totals: tuple[int | None, ...]
    ago: int = 0


class DealRow(SheetRow, frozen=True, forbid_unknown_fields=True, kw_only=True, tag="deal"):
    """An ended deal. `number` counts from 1; `dealer` None if unknown; `facts` by column name.

    `points`: null for a seat that did not take part.
    """

    number: int
    dealer: int | None
    facts: Mapping[str, FactValue]
    points: tuple[int | None, ...]


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


class ChangeRow(SheetRow, frozen=True, forbid_unknown_fields=True, kw_only=True, tag="change"):
    """A change of players or rules in a chain; `totals` are those at the start of the next game.

    `arrived`, `left`: seats.
    """

    arrived: tuple[int, ...]
    left: tuple[int, ...]
    rules: bool


AnyRow = DealRow | VoidRow | AdjustmentRow | NoteRow | FinishRow | SetAsideRow | ChangeRow
# Rows that change the totals.
ChartedRow = DealRow | AdjustmentRow | ChangeRow


class ScoreSheet(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The score sheet of a game.

    `columns` are the game's facts of a deal, in order. `deals` counts ended ones. `ranking` is best
    first, ties together, without seats that are not ranked; `took_part`: per seat, whether the game
    is over and counts; `leader` is the only seat in front, else None. `standings`: other ways to
    name a winner, one number per seat by name. In a chain, those who left follow the players of the
    last game: they have columns and the total with which they left, but no place.
    """

    ruleset: str
    status: Literal["open", "finished"]
    seats: int
    deals: int
    columns: tuple[FactColumn, ...]
    rows: tuple[AnyRow, ...]
    totals: tuple[int, ...]
    ranking: Ranking
    took_part: tuple[bool, ...]
    leader: int | None
    standings: Mapping[str, tuple[int, ...]]


def score_sheet(history: History, facts: SheetFacts[Any], rows: Iterable[AnyRow]) -> ScoreSheet:
    """Return the score sheet of a game with some of its rows."""
    game = history.game
    summed = summary(history)
    ranked = ranking(history)
    ahead = ranked[0] if ranked else ()
    return ScoreSheet(
        ruleset=game.rules.name,
        status=summed.status,
        seats=game.seats,
        deals=summed.deals,
        columns=facts.columns,
        rows=tuple(rows),
        totals=summed.totals,
        ranking=ranked,
        took_part=summed.took_part,
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
            points=_without_absent(ended.points, facts.absent(ended.detail)),
        )


def _without_absent(points: tuple[int, ...], absent: Collection[int]) -> tuple[int | None, ...]:
    return tuple(None if seat in absent else won for seat, won in enumerate(points))


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
