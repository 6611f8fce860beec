"""What can go wrong in the service, as a tree. Facts are fields; sentences are for operators.

    CarnetError
    ├── SettingsError            a setting cannot be used: variable, found, expected
    ├── StartupError             the service cannot start: problem, remedy
    │   └── MigrationChanged     a file that was applied reads differently now: name
    ├── NotFound                 no such game, player, link: kind, id
    ├── AccessError
    │   ├── Unauthorized         nobody we know: no key, a wrong one, a link that was revoked
    │   ├── Forbidden            somebody we know, who may not do this
    │   ├── Suspended            nobody writes in this club for now
    │   ├── OtherClub            a form of another club than the browser shows now: club_id
    │   ├── QuotaReached         the club has as much as it may: what, most
    │   └── TooManyRequests      too fast: retry_after_seconds
    ├── LastOwner                a club keeps one owner
    ├── NameTaken                somebody has the name already: name, player_id
    ├── SameGame                 two people sat in one game, so they are not one: game_id
    ├── AlreadyMerged            an entry of a person was merged before: player_id (the person)
    ├── GameTooLong              a log may not grow so long: entries, entries_max
    ├── GameTooLarge             nor so large: bytes_max
    ├── MalformedCursor          a place in a list that no list gave out: text
    ├── TooManyGames             more games than a form has room for: games, games_max
    ├── NotPrintable             a sheet took longer to set than anybody waits
    ├── UploadTooLarge           an upload took more memory or time than it may: code
    └── StoreError
        ├── StoreUnavailable     the database did not answer; nothing is known of what was asked
        │   ├── StoreBusy        somebody holds what was asked for too long; nothing was stored
        │   └── StoreFull        the database's disk is full; nothing was stored
        ├── VersionConflict      the game has gone on: version (now); nothing was stored
        ├── KeyReused            the command is stored with other entries or players: command_id
        ├── OtherGame            another game stands under this id: game_id, version (they part)
        └── IntegrityBroken      the log is not what was written: game_id, version, what

What people read is made at the edge, in their language, from the fields. A move that the rules do
not allow is no error: it is a value (`domain.table.refusal`).
"""
# ruff: noqa: N818 -- leaves are named by their fact, as the contract's problems are

from uuid import UUID


class CarnetError(Exception):
    """Every error the service raises on purpose."""


class SettingsError(CarnetError):
    """A setting cannot be used. `found` is fit to be shown: a secret is never in it."""

    def __init__(self, variable: str, found: str, expected: str) -> None:
        super().__init__(f"{variable} is {found}; expected {expected}")
        self.variable = variable
        self.found = found
        self.expected = expected


class StartupError(CarnetError):
    """The service cannot start, and what to do about it."""

    def __init__(self, problem: str, remedy: str) -> None:
        super().__init__(f"{problem}. {remedy}.")
        self.problem = problem
        self.remedy = remedy


