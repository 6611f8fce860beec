"""The export format of `carnet export` and `carnet import`: JSON lines.

    {"line":"carnet-export","format":3,"club":…}                 first
    {"line":"player","id":…,"name":…,"created_at":…}             each person; null: an erased name
    {"line":"merge","player":…,"into":…}                         entries that are one person
    {"line":"season","id":…,"name":…,"first_day":…,"last_day":…} each season
    {"line":"title","id":…,"name":…,"options":{…},"created_at":…,"games":[…]}
                                                                 each title, some of its games
    {"line":"title-merge","title":…,"into":…}                    titles that are one
    {"line":"description","game":…,"place":…,"tags":[…]}         place and tags of a game
    {"line":"row","table":…,"row":{…}}                           of a backup only
    {"line":"game","id":…,"players":[…],"entries":[…]}           each game, seat 0 first; with
                                                                 "continues" if it goes on from one
    {"line":"heads","keys":[…],"notes":[…]}                      signed heads of the feed
    {"line":"end","players":…,"games":…,"entries":…,"sha256":…}  last; hash of all lines before it

A head is a signed note (C2SP tlog-checkpoint) over the entries in the order of their `position`;
entries not yet in the feed have none. An entry is `data` (the exact bytes that are hashed), the
columns the log adds, and its hash: SHA-256 over its columns, each prefixed by its length
(`service.store.log.chain`). In an entry of stored shape 2, `data` has the digest of its free text
(`schemas.free_text`), and `free` the text and its salt in hexadecimal; without `free` the text was
erased. In formats 1 and 2 the hash does not cover the players, and format 1 has no separate free
text (`service.transfer.export_reading`). The format is independent of PostgreSQL;
`deploy/verify_head.py` reads it without this package. A backup is an export whose first line has
`"backup":true` and which also contains rows of the database (`service.store.log.backup_rows`).
"""

from datetime import date, datetime
from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from schemas.strict_json import find_repeated_name
from schemas.upcast import TEXT_SEPARATE
from service.errors import CarnetError
from service.store.log.backup_rows import Table
from service.store.log.dump import DumpedGame
from service.store.records import (
    ChainedEntry,
    ContinuedGame,
    Description,
    Player,
    Season,
    StoredEntry,
    Title,
)

# The limits of the log's columns: values beyond them cannot come from an export.
_Small = Annotated[int, Meta(ge=0, le=2**15 - 1)]
_Moment = Annotated[datetime, Meta(tz=True)]
_Name = Annotated[str, Meta(pattern=r"\A[^\x00]*\Z")]


FORMAT: Literal[3] = 3


class BadExport(CarnetError):  # noqa: N818 -- named by its fact, as in service.errors
    """An invalid or incomplete export. `line` counts from 1."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(f"line {line}: {problem}")
        self.line = line
        self.problem = problem


class _Line(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="line"):
    pass


class HeadLine(_Line, frozen=True, kw_only=True, tag="carnet-export"):
    format: Literal[1, 2, 3] = FORMAT
    club: UUID
    backup: Literal[True] | UnsetType = UNSET


class PlayerLine(_Line, frozen=True, tag="player"):
    id: UUID
    name: _Name | None
    created_at: _Moment

    def player(self) -> Player:
        return Player(player_id=self.id, name=self.name, created_at=self.created_at)


class MergeLine(_Line, frozen=True, tag="merge"):
    player: UUID
    into: UUID


class SeasonLine(_Line, frozen=True, tag="season"):
    id: UUID
    name: _Name
    first_day: date
    last_day: date

    def season(self) -> Season:
        return Season(
            season_id=self.id, name=self.name, first_day=self.first_day, last_day=self.last_day
        )


class TitleLine(_Line, frozen=True, tag="title"):
    """A title and some of the games that belong to it; several lines if there are many."""

    id: UUID
    name: _Name | None
    options: dict[str, Any]
    created_at: _Moment
    games: tuple[UUID, ...]
    hidden: bool = False

    def title(self) -> Title:
        return Title(
            title_id=self.id,
            name=self.name,
            options=self.options,
            created_at=self.created_at,
            hidden=self.hidden,
        )


class TitleMergeLine(_Line, frozen=True, tag="title-merge"):
    title: UUID
    into: UUID


class DescriptionLine(_Line, frozen=True, tag="description"):
    """Place and tags of a game, which are not in its log."""

    game: UUID
    place: _Name
    tags: tuple[_Name, ...]

    def description(self) -> Description:
        return Description(place=self.place, tags=self.tags)


class RowLine(_Line, frozen=True, tag="row"):
    table: Table
    row: Raw


class FreePart(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    salt: str
    text: str


class EntryPart(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An entry; its version is its index + 1. `hash` in hexadecimal; `position`: in the feed."""

    data: Raw
    schema_version: _Small
    recorded_at: _Moment
    recorded_by: UUID | None
    command: UUID
    ordinal: _Small
    hash: str
    position: Annotated[int, Meta(ge=1, le=2**63 - 1)] | UnsetType = UNSET
    free: FreePart | UnsetType = UNSET


