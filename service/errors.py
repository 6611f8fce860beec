"""The errors of the service, as a tree. Fields are for programs, messages for operators.

    CarnetError
    ├── SettingsError            an invalid setting: variable, found, expected
    ├── StartupError             the service cannot start: problem, remedy
    │   └── MigrationChanged     an applied migration was edited since: name
    ├── NotFound                 no such game, player, link: kind, id
    ├── AccessError
    │   ├── Unauthorized         no secret, or an invalid or revoked one
    │   ├── Forbidden            the caller lacks the right
    │   ├── Suspended            the club is read-only
    │   ├── OtherClub            the form's club is not the one shown: club_id
    │   ├── QuotaReached         the club is at a limit: what, most
    │   └── TooManyRequests      rate limited: retry_after_seconds
    ├── LastOwner                a club needs an owner
    ├── NameTaken                another person has the name: name, player_id
    ├── NamesAlike               a record brings a name like known ones: seat, name, players
    ├── SameGame                 two people played in one game, so they cannot be merged: game_id
    ├── AlreadyMerged            a person's entry was merged before: player_id (the person)
    ├── TotalCarried             the points with which a game goes on: before (the game before)
    ├── TitleTaken               another title has the name: name, title_id
    ├── TitleMerged              a title was merged before: title_id (the one it belongs to)
    ├── GameTooLong              too many entries in a log: entries, entries_max
    ├── GameTooLarge             too many bytes in a log: bytes_max
    ├── MalformedCursor          an invalid cursor of a list: text
    ├── TooManyGames             more games than a file form can contain: games, games_max
    ├── ClientLeft               the client hung up
    ├── NotPrintable             the typesetter timed out
    ├── UnreadableForm           a form of a page cannot be parsed: too_large
    ├── ReaderKilled             the reader of an upload was killed; it may be sent again
    ├── UploadTooLarge           an upload exceeded the limits on memory or time: code
    └── StoreError
        ├── StoreUnavailable     the database did not answer; the write may be stored or not
        │   ├── StoreBusy        a lock timeout; not stored
        │   └── StoreFull        the database's disk is full; not stored
        ├── VersionConflict      the game has another version: version (now); not stored
        │   ├── GameContinued    the game goes on as another one: game_id, by (the other)
        │   └── GameBeforeMoved  the game to go on from has other entries, or is over: game_id
        ├── KeyReused            the command was stored with other content: command_id
        ├── OtherGame            another game has this id: game_id, version (first difference)
        └── IntegrityBroken      the log fails verification: game_id, version, what

Everything that reads or writes the store may raise `StoreUnavailable`; docstrings do not repeat it.
Texts for users are made at the edge, in their language, from the fields. A move that the rules
forbid is not an error but a value (`domain.table.refusal`).
"""
# ruff: noqa: N818 -- errors are named by their fact, like the problems of the API

from collections.abc import Sequence
from errno import EDQUOT, ENOSPC
from uuid import UUID


class CarnetError(Exception):
    pass


class SettingsError(CarnetError):
    """An invalid setting. `found` may be shown: it never contains a secret."""

    def __init__(self, variable: str, found: str, expected: str) -> None:
        super().__init__(f"{variable} is {found}; expected {expected}")
        self.variable = variable
        self.found = found
        self.expected = expected


class StartupError(CarnetError):
    """The service cannot start; `remedy` advises the operator."""

    def __init__(self, problem: str, remedy: str) -> None:
        super().__init__(f"{problem}. {remedy}.")
        self.problem = problem
        self.remedy = remedy


class MigrationChanged(StartupError):
    def __init__(self, name: str) -> None:
        super().__init__(
            f"The file {name} was applied to this database with another content",
            "Install the version of Carnet that applied it, or a later one",
        )
        self.name = name


class NotFound(CarnetError):
    def __init__(self, kind: str, sought: UUID | None) -> None:
        super().__init__(f"no such {kind}" if sought is None else f"no {kind} {sought}")
        self.kind = kind
        self.id = sought


class AccessError(CarnetError):
    """Base class of refused access. The message never reveals whether an object exists."""


class Unauthorized(AccessError):
    pass


class Forbidden(AccessError):
    pass


class Suspended(AccessError):
    pass


class OtherClub(AccessError):
    """The form is of another club than the one shown now; not stored.

    `club_id`: the form's club; None if the browser may not open it any more.
    """

    def __init__(self, club_id: UUID | None) -> None:
        super().__init__("the form is of another club")
        self.club_id = club_id


class QuotaReached(AccessError):
    """The club is at a limit. `what`: games, entries, people or bytes."""

    def __init__(self, what: str, most: int) -> None:
        super().__init__(f"{most} {what} at most")
        self.what = what
        self.most = most


class TooManyRequests(AccessError):
    def __init__(self, retry_after_seconds: int) -> None:
        super().__init__(f"again in {retry_after_seconds} s")
        self.retry_after_seconds = retry_after_seconds


class LastOwner(CarnetError):
    pass


class NameTaken(CarnetError):
    """Another person has the name, compared in normalized form. `player_id`: that person."""

    def __init__(self, name: str, player_id: UUID) -> None:
        super().__init__(f"{name!r} is the name of player {player_id}")
        self.name = name
        self.player_id = player_id


