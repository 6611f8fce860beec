"""One version of a game in the replay: the table, the entry and its later corrections."""

from collections.abc import Callable, Iterable
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
from service.play.course import GameCourse, begins
from service.play.snapshots import GameSnapshot
from service.play.views import entry_views, game_view
from service.web.archive.remarks import remarks_at
from service.web.format.charts import totals
from service.web.format.render import Reader, names_of
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
from service.web.recorder.table.outcome import has_totals, places


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
    reader: Reader, course: GameCourse, position: int, game: Game | None = None
) -> dict[str, Any]:
    """Build the variables of `moment.html`.

    `game`: the state as masked for the reader; None: as recorded. `deals` in the result: where the
    previous deal begins, the one at this position, and the next.
    """
    now, version = course.locate(position)
    then, shift = now.at(version), course.shift(now)
    reader.follow(now)
    entry = reader.shown(read_entry(*entry_views(now.loaded.rows[version - 1 : version])))
    head = then.head
    if head and head.version == version and records_mistake(head):
        entry = {**entry, "wrong": True}
    lately = [reader.shown(one) for one in then.last_entries(LATELY)]
    game = game or then.loaded.history.game
    view = game_view(now.id, version, game, (), now.players, (), chain=now.loaded.chain)
    deal = steps_of_deal(head)
    board = board_of(reader, view, "", lately=lately, doubtful=doubtful(deal))
    ruleset = now.ruleset

    def words_of(one: Entry) -> Markup:
        return reader.show(to_builtins(one), now.ruleset, board.names)

    return {
        "board": board,
        "entry": entry,
        "version": position,
        "shift": shift,
        "columns": course.columns(now.players),
        "begins": _change(reader, course, now) if version == begins(now) else "",
        "part": parts_of_deal(then.loaded.history, deal)[-1].heading(
            reader.game(ruleset), board.names
        )
        if game.deal
        else "",
        "words": reader.say(entry, now.ruleset, board.names),
        "struck": [words_of(one) for _, one in now.deals.corrections.replaced.get(version, ())],
        "mended": _later_corrections(now, version, words_of, shift),
        "remarks": remarks_at(now, version),
        "deals": deals_around(course, position),
        "beside": stops_beside(course, position),
        "at": table_time(now, version),
        "over": standing_variables(reader, course.until(position), board, course),
    }


def is_passed(now: GameSnapshot, version: int) -> bool:
    """Return whether the replay passes over a version: a result, whose points are the next one."""
    result, *after = now.loaded.rows[version - 1 : version + 1]
    return result.type == "result" and any(row.type in DERIVED_TYPES for row in after)


def passed(course: GameCourse, positions: Iterable[int]) -> list[int]:
    """Return the positions that the replay passes over: results, and points carried over."""
    start = begins(course.game)
    return [
        at
        for at in positions
        if (0 < at < start and course.is_chain) or is_passed(*course.locate(at))
    ]


def stops_beside(course: GameCourse, position: int) -> tuple[int, int]:
    """Return where the replay stops before and after a position, itself at either end."""
    found: list[int] = []
    for direction, end in ((-1, course.first), (1, course.game.version)):
        at = position
        while at != end:
            at += direction
            if not passed(course, (at,)):
                break
        found.append(at)
    return found[0], found[1]


def deals_around(course: GameCourse, position: int) -> tuple[int, int, int]:
    """Return where the deal before a position begins, the deal at it, and the next one.

    They are the first and the last position if there is no such deal. A deal by its result begins
    where its points are counted; a game that goes on from another begins with its players.
    """
    now, version = course.locate(position)
    before, here, after = _deals_around(now, version)
    if not course.is_chain:
        return before, here, after
    shift, start, at = course.shift(now), begins(now), course.index(now)
    following = after + shift
    if at + 1 < len(course.parts) and version in {now.version, after}:
        later = course.parts[at + 1]
        following = begins(later) + course.shift(later)
    previous = before + shift
    if at and version <= start:
        earlier = course.parts[at - 1]
        previous = earlier.version + course.shift(earlier)
    return previous, here + shift, following


def _deals_around(now: GameSnapshot, version: int) -> tuple[int, int, int]:
    deals, opened = now.deals, begins(now)
    here, before = deals.at(version), deals.at(version - 1)

    def start(number: int) -> int:
        # Points that are carried over belong to the first deal, and are no part of its play.
        return min(max(deals.start(number), opened + 1), now.version)

    def stop(number: int) -> int:
        return start(number) + is_passed(now, start(number))

    earlier = (stop(number) for number in range(before, max(before - 2, -1), -1))
    later = (stop(number) for number in range(here, len(deals) + 1))
    return (
        next((at for at in earlier if at < version), opened),
        start(here) if start(here) <= version else opened,
        next((at for at in later if at > version), now.version),
    )


def _later_corrections(
    now: GameSnapshot, version: int, words_of: Callable[[Entry], Markup], shift: int
) -> list[LaterCorrection]:
    deals = now.deals
    splice = deals.corrections.splices.get(version)
    places = [(version, part) for part in range(len(splice.moves) if splice else 1)]
    found = {place: deals.latest_correction(place) for place in places}
    effective = {place: deals.step(place) for place, at in found.items() if at}
    return [
        LaterCorrection(
            version=at + shift,
            at=table_time(now, at),
            now=words_of(step.entry) if (step := effective[place]) else None,
        )
        for place, at in found.items()
        if at
    ]


def standing_variables(
    reader: Reader, course: GameCourse, board: Board, whole: GameCourse | None = None
) -> dict[str, Any] | None:
    """Build the variables of `standing.html`; None during a deal and before the first has ended.

    `whole`: the course of which this is a part.
    """
    then = course.game
    game = then.loaded.history.game
    begun = len(game.deals) + then.deals_before
    if game.status is Status.OPEN and (game.deal is not None or not begun):
        return None
    ended = final_entry(board.lately)
    return {
        "words": reader.say(ended, then.ruleset, board.names) if ended else "",
        "places": places(
            ranking(then.loaded.history), game.totals, board.names, scored=has_totals(game)
        ),
        "chart": totals(course, names_of(reader, course.players), reader.figures, whole),
        "columns": (whole or course).columns(then.players),
    }


def _change(reader: Reader, course: GameCourse, now: GameSnapshot) -> str:
    """Return the players who arrived and left between two games of a chain, and a rule change."""
    names, change = names_of(reader, course.players), course.change(now)
    if change is None:
        return ""
    changes = [reader.gettext("%(name)s joins") % {"name": names[seat]} for seat in change.arrived]
    changes += [reader.gettext("%(name)s leaves") % {"name": names[seat]} for seat in change.left]
    return ", ".join([*changes, *([reader.gettext("the rules change")] if change.rules else [])])


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
