"""The rows of a score sheet as cells in one language."""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

from projections.score_sheet import (
    AdjustmentRow,
    AnyRow,
    ChangeRow,
    DealRow,
    FactColumn,
    FactValue,
    FinishRow,
    NoteRow,
    ScoreSheet,
    SetAsideRow,
    VoidRow,
)
from schemas.entries import RESERVED_REASONS
from service.export.formats.dialects import Cell, Line
from service.language.texts import Names, Texts


class SheetRows:
    """A sheet in one language. `names` by seat; a seat without one is called by its number.

    `erased`: `ago` and version of rows whose remark was erased. The columns: deal, row, dealer, the
    game's facts, points and total per player, remark. `winners_named`: the table said who won,
    which is in a column of its own.
    """

    def __init__(
        self,
        sheet: ScoreSheet,
        names: Names,
        lang: str,
        texts: Texts,
        erased: AbstractSet[tuple[int, int]] = frozenset(),
        *,
        winners_named: bool = False,
    ) -> None:
        self.sheet = sheet
        self.lang = lang
        self.texts = texts
        self.erased = erased
        self.winners_named = winners_named
        self.players = [texts.player(seat, lang, names) for seat in range(sheet.seats)]

    def header(self) -> Line:
        word = self._word
        facts = [heading for column in self.sheet.columns for heading in self._headings(column)]
        totals = [f"{word('total')} {player}" for player in self.players]
        start = [word("number"), word("row"), word("dealer")]
        winner = [word("winner")] if self.winners_named else []
        return [*start, *facts, *self.players, *totals, *winner, word("remark")]

    def lines(self) -> Iterator[Line]:
        for row in self.sheet.rows:
            yield [
                *self._start(row),
                *points_of(row, self.sheet.seats),
                *row.totals,
                *([self._winners(row)] if self.winners_named else []),
                self.remark(row),
            ]

    def _winners(self, row: AnyRow) -> str | None:
        if not isinstance(row, FinishRow):
            return None
        first = self.sheet.ranking[0] if self.sheet.ranking else ()
        return ", ".join(self.players[seat] for seat in first) or self._word("nobody")

    def remark(self, row: AnyRow) -> str | None:
        """Return the remark of a row, or a note that it was erased."""
        if isinstance(row, ChangeRow):
            return self._change(row)
        written = remark(row)
        if written in RESERVED_REASONS:
            return self._word(written)
        is_erased = written == "" and (row.ago, row.version) in self.erased
        return self._word("erased") if is_erased else written

    def _change(self, row: ChangeRow) -> str:
        people = (("arrives", row.arrived), ("leaves", row.left))
        changes = [
            self._word(kind).format(name=self.players[seat])
            for kind, seats in people
            for seat in seats
        ]
        return ", ".join([*changes, *([self._word("rules_change")] if row.rules else [])])

    def standings(self) -> Iterator[Line]:
        """Yield a line per alternative ranking, its numbers below the players."""
        facts = [None for column in self.sheet.columns for _ in self._headings(column)]
        totals = [None] * (self.sheet.seats + self.winners_named)
        for name, values in self.sheet.standings.items():
            yield [None, self._word(name), None, *facts, *values, *totals, None]

    def _word(self, name: str) -> str:
        return self.texts.word(name, self.lang, self.sheet.ruleset)

    def _headings(self, column: FactColumn) -> list[str]:
        heading = self._word(column.name)
        if column.kind in {"per_seat", "yes_per_seat"}:
            return [f"{heading} {player}" for player in self.players]
        return [heading]

    def _start(self, row: AnyRow) -> Iterator[Cell]:
        dealt = row if isinstance(row, DealRow | VoidRow) else None
        yield dealt.number if dealt else None
        yield self._word(kind_of(row))
        yield self._player(dealt.dealer) if dealt else None
        facts: Mapping[str, FactValue] = row.facts if isinstance(row, DealRow) else {}
        for column in self.sheet.columns:
            yield from self._fact(column, facts.get(column.name))

    def _fact(self, column: FactColumn, value: FactValue) -> Line:
        match value:
            case tuple():
                return value
            case None:
                return [None] * len(self._headings(column))
            case int():
                return [self._player(value) if column.kind == "seat" else value]
            case str():
                suit = column.kind == "suit"
                return [self.texts.suit(value, self.lang) if suit else self._word(value)]

    def _player(self, seat: int | None) -> str | None:
        return None if seat is None else self.players[seat]


def kind_of(row: AnyRow) -> str:
    """Return the kind of a row, as in texts and JSON."""
    return str(row.__struct_config__.tag)


def points_of(row: AnyRow, seats: int) -> Sequence[int | None]:
    """Return the points of a row by seat; None for a seat it does not concern."""
    match row:
        case DealRow(points=points):
            return points
        case AdjustmentRow(seat=seat, points=points):
            return [points if seat == place else None for place in range(seats)]
        case _:
            return [None] * seats


def remark(row: AnyRow) -> str | None:
    match row:
        case NoteRow(text=text):
            return text
        case VoidRow(reason=reason) | AdjustmentRow(reason=reason):
            return reason
        case FinishRow(reason=reason) | SetAsideRow(reason=reason):
            return reason
        case DealRow() | ChangeRow():
            return None
