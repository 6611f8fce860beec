"""Corrections of an earlier game of a chain, and of the totals carried into later games."""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from uuid import UUID

from msgspec import Struct

from domain.table.history import History
from domain.table.rules import Game, Status
from schemas.entries import (
    ARRIVED,
    CARRIED,
    CORRECTIONS,
    Adjust,
    Amend,
    Entry,
    Splice,
    is_amend,
    is_splice,
    is_start,
    moves_in,
)
from service.errors import TotalCarried
from service.play.append import JudgedBatch, RefusedBatch, judge
from service.play.game_cache import LoadedGame
from service.play.snapshots import GameSnapshot


class FollowingGame(Struct, frozen=True, kw_only=True):
    """A later game of the chain, the entries with which it follows a correction, and their effect.

    `entries` is empty if nothing that was carried over changes.
    """

    game: GameSnapshot
    entries: Sequence[Entry]
    judged: JudgedBatch


def is_correction(entries: Sequence[Entry]) -> bool:
    """Return whether entries only correct others."""
    return all(is_amend(entry) or is_splice(entry) for entry in entries)


async def follow(
    snapshot: Callable[[UUID], Awaitable[GameSnapshot]], corrected: GameSnapshot, after: History
) -> tuple[FollowingGame, ...] | None:
    """Carry a correction through all later games of a chain.

    `after`: the corrected game. None: they cannot follow, because it would be over earlier, or a
    later entry would not be legal.
    """
    following: list[FollowingGame] = []
    before, was, now = corrected, corrected.loaded.history.game, after.game
    while (chain := before.loaded.chain) is not None and chain.continued_by is not None:
        if now.status is not Status.OPEN or now.deal is not None:
            return None
        later = await snapshot(chain.continued_by)
        seats = [player.id for player in before.players]
        entries = [*_following_entries(later, seats, was, now)]
        judged = judge(later.loaded.history, entries)
        if isinstance(judged, RefusedBatch):
            return None
        following.append(FollowingGame(game=later, entries=entries, judged=judged))
        before, was, now = later, later.loaded.history.game, judged.history.game
    return tuple(following)


def may_change_starts(loaded: LoadedGame, entries: Sequence[Entry]) -> bool:
    """Return whether entries may concern the points with which a game of a chain begins."""
    return any(
        is_start(entry)
        or any(is_start(move) for move in moves_in(entry))
        or (continues(loaded) is not None and type(entry) in CORRECTIONS)
        for entry in entries
    )


def check_starts(loaded: LoadedGame, after: History) -> None:
    """Check that a game with more entries, `after`, begins with the same points.

    An imported game has such entries without a game before: they may be corrected, not added.

    Raises: TotalCarried
    """
    before = continues(loaded)
    was, now = _starts(loaded.history), _starts(after)
    if now != was if before else len(now) > len(was):
        raise TotalCarried(before)


def continues(loaded: LoadedGame) -> UUID | None:
    """Return the game from which a game goes on, if it does."""
    chain = loaded.chain
    return chain.continues.game_id if chain and chain.continues else None


def starts_until(loaded: LoadedGame) -> int:
    """Return the first version to which a `take_back` leaves the points carried over as they are.

    A game that does not go on from another has none of them: 1.
    """
    if continues(loaded) is None:
        return 1
    for version, entry in loaded.history.latest_standing():
        if is_start(entry) or any(is_start(move) for move in moves_in(entry)):
            return version
    return 1


def _starts(history: History) -> list[tuple[int, int, Entry]]:
    return [
        (step.version, step.part, step.entry) for step in history.steps() if is_start(step.entry)
    ]


def _following_entries(
    later: GameSnapshot, seats: Sequence[UUID], was: Game, now: Game
) -> Iterator[Entry]:
    """Yield the entries that change the totals carried over as much as they changed before.

    Players who arrived keep the points that the table gave them.
    """
    steps = [*later.loaded.history.steps()]
    starts = {
        step.entry.seat: step
        for step in steps
        if is_start(step.entry) and isinstance(step.entry, Adjust)
    }
    first = next((step for step in steps if not is_start(step.entry)), None)
    played = now.rules.took_part(now)
    for seat, player in enumerate(later.players):
        if player.id not in seats:
            continue
        before = seats.index(player.id)
        change = now.totals[before] - was.totals[before]
        reason = CARRIED if played[before] else ARRIVED
        step = starts.get(seat)
        entry = step.entry if step else None
        carried = entry.points if isinstance(entry, Adjust) else 0
        move = Adjust(seat=seat, points=carried + change, reason=reason)
        if step is not None:
            if move != entry:
                yield Amend(version=step.version, part=step.part, move=move)
        elif move.points or reason == CARRIED:
            if first is None:
                yield move
            else:
                yield Splice(version=first.version, part=first.part, drop=0, moves=(move,))
