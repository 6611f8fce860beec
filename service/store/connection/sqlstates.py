"""PostgreSQL errors translated to ours."""

from uuid import UUID

from msgspec import Struct, json
from psycopg import Error, OperationalError, errors

from service.errors import (
    CarnetError,
    NotFound,
    StoreBusy,
    StoreFull,
    StoreUnavailable,
    VersionConflict,
)

VERSION_CONFLICT = "YC001"
_NAMES = "player_by_name"

# PostgreSQL, appendix A: locks, deadlocks and timeouts; disk and memory; ended sessions.
_BUSY = frozenset({"40001", "40P01", "55P03", "57014"})
_FULL = frozenset({"53100"})
_ENDED = frozenset({"57P01", "57P02", "57P03", "57P05", "25P03"})
_ENDED_CLASS = "08"


class _ConflictDetail(Struct, frozen=True):
    version: int


def translate(error: Error, game_id: UUID, version: int) -> CarnetError | Error:
    """Translate an error of `append` or `project_game`; any other is returned unchanged."""
    if error.sqlstate == VERSION_CONFLICT:
        now = json.decode(error.diag.message_detail or "", type=_ConflictDetail).version
        return conflict(game_id, version, now)
    if isinstance(error, errors.ForeignKeyViolation):
        return NotFound("player", None)
    if isinstance(error, errors.UniqueViolation) and error.diag.constraint_name == _NAMES:
        return StoreBusy("somebody was added meanwhile under the name of somebody new here")
    return error


def conflict(game_id: UUID, expected_version: int, version: int) -> CarnetError:
    """Return the error of a version conflict: there is no such game, or it is at `version`."""
    if version == 0 and expected_version > 0:
        return NotFound("game", game_id)
    return VersionConflict(version)


def unavailable(error: OperationalError) -> StoreUnavailable:
    """Return the error of an aborted statement or a silent server."""
    reason, state = str(error).strip(), error.sqlstate
    if state in _BUSY:
        return StoreBusy(reason)
    return StoreFull(reason) if state in _FULL else StoreUnavailable(reason)


def is_connection_lost(error: OperationalError) -> bool:
    state = error.sqlstate
    return state is None or state in _ENDED or state.startswith(_ENDED_CLASS)
