"""The game that takes the place of another one, because its seats were changed."""

from uuid import UUID, uuid5

from schemas.entries import SetAside
from service.play.commands import game_of
from service.play.snapshots import GameSnapshot

# Names of the command ids that are derived from the form's command (UUID version 5).
_ASIDE, _START, _LEAVE = "aside", "start", "leave"
_REPLACED = 2
_NAME_BASED = 5


def set_aside_command_id(command: UUID) -> UUID:
    return uuid5(command, _ASIDE)


def start_command_id(command: UUID) -> UUID:
    return uuid5(set_aside_command_id(command), _START)


def leaving_command_id(game_id: UUID) -> UUID:
    """Return the command that ends a game because somebody leaves or joins."""
    return uuid5(game_id, _LEAVE)


def continuing_command_id(game_id: UUID) -> UUID:
    """Return the command that starts the game which goes on from it."""
    return uuid5(leaving_command_id(game_id), _START)


def continuation(game_id: UUID) -> UUID:
    return game_of(continuing_command_id(game_id))


def replacement(moment: GameSnapshot) -> UUID | None:
    """Return the game that took the place of this one; None: none did."""
    rows = moment.loaded.rows
    if rows[-1].command_id == leaving_command_id(moment.id):
        return continuation(moment.id)
    head = moment.head
    if moment.version != _REPLACED or not (head and isinstance(head.entry, SetAside)):
        return None
    command = rows[-1].command_id
    return game_of(uuid5(command, _START)) if command.version == _NAME_BASED else None
