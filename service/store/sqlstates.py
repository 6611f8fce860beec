"""What the database refuses, as errors of ours.

Promises: refusals are told apart by SQLSTATE and facts come from DETAIL, never from the text of a
message, which is for operators and may be in any language. Assumes sql/schema/refuse_conflict.sql;
what `append` refuses it answers as a verdict.
"""

from uuid import UUID

from msgspec import Struct, json
from psycopg import Error, errors

from service.errors import CarnetError, NotFound, VersionConflict

VERSION_CONFLICT = "YC001"


class _ConflictDetail(Struct, frozen=True):
    version: int


def translated(error: Error, game_id: UUID, version: int) -> CarnetError | Error:
    """Translate what `append` or `project_game` raised; an error not ours comes back as it is."""
    if error.sqlstate == VERSION_CONFLICT:
        now = json.decode(error.diag.message_detail or "", type=_ConflictDetail).version
        return conflict(game_id, version, now)
    if isinstance(error, errors.ForeignKeyViolation):
        return NotFound("player", None)
    return error


def conflict(game_id: UUID, expected_version: int, version: int) -> CarnetError:
    """Say that a game is not where its writer saw it: there is none, or it is at `version`."""
    if version == 0 and expected_version > 0:
        return NotFound("game", game_id)
    return VersionConflict(version)
