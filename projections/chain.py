"""The score sheet of a chain: games that go on from one another are shown as one game."""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import dropwhile
from typing import Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from projections.score_sheet import (
    AdjustmentRow,
    AnyRow,
    ChangeRow,
    DealRow,
    FactColumn,
    FactValue,
    ScoreSheet,
    VoidRow,
)
from schemas.entries import ARRIVED, CARRIED

PersonT = TypeVar("PersonT", bound=Hashable)


class ChainPart(Struct, Generic[PersonT], frozen=True, kw_only=True):
    """A game of a chain. `people`: by seat. `rules`: whether they differ from those before."""

    people: tuple[PersonT, ...]
    sheet: ScoreSheet
    rules: bool = False


class ChainSheet(Struct, Generic[PersonT], frozen=True, kw_only=True):
    """`people`: by column, those of the last game first, then those who left."""

    people: tuple[PersonT, ...]
    sheet: ScoreSheet


def is_start(row: AnyRow) -> bool:
    """Return whether a row gives a player the points with which a game of a chain begins."""
    return isinstance(row, AdjustmentRow) and row.reason in {CARRIED, ARRIVED}


def join_parts(parts: Sequence[ChainPart[PersonT]]) -> ChainSheet[PersonT]:
    """Join the sheets of a chain, the first game first.

    Totals carried over and points of arrivals become one `ChangeRow`; deals are numbered on.
    """
    last = parts[-1]
    people = tuple(dict.fromkeys(person for part in (last, *parts[:-1]) for person in part.people))
    finals: dict[PersonT, int] = {}
    for part in parts:
        finals |= zip(part.people, part.sheet.totals, strict=True)
    columns = last.sheet.columns
    rows: list[AnyRow] = []
    deals = 0
    for at, part in enumerate(parts):
        place = _Place(part.people, people, columns, len(parts) - 1 - at, deals)
        own = part.sheet.rows
        if at:
            change = _change(parts[at - 1], part, place)
            if change.arrived or change.left or change.rules:
                rows.append(change)
            own = tuple(dropwhile(is_start, own))
        rows.extend(map(place.row, own))
        deals += part.sheet.deals
    left_count = len(people) - len(last.people)
    return ChainSheet(
        people=people,
        sheet=replace(
            last.sheet,
            seats=len(people),
            deals=deals,
            rows=tuple(rows),
            totals=tuple(finals[person] for person in people),
            took_part=(*last.sheet.took_part, *(False,) * left_count),
            standings=_standings(parts, people),
        ),
    )


def _change(
    before: ChainPart[PersonT], after: ChainPart[PersonT], place: "_Place[PersonT]"
) -> ChangeRow:
    starts = list(_starts(after.sheet.rows))
    totals: Sequence[int | None] = starts[-1].totals if starts else (0,) * len(after.people)
    return ChangeRow(
        version=starts[-1].version if starts else 1,
        totals=place.widen(totals),
        ago=place.ago,
        arrived=place.seats(person for person in after.people if person not in before.people),
        left=place.seats(person for person in before.people if person not in after.people),
        rules=after.rules,
    )


def _starts(rows: Iterable[AnyRow]) -> Iterator[AnyRow]:
    for row in rows:
        if not is_start(row):
            return
        yield row


def _standings(
    parts: Sequence[ChainPart[PersonT]], people: Sequence[PersonT]
) -> Mapping[str, tuple[int, ...]]:
    """Add up what is counted per seat, such as the number of deals lost."""
    sums: dict[str, dict[PersonT, int]] = {}
    for part in parts:
        for name, values in part.sheet.standings.items():
            counted = sums.setdefault(name, dict.fromkeys(people, 0))
            for person, value in zip(part.people, values, strict=True):
                counted[person] += value
    return {name: tuple(counted.values()) for name, counted in sums.items()}


class _Place(Generic[PersonT]):
    """Moves rows of one game to the columns of the chain."""

    def __init__(
        self,
        own: Sequence[PersonT],
        people: Sequence[PersonT],
        columns: Sequence[FactColumn],
        ago: int,
        deals_before: int,
    ) -> None:
        self.ago = ago
        self._people = people
        self._column = [people.index(person) for person in own]
        self._seat = {column: seat for seat, column in enumerate(self._column)}
        self._kinds = {column.name: column.kind for column in columns}
        self._deals_before = deals_before

    def seats(self, people: Iterable[PersonT]) -> tuple[int, ...]:
        return tuple(sorted(map(self._people.index, people)))

    def widen(self, values: Sequence[int | None]) -> tuple[int | None, ...]:
        return tuple(
            values[self._seat[column]] if column in self._seat else None
            for column in range(len(self._people))
        )

    def row(self, row: AnyRow) -> AnyRow:
        row = replace(row, totals=self.widen(row.totals), ago=self.ago)
        if isinstance(row, AdjustmentRow):
            return replace(row, seat=self._column[row.seat])
        if isinstance(row, DealRow | VoidRow):
            dealer = None if row.dealer is None else self._column[row.dealer]
            row = replace(row, number=row.number + self._deals_before, dealer=dealer)
        if isinstance(row, DealRow):
            facts = {name: self._fact(name, value) for name, value in row.facts.items()}
            return replace(row, points=self.widen(row.points), facts=facts)
        return row

    def _fact(self, name: str, value: FactValue) -> FactValue:
        if isinstance(value, tuple):
            return self.widen(value)
        if isinstance(value, int) and self._kinds[name] == "seat":
            return self._column[value]
        return value