class MigrationChanged(StartupError):
    """A file that this database was made from is not the one in this installation."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"The file {name} was applied to this database with another content",
            "Install the version of Carnet that applied it, or a later one",
        )
        self.name = name


class NotFound(CarnetError):
    """Nothing of this kind has this id."""

    def __init__(self, kind: str, sought: UUID | None) -> None:
        super().__init__(f"no such {kind}" if sought is None else f"no {kind} {sought}")
        self.kind = kind
        self.id = sought


class AccessError(CarnetError):
    """Every error of who may do what. None says whether what was asked for exists."""


class Unauthorized(AccessError):
    """Nobody we know."""


class Forbidden(AccessError):
    """Somebody we know, who may not do this."""


class Suspended(AccessError):
    """Nobody writes in this club for now; whoever could read still does."""


class OtherClub(AccessError):
    """A form is of another club than the browser shows now, and nothing was stored.

    `club_id`: which one, where the browser may show it; None: it may not any more.
    """

    def __init__(self, club_id: UUID | None) -> None:
        super().__init__("the form is of another club")
        self.club_id = club_id


class QuotaReached(AccessError):
    """The club has as much as it may have. `what`: games, entries, people or bytes."""

    def __init__(self, what: str, most: int) -> None:
        super().__init__(f"{most} {what} at most")
        self.what = what
        self.most = most


class TooManyRequests(AccessError):
    """Somebody asks faster than anybody records cards."""

    def __init__(self, retry_after_seconds: int) -> None:
        super().__init__(f"again in {retry_after_seconds} s")
        self.retry_after_seconds = retry_after_seconds


class LastOwner(CarnetError):
    """The last owner can neither be removed nor made something less."""


class NameTaken(CarnetError):
    """Somebody has the name already, as names are compared. `player_id`: who."""

    def __init__(self, name: str, player_id: UUID) -> None:
        super().__init__(f"{name!r} is the name of player {player_id}")
        self.name = name
        self.player_id = player_id


class SameGame(CarnetError):
    """Two people sat in one game, so they are not one person."""

    def __init__(self, game_id: UUID) -> None:
        super().__init__(f"both sat in game {game_id}")
        self.game_id = game_id


class AlreadyMerged(CarnetError):
    """An entry of a person was merged before. `player_id`: the person it is an entry of."""

    def __init__(self, player_id: UUID) -> None:
        super().__init__(f"merged into player {player_id} already")
        self.player_id = player_id


class GameTooLong(CarnetError):
    """A log would be longer than any game. `entries`: what it would have."""

    def __init__(self, entries: int, entries_max: int) -> None:
        super().__init__(f"a game of {entries} entries; {entries_max} at most")
        self.entries = entries
        self.entries_max = entries_max


class GameTooLarge(CarnetError):
    """Entries and texts of a game would have more than `bytes_max` bytes."""

    def __init__(self, bytes_max: int) -> None:
        super().__init__(f"a game of more than {bytes_max} bytes")
        self.bytes_max = bytes_max


class MalformedCursor(CarnetError):
    """A cursor that no list gave out."""

    def __init__(self, text: str) -> None:
        super().__init__(f"not a cursor: {text!r}")
        self.text = text


class TooManyGames(CarnetError):
    """An export of a form that has no room for so many games."""

    def __init__(self, games: int, games_max: int) -> None:
        super().__init__(f"{games} games; {games_max} at most")
        self.games = games
        self.games_max = games_max


class NotPrintable(CarnetError):
    """The typesetter gave up on a sheet. `code`: what its process ended with."""

    def __init__(self, code: int) -> None:
        super().__init__(f"the typesetter ended with {code}")
        self.code = code


class UploadTooLarge(CarnetError):
    """An upload takes more memory or time than it may. `code`: what its reader ended with."""

    def __init__(self, code: int) -> None:
        super().__init__(f"the reader of an upload ended with {code}")
        self.code = code


class StoreError(CarnetError):
    """Every error of the store's."""


class StoreUnavailable(StoreError):
    """The database did not answer. Whether it did what was asked is not known.

    An append may be sent again with the same command: it is stored once.
    """


class StoreBusy(StoreUnavailable):
    """What was asked for is held by somebody else, or took too long. Nothing was stored."""


class StoreFull(StoreUnavailable):
    """The database has no room left on its disk. Nothing was stored."""


class VersionConflict(StoreError):
    """The game is not at the version the writer saw; nothing was stored."""

    def __init__(self, version: int) -> None:
        super().__init__(f"the game is at version {version}")
        self.version = version


class KeyReused(StoreError):
    """The command is stored with other entries, or other players; nothing was stored now."""

    def __init__(self, command_id: UUID) -> None:
        super().__init__(f"command {command_id} is stored with other entries or players")
        self.command_id = command_id


class OtherGame(StoreError):
    """Another game stands under this id. `version`: of the first entry that differs."""

    def __init__(self, game_id: UUID, version: int) -> None:
        super().__init__(f"game {game_id} is another one from version {version} on")
        self.game_id = game_id
        self.version = version


class IntegrityBroken(StoreError):
    """The log is not what was written. `what` names the part that differs."""

    def __init__(self, game_id: UUID, version: int, what: str) -> None:
        super().__init__(f"game {game_id}, version {version}: {what} differs")
        self.game_id = game_id
        self.version = version
        self.what = what
