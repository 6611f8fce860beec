"""The layout of a game on paper: texts and numbers in place."""

from collections.abc import Iterable, Sequence
from typing import Literal

from babel.dates import format_date, format_interval
from babel.lists import format_list
from msgspec import Struct
from msgspec.structs import replace

from domain.games import GAMES
from projections.score_sheet import (
    AdjustmentRow,
    AnyRow,
    ChangeRow,
    DealRow,
    FactColumn,
    FactValue,
    VoidRow,
)
from service.export.formats.typesetter import (
    PaperSize,
    format_signed,
    printable,
    qr_code,
    strip_controls,
)
from service.export.game.game import GameSheet
from service.export.game.paper_chart import PaperChart, layout_chart
from service.export.game.rows import kind_of, points_of

# More players than this need landscape.
_SEATS_UPRIGHT: dict[PaperSize, int] = {"a4": 6, "a5": 4}
_SUITS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
_DEALER = FactColumn(name="dealer", kind="seat")
# Characters of all remarks together, and of a single one.
_TEXTS_MAX, _TEXT_MIN = 200_000, 40
_YES, _NO, _NONE = "✓", "–", "–"
_SIGNS = {"adjustment": "±", "change": "→"}

Width = Literal["narrow", "name", "words", "score"]


class Column(Struct, frozen=True, kw_only=True):
    heading: str
    width: Width


class Cell(Struct, frozen=True, kw_only=True):
    """A player's cell: points of the row ("" for none), and the total after it."""

    points: str
    total: str


class PrintedRow(Struct, frozen=True, kw_only=True):
    """A line: the `facts` of a deal, or a `text` across; `cells` if totals are shown."""

    kind: str
    number: str
    facts: tuple[str, ...] = ()
    text: str = ""
    cells: tuple[Cell, ...] = ()


class Foot(Struct, frozen=True, kw_only=True):
    name: str
    values: tuple[str, ...]


class Paper(Struct, frozen=True, kw_only=True):
    size: PaperSize
    across: bool
    lang: str
    title: str
    players: tuple[str, ...]
    dates: str
    options: tuple[str, ...]
    number: str
    columns: tuple[Column, ...]
    rows: tuple[PrintedRow, ...]
    feet: tuple[Foot, ...]
    verdict: str
    warning: str
    chart: PaperChart | None
    page: str
    replay: str
    code: tuple[str, ...]


def layout_paper(game: GameSheet, size: PaperSize) -> Paper:
    sheet, word, columns = game.sheet, game.word, _columns(game)
    total = Foot(name=word("total"), values=tuple(map(format_signed, sheet.totals)))
    others = (
        Foot(name=word(name), values=tuple(map(format_signed, values)))
        for name, values in sheet.standings.items()
    )
    return Paper(
        size=size,
        across=sheet.seats > _SEATS_UPRIGHT[size],
        lang=game.lang,
        title=game.title,
        players=tuple(map(strip_controls, game.players)),
        dates=_dates(game),
        options=game.options,
        number=word("number"),
        columns=tuple(
            Column(heading=word(column.name), width=_width(column)) for column in columns
        ),
        rows=_shorten_texts([_row(game, row, columns) for row in sheet.rows]),
        feet=(total, *others),
        verdict=strip_controls(_verdict(game)),
        warning=_warning(game),
        chart=layout_chart(game),
        page=word("page"),
        replay=word("replay").format(address=game.replay),
        code=qr_code(game.replay),
    )


def _columns(game: GameSheet) -> tuple[FactColumn, ...]:
    deals = [row for row in game.sheet.rows if isinstance(row, DealRow)]
    known = (
        column
        for column in (_DEALER, *game.sheet.columns)
        if any(_value(row, column) is not None for row in deals)
    )
    return tuple(known) or (_DEALER,)


def _value(row: DealRow, column: FactColumn) -> FactValue:
    return row.dealer if column is _DEALER else row.facts.get(column.name)


def _in_order(row: DealRow, column: FactColumn) -> FactValue:
    value, first = _value(row, column), row.facts.get(column.first or "")
    if not isinstance(value, tuple) or not isinstance(first, int):
        return value
    return (value[first], *value[:first], *value[first + 1 :])


def _width(column: FactColumn) -> Width:
    match column.kind:
        case "seat":
            return "name"
        case "word":
            return "words"
        case "per_seat" | "yes_per_seat":
            return "score"
        case "suit" | "count":
            return "narrow"


