"""Correction of a forgotten or doubled turn, which gives later moves to other players."""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from domain.table import judgement
from domain.table.history import Edit, Step, move_number
from domain.table.refusal import Refusal
from domain.table.rules import Game
from schemas.entries import SPLICED_MAX, Entry, Splice


class Turns(Struct, frozen=True):
    """Entry types that belong to a turn, and the roles by which their seats shift.

    `roles` takes the deal before an entry and returns the seats that have a turn, by role (in a
    bout: attacker, defender). A seat with a role is replaced by the seat with this role after the
    correction; any other seat shifts by as many places as the first role does.
    """

    entries: tuple[type[Entry], ...]
    roles: Callable[[Any], tuple[int, ...]]


class PlayerMoves(Struct, frozen=True):
    """The moves of one player as recorded, and after the shift."""

    seat: int
    before: tuple[Entry, ...]
    after: tuple[Entry, ...]


class TurnShift(Struct, frozen=True):
    """Entries to append in one batch, and the changed moves per player.

    `dropped` counts the recorded entries that are removed, those of the correction included.
    """

    entries: tuple[Entry, ...]
    players: tuple[PlayerMoves, ...]
    dropped: int


def find_turn_shift(opening: Game, edit: Edit, turns: Turns) -> TurnShift | None:
    """Return the correction with later moves of the deal given to the players who then have a turn.

    Moves keep their order. If dropping a single entry does not fit, the whole turn is dropped.
    Return None if a later entry would be illegal, or if no seat changes.
    """
    shifted = _shift_moves(opening, edit, turns)
    if shifted is None and not edit.moves:
        edit = _extend_to_turn(opening, edit, turns)
        shifted = _shift_moves(opening, edit, turns)
    if shifted is None:
        return None
    changed = [
        place
        for place, (step, entry) in enumerate(zip(edit.later, shifted, strict=True))
        if entry is not step.entry
    ]
    if not changed:
        return None
    until = changed[-1] + 1
    moves = [move for _, _, move in edit.moves]
    affected = (*edit.dropped, *edit.later[:until])
    moves_after = (*moves, *shifted[:until])
    players = tuple(
        PlayerMoves(
            seat,
            tuple(step.entry for step in affected if _with_seat_shifted(step.entry, seat, turns)),
            tuple(entry for entry in moves_after if _with_seat_shifted(entry, seat, turns)),
        )
        for seat in range(opening.seats)
    )
    return TurnShift(
        _correction_entries(edit, affected, moves_after, shifted), players, len(edit.dropped)
    )


def _correction_entries(
    edit: Edit, affected: Sequence[Step], again: Sequence[Entry], shifted: Sequence[Entry]
) -> tuple[Entry, ...]:
    version, part = affected[0].version, affected[0].part
    if len(again) <= SPLICED_MAX:
        drop = len(affected)
        return (Splice[Entry](version=version, part=part, drop=drop, moves=tuple(again)),)
    # Too many moves for one splice: drop all later entries and append them again.
    drop = len(edit.dropped) + len(edit.later)
    rest = shifted[len(affected) - len(edit.dropped) :]
    return (Splice[Entry](version=version, part=part, drop=drop, moves=()), *again, *rest)


def _shift_moves(opening: Game, edit: Edit, turns: Turns) -> list[Entry] | None:
    """Return the later entries with their seats shifted; None if one would be illegal."""
    game = edit.before.game if edit.before else opening
    for version, part, move in edit.moves:
        judged = judgement.judge(game, move, move_number(version, part))
        if isinstance(judged, Refusal):
            return None
        game = _apply_due_entries(judged)
    shifted: list[Entry] = []
    deal = len(game.deals)
    for step in edit.later:
        before = step.before.game if step.before else opening
        entry = step.entry
        still_in_deal = len(before.deals) == len(game.deals) == deal
        if still_in_deal:
            entry = _reseat(entry, before, game, turns)
        judged = judgement.judge(game, entry, move_number(step.version, step.part))
        if isinstance(judged, Refusal):
            return None
        shifted.append(entry)
        game = _apply_due_entries(judged)
    return shifted


def _reseat(entry: Entry, before: Game, after: Game, turns: Turns) -> Entry:
    seat = getattr(entry, "seat", None)
    if seat is None or before.deal is None or after.deal is None:
        return entry
    if not isinstance(entry, turns.entries):
        return entry
    was, now = turns.roles(before.deal), turns.roles(after.deal)
    if was == now or not was or not now:
        return entry
    if seat in was[: len(now)]:
        seat_then = now[was.index(seat)]
    else:
        seat_then = (seat + now[0] - was[0]) % before.seats
    changed: Any = entry
    return entry if seat_then == seat else replace(changed, seat=seat_then)


def _extend_to_turn(opening: Game, edit: Edit, turns: Turns) -> Edit:
    first = edit.dropped[0]
    turn = _turn_of(opening, first, turns)
    if turn is None:
        return edit
    dropped, kept, later = [*edit.dropped], edit.before, [*edit.later]
    while kept is not None and _turn_of(opening, kept, turns) == turn:
        dropped.insert(0, kept)
        kept = kept.before
    while later and _turn_of(opening, later[0], turns) == turn:
        dropped.append(later.pop(0))
    return Edit(kept, tuple(dropped), (), tuple(later))


def _turn_of(opening: Game, step: Step, turns: Turns) -> tuple[int, int, tuple[int, ...]] | None:
    before = step.before.game if step.before else opening
    seat = getattr(step.entry, "seat", None)
    if before.deal is None or seat is None or not isinstance(step.entry, turns.entries):
        return None
    return len(before.deals), seat, turns.roles(before.deal)


def _with_seat_shifted(entry: Entry, seat: int, turns: Turns) -> bool:
    return isinstance(entry, turns.entries) and getattr(entry, "seat", None) == seat


def _apply_due_entries(game: Game) -> Game:
    while (caused := judgement.next_derived(game)) is not None:
        game = judgement.apply_derived(game, caused)
    return game
