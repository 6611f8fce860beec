"""One version of a game in the replay: the table, the entry and its later corrections."""

from collections.abc import Callable
from datetime import datetime
from typing import Any, NamedTuple

from markupsafe import Markup
from msgspec import Struct, json, to_builtins

from domain.games import records_mistake
from domain.table.rules import Game, Status
from projections.summary import ranking
from schemas.entries import Entry
from schemas.record import Times
from service.play.commands import DERIVED_TYPES
from service.play.snapshots import GameSnapshot
from service.play.views import entry_views, game_view
from service.web.archive.remarks import remarks_at
from service.web.format.charts import totals
from service.web.format.render import Reader
from service.web.recorder.table.board import (
    LATELY,
    Board,
    board_of,
    doubtful,
    final_entry,
    parts_of_deal,
    steps_of_deal,
)
from service.web.recorder.table.entry_data import read_entry
from service.web.recorder.table.outcome import places


class EntryTime(Struct):
    at: datetime | None = None


class TableTime(NamedTuple):
    moment: datetime
    times: Times


class LaterCorrection(Struct, frozen=True, kw_only=True):
    """A later correction of an entry: its version and time, and the entry that now counts.

    `now` None: the entry was taken back.
    """

    version: int
    at: TableTime
    now: Markup | None


def moment_variables(
    reader: Reader, now: GameSnapshot, version: int, game: Game | None = None
) -> dict[str, Any]:
    """Build the variables of `moment.html`.

    `game`: the state as masked for the reader; None: as recorded. `deals` in the result: the first
    versions of the previous deal, of the one at this version, and of the next.
    """
    then = now.at(version)
    entry = reader.shown(read_entry(*entry_views(now.loaded.rows[version - 1 : version])))
    head = then.head
    if head and head.version == version and records_mistake(head):
        entry = {**entry, "wrong": True}
    lately = [reader.shown(one) for one in then.last_entries(LATELY)]
    game = game or then.loaded.history.game
    view = game_view(now.id, version, game, (), now.players, ())
    deal = steps_of_deal(head)
    board = board_of(reader, view, "", lately=lately, doubtful=doubtful(deal))
    ruleset = now.ruleset

    def words_of(one: Entry) -> Markup:
        return reader.show(to_builtins(one), now.ruleset, board.names)

    return {
        "board": board,
        "entry": entry,
        "version": version,
        "part": parts_of_deal(ruleset, deal)[-1].heading(reader.game(ruleset), board.names)
        if game.deal
        else "",
        "words": reader.say(entry, now.ruleset, board.names),
        "struck": [words_of(one) for _, one in now.deals.corrections.replaced.get(version, ())],
        "mended": _later_corrections(now, version, words_of),
        "remarks": remarks_at(now, version),
        "deals": deals_around(now, version),
        "at": table_time(now, version),
        "over": standing_variables(reader, then, board),
    }


def deals_around(now: GameSnapshot, version: int) -> tuple[int, int, int]:
    """Return where the deal before a version begins, the deal at it, and the next one.

    They are 1 and the last version if there is no such deal.
    """
    deals = now.deals
    here, before = deals.at(version), deals.at(version - 1)
    later = (deals.start(one) for one in range(here, len(deals) + 1))
    return (
        deals.start(before) if deals.start(before) < version else 1,
        deals.start(here) if deals.start(here) <= version else 1,
        next((start for start in later if start > version), now.version),
    )


def _later_corrections(
    now: GameSnapshot, version: int, words_of: Callable[[Entry], Markup]
) -> list[LaterCorrection]:
    deals = now.deals
    splice = deals.corrections.splices.get(version)
    places = [(version, part) for part in range(len(splice.moves) if splice else 1)]
    found = {place: deals.latest_correction(place) for place in places}
    effective = {place: deals.step(place) for place, at in found.items() if at}
    return [
        LaterCorrection(
            version=at,
            at=table_time(now, at),
            now=words_of(step.entry) if (step := effective[place]) else None,
        )
        for place, at in found.items()
        if at
    ]


def standing_variables(reader: Reader, then: GameSnapshot, board: Board) -> dict[str, Any] | None:
    """Build the variables of `standing.html`; None during a deal and before the first has ended."""
    game = then.loaded.history.game
    if game.status is Status.OPEN and (game.deal is not None or not game.deals):
        return None
    ended = final_entry(board.lately)
    return {
        "words": reader.say(ended, then.ruleset, board.names) if ended else "",
        "places": places(ranking(then.loaded.history), game.totals, board.names),
        "chart": totals(then.deals, board.names, reader.figures),
    }


def table_time(now: GameSnapshot, version: int) -> TableTime:
    """Return an entry's own time or that of its cause, else the time of recording.

    Entries of an imported record without a time get the last time before them in that record.
    """
    rows = now.loaded.rows
    while rows[version - 1].type in DERIVED_TYPES:
        version -= 1
    row = rows[version - 1]
    times = now.loaded.times
    imported = times != "recorded" and row.command_id == rows[0].command_id
    for one in reversed(rows[:version] if imported else (row,)):
        if (own_time := json.decode(one.json, type=EntryTime).at) is not None:
            return TableTime(own_time, times if one is rows[0] else "recorded")
    return TableTime(row.recorded_at, "none" if imported else "recorded")
