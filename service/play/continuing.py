"""Prepares a game that goes on from a running one: with other players, or other options."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal
from uuid import UUID

from msgspec import DecodeError, Raw, Struct, ValidationError, json, to_builtins
from msgspec.structs import replace

from domain.games import GAMES
from domain.replay import opening
from domain.table.history import History
from domain.table.rules import Game, Status
from schemas.entries import ARRIVED, CARRIED, Adjust, Entry, Finish
from schemas.strict_json import Malformed
from service.play.append import RefusedBatch, judge, summary_of
from service.play.new_game import open_game
from service.play.snapshots import GameSnapshot
from service.store.records import ContinuedGame, GameStart, GameSummary

POINTS_MAX = 1_000_000  # as of `schemas.entries.Points`
Obstacle = Literal["finished", "set-aside", "deal", "rules"]


class Continuing(Struct, frozen=True, kw_only=True):
    """How a running game goes on.

    `players`: by seat. `options`: JSON; those not given stay. `starts`: the points of players who
    arrive, 0 if not given. `dealer`: the seat that deals first, if known. `ends`: the game is over
    at once, as if it were decided; `reason`: what is said of that.
    """

    players: Sequence[UUID]
    options: bytes = b"{}"
    starts: Mapping[UUID, int] = {}
    dealer: int | None = None
    reason: str = ""
    ends: bool = False


class CannotContinue(Struct, frozen=True):
    """Why a game cannot go on as another one.

    It is over, was set aside, a deal is in progress, or its rules do not allow it.
    """

    why: Obstacle


class Prepared(Struct, frozen=True, kw_only=True):
    """The first entries of the new game, and the game after them."""

    entries: Sequence[Entry]
    summary: GameSummary
    history: History

    @property
    def decided(self) -> bool:
        """Whether the new game is over at once."""
        return self.history.game.status is not Status.OPEN


def obstacle(game: Game) -> Obstacle | None:
    """Return why a game cannot go on as another one now, if it cannot."""
    if game.set_aside:
        return "set-aside"
    if game.status is not Status.OPEN:
        return "finished"
    if game.deal is not None:
        return "deal"
    return None if GAMES[game.rules.name].goes_on(game.options) else "rules"


def kept_options(game: Game) -> dict[str, Any]:
    """Return the options of the game that continues another: its number of deals is the rest."""
    options: dict[str, Any] = to_builtins(game.options)
    name = GAMES[game.rules.name].deals_option
    if name and options.get(name) is not None:
        options[name] = max(1, options[name] - len(game.deals))
    return options


def prepare(before: GameSnapshot, continuing: Continuing) -> Prepared | Malformed | CannotContinue:
    """Return the entries with which a game goes on, or why it cannot.

    Totals are carried as `adjust` entries. If the game is decided by them, it ends at once.
    """
    game = before.loaded.history.game
    if (why := obstacle(game)) is not None:
        return CannotContinue(why)
    old = [player.id for player in before.players]
    if not set(old) & set(continuing.players):
        return Malformed(path="$.players", expected="somebody who plays in the game before")
    if (wrong := _wrong_start(old, continuing)) is not None:
        return wrong
    try:
        given = json.decode(continuing.options, type=dict[str, Raw])
    except (DecodeError, ValidationError):
        return Malformed(path="$.options", expected="an object")
    options = json.encode({**kept_options(game), **given})
    opened = open_game(before.ruleset, options, continuing.players)
    if isinstance(opened, Malformed):
        return opened
    assert opened.summary.start is not None  # noqa: S101 -- it opens a game
    start = replace(
        opened.summary.start,
        title=before.title.title_id if before.title else None,
        continues=ContinuedGame(
            game_id=before.id, version=before.version, dealer=continuing.dealer
        ),
    )
    carried: list[Entry] = [*_carried(game, old, continuing)]
    history = History(opening(before.ruleset, opened.started.options, len(continuing.players)))
    judged = judge(history, carried) if carried else None
    if isinstance(judged, RefusedBatch):
        return Malformed(path="$.starts", expected="points that the rules allow")
    now = judged.history.game if judged else history.game
    if continuing.ends or now.rules.is_decided(now):
        carried.append(Finish(reason=continuing.reason))
        judged = judge(history, carried)
    if judged is None or isinstance(judged, RefusedBatch):
        return Prepared(entries=[opened.started], summary=_summary(history, start), history=history)
    return Prepared(
        entries=[opened.started, *(line.entry for line in judged.lines)],
        summary=_summary(judged.history, start),
        history=judged.history,
    )


def _summary(history: History, start: GameStart) -> GameSummary:
    return replace(summary_of(history, start), detached=False)


def _wrong_start(old: Sequence[UUID], continuing: Continuing) -> Malformed | None:
    for player, points in continuing.starts.items():
        path = f"$.starts.{player}"
        if player not in continuing.players or player in old:
            return Malformed(path=path, expected="the id of a player who arrives")
        if abs(points) > POINTS_MAX:
            return Malformed(path=path, expected=f"-{POINTS_MAX} to {POINTS_MAX}")
    return None


def _carried(game: Game, old: Sequence[UUID], continuing: Continuing) -> Iterator[Adjust]:
    """Yield an entry for each total carried over, and for the points of those who arrive."""
    played = game.rules.took_part(game)
    for seat, player in enumerate(continuing.players):
        if player not in old:
            points, reason = continuing.starts.get(player, 0), ARRIVED
        else:
            at = old.index(player)
            points, reason = game.totals[at], CARRIED if played[at] else ARRIVED
        if points or reason == CARRIED:
            yield Adjust(seat=seat, points=points, reason=reason)
