"""The game that takes the place of another one: with other seats, players or options."""

from uuid import UUID, uuid5

from schemas.entries import SetAside
from service.play.append import is_detached
from service.play.commands import game_of
from service.play.snapshots import GameSnapshot

# Names of the command ids that are derived from the form's command (UUID version 5).
_ASIDE, _START = "aside", "start"
_REPLACED = 2
_NAME_BASED = 5


def set_aside_command_id(command: UUID) -> UUID:
    return uuid5(command, _ASIDE)


def start_command_id(command: UUID) -> UUID:
    return uuid5(set_aside_command_id(command), _START)


def replacement(moment: GameSnapshot) -> UUID | None:
    """Return the game that took the place of this one; None: none did.

    It is the game as which this one goes on, the game before if that was undone, or one with other
    seats that was started before the first card.
    """
    chain, rows = moment.loaded.chain, moment.loaded.rows
    if chain is not None and chain.continued_by is not None:
        return chain.continued_by
    if chain is not None and chain.continues and is_detached(moment.loaded.history):
        return chain.continues.game_id
    head = moment.head
    if moment.version != _REPLACED or not (head and isinstance(head.entry, SetAside)):
        return None
    command = rows[-1].command_id
    return game_of(uuid5(command, _START)) if command.version == _NAME_BASED else None
