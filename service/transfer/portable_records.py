"""Export and import of one game as a portable record."""

import asyncio
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, tzinfo
from typing import cast
from uuid import UUID, uuid5

from msgspec import UNSET, Raw, Struct, structs, to_builtins

from domain import notation
from schemas.catalogue import encode, shapes
from schemas.days import day_without_time, in_zone
from schemas.entries import Entry, Started
from schemas.names import normalized_name
from schemas.record import PortableRecord, Times, encode_record
from schemas.strict_json import Malformed
from service.errors import KeyReused, NamesAlike
from service.export.game.forms import file_name
from service.language.texts import texts
from service.play import append
from service.play.game_cache import beginning, decode_rows
from service.play.snapshots import GameSnapshot
from service.play.views import PlayerView, player_views
from service.store.club.name_book import Choices
from service.store.club.players import Players
from service.store.log.events import EventStore
from service.store.log.group_commit import Command
from service.store.read_models.projections import GameIndex
from service.store.records import GameStart, Newcomer, NewTitle, StoredEntry
from service.transfer.upload_reader import UploadReader
from service.transfer.uploads import (
    Assessed,
    Format,
    Outcome,
    Seated,
    imported_game_id,
    seat_players,
)


class ExportedRecord(Struct, frozen=True, kw_only=True):
    record: PortableRecord
    version: int

    def file_name(self, suffix: str, lang: str, zone: tzinfo | None = None) -> str:
        """Return a file name in the reader's language; `zone` None: the machine's."""
        said, record = texts(), self.record
        names = [said.player(seat, lang, record.players) for seat in range(record.seats)]
        day = (
            day_without_time(record.date) or record.date.astimezone(zone).date()
            if record.date
            else None
        )
        game = record.title or said.game(record.ruleset, lang)
        return file_name(day, game, names, suffix)

    def text(self) -> str:
        return notation.write(self.record)

    def json(self) -> bytes:
        return encode_record(self.record, notation.digest(self.record))


def exported_record(moment: GameSnapshot, place: str) -> ExportedRecord:
    record = structs.replace(
        stored_record(moment.loaded.rows),
        players=tuple(player.name for player in moment.players),
        date=_date_of(moment),
        title=moment.title_name,
        place=place or None,
    )
    return ExportedRecord(record=record, version=moment.version)


def stored_record(rows: Sequence[StoredEntry]) -> PortableRecord:
    """Return the record of stored entries, without players, date, title and place."""
    first, *log = decode_rows(shapes(beginning(rows[0].data).ruleset), rows)
    started = cast("Started[Struct]", first)
    return PortableRecord(
        ruleset=started.ruleset,
        rules_version=started.rules_version,
        options=started.options,
        seats=started.seats,
        log=tuple(log),
    )


def _date_of(moment: GameSnapshot) -> datetime | None:
    loaded = moment.loaded
    return loaded.rows[0].recorded_at if loaded.times == "recorded" else loaded.began_at


class ImportedRecord(Struct, frozen=True, kw_only=True):
    game_id: UUID
    title: str
    version: int
    players: tuple[PlayerView, ...]
    replayed: bool


