"""Checks the options and players of a new game."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID

from msgspec import UNSET, DecodeError, Raw, Struct, ValidationError, json

from domain.replay import opening
from domain.table.history import History
from schemas.catalogue import SHAPES, Shapes, encode, shapes
from schemas.entries import Started
from schemas.record import NO_TITLE_EXPECTED
from schemas.strict_json import Malformed
from service.play.append import summary_of
from service.store.records import GameStart, GameSummary, Player, Title


class Opening(Struct, frozen=True, kw_only=True):
    """The first entry of a log, and its list row."""

    started: Started[Struct]
    summary: GameSummary


def open_game(
    ruleset: str,
    options: bytes,
    players: Sequence[UUID],
    title: Title | None = None,
    at: datetime | None = None,
) -> Opening | Malformed:
    if ruleset not in SHAPES:
        return Malformed(path="$.ruleset", expected=f"one of {', '.join(SHAPES)}")
    if title is not None and not shapes(ruleset).titled:
        return Malformed(path="$.title", expected=NO_TITLE_EXPECTED)
    of = shapes(ruleset)
    settled = _complete_options(of, _with_defaults(options, title), len(players))
    if isinstance(settled, Malformed):
        return settled
    seats = len(players)
    start = GameStart(
        ruleset=of.name,
        options=Raw(encode(settled)),
        seats=seats,
        players=tuple(players),
        title=title.title_id if title else None,
        started_at=at,
    )
    return Opening(
        started=Started(
            ruleset=of.name,
            rules_version=of.rules_version,
            options=settled,
            seats=seats,
            at=at or UNSET,
        ),
        summary=summary_of(History(opening(of.name, settled, seats, exact=False)), start),
    )


def _with_defaults(options: bytes, title: Title | None) -> bytes:
    if title is None:
        return options
    try:
        given = json.decode(options, type=dict[str, Raw])
    except (DecodeError, ValidationError):
        return options  # decoding the options reports the fault
    return json.encode({**title.options, **given})


def _complete_options(of: Shapes, options: bytes, seats: int) -> Struct | Malformed:
    decoded = of.decode_options(options, "$.options")
    if isinstance(decoded, Malformed):
        return decoded
    settled = of.complete_options(decoded, seats)
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
