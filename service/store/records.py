"""Arguments and rows of the store."""

from datetime import date, datetime
from typing import Any, Literal, TypeAlias
from uuid import UUID

from msgspec import Raw, Struct

from projections.summary import Summary
from schemas.record import Times
from schemas.upcast import TEXT_SEPARATE, recorded_json

# The only club of an installation without further ones.
DEFAULT_CLUB = UUID("5e0e1b5c-63a2-4d0f-9a51-c0a2e7ca24e7")

Status: TypeAlias = Literal["open", "finished"]
# Whether games that are set aside are included.
SetAside: TypeAlias = Literal["exclude", "include", "only"]
Role: TypeAlias = Literal["scorer", "viewer"]
MemberRole: TypeAlias = Literal["owner", "scorer", "reader"]


class FreeText(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    salt: bytes
    text: bytes


class NewEntry(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An entry to append. `data`: canonical JSON with its type; `free`: its text, stored apart."""

    type: str
    schema_version: int
    data: bytes
    free: FreeText | None = None


class StoredEntry(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """An entry of the log. `ordinal`: its index in its command, from 0.

    Queries select the columns in the order of the fields.

    `text`: its free text, if it is stored apart and not erased.
    """

    version: int
    type: str
    schema_version: int
    data: bytes
    recorded_at: datetime
    recorded_by: UUID | None
    hash: bytes
    ordinal: int
    command_id: UUID
    text: bytes | None = None

    @property
    def erased(self) -> bool:
        return self.schema_version == TEXT_SEPARATE and self.text is None

    @property
    def json(self) -> bytes:
        """The entry as recorded, with its text; an erased one is empty."""
        return recorded_json(self.schema_version, self.data, self.text)


class ChainedEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """An entry with everything that its hash covers except club and predecessor.

    `apart`: its free text has a row beside the log, erased or not; `salt`: the text's.
    """

    game_id: UUID
    entry: StoredEntry
    apart: bool = False
    salt: bytes | None = None


class LoggedEntry(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An entry as read among those of many games."""

    game_id: UUID
    version: int
    type: str
    schema_version: int
    data: bytes
    recorded_at: datetime
    text: bytes | None = None

    @property
    def json(self) -> bytes:
        """The entry as recorded, with its text; an erased one is empty."""
        return recorded_json(self.schema_version, self.data, self.text)


class SeatedPlayer(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    player_id: UUID
    name: str | None


class GameTitle(Struct, frozen=True):
    """The title of one game; `name` None: forgotten."""

    title_id: UUID
    name: str | None


class ContinuedGame(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The game from which a new one goes on, at its last version.

    `dealer`: the seat of the new game that deals first, if known.
    """

    game_id: UUID
    version: int
    dealer: int | None = None


class ChainPlace(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The place of a game among those that go on from one another.

    `continues`: the game before. `began_at`, `times`: of the first of them; `deals_before`: the
    ended deals of all before it. `continued_by`: the game that goes on from it; `undone`: those
    that did, until that was undone.
    """

    continues: ContinuedGame | None = None
    began_at: datetime
    times: Times
    deals_before: int = 0
    continued_by: UUID | None = None
    undone: tuple[UUID, ...] = ()


class News(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Entries after a known version, the players, seat 0 first, the title, and the chain."""

    entries: tuple[StoredEntry, ...]
    seated: tuple[SeatedPlayer, ...]
    title: GameTitle | None = None
    chain: ChainPlace | None = None


class AppendedEntries(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A command's entries as stored. `replayed`: they were stored before.

    From the same transaction, unless replayed: the players `seated`, seat 0 first, and the versions
    whose text is `erased`.
    """

    entries: tuple[StoredEntry, ...]
    replayed: bool
    seated: tuple[SeatedPlayer, ...] = ()
    erased: frozenset[int] = frozenset()


class Title(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What games by points are called. `name` None: forgotten. `options`: those of new games.

    `hidden`: it is not offered for new games.
    """

    title_id: UUID
    name: str | None
    options: dict[str, Any]
    created_at: datetime
    hidden: bool = False


class Newcomer(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A person to add together with a game.

    `folded`: the folded name; `same_name`: another person has it too.
    """

    id: UUID
    name: str
    folded: str
    same_name: bool = False


class NewTitle(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A title by its name: one that exists, or else this one with the `options` of new games."""

    id: UUID
    name: str
    folded: str
    options: dict[str, Any] = {}


class GameStart(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The data that is fixed when a game starts. `players`: by seat, from seat 0.

    The seating is not part of the log; it is stored with the first append, and a rebuild leaves
    `players` empty. `newcomers`: the players to add. `title`: of a game by points, or `new_title`,
    which is added unless a title has its name. `place`: where it was played, or "".
    `started_at`: the start of a game recorded elsewhere; None: the time of the log.
    `times`: how precisely its times are known. `continues`: the game from which it goes on.
    """

    ruleset: str
    options: Raw
    seats: int
    players: tuple[UUID, ...] = ()
    newcomers: tuple[Newcomer, ...] = ()
    title: UUID | None = None
    new_title: NewTitle | None = None
    place: str = ""
    started_at: datetime | None = None
    times: Times = "recorded"
    continues: ContinuedGame | None = None


class GameSummary(Summary, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The row of a game in the list after an append. `start`: on the first append only.

    `detached`: it does not go on from the game before it any more; None: that does not change.
    """

    start: GameStart | None = None
    detached: bool | None = None


class DealScore(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The points per seat of an ended deal. `deal` from 1; `version`: of its `deal_ended`.

    `detail`: the ruleset's own JSON value.
    """

    deal: int
    version: int
    points: tuple[int, ...]
    detail: Raw


class StoredDealScore(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A stored deal score. `at`: when the entry that ended the deal was recorded.

    `points`: None for a seat that did not take part.
    """

    game_id: UUID
    deal: int
    version: int
    points: tuple[int | None, ...]
    detail: Raw
    at: datetime


class Description(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    place: str = ""
    tags: tuple[str, ...] = ()


class Season(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    season_id: UUID
    name: str
    first_day: date
    last_day: date


class GameInList(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A game in the list. `deals` counts the ended ones, with the `deals_before` of earlier games.

    Per seat: `totals` are points, `places` 1 + the seats ahead (so far, in an open game; None: not
    ranked), `took_part` whether the game is over and counts for the seat.
    """

    game_id: UUID
    ruleset: str
    options: Raw
    seats: int
    players: tuple[UUID, ...]
    status: Status
    version: int
    deals: int
    totals: tuple[int, ...]
    places: tuple[int | None, ...]
    took_part: tuple[bool, ...]
    started_at: datetime
    last_at: datetime
    set_aside: bool = False
    description: Description = Description()
    times: Times = "recorded"
    title_id: UUID | None = None
    title_name: str | None = None
    continues: UUID | None = None
    deals_before: int = 0

    @property
    def title(self) -> str:
        """The id of the title, or the ruleset, which is its own title."""
        return self.ruleset if self.title_id is None else str(self.title_id)

    @property
    def ended_at(self) -> datetime:
        """Time of the last entry; the start, if only that is known."""
        return self.last_at if self.times == "recorded" else self.started_at


class Player(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    player_id: UUID
    name: str | None
    created_at: datetime


class MergedPlayer(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An entry merged `into` another one; `person`: the final target."""

    player_id: UUID
    name: str | None
    into: UUID
    person: UUID


class MergedTitle(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A title merged `into` another one; `title`: the final target."""

    title_id: UUID
    name: str | None
    into: UUID
    title: UUID


class PlayedTitle(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A title with the number of its games and the start of the last, set aside ones left out.

    `last_times`: its precision. `merged`: the titles that are counted here, too.
    """

    title: Title
    games: int
    last_at: datetime | None
    last_times: Times
    merged: tuple[MergedTitle, ...] = ()


class Recorder(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The recorder of entries: a link, a member or a program's token.

    `number`: of a link, from 1 in creation order, permanent; None: no link. `name` "": an unnamed
    link, or a removed member.
    """

    holder_id: UUID
    name: str
    number: int | None
