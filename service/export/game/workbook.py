"""A game as a workbook: deals, standings, entries."""

from collections.abc import Iterator
from io import BytesIO

from service.export.formats.dialects import Line
from service.export.formats.xlsx import Table, XlsxBook
from service.export.game.game import GameSheet, recorded_at


def game_xlsx(game: GameSheet) -> bytes:
    out = BytesIO()
    made = game.log[-1].recorded_at
    title = f"{game.title}: {', '.join(game.players)}"
    tables = [
        Table(title=game.word("deals"), header=game.rows.header(), lines=game.rows.lines()),
        _standings(game),
        _entries(game),
    ]
    book = XlsxBook(out, title=title, made=made, zone=game.zone)
    for table in tables:
        book.table(table.title, table.header).add(table.lines)
    book.close()
    return out.getvalue()


def _standings(game: GameSheet) -> Table:
    sheet, ranks = game.sheet, game.ranks()
    best_first = sorted(range(sheet.seats), key=ranks.__getitem__)
    return Table(
        title=game.word("standings"),
        header=[*map(game.word, ("rank", "player", "total", *sheet.standings))],
        lines=[
            [
                ranks[seat],
                game.players[seat],
                sheet.totals[seat],
                *(values[seat] for values in sheet.standings.values()),
            ]
            for seat in best_first
        ],
    )


def _entries(game: GameSheet) -> Table:
    header = [*map(game.word, ("version", "recorded_at", "type", "player", "entry"))]
    return Table(title=game.word("entries"), header=header, lines=_log(game))


def _log(game: GameSheet) -> Iterator[Line]:
    for line in game.log:
        player = None if line.seat is None else game.players[line.seat]
        at = recorded_at(line, game.log[0], game.times)
        yield [line.version, at, line.type, player, line.entry]
