"""The game that replaces one whose seats were changed before the first card."""

from uuid import UUID, uuid5

from schemas.entries import SetAside
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
    rows = moment.loaded.rows
    head = moment.head
    if moment.version != _REPLACED or not (head and isinstance(head.entry, SetAside)):
        return None
    command = rows[-1].command_id
    return game_of(uuid5(command, _START)) if command.version == _NAME_BASED else None
