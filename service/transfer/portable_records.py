"""The use cases of the portable record: give a game out, and take one in."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, tzinfo
from typing import cast
from uuid import UUID, uuid5

from msgspec import UNSET, Raw, Struct, structs

from domain import notation
from schemas.catalogue import encode, shapes
from schemas.days import day_alone
from schemas.entries import Entry, Started
from schemas.malformed import Malformed
from schemas.names import folded
from schemas.record import PortableRecord, Times, encode_record
from service.errors import KeyReused
from service.export.game.filenames import file_name
from service.language.texts import texts
from service.play import append
from service.play.game_cache import decoded
from service.play.moments import Moment
from service.play.views import PlayerView
from service.store.club.players import Players
from service.store.log.events import EventStore
from service.store.read_models.projections import GameIndex
from service.store.records import GameStart, Newcomer
from service.transfer.upload_reader import UploadReader
from service.transfer.uploads import (
    Assessed,
    Format,
    Outcome,
    Seated,
    imported_game_id,
    with_players,
)


class GivenRecord(Struct, frozen=True, kw_only=True):
    """A game given out, as of `version`."""

    record: PortableRecord
    version: int

    def file_name(self, suffix: str, lang: str, zone: tzinfo | None = None) -> str:
        """Call a file of it, as a reader calls games; `zone`: the reader's, None: the machine's."""
        said, record = texts(), self.record
        names = [said.player(seat, lang, record.players) for seat in range(record.seats)]
        day = day_alone(record.date) or record.date.astimezone(zone).date() if record.date else None
        return file_name(day, said.game(record.ruleset, lang), names, suffix)

    def text(self) -> str:
        """Write it as text (`domain.notation`)."""
        return notation.write(self.record)

    def json(self) -> bytes:
        """Write it as JSON (`schemas.record`)."""
        return encode_record(self.record, notation.digest(self.record))


def given(moment: Moment) -> GivenRecord:
    """Give a game out as it is seen: its raw log, outcomes as they were stored, and who plays."""
    rows = moment.folded.rows
    first, *log = decoded(moment.folded.shapes, rows)
    started = cast("Started[Struct]", first)
    record = PortableRecord(
        ruleset=started.ruleset,
        rules_version=started.rules_version,
        options=started.options,
        seats=started.seats,
        log=tuple(log),
        players=tuple(player.name for player in moment.players),
        date=_date_of(moment),
    )
    return GivenRecord(record=record, version=moment.version)


def _date_of(moment: Moment) -> datetime | None:
    folded = moment.folded
    return folded.rows[0].recorded_at if folded.times == "recorded" else folded.began_at


class TakenRecord(Struct, frozen=True, kw_only=True):
    """A record taken in, as this game. `replayed`: it was before, under the same key."""

    game_id: UUID
    version: int
    players: tuple[PlayerView, ...]
    replayed: bool


class Records:
    """Records of one club's games. `new_id` makes ids, `new_salt` what hides a text."""

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
        choices: Mapping[str, UUID] | None = None,
        *,
        sheet: bool = False,
    ) -> Assessed:
        """Look at a record, storing nothing: every problem, who would sit where, the outcome.

        `form` None: JSON if it begins like JSON. Who is `chosen`, one a seat, goes before the names
        in it; `choices`: who is meant by a name in it, by the folded name.

        Raises: UploadTooLarge
        """
        assessed = await self._reader.assess(data, form, sheet=sheet)
        return await self.seat(assessed, chosen, choices)

    async def seat(
        self,
        assessed: Assessed,
        chosen: Sequence[Seated],
        choices: Mapping[str, UUID] | None = None,
    ) -> Assessed:
        """Seat others at a record that was looked at."""
        if assessed.record is None:
            return assessed
        names = await self._players.names()
        return with_players(assessed, chosen, names.choosing(choices) if choices else names)

    async def take(
        self, assessed: Assessed, by: UUID | None, command_id: UUID | None = None
    ) -> TakenRecord | tuple[Malformed, ...]:
        """Store a record without faults as a new game, and whoever is new with it, or neither.

        The same key with the same record and players stores nothing and answers as it did, whoever
        was forgotten since. Else who cannot be seated is told.

        Raises: KeyReused, StoreUnavailable
        """
        record, outcome = assessed.record, assessed.outcome
        if record is None or outcome is None or assessed.faults:
            raise ValueError("a record with problems is not taken in")
        command = command_id or self._new_id()
        game_id = imported_game_id(command)
        entries = _entries(record, outcome)
        stored = await self._store.command(game_id, command) if command_id else []
        if stored:
            was = decoded(shapes(record.ruleset), stored)
            if not append.repeats(stored, was, entries):
                raise KeyReused(command)
            return await self._repeated(game_id, command, len(stored), assessed)
        if assessed.unseated:
            return assessed.unseated
        appended = await self._store.append(
            game_id=game_id,
            expected_version=0,
            command_id=command,
            by=by,
            entries=await asyncio.to_thread(append.new_entries, entries, self._new_salt),
            summary=structs.replace(
                outcome.summary, start=_start(game_id, record, outcome, assessed.seated)
            ),
            deals=outcome.scores,
        )
        if appended.replayed:
            return await self._repeated(game_id, command, len(appended.entries), assessed)
        return await self._taken(game_id, len(appended.entries), replayed=False)

    async def standing(self, game_id: UUID) -> TakenRecord:
        """Tell a game that is here as one that was taken in before.

        Raises: NotFound, StoreUnavailable
        """
        return await self._taken(game_id, (await self._index.game(game_id)).version, replayed=False)

    async def _repeated(
        self, game_id: UUID, command_id: UUID, version: int, assessed: Assessed
    ) -> TakenRecord:
        """Answer as before, if the same people were to play.

        Raises: KeyReused
        """
        taken = await self._taken(game_id, version, replayed=True)
        asked = assessed.seated
        if len(asked) != len(taken.players) or not all(
            _same(sits, one, _newcomer(game_id, seat), chosen=assessed.chosen)
            for seat, (sits, one) in enumerate(zip(taken.players, asked, strict=True))
        ):
            raise KeyReused(command_id)
        return taken

    async def _taken(self, game_id: UUID, version: int, *, replayed: bool) -> TakenRecord:
        seated = (await self._index.game(game_id)).players
        known = await self._players.many(seated)
        players = tuple(
            PlayerView(id=one, name=known[one].name if one in known else None) for one in seated
        )
        return TakenRecord(game_id=game_id, version=version, players=players, replayed=replayed)


