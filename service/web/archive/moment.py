"""One moment of a game as the replay shows it: the table, the entry, what became of it."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from markupsafe import Markup
from msgspec import Struct, json
from msgspec.structs import replace

from domain.table.rules import Game, Status
from schemas.entries import Entry
from schemas.record import Times
from service.play.commands import DERIVED_TYPES
from service.play.moments import Moment
from service.play.views import entry_views, game_view
from service.store.records import StoredEntry
from service.web.archive.corrected_entries import struck_by
from service.web.archive.remarks import remarks_at
from service.web.format.charts import totals
from service.web.format.render import Reader
from service.web.recorder.entries.timeline import EntryPlace
from service.web.recorder.table.board import Board, read_entry
from service.web.recorder.table.game_page import LATELY, board_of
from service.web.recorder.table.origins import doubtful
from service.web.recorder.table.outcome import final, places


class Dated(Struct):
    """What an entry says of when it happened at the table."""

    at: datetime | None = None


class TableTime(NamedTuple):
    """When something happened at the table, as far as that is known."""

    moment: datetime
    times: Times


class Mended(Struct, frozen=True, kw_only=True):
    """A later correction of what is told: its `version`, when it was made, and what stands now.

    `now` None: nothing does, it was taken back.
    """

    version: int
    at: TableTime
    now: Markup | None


def moment_shown(
    reader: Reader,
    now: Moment,
    righted: Mapping[EntryPlace, StoredEntry],
    version: int,
    game: Game | None = None,
) -> dict[str, Any]:
    """Gather what `moment.html` reads. `righted`: which corrections struck out what.

    `game` as somebody could know it; None: as it was recorded.
    """
    then = now.at(version)
    entry = reader.shown(read_entry(*entry_views(now.folded.rows[version - 1 : version])))
    lately = [reader.shown(read_entry(line)) for line in then.lately(LATELY)]
    game = game or then.folded.history.game
    view = game_view(now.id, version, game, (), now.players, ())
    board = replace(board_of(reader, view, "", lately=lately), doubtful=doubtful(then.head))

    def drawn(one: Entry) -> Markup:
        return reader.show(json.decode(json.encode(one)), now.ruleset, board.names)

    return {
        "board": board,
        "entry": entry,
        "version": version,
        "words": reader.say(entry, now.ruleset, board.names),
        "struck": [drawn(one.entry) for one in struck_by(now, version)],
        "mended": _mended(now, righted, version, drawn),
        "remarks": remarks_at(now.steps, version),
        "at": at_the_table(now, version),
        "over": standing(reader, then, board),
    }


def _mended(
    now: Moment,
    righted: Mapping[EntryPlace, StoredEntry],
    version: int,
    drawn: Callable[[Entry], Markup],
) -> list[Mended]:
    stands = {(step.version, step.part): step.entry for step in now.steps} if righted else {}
    return [
        Mended(
            version=correction.version,
            at=at_the_table(now, correction.version),
            now=drawn(stands[place]) if place in stands else None,
        )
        for place, correction in righted.items()
        if place[0] == version
    ]


def standing(reader: Reader, then: Moment, board: Board) -> dict[str, Any] | None:
    """Gather what `standing.html` reads; None while a deal goes on and before the first one ended.

    In words how the game ended, who is where, and the course as a picture.
    """
    game = then.folded.history.game
    if game.status is Status.OPEN and (game.deal is not None or not game.deals):
        return None
    sheet = then.sheet.sheet
    ended = final(board.lately)
    return {
        "words": reader.say(ended, then.ruleset, board.names) if ended else "",
        "places": places(sheet.ranking, sheet.totals, board.names),
        "chart": totals(sheet, board.names, reader.says),
    }


def at_the_table(now: Moment, version: int) -> TableTime:
    """Return when it was: as the entry, or the one that caused it, says; else as it was recorded.

    A record from elsewhere may say when it began, and of some entries when they were made: what
    came with it and is not dated was then, or later.
    """
    rows = now.folded.rows
    while rows[version - 1].type in DERIVED_TYPES:
        version -= 1
    row = rows[version - 1]
    times = now.folded.times
    came_with_it = times != "recorded" and row.command_id == rows[0].command_id
    for one in reversed(rows[:version] if came_with_it else (row,)):
        if (said := json.decode(one.json, type=Dated).at) is not None:
            return TableTime(said, times if one is rows[0] else "recorded")
    return TableTime(row.recorded_at, "none" if came_with_it else "recorded")
