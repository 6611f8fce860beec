"""A game of which only points are known, as a record: from a score book, or from a history."""

from collections.abc import Sequence
from datetime import datetime
from itertools import chain
from typing import get_args

from msgspec import Struct, structs

from schemas.catalogue import shapes
from schemas.entries import Adjust, Entry, Finish, Note
from schemas.malformed import Malformed
from schemas.record import PortableRecord


class PointsRound(Struct, frozen=True, kw_only=True):
    """Points per seat, seat 0 first, and what they are said to be for."""

    points: tuple[int, ...]
    reason: str


def default_options(ruleset: str) -> Struct:
    """Return a game's options as a form begins with: what must be said has its first value."""
    kind = shapes(ruleset).options
    said = {one.name: get_args(one.type)[0] for one in structs.fields(kind) if one.required}
    return kind(**said)


def settled_options(ruleset: str, raw: bytes, seats: int) -> Struct | Malformed:
    """Read options for so many players, or say why they are none."""
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
    """Write a game as a record; `ended`: why it is over, None where it is not."""
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
