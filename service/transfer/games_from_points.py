"""Builds records of games of which only the points are known (score books, histories)."""

from collections.abc import Sequence
from datetime import datetime
from itertools import chain
from typing import get_args

from msgspec import Struct, structs

from schemas.catalogue import shapes
from schemas.entries import Adjust, Entry, Finish, Note
from schemas.record import PortableRecord
from schemas.strict_json import Malformed


class PointsRound(Struct, frozen=True, kw_only=True):
    """The points of a round, seat 0 first, with a reason."""

    points: tuple[int, ...]
    reason: str


def default_options(ruleset: str) -> Struct:
    kind = shapes(ruleset).options
    said = {one.name: get_args(one.type)[0] for one in structs.fields(kind) if one.required}
    return kind(**said)


def parse_options(ruleset: str, raw: bytes, seats: int) -> Struct | Malformed:
    """Parse options for a number of players, or return their fault."""
    of = shapes(ruleset)
    options = of.decode_options(raw, "$.options")
    return options if isinstance(options, Malformed) else of.settled(options, seats)


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
    """Build the record of a game; `ended`: the reason it ended, None if it has not."""
    awards = chain.from_iterable(
        (
            Adjust(seat=seat, points=points, reason=one.reason)
            for seat, points in enumerate(one.points)
            if points
        )
        for one in rounds
    )
    end: tuple[Entry, ...] = () if ended is None else (Finish(reason=ended),)
    return PortableRecord(
        ruleset=ruleset,
        rules_version=shapes(ruleset).rules_version,
        options=options,
        seats=len(players),
        log=(*awards, *(Note(text=text) for text in notes), *end),
        players=tuple(players),
        date=date,
    )