def _entries(record: PortableRecord, outcome: Outcome) -> list[Entry]:
    """List what is stored: `started`, then what was judged."""
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
    ids = tuple(one.id or _newcomer(game_id, seat) for seat, one in enumerate(seated))
    return GameStart(
        ruleset=record.ruleset,
        options=Raw(encode(record.options)),
        seats=record.seats,
        players=ids,
        newcomers=tuple(
            Newcomer(
                id=made,
                name=one.name or "",
                folded=folded(one.name or ""),
                same_name=one.same_name,
            )
            for made, one in zip(ids, seated, strict=True)
            if one.id is None
        ),
        started_at=record.date,
        times=_times(record, outcome),
    )


def _times(record: PortableRecord, outcome: Outcome) -> Times:
    if record.date is not None:
        return "day" if day_alone(record.date) else "start"
    return "none" if outcome.entries else "recorded"


def _newcomer(game_id: UUID, seat: int) -> UUID:
    """Make the id of whoever comes with a game, so that a repeated command knows them again."""
    return uuid5(game_id, str(seat))


def _same(sits: PlayerView, asked: Seated, newcomer: UUID, *, chosen: bool) -> bool:
    """Tell whether who sits there is who is asked for.

    Nobody may have the name of a record any more that somebody had then: they were renamed.
    """
    if asked.id is not None:
        return asked.id == sits.id
    return not chosen or (sits.id == newcomer and sits.name in {asked.name, None})