class ContinuesPart(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The game that was continued, at its last version; the seat that dealt first, if known."""

    game: UUID
    version: Annotated[int, Meta(ge=1, le=2**31 - 1)]
    dealer: _Small | None = None


class ExportedGameLine(_Line, frozen=True, tag="game"):
    id: UUID
    players: tuple[UUID, ...]
    entries: tuple[EntryPart, ...]
    continues: ContinuesPart | UnsetType = UNSET

    @property
    def continued_game(self) -> ContinuedGame | None:
        before = self.continues or None
        return before and ContinuedGame(
            game_id=before.game, version=before.version, dealer=before.dealer
        )

    def links(self) -> tuple[ChainedEntry, ...]:
        """Return the entries with their chain hashes.

        Raises:
            ValueError: an entry has no type, or an invalid hash or salt.
        """
        links: list[ChainedEntry] = []
        for version, part in enumerate(self.entries, 1):
            free = part.free or None
            entry = StoredEntry(
                version=version,
                type=_type_decoder.decode(part.data).type,
                schema_version=part.schema_version,
                data=bytes(part.data),
                recorded_at=part.recorded_at,
                recorded_by=part.recorded_by,
                hash=bytes.fromhex(part.hash),
                ordinal=part.ordinal,
                command_id=part.command,
                text=free.text.encode() if free else None,
            )
            link = ChainedEntry(
                game_id=self.id,
                entry=entry,
                apart=free is not None or part.schema_version == TEXT_SEPARATE,
                salt=bytes.fromhex(free.salt) if free else None,
            )
            links.append(link)
        return tuple(links)

    def positions(self) -> tuple[int, ...]:
        known = tuple(part.position for part in self.entries if part.position is not UNSET)
        return known if len(known) == len(self.entries) else ()


class HeadsLine(_Line, frozen=True, tag="heads"):
    keys: tuple[str, ...]
    notes: tuple[str, ...]


class EndLine(_Line, frozen=True, tag="end"):
    """Last line, with the totals."""

    players: int
    games: int
    entries: int
    sha256: str


class _EntryType(Struct):
    type: str


AnyLine = (
    HeadLine
    | PlayerLine
    | MergeLine
    | SeasonLine
    | TitleLine
    | TitleMergeLine
    | DescriptionLine
    | RowLine
    | ExportedGameLine
    | HeadsLine
    | EndLine
)

_encoder = msgspec.json.Encoder()
_type_decoder = msgspec.json.Decoder(_EntryType)
_decoder: msgspec.json.Decoder[AnyLine] = msgspec.json.Decoder(AnyLine)


def encode_line(line: AnyLine) -> bytes:
    return _encoder.encode(line) + b"\n"


def decode_line(raw: bytes, number: int) -> AnyLine:
    try:
        line = _decoder.decode(raw)
        repeated = find_repeated_name(raw)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as fault:
        raise BadExport(number, f"not a line of an export of Carnet: {fault}") from None
    if repeated is not None:
        raise BadExport(number, f"not a line of an export of Carnet: {repeated.path} stands twice")
    return line


def game_line(game: DumpedGame) -> ExportedGameLine:
    return ExportedGameLine(
        id=game.game_id,
        players=game.players,
        entries=tuple(
            EntryPart(
                data=Raw(link.entry.data),
                schema_version=link.entry.schema_version,
                recorded_at=link.entry.recorded_at,
                recorded_by=link.entry.recorded_by,
                command=link.entry.command_id,
                ordinal=link.entry.ordinal,
                hash=link.entry.hash.hex(),
                position=game.positions.get(link.entry.version, UNSET),
                free=_free(link),
            )
            for link in game.links
        ),
        continues=ContinuesPart(
            game=game.continues.game_id,
            version=game.continues.version,
            dealer=game.continues.dealer,
        )
        if game.continues
        else UNSET,
    )


def _free(link: ChainedEntry) -> FreePart | UnsetType:
    if link.salt is None or link.entry.text is None:
        return UNSET
    return FreePart(salt=link.salt.hex(), text=link.entry.text.decode())
