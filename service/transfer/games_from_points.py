"""Builds records of games of which only the points are known (score books, histories)."""

import re
from collections.abc import Sequence
from datetime import datetime
from itertools import chain
from typing import get_args

from msgspec import Struct, json, structs

from domain.portable import judge_record
from domain.table.rules import Status
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
    found = _SIGNED.fullmatch(cell) if isinstance(cell, str) else None
    if found is None:
        return None
    sign, digits = found.groups()
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
    said = {one.name: get_args(one.type)[0] for one in structs.fields(kind) if one.required}
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
    awards = chain.from_iterable(
        _result(of, one)
        if of.titled and not one.beside
        else (
            Adjust(seat=seat, points=points, reason=one.reason)
            for seat, points in enumerate(one.points)
            if points
        )
        for one in rounds
    )
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


def _result(of: Shapes, one: PointsRound) -> tuple[Entry, ...]:
    found = of.decode_submitted(json.encode([{"type": "result", "points": one.points}]))
    assert not isinstance(found, Malformed)  # noqa: S101 -- made of what it accepts
    return found