def _row(game: GameSheet, row: AnyRow, columns: Iterable[FactColumn]) -> PrintedRow:
    match row:
        case DealRow(number=number):
            facts = tuple(_fact(game, column, _in_order(row, column)) for column in columns)
            return PrintedRow(kind="deal", number=str(number), facts=facts, cells=_cells(game, row))
        case AdjustmentRow() | ChangeRow():
            text, cells = _row_text(game, row), _cells(game, row)
            return PrintedRow(
                kind="adjustment", number=_SIGNS[kind_of(row)], text=text, cells=cells
            )
        case VoidRow(number=number):
            return PrintedRow(kind="void", number=str(number), text=_row_text(game, row))
        case _:
            return PrintedRow(kind=kind_of(row), number="", text=_row_text(game, row))


def _shorten_texts(rows: Sequence[PrintedRow]) -> tuple[PrintedRow, ...]:
    lengths = [len(row.text) for row in rows if row.text]
    if sum(lengths) <= _TEXTS_MAX:
        return tuple(rows)
    room = max(_TEXT_MIN, _TEXTS_MAX // len(lengths))
    return tuple(
        replace(row, text=f"{row.text[: room - 1].rstrip()}…") if len(row.text) > room else row
        for row in rows
    )


def _row_text(game: GameSheet, row: AnyRow) -> str:
    kind, written = kind_of(row), strip_controls(game.rows.remark(row) or "").strip()
    if kind == "note":
        return written
    if kind == "change":
        return written[:1].upper() + written[1:]
    text = game.word(kind)
    text = text[:1].upper() + text[1:]
    colon = "\u202f: " if game.lang == "fr" else ": "
    return f"{text}{colon}{written}" if written else text


def _cells(game: GameSheet, row: AnyRow) -> tuple[Cell, ...]:
    gained = points_of(row, game.sheet.seats)
    return tuple(
        Cell(
            points=_format_gain(points, sat_out=isinstance(row, DealRow) and total is not None),
            total="" if total is None else format_signed(total),
        )
        for points, total in zip(gained, row.totals, strict=True)
    )


def _format_gain(points: int | None, *, sat_out: bool) -> str:
    """Format the points of a row: a dash for a player who sat out, empty for all others without."""
    if points is None:
        return _NONE if sat_out else ""
    return format_signed(points, plus=points != 0)


def _fact(game: GameSheet, column: FactColumn, value: FactValue) -> str:
    match value:
        case None:
            return _NONE
        case tuple() if column.kind == "yes_per_seat":
            return " ".join(_YES if flag else _NO for flag in value if flag is not None)
        case tuple():
            return "\u2009:\u2009".join(
                format_signed(number) for number in value if number is not None
            )
        case int():
            return _player(game, value) if column.kind == "seat" else format_signed(value)
        case str():
            return _SUITS.get(value, value) if column.kind == "suit" else game.word(value)


def _player(game: GameSheet, seat: int | None) -> str:
    return _NONE if seat is None else strip_controls(game.players[seat])


def _warning(game: GameSheet) -> str:
    nameless = [None] * len(game.players)
    unprintable = [
        game.texts.player(seat, game.lang, nameless)
        for seat, name in enumerate(game.players)
        if not printable(name)
    ]
    if not unprintable:
        return ""
    players = format_list(unprintable, locale=game.lang)
    return game.word("unprintable").format(players=players)


def _verdict(game: GameSheet) -> str:
    sheet = game.sheet
    over = sheet.status == "finished"
    first = [game.players[seat] for seat in sheet.ranking[0]] if sheet.ranking else []
    if not (any(sheet.took_part) if over else sheet.deals):
        return game.word("no_deal")
    if not first:
        return game.word("nobody_wins") if over else ""
    if over and not GAMES[sheet.ruleset].has_winner:
        return game.word("place_1").format(names=format_list(first, locale=game.lang))
    if len(first) == 1:
        return game.word("wins" if over else "ahead").format(name=first[0])
    return game.word("share").format(names=", ".join(first)) if over else ""


def _dates(game: GameSheet) -> str:
    begun = game.day
    if begun is None:
        return ""
    last = game.log[-1].recorded_at
    ended = last.astimezone(game.zone).date() if game.times == "recorded" else begun
    if begun == ended:
        return format_date(begun, "long", locale=game.lang)
    return format_interval(begun, ended, "yMMMMd", locale=game.lang)