class NamesAlike(CarnetError):
    """The name at a seat differs in accents, hyphens or spaces only from those of `players`.

    `others`: new names of the same upload that it resembles.
    """

    def __init__(
        self, seat: int, name: str, players: Sequence[object], others: Sequence[str] = ()
    ) -> None:
        super().__init__(f"{name!r} is like {len(players) + len(others)} other names")
        self.others = others
        self.seat = seat
        self.name = name
        self.players = players


class SameGame(CarnetError):
    def __init__(self, game_id: UUID) -> None:
        super().__init__(f"both sat in game {game_id}")
        self.game_id = game_id


class AlreadyMerged(CarnetError):
    """A person's entry was merged before. `player_id`: the person it belongs to."""

    def __init__(self, player_id: UUID) -> None:
        super().__init__(f"merged into player {player_id} already")
        self.player_id = player_id


class TotalCarried(CarnetError):
    """Only the service writes the points with which a game goes on from another.

    `before`: the game whose totals they are; None if the game does not go on from one.
    """

    def __init__(self, before: UUID | None) -> None:
        super().__init__(f"carried over from game {before}" if before else "not carried over")
        self.before = before


class TitleTaken(CarnetError):
    """Another title has the name, compared in normalized form. `title_id`: that title."""

    def __init__(self, name: str, title_id: UUID) -> None:
        super().__init__(f"{name!r} is the name of title {title_id}")
        self.name = name
        self.title_id = title_id


class TitleMerged(CarnetError):
    """A title was merged before. `title_id`: the one it belongs to."""

    def __init__(self, title_id: UUID) -> None:
        super().__init__(f"merged into title {title_id} already")
        self.title_id = title_id


class GameTooLong(CarnetError):
    """The log would have too many entries. `entries`: their number."""

    def __init__(self, entries: int, entries_max: int) -> None:
        super().__init__(f"a game of {entries} entries; {entries_max} at most")
        self.entries = entries
        self.entries_max = entries_max


class GameTooLarge(CarnetError):
    """The log would have more than `bytes_max` bytes."""

    def __init__(self, bytes_max: int) -> None:
        super().__init__(f"a game of more than {bytes_max} bytes")
        self.bytes_max = bytes_max


class MalformedCursor(CarnetError):
    def __init__(self, text: str) -> None:
        super().__init__(f"not a cursor: {text!r}")
        self.text = text


class TooManyGames(CarnetError):
    def __init__(self, games: int, games_max: int) -> None:
        super().__init__(f"{games} games; {games_max} at most")
        self.games = games
        self.games_max = games_max


class ClientLeft(CarnetError):
    pass


class NotPrintable(CarnetError):
    """The typesetter failed or timed out. `code`: its exit status."""

    def __init__(self, code: int) -> None:
        super().__init__(f"the typesetter ended with {code}")
        self.code = code


class UnreadableForm(CarnetError):
    """A form of a page is malformed, or has too many fields (`too_large`)."""

    def __init__(self, *, too_large: bool = False) -> None:
        super().__init__("too many fields" if too_large else "malformed")
        self.too_large = too_large


class ReaderKilled(CarnetError):
    """The process that read an upload was killed from outside; the upload may be read again."""


class UploadTooLarge(CarnetError):
    """An upload exceeded the limits on memory or time. `code`: its reader's exit status."""

    def __init__(self, code: int) -> None:
        super().__init__(f"the reader of an upload ended with {code}")
        self.code = code


class StoreError(CarnetError):
    pass


class StoreUnavailable(StoreError):
    """The database did not answer; the write may be stored or not.

    Retrying an append with the same command stores it once.
    """


class StoreBusy(StoreUnavailable):
    """A lock or statement timed out. Nothing was stored."""


class StoreFull(StoreUnavailable):
    pass


def as_store_full(error: Exception) -> Exception:
    """Return StoreFull for an error of a full disk of the service itself, else the error."""
    full = isinstance(error, OSError) and error.errno in {ENOSPC, EDQUOT}
    return StoreFull(str(error)) if full else error


class VersionConflict(StoreError):
    """The game is not at the expected version; nothing was stored."""

    def __init__(self, version: int) -> None:
        super().__init__(f"the game is at version {version}")
        self.version = version


class KeyReused(StoreError):
    """The command was stored with other entries or players; nothing was stored now."""

    def __init__(self, command_id: UUID) -> None:
        super().__init__(f"command {command_id} is stored with other entries or players")
        self.command_id = command_id


class GameContinued(VersionConflict):
    """A game goes on as another one, `by`, and gets no more entries; nothing was stored.

    `version`: of the game, 0 if it was not read.
    """

    def __init__(self, game_id: UUID, by: UUID | None = None, version: int = 0) -> None:
        super().__init__(version)
        self.game_id = game_id
        self.by = by


class GameBeforeMoved(VersionConflict):
    """The game to go on from has other entries than expected, or is over; nothing was stored."""

    def __init__(self, game_id: UUID | None) -> None:
        super().__init__(0)
        self.game_id = game_id


class OtherGame(StoreError):
    """Another game has this id. `version`: of the first different entry."""

    def __init__(self, game_id: UUID, version: int) -> None:
        super().__init__(f"game {game_id} is another one from version {version} on")
        self.game_id = game_id
        self.version = version


class IntegrityBroken(StoreError):
    """The log fails verification. `what` names the part that differs."""

    def __init__(self, game_id: UUID, version: int, what: str) -> None:
        super().__init__(f"game {game_id}, version {version}: {what} differs")
        self.game_id = game_id
        self.version = version
        self.what = what
