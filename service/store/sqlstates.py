"""What the database refuses, as errors of ours.

Promises: refusals are told apart by SQLSTATE and facts come from DETAIL, never from the text of a
message, which is for operators and may be in any language. Assumes sql/schema/append.sql.
"""

from uuid import UUID

from msgspec import Struct, json
from psycopg import Error, errors

from service.errors import CarnetError, KeyReused, NotFound, VersionConflict

VERSION_CONFLICT = "YC001"
KEY_REUSED = "YC002"


class _ConflictDetail(Struct, frozen=True):
    version: int


def translated(
    error: Error, game_id: UUID, expected_version: int, command_id: UUID | None = None
) -> CarnetError | Error:
    """Translate what `append` or `project_game` raised; an error not ours comes back as it is."""
    if error.sqlstate == VERSION_CONFLICT:
        version = json.decode(error.diag.message_detail or "", type=_ConflictDetail).version
        if version == 0 and expected_version > 0:
            return NotFound("game", game_id)
        return VersionConflict(version)
    if error.sqlstate == KEY_REUSED and command_id is not None:
        return KeyReused(command_id)
    if isinstance(error, errors.ForeignKeyViolation):
        return NotFound("player", None)
    return error