class Records:
    def __init__(
        self,
        store: EventStore,
        index: GameIndex,
        players: Players,
        new_id: Callable[[], UUID],
        new_salt: Callable[[], bytes],
        reader: UploadReader,
    ) -> None:
        self._store = store
        self._index = index
        self._players = players
        self._new_id = new_id
        self._new_salt = new_salt
        self._reader = reader

    async def assess(
        self,
        data: bytes,
        form: Format | None = None,
        chosen: Sequence[Seated] = (),
        choices: Choices | None = None,
        *,
        sheet: bool = False,
    ) -> Assessed:
        """Judge a record without storing it: all problems, the seated players, the outcome.

        `form` None: JSON if it begins with an object. `chosen`: the player of each seat, instead of
        the record's names; `choices`: the person meant by a folded name, see `NameBook`.

        Raises: UploadTooLarge
        """
        assessed = await self._reader.assess(data, form, sheet=sheet)
        return await self.seat(assessed, chosen, choices)

    async def seat(
        self,
        assessed: Assessed,
        chosen: Sequence[Seated],
        choices: Choices | None = None,
    ) -> Assessed:
        """Return an assessment with other players."""
        if assessed.record is None:
            return assessed
        names = await self._players.names()
        return seat_players(assessed, chosen, names.with_choices(choices) if choices else names)

    async def import_record(
        self,
        assessed: Assessed,
        by: UUID | None,
        command_id: UUID | None = None,
        *,
        new_names: bool = True,
    ) -> ImportedRecord | tuple[Malformed, ...]:
        """Store a faultless record as a new game, with its new people, in one transaction.

        Idempotent by key: the same record and players store nothing and give the same answer, even
        if a player was erased since. Returns the faults if a player cannot be seated. `new_names`:
        names like those of known people are new ones.

        Raises: KeyReused, NamesAlike
        """
        record, outcome = assessed.record, assessed.outcome
        if record is None or outcome is None or assessed.faults:
            raise ValueError("a record with problems cannot be imported")
        command = command_id or self._new_id()
        game_id = imported_game_id(command)
        entries = _entries(record, outcome)
        stored = await self._store.command(game_id, command) if command_id else []
        if stored:
            was = decode_rows(shapes(record.ruleset), stored)
            if not append.repeats(stored, was, entries):
                raise KeyReused(command)
            return await self._repeat_import(game_id, command, len(stored), assessed)
        if assessed.unseated:
            return assessed.unseated
        if assessed.alike and not new_names:
            first = assessed.alike[0]
            raise NamesAlike(first.seat, first.name, first.players)
        appended = await self._store.append_command(
            await asyncio.to_thread(self._new_game, assessed, command, by)
        )
        if appended.replayed:
            return await self._repeat_import(game_id, command, len(appended.entries), assessed)
        return await self._read_imported(game_id, len(appended.entries), replayed=False)

    async def import_together(
        self, games: Sequence[tuple[Assessed, UUID]], by: UUID | None
    ) -> list[bool]:
        """Store faultless, seated records by commands in one transaction.

        Return for each whether it was stored; one that exists is not.

        Raises: see `EventStore.append`; then none is stored
        """
        commands = await asyncio.to_thread(
            lambda: [self._new_game(assessed, command, by) for assessed, command in games]
        )
        return await self._store.append_in_one_transaction(commands) if commands else []

    def _new_game(self, assessed: Assessed, command: UUID, by: UUID | None) -> Command:
        record, outcome = assessed.record, assessed.outcome
        if record is None or outcome is None or assessed.faults:
            raise ValueError("a record with problems is not imported")
        game_id = imported_game_id(command)
        start = _start(game_id, record, outcome, assessed.seated)
        return Command(
            game_id=game_id,
            version=0,
            command_id=command,
            by=by,
            entries=append.new_entries(_entries(record, outcome), self._new_salt),
            summary=structs.replace(outcome.summary, start=start),
            deals=outcome.scores,
        )

    async def existing(self, game_id: UUID) -> ImportedRecord:
        return await self._read_imported(
            game_id, (await self._index.game(game_id)).version, replayed=False
        )

    async def _repeat_import(
        self, game_id: UUID, command_id: UUID, version: int, assessed: Assessed
    ) -> ImportedRecord:
        repeated = await self._read_imported(game_id, version, replayed=True)
        asked = assessed.seated
        if len(asked) != len(repeated.players) or not all(
            _same(sits, player, newcomer_id(game_id, seat), chosen=assessed.chosen)
            for seat, (sits, player) in enumerate(zip(repeated.players, asked, strict=True))
        ):
            raise KeyReused(command_id)
        return repeated

    async def _read_imported(
        self, game_id: UUID, version: int, *, replayed: bool
    ) -> ImportedRecord:
        game = await self._index.game(game_id)
        known = await self._players.by_ids(game.players)
        return ImportedRecord(
            game_id=game_id,
            title=game.title,
            version=version,
            players=player_views(game.players, known),
            replayed=replayed,
        )


def _entries(record: PortableRecord, outcome: Outcome) -> list[Entry]:
    started = Started(
        ruleset=record.ruleset,
        rules_version=record.rules_version,
        options=record.options,
        seats=record.seats,
        at=record.date or UNSET,
    )
    return [started, *outcome.entries]


def _start(
    game_id: UUID, record: PortableRecord, outcome: Outcome, seated: Sequence[Seated]
) -> GameStart:
    ids = tuple(player.id or newcomer_id(game_id, seat) for seat, player in enumerate(seated))
    return GameStart(
        ruleset=record.ruleset,
        options=Raw(encode(record.options)),
        seats=record.seats,
        players=ids,
        newcomers=tuple(
            Newcomer(
                id=player_id,
                name=player.name or "",
                folded=normalized_name(player.name or ""),
                same_name=player.same_name,
            )
            for player_id, player in zip(ids, seated, strict=True)
            if player.id is None
        ),
        new_title=_title(game_id, record),
        place=record.place or "",
        started_at=in_zone(record.date, UTC) if record.date else None,
        times=_times(record, outcome),
    )


def _title(game_id: UUID, record: PortableRecord) -> NewTitle | None:
    if record.title is None:
        return None
    chosen = shapes(record.ruleset).non_default_options(record.options, record.seats)
    options = {name: to_builtins(value) for name, value in chosen.items() if name != "teams"}
    return NewTitle(
        id=uuid5(game_id, "title"),
        name=record.title,
        folded=normalized_name(record.title),
        options=options,
    )


def _times(record: PortableRecord, outcome: Outcome) -> Times:
    if record.date is not None:
        return "day" if day_without_time(record.date) else "start"
    return "none" if outcome.entries else "recorded"


def newcomer_id(game_id: UUID, seat: int) -> UUID:
    """Return the id of a new player, derived so that a retry creates the same person."""
    return uuid5(game_id, str(seat))


def _same(sits: PlayerView, player: Seated, newcomer: UUID, *, chosen: bool) -> bool:
    """Return whether a seated player is the one requested.

    A name of the record may match no person any more, because of a later change of name.
    """
    if player.id is not None:
        return player.id == sits.id
    return not chosen or (sits.id == newcomer and sits.name in {player.name, None})
