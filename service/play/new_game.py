"""Checks the options and players of a new game."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from msgspec import Raw, Struct

from schemas.catalogue import SHAPES, Shapes, encode, shapes
from schemas.entries import Started
from schemas.strict_json import Malformed
from service.store.records import GameStart, GameSummary, Player


class Opening(Struct, frozen=True, kw_only=True):
    """The first entry of a log, and its list row."""

    started: Started[Struct]
    summary: GameSummary


def open_game(ruleset: str, options: bytes, players: Sequence[UUID]) -> Opening | Malformed:
    if ruleset not in SHAPES:
        return Malformed(path="$.ruleset", expected=f"one of {', '.join(SHAPES)}")
    of = shapes(ruleset)
    settled = _complete_options(of, options, len(players))
    if isinstance(settled, Malformed):
        return settled
    seats = len(players)
    start = GameStart(
        ruleset=of.name, options=Raw(encode(settled)), seats=seats, players=tuple(players)
    )
    return Opening(
        started=Started(
            ruleset=of.name, rules_version=of.rules_version, options=settled, seats=seats
        ),
        summary=GameSummary(
            status="open", deals=0, totals=(0,) * seats, places=(1,) * seats, start=start
        ),
    )


def _complete_options(of: Shapes, options: bytes, seats: int) -> Struct | Malformed:
    decoded = of.decode_options(options, "$.options")
    if isinstance(decoded, Malformed):
        return decoded
    settled = of.settled(decoded, seats)
    if isinstance(settled, Malformed) and settled.path == "$.seats":
        return Malformed(path="$.players", expected=settled.expected)
    return settled


def wrong_player(players: Sequence[UUID], known: Mapping[UUID, Player]) -> Malformed | None:
    """Return the first player who is seated twice or has no name."""
    for seat, player in enumerate(players):
        if player in players[:seat]:
            return Malformed(path=f"$.players[{seat}]", expected="a player not seated yet")
        if player not in known or known[player].name is None:
            return Malformed(path=f"$.players[{seat}]", expected="the id of a player")
    return None
