"""Builds records of games of which only the points are known (score books, histories)."""

import re
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import get_args

from msgspec import Struct, json, structs

from domain.games import TITLED
from domain.portable import judge_record
from domain.table.rules import Status
from projections.summary import ranking
from schemas.catalogue import Shapes, shapes
from schemas.entries import Adjust, Entry, Finish, Note
from schemas.record import PortableRecord
from schemas.strict_json import Malformed

_SPACES = "\u0020\u00a0\u202f\u2009"
_SIGNED = re.compile(r"([+\-\u2212\u2013]?)[ \u00a0\u202f]?([\d.,'’\u0020\u00a0\u202f\u2009]+)")
_PLAIN = re.compile(r"\d{1,9}(?:[.,]0{1,2})?")
_GROUPED = re.compile(
    rf"[1-9]\d{{0,2}}(?:([.,'’{_SPACES}])\d{{3}})(?:\1\d{{3}})*(?:(?!\1)[.,]0{{1,2}})?"
)


def whole_number(cell: object, decimal_marks: frozenset[str] = frozenset()) -> int | None:
    """Parse an integer, with thousands separators; None if invalid or ambiguous.

    `decimal_marks`: those the table uses for fractions, which makes "1,000" mean 1.

    >>> whole_number("1.000"), whole_number("1 000"), whole_number("-7,0"), whole_number("10,5")
    (1000, 1000, -7, None)
    """
    if isinstance(cell, int):
        return cell
    match = _SIGNED.fullmatch(cell) if isinstance(cell, str) else None
    if match is None:
        return None
    sign, digits = match.groups()
    grouped = _GROUPED.fullmatch(digits)
    if grouped is not None:
        if grouped[1] in decimal_marks:
            return None
        whole = re.split(rf"(?!{re.escape(grouped[1])})[.,]", digits)[0]
    elif _PLAIN.fullmatch(digits):
        whole = re.split("[.,]", digits)[0]
    else:
        return None
    number = int(re.sub(r"\D", "", whole))
    return number if sign in {"", "+"} else -number


class PointsRound(Struct, frozen=True, kw_only=True):
    """The points of a round, seat 0 first (None: did not take part), with a reason.

    `beside`: points that belong to no round.
    """

    points: tuple[int | None, ...]
    reason: str
    beside: bool = False


def default_options(ruleset: str) -> Struct:
    kind = shapes(ruleset).options
    said = {field.name: get_args(field.type)[0] for field in structs.fields(kind) if field.required}
    return kind(**said)


def parse_options(ruleset: str, raw: bytes, seats: int) -> Struct | Malformed:
    """Parse options for a number of players, or return their fault."""
    of = shapes(ruleset)
    options = of.decode_options(raw, "$.options")
    return options if isinstance(options, Malformed) else of.complete_options(options, seats)


def game_from_points(
    ruleset: str,
    options: Struct,
    players: Sequence[str | None],
    rounds: Sequence[PointsRound],
    date: datetime | None,
    ended: str | None,
    *,
    notes: Sequence[str] = (),
) -> PortableRecord:
    """Build the record of a game; `ended`: the reason it ended, None if it has not.

    Games by points have their rounds; in every other game the points are given by hand.
    """
    of = shapes(ruleset)
    awards: list[Entry] = []
    for awarded in rounds:
        if of.titled and not awarded.beside:
            awards += _result(of, awarded)
        else:
            awards += [
                Adjust(seat=seat, points=points, reason=awarded.reason)
                for seat, points in enumerate(awarded.points)
                if points
            ]
    record = PortableRecord(
        ruleset=ruleset,
        rules_version=of.rules_version,
        options=options,
        seats=len(players),
        log=(*awards, *(Note(text=text) for text in notes)),
        players=tuple(players),
        date=date,
    )
    over = of.titled and judge_record(record).history.game.status is not Status.OPEN
    if ended is None or over:
        return record
    return structs.replace(record, log=(*record.log, Finish(reason=ended)))


def first_seats(record: PortableRecord) -> frozenset[int]:
    """Return the seats at the first place."""
    ranked = ranking(judge_record(record).history)
    return frozenset(ranked[0]) if ranked else frozenset()


def with_winners(record: PortableRecord, winners: Collection[int]) -> PortableRecord | None:
    """Return a finished game with the winners that its table names (none: nobody won).

    None if the rules decide who won: no entry can change that.
    """
    if first_seats(record) == frozenset(winners):
        return record
    if not shapes(record.ruleset).titled or not record.log:
        return None
    end = finish_with(winners, getattr(record.log[-1], "reason", ""))
    named = structs.replace(record, log=(*record.log[:-1], end))
    return named if first_seats(named) == frozenset(winners) else None


def finish_with(winners: Collection[int], reason: str) -> Entry:
    """Return the `finish` entry with the winners of a game by points."""
    entry = {"type": "finish", "reason": reason, "winners": sorted(winners)}
    entries = shapes(TITLED).decode_submitted(json.encode([entry]))
    assert not isinstance(entries, Malformed)  # noqa: S101 -- made of what it accepts
    return entries[0]


def _result(of: Shapes, awarded: PointsRound) -> tuple[Entry, ...]:
    entries = of.decode_submitted(json.encode([{"type": "result", "points": awarded.points}]))
    assert not isinstance(entries, Malformed)  # noqa: S101 -- made of what it accepts
    return entries
